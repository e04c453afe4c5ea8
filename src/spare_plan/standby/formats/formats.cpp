// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/formats/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.hpp"
#include "core/number.hpp"

namespace spare_plan::standby {
namespace {

constexpr std::array kFormats{
    HistoryFormat{"swf", is_swf, read_swf},
    HistoryFormat{"qstat-json", is_qstat_json, read_qstat_json},
    HistoryFormat{"jobcomp", is_jobcomp, read_jobcomp},
    HistoryFormat{"pbs-accounting", is_pbs_accounting, read_pbs_accounting},
    HistoryFormat{"sacct", is_sacct, read_sacct},
};

/// The first line of the text that is not blank, as far as it is there.
std::string_view first_line(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text.substr(0, text.find_first_of("\r\n"));
}

const HistoryFormat& named(const std::string& name) {
  const auto* const found = std::ranges::find(kFormats, name, &HistoryFormat::name);
  if (found == kFormats.end())
    throw core::Error(
        fmt::format("--format: {} is none of {}", core::quoted(name), history_format_names()),
        core::ExitStatus::usage);
  return *found;
}

const HistoryFormat& recognised(std::string_view text, const std::string& name) {
  const auto line = first_line(text);
  if (line.empty()) throw core::Error(name + " is empty, want a history of jobs");
  const auto* const found =
      std::ranges::find_if(kFormats, [&](const auto& format) { return format.recognises(line); });
  if (found == kFormats.end())
    throw core::Error(
        fmt::format("{}: not a history in a format that is known here; it begins with "
                    "{}, --format can be {}",
                    name, core::quoted(line), history_format_names()));
  return *found;
}

}  // namespace

std::span<const HistoryFormat> history_formats() { return kFormats; }

std::string history_format_names() {
  std::string names;
  for (const auto& format : kFormats)
    names += (names.empty() ? "" : ", ") + std::string(format.name);
  return names;
}

void for_each_line(Bytes& bytes, HistoryBuilder& history,
                   const std::function<void(std::string_view, std::size_t)>& use) {
  for_each_line(bytes, use, [&](std::size_t number) {
    history.leave_out(LeftOut::damaged, number, "too long");
  });
}

JobHistory read_history(Bytes& bytes, const std::string& name, const Reading& reading,
                        const std::optional<std::string>& format) {
  const auto& known = format ? named(*format) : recognised(bytes.peek(), name);
  HistoryBuilder history(name, reading);
  known.read(bytes, history);
  auto result = history.finish();
  const bool no_group = result.groups.size() == 1 && result.groups.front().empty();
  if (reading.group_by != GroupBy::none && no_group)
    throw core::Error(fmt::format("{} tells no {} of its jobs", name,
                                  reading.group_by == GroupBy::feature ? "feature" : "partition"));
  return result;
}

}  // namespace spare_plan::standby
