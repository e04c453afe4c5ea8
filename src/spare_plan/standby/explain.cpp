// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "core/number.hpp"
#include "core/plural.hpp"
#include "spare_plan/standby/report.hpp"

namespace spare_plan::standby {
namespace {

std::string percent(double share) { return fmt::format("{:.4g} %", 100 * share); }

/// The step that N is on, and its neighbours.
std::string steps_text(const Analysis& analysis) {
  const auto at = std::ranges::find(analysis.steps, analysis.nodes, &DemandStep::nodes);
  auto text = fmt::format("{} served {} of the {} jobs", core::counted(analysis.nodes, "node"),
                          percent(at->share), analysis.jobs);
  if (at != analysis.steps.begin())
    text += fmt::format("; the step below is {} for {}", std::prev(at)->nodes,
                        percent(std::prev(at)->share));
  if (std::next(at) != analysis.steps.end())
    text += fmt::format("; the step above is {} for {}", std::next(at)->nodes,
                        percent(std::next(at)->share));
  return text + "\n";
}

std::string shares_text(const Analysis& analysis) {
  std::string text = "at other shares:";
  for (const auto& [nodes, share] : analysis.at_share)
    text += fmt::format(" {} at {}{}", nodes, percent(share),
                        share == analysis.at_share.back().share ? "\n" : ",");
  return text;
}

std::string band_text(const Analysis& analysis) {
  return fmt::format(
      "95 % band: N is {} to {} when the {} blocks of jobs here (days, or equal parts of a short "
      "history) are drawn anew 1000 times\n",
      analysis.band_95.first, analysis.band_95.second, analysis.blocks);
}

/// N jumps from one power of two to the next when the share moves a little.
std::string jump_text(const Analysis& analysis) {
  if (analysis.powers_of_two < 0.5 || analysis.nodes <= 2) return "";
  return fmt::format(
      "{} of the jobs want a power of two of nodes, so N moves in jumps: do not follow each of "
      "them\n",
      percent(analysis.powers_of_two));
}

std::string parts_text(const Analysis& analysis, const JobHistory& history) {
  constexpr double kDay = 86400;
  std::string text = "how N moved (days since the first job of the history):\n";
  for (const auto& part : analysis.parts)
    text += fmt::format("  day {:8.2f} to {:8.2f}  {:8} jobs  N {}\n",
                        (part.from - history.jobs.front().submit) / kDay,
                        (part.to - history.jobs.front().submit) / kDay, part.jobs, part.nodes);
  return text;
}

bool is_plain(const std::string& name) {
  return !name.empty() && name.front() != '\'' &&
         std::ranges::all_of(name, [](char c) { return c > ' ' && c < 0x7f; });
}

}  // namespace

std::string groups_text(const std::vector<GroupNodes>& groups) {
  std::string text;
  for (const auto& group : groups)
    text += fmt::format("{} {}\n", is_plain(group.name) ? group.name : core::quoted(group.name),
                        group.nodes);
  return text;
}

std::string explanation(const Analysis& analysis, const JobHistory& history) {
  return fmt::format("N = {}: keep {} on, idle\n", analysis.nodes,
                     core::counted(analysis.nodes, "node")) +
         steps_text(analysis) + shares_text(analysis) + band_text(analysis) + jump_text(analysis) +
         parts_text(analysis, history) +
         "not in the model: jobs that come together; see burst in spare-plan standby simulate\n";
}

}  // namespace spare_plan::standby
