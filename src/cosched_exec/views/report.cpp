// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/views/report.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "cosched_exec/strategy/optimum.hpp"

namespace cosched_exec {

namespace {

bool ran(const Outcome& outcome) { return outcome.kind == Outcome::Kind::ended; }

double makespan_of(const std::vector<Outcome>& outcomes) {
  std::optional<double> first, last;
  for (const Outcome& outcome : outcomes) {
    if (!ran(outcome)) continue;
    first = std::min(first.value_or(outcome.start), outcome.start);
    last = std::max(last.value_or(outcome.end), outcome.end);
  }
  return first ? *last - *first : 0;
}

double share(double running, double whole) { return whole > 0 ? running / whole : 0; }

Report::Row row(const Outcome& outcome, double alone, double share_run) {
  Report::Row row;
  row.alone = outcome.source == Source::none ? 0 : alone;  // too short to be measured, mostly
  if (row.alone > 0) row.slowdown = (outcome.end - outcome.start) / alone;
  row.share_run = share_run;
  return row;
}

/// Nothing was cut short by us or the user.
bool whole(const Supervised& supervised) {
  return supervised.interrupted == 0 && supervised.failure.empty() &&
         std::none_of(supervised.outcomes.begin(), supervised.outcomes.end(),
                      [](const Outcome& outcome) { return outcome.ended_by_us; });
}

/// Of what was done. Tasks that took next to no time do not change it, and were often gone before
/// they could be measured.
std::optional<double> optimum_of(const std::vector<Outcome>& outcomes, const Scheduler& scheduler,
                                 double makespan) {
  constexpr double kNextToNothing = 0.01;
  std::vector<TaskId> tasks;
  for (TaskId id = 0; id < outcomes.size(); ++id)
    if (ran(outcomes[id]) && scheduler.work(id) > kNextToNothing * makespan) tasks.push_back(id);
  if (tasks.empty()) return std::nullopt;
  const std::optional<SpeedTable> table = scheduler.table(tasks);
  if (!table) return std::nullopt;
  try {
    return std::min(optimum(*table).makespan, makespan);  // the run itself is a schedule
  } catch (const core::Error&) {
    return std::nullopt;  // a task without any speed has no schedule
  }
}

}  // namespace

Report report(const std::vector<Task>& tasks, const Supervised& supervised,
              const Scheduler& scheduler, const Course& run) {
  Report report;
  report.makespan = makespan_of(supervised.outcomes);
  report.rows.resize(tasks.size());
  for (TaskId id = 0; id < tasks.size(); ++id)
    if (const Outcome& outcome = supervised.outcomes[id]; ran(outcome))
      report.rows[id] = row(outcome, scheduler.work(id), share(run.running[id], run.under_way[id]));
  report.fairness = run.fairness;
  if (whole(supervised))
    report.optimum = optimum_of(supervised.outcomes, scheduler, report.makespan);
  report.probing_cost = scheduler.probing_cost();
  return report;
}

int exit_status(const Supervised& supervised) {
  if (!supervised.failure.empty()) return kOwnFailure;
  if (supervised.interrupted != 0) return 128 + supervised.interrupted;
  for (const Outcome& outcome : supervised.outcomes)
    if (ran(outcome) && outcome.status != 0 && !outcome.ended_by_us) return outcome.status;
  return supervised.lost_output.empty() ? 0 : kOwnFailure;
}

std::optional<double> excess(const Report& report) {
  if (!report.optimum || *report.optimum <= 0) return std::nullopt;
  return std::max(0.0, report.makespan / *report.optimum - 1);
}

}  // namespace cosched_exec
