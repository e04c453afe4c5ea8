// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/tell.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/plural.hpp"

namespace spare_plan::standby {
namespace {

struct Reason {
  LeftOut why;
  bool usual;
  const char* text;
};

constexpr Reason kReasons[] = {
    {LeftOut::damaged, false, "skipped, cannot be read"},
    {LeftOut::key_twice, false, "skipped, a key is there twice as a job's name could make it"},
    {LeftOut::step, true, "skipped, a step of a job"},
    {LeftOut::no_submit, false, "skipped, no submit time"},
    {LeftOut::no_run, true, "skipped, no run time"},
    {LeftOut::no_nodes, true, "skipped, no number of nodes"},
    {LeftOut::too_wide, true, "rejected, wider than the machine"},
};

std::string sentence(const std::string& name, const Reason& reason, const LeftOutCount& count) {
  const auto where = count.lines == 1 ? "line" : "the first is line";
  const auto detail = count.first_detail.empty() ? "" : ": " + count.first_detail;
  return fmt::format("{}: {} {} ({} {}{})", name, core::counted(count.lines, "line"), reason.text,
                     where, count.first_line, detail);
}

}  // namespace

std::vector<HistoryText> history_text(const JobHistory& history) {
  std::vector<HistoryText> texts;
  for (const auto& reason : kReasons)
    if (const auto& count = history.count(reason.why); count.lines > 0)
      texts.push_back({reason.usual, sentence(history.name, reason, count)});
  if (const auto running = history.still_running; running > 0)
    texts.push_back({true, fmt::format("{}: {} still running, taken with the time so far",
                                       history.name, core::counted(running, "job"))});
  return texts;
}

void require_jobs(const JobHistory& history) {
  if (!history.jobs.empty()) return;
  std::string why;
  for (const auto& text : history_text(history)) why += "; " + text.sentence;
  throw core::Error(fmt::format("{} has no job to go by{}", history.name, why));
}

}  // namespace spare_plan::standby
