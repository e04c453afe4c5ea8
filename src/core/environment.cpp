// SPDX-License-Identifier: BSD-3-Clause
#include "core/environment.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <utility>

#include "core/host_name.hpp"

namespace core {

Environment process_environment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* const value = std::getenv(name.c_str());
    if (value == nullptr) return std::nullopt;
    return value;
  };
}

Environment fixed_environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

std::string own_host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0 || !valid_host_name(name.data()))
    return "localhost";
  return name.data();
}

}  // namespace core
