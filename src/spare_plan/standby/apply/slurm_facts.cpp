// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/apply/slurm_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/error.hpp"
#include "core/hostlist.hpp"
#include "core/number.hpp"

namespace spare_plan::standby::apply {

int parse_slurm_version(std::string_view text) {
  const auto digit = text.find_first_of("0123456789");
  auto rest = digit == text.npos ? std::string_view() : text.substr(digit);
  const auto dot = rest.find('.');
  const auto year = core::parse_count(rest.substr(0, dot), 99);
  rest.remove_prefix(dot == rest.npos ? rest.size() : dot + 1);
  const auto month = core::parse_count(rest.substr(0, 2), 12);
  if (!year || !month)
    throw core::Error(fmt::format("scontrol --version says {}, which is no version of Slurm",
                                  core::quoted(text)));
  return static_cast<int>(100 * *year + *month);
}

SlurmConfig parse_slurm_config(std::string_view text) {
  SlurmConfig config;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key, equals, value;
    words >> key >> equals >> value;
    if (equals != "=" || value == "(null)") continue;
    if (key == "SuspendProgram") config.suspend_program = value;
    if (key == "SuspendTime") config.suspend_time = value;
    if (key == "ResumeProgram") config.resume_program = value;
    if (key == "SuspendExcNodes") config.suspend_exc_nodes = value;
  }
  return config;
}

void require_power_saving(const SlurmConfig& config) {
  if (config.suspend_program.empty() || config.resume_program.empty())
    throw core::Error(
        "slurm.conf sets no SuspendProgram and ResumeProgram, so Slurm cannot switch "
        "nodes off and on; set them, or use --way commands");
  if (config.suspend_time == "NONE" || config.suspend_time == "INFINITE" ||
      config.suspend_time == "-1")
    throw core::Error(
        "SuspendTime in slurm.conf switches power saving off, so that Slurm ignores "
        "orders, too; set it to a time, a long one for --way slurm-owner");
}

std::string exc_nodes(const std::vector<std::string>& nodes, std::uint32_t keep, std::uint64_t used,
                      int version) {
  const auto count = keep + (version >= kCountsUsedNodes ? used : 0);
  if (count == 0 || nodes.empty()) return "";
  const auto list = core::print_hostlist(nodes);
  if (version >= kUpdatesExcNodes && list.find(',') != list.npos)
    throw core::Error(
        fmt::format("this Slurm takes a count in SuspendExcNodes for one range of names alone, not "
                    "for {}: name "
                    "such a range with --hosts, or use --way slurm-owner",
                    core::quoted(list)));
  return fmt::format("{}:{}", list, std::min<std::uint64_t>(count, nodes.size()));
}

std::string fragment_text(const std::string& exc_nodes) {
  const std::string title = "# Written by spare-plan standby apply, included by slurm.conf.\n";
  return exc_nodes.empty() ? title : title + "SuspendExcNodes=" + exc_nodes + "\n";
}

}  // namespace spare_plan::standby::apply
