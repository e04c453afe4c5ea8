// SPDX-License-Identifier: BSD-3-Clause
#include "hardware.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "core/fd.hpp"

namespace benchmarks {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

/// The value of the first line "key : value".
std::string_view value_of(std::string_view cpuinfo, std::string_view key) {
  while (!cpuinfo.empty()) {
    const std::string_view line = cpuinfo.substr(0, cpuinfo.find('\n'));
    const auto colon = line.find(':');
    if (colon != line.npos && trimmed(line.substr(0, colon)) == key)
      return trimmed(line.substr(colon + 1));
    cpuinfo.remove_prefix(std::min(cpuinfo.size(), line.size() + 1));
  }
  return {};
}

/// x86 and others name a model, POWER a cpu, RISC-V a uarch; of Arm there are numbers alone.
std::string model_of(std::string_view cpuinfo) {
  for (const std::string_view key : {"model name", "cpu", "uarch"})
    if (const auto value = value_of(cpuinfo, key); !value.empty()) return std::string(value);
  const auto maker = value_of(cpuinfo, "CPU implementer"), part = value_of(cpuinfo, "CPU part");
  return part.empty() ? "" : fmt::format("Arm {}:{}", maker, part);
}

/// The lines of the first processor are enough, and all of a large machine's take long to make.
std::string beginning_of(const char* path) {
  std::array<char, 4096> text{};
  const core::Fd file(::open(path, O_RDONLY | O_CLOEXEC));
  const ssize_t size = file ? ::read(file.get(), text.data(), text.size()) : 0;
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

}  // namespace

std::string hardware_of(long processors, std::string_view cpuinfo) {
  const std::string model = model_of(cpuinfo);
  if (processors < 1) return model;
  return model.empty() ? fmt::format("{} processors", processors)
                       : fmt::format("{} x {}", processors, model);
}

std::string own_hardware() {
  return hardware_of(::sysconf(_SC_NPROCESSORS_ONLN), beginning_of("/proc/cpuinfo"));
}

}  // namespace benchmarks
