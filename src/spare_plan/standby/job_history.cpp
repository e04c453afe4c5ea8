// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/job_history.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace spare_plan::standby {

std::size_t JobHistory::skipped() const {
  std::size_t lines = 0;
  for (const auto& count : left_out) lines += count.lines;
  return lines - rejected();
}

HistoryBuilder::HistoryBuilder(std::string name, const Reading& reading) : reading_(reading) {
  history_.name = std::move(name);
}

std::uint32_t HistoryBuilder::group(std::string_view name) {
  if (reading_.group_by == GroupBy::none) name = {};
  const auto found = groups_.find(name, history_.groups);
  return static_cast<std::uint32_t>(
      found == core::NameIndex::kNowhere ? groups_.add(name, history_.groups) : found);
}

namespace {

bool is_time(double seconds) { return seconds >= 0 && seconds <= kLongestTime; }

}  // namespace

void HistoryBuilder::add(const Record& record, std::size_t line) {
  if (!is_time(record.run)) return leave_out(LeftOut::no_run, line);
  if (!(record.nodes > 0) || record.nodes > kMostNodes) return leave_out(LeftOut::no_nodes, line);
  if (!is_time(record.submit)) return leave_out(LeftOut::no_submit, line);
  const auto nodes = static_cast<std::uint32_t>(std::ceil(record.nodes));
  if (reading_.machine && nodes > *reading_.machine) return leave_out(LeftOut::too_wide, line);
  if (record.running) ++history_.still_running;
  auto& jobs = history_.jobs;
  sorted_ = sorted_ && (jobs.empty() || jobs.back().submit <= record.submit);
  const double estimate = record.estimate <= kLongestTime ? record.estimate : kLongestTime;
  jobs.push_back(
      {record.submit, record.run, std::max(estimate, record.run), nodes, group(record.group)});
}

void HistoryBuilder::leave_out(LeftOut why, std::size_t line, std::string_view detail) {
  auto& count = history_.left_out[static_cast<std::size_t>(why)];
  if (count.lines++ > 0) return;
  count.first_line = line;
  count.first_detail = detail;
}

JobHistory HistoryBuilder::finish() {
  if (!sorted_) std::ranges::stable_sort(history_.jobs, {}, &Job::submit);
  if (history_.groups.empty()) history_.groups.emplace_back();
  return std::move(history_);
}

}  // namespace spare_plan::standby
