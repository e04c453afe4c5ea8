// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "cosched_exec/options.hpp"
#include "cosched_exec/supervise/supervisor.hpp"
#include "cosched_exec/views/course.hpp"

namespace cosched_exec {

/// The figures of a finished run.
struct Report {
  double makespan = 0;  ///< s
  struct Row {
    double alone = 0;      ///< s that it would have taken alone (estimated); 0: unknown
    double slowdown = 0;   ///< time from start to end, not suspended / alone
    double share_run = 0;  ///< of that time, the part in which it was not paused
  };
  std::vector<Row> rows;           ///< one per task
  std::optional<double> fairness;  ///< J, mean over time (views/course.hpp)
  std::optional<double> optimum;   ///< s, by the LP for the measured speeds
  double probing_cost = 0;         ///< s
};

/// makespan / optimum - 1, at least 0 (speeds are estimates); none without an optimum.
std::optional<double> excess(const Report& report);

/// By the contract: kOwnFailure after a failure of ours, else 128 + the signal that interrupted the
/// run, else the status of the failed task that comes first in the list, else kOwnFailure where
/// output was lost, else 0. Tasks that were not run, or ended by us, do not count.
int exit_status(const Supervised& supervised);

/// "SIGKILL", or "signal 40" for one without a name.
std::string signal_name(int signal);

/// Pure but for CLP.
Report report(const std::vector<Task>& tasks, const Supervised& supervised,
              const Scheduler& scheduler, const Course& course);

/// The views; all pure, on a stream.
void write_summary(std::ostream& out, const std::vector<Task>& tasks, const Supervised& supervised,
                   const Report& report);
void write_json(std::ostream& out, const std::vector<Task>& tasks, const Options& options,
                const Supervised& supervised, const Report& report);
/// GNU parallel's columns: Seq Host Starttime JobRuntime Send Receive Exitval Signal Command.
void write_joblog(std::ostream& out, const std::vector<Task>& tasks, const Supervised& supervised);
/// One JSON object and a line end.
void write_trace(std::ostream& out, const std::vector<Task>& tasks, const Event& event);
/// Chrome's trace format: a row per task (running, paused), counters of speed and fairness. Of a
/// course with all details, as the next one.
void write_timeline(std::ostream& out, const std::vector<Task>& tasks, const Course& run);
/// The source's Figs. 4.1 and 4.3. Written by the rules of -o.
void write_plot(const std::string& path, const std::vector<Task>& tasks, Strategy strategy,
                const Course& run);

}  // namespace cosched_exec
