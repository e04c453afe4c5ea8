// SPDX-License-Identifier: BSD-3-Clause
#include "core/host_name.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/number.hpp"

namespace core {
namespace {

bool may_begin(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool may_follow(char c) { return may_begin(c) || c == '.' || c == '-'; }

}  // namespace

bool valid_host_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxHostNameBytes && may_begin(name.front()) &&
         std::ranges::all_of(name, may_follow);
}

void check_host_name(std::string_view name, std::string_view where) {
  if (valid_host_name(name)) return;
  const std::string size =
      name.size() > kMaxHostNameBytes ? fmt::format(" of {} bytes", name.size()) : "";
  throw Error(
      fmt::format("{}: {}{} is not a host name (first a letter, digit or _, then also . "
                  "and -, at most {} bytes)",
                  where, quoted(name), size, kMaxHostNameBytes));
}

std::string_view first_label(std::string_view host) { return host.substr(0, host.find('.')); }

}  // namespace core
