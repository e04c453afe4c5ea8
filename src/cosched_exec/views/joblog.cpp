// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "cosched_exec/views/report.hpp"

namespace cosched_exec {

namespace {

/// As GNU parallel does: lines of a command are told apart by null characters.
std::string in_one_line(std::string text) {
  std::ranges::replace(text, '\n', '\0');
  return text;
}

}  // namespace

void write_joblog(std::ostream& out, const std::vector<Task>& tasks, const Supervised& supervised) {
  out << "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n";
  std::vector<TaskId> ended;
  for (TaskId id = 0; id < tasks.size(); ++id)
    if (supervised.outcomes[id].kind == Outcome::Kind::ended) ended.push_back(id);
  std::ranges::stable_sort(ended, {}, [&](TaskId id) { return supervised.outcomes[id].end; });
  for (const TaskId id : ended) {
    const Outcome& outcome = supervised.outcomes[id];
    out << fmt::format("{}\t:\t{:.3f}\t{:10.3f}\t0\t{}\t{}\t{}\t{}\n", id + 1, outcome.started_at,
                       outcome.ended_at - outcome.started_at, outcome.sent,
                       outcome.signal != 0 ? 0 : outcome.status, outcome.signal,
                       in_one_line(tasks[id].text));
  }
}

}  // namespace cosched_exec
