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
  int status = 0;             ///< exit status, 128 + signal, 126/127: cannot run / not found
  int signal = 0;             ///< that ended it; 0: none
  double start = 0, end = 0;  ///< s since the epoch
  std::uint64_t sent = 0;     ///< bytes of output
  Source source = Source::none;
  PauseMethod paused_by = PauseMethod::none;
};

struct Supervised {
  std::vector<Outcome> outcomes;  ///< one per task
  int interrupted = 0;            ///< the signal that ended the run; 0: none
};

/// Runs the tasks to their end, steered by the scheduler: one poll loop, no threads. `life`: a
/// descriptor that becomes readable when the keeper is gone. Throws core::Error for a failure of
/// our own; nothing of the tasks lives or is frozen after it returns or throws.
Supervised supervise(const std::vector<Task>& tasks, const Options& options, Groups& groups,
                     Scheduler& scheduler, Journal& journal, int life);

}  // namespace cosched_exec
