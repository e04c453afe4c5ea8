// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "core/duration.hpp"

namespace benchrun {

namespace {

/// What ssh, srun and the C library say about a host that cannot be reached.
constexpr std::array<std::string_view, 12> kNoWay = {
    "Could not resolve", "No route to host",  "Connection refused", "Connection timed out",
    "timed out",         "Permission denied", "Host key",           "Network is unreachable",
    "Connection closed", "Connection reset",  "not known",          "Unable to contact"};

/// What launchers and shells say when they are there but the program is not.
constexpr std::array<std::string_view, 7> kNoProgram = {"could not find an executable",
                                                        "could not access or execute",
                                                        "No such file or directory",
                                                        "command not found",
                                                        "execve",
                                                        "not executable",
                                                        "cannot run"};

bool has_any(std::string_view text, std::span<const std::string_view> patterns) {
  return std::ranges::any_of(patterns, [&](std::string_view pattern) {
    return text.find(pattern) != std::string_view::npos;
  });
}

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r-*=");
  if (first == std::string_view::npos) return {};
  line.remove_prefix(first);
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

template <class Accept>
std::string_view first_line_that(std::string_view text, Accept accept) {
  while (!text.empty()) {
    const std::string_view line = trimmed(text.substr(0, text.find('\n')));
    if (!line.empty() && accept(line)) return line;
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return {};
}

}  // namespace

std::string telling_line(std::string_view complaints) {
  std::string_view line =
      first_line_that(complaints, [](std::string_view text) { return has_any(text, kNoWay); });
  if (line.empty())
    line = first_line_that(complaints,
                           [](std::string_view text) { return has_any(text, kNoProgram); });
  if (line.empty()) line = first_line_that(complaints, [](std::string_view) { return true; });
  return std::string(line.substr(0, 200));
}

std::optional<Verdict> judge(const ProbeEnd& end) {
  if (end.said_hello) return std::nullopt;
  if (end.timed_out)
    return Verdict{core::RowStatus::timeout,
                   fmt::format("no answer within {}", core::human_duration(end.limit))};
  const std::string line = telling_line(end.complaints);
  const std::string reason =
      line.empty() ? fmt::format("the launcher ended with status {}", end.status) : line;
  const bool no_program = has_any(end.complaints, kNoProgram) && !has_any(end.complaints, kNoWay);
  if (no_program)
    return Verdict{core::RowStatus::failed,
                   reason + "; benchrun and its programs must lie at the same path on all hosts"};
  return Verdict{core::RowStatus::unreachable, reason};
}

}  // namespace benchrun
