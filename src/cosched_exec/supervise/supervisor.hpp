// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cosched_exec/options.hpp"
#include "cosched_exec/pause/pauser.hpp"
#include "cosched_exec/strategy/scheduler.hpp"
#include "cosched_exec/task.hpp"
#include "cosched_exec/views/journal.hpp"

namespace cosched_exec {

struct Outcome {
  enum class Kind { not_run, ended } kind = Kind::not_run;
  int status = 0;  ///< exit status, 128 + signal, 126/127: cannot run (or write) / not found
  int signal = 0;  ///< that ended it; 0: none
  bool lost_output = false;   ///< its own file could not be written, so status is not 0
  bool ended_by_us = false;   ///< asked to end: after another's failure or ours, or an interrupt
  double start = 0, end = 0;  ///< s since the start of the run, by its clock
  double started_at = 0, ended_at = 0;  ///< s since 1970
  std::uint64_t sent = 0;               ///< bytes of output
  Source source = Source::none;
  PauseMethod paused_by = PauseMethod::none;
};

struct Supervised {
  std::vector<Outcome> outcomes;  ///< one per task
  int interrupted = 0;            ///< the signal that ended the run; 0: none
  std::string lost_output;        ///< why output of tasks could not be written; empty: it was
  std::string failure;            ///< of our own, after which all tasks were ended; empty: none
};

/// Runs the tasks to their end, steered by the scheduler: one poll loop, no threads. `life`: a
/// descriptor that becomes readable when the keeper is gone. A failure of our own ends all tasks by
/// SIGKILL, and what is known of them by then is returned; throws core::Error only where not even
/// that is possible. Nothing of the tasks lives or is frozen after it returns or throws. To be
/// called in a process of its own (keep()): it adopts orphans, ends all children, and takes over
/// SIGCHLD and the signals that ask for the end.
///
/// What is logged meanwhile goes where the tasks' standard error goes, behind what is waiting.
///
/// The clock of the run stands still while all of it is suspended (SIGTSTP), so that this is
/// nobody's slowdown.
///
/// A signal: SIGTERM to all tasks while they are still paused, then they go on, after 5 s SIGKILL;
/// a second one 0.2 s later or more: SIGKILL at once. What a task's command leaves behind when it
/// ends is ended too: SIGTERM, after 0.5 s SIGKILL.
Supervised supervise(const std::vector<Task>& tasks, const Options& options, Groups& groups,
                     Scheduler& scheduler, Journal& journal, int life);

}  // namespace cosched_exec
