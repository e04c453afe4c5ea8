// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/call_probe.hpp"
#include "cosched_exec/speed/counters.hpp"
#include "cosched_exec/speed/process_times.hpp"
#include "cosched_exec/speed/progress.hpp"
#include "cosched_exec/speed/reading.hpp"
#include "cosched_exec/speed/source_choice.hpp"

namespace cosched_exec {

/// Measures one task by all that works for it, and tells its speed by the best (SourceChoice).
class Meter {
 public:
  struct Parts {
    std::optional<Counters> counters;
    std::optional<core::CallProbe> calls;
    std::optional<Progress> progress;
    std::string group;  ///< folder of the cgroup v2 that holds the task alone; empty: none
  };
  Meter(TaskId task, SpeedWish wish, Parts parts);

  /// Output of the task, for its progress.
  void feed(std::string_view bytes);
  /// A stretch begins: reads the totals of the task's living processes. `ended_cpu`: CPU seconds of
  /// its processes that we have reaped ourselves.
  void begin(std::span<const pid_t> processes, double ended_cpu);
  /// It ends, and the next one begins.
  Observation end(std::span<const pid_t> processes, double ended_cpu);

  Source source() const { return choice_.source(); }
  bool spins() const { return choice_.spins(); }
  /// CPU seconds by the last reading.
  double cpu() const { return last_.cpu; }
  /// Why a measure that the user asked for is missing; empty: it is there, or was not asked for.
  std::string missing() const;
  /// Where progress that the task never showed was looked for; empty: it showed some, need not,
  /// or missing() has told.
  std::string unseen_progress();

 private:
  Reading read(std::span<const pid_t> processes, double ended_cpu);
  Detail detail() const;
  std::string trouble() const;

  TaskId task_;
  SpeedWish wish_;
  Parts parts_;
  ProcessTimes times_;
  SourceChoice choice_;
  Reading last_;
};

}  // namespace cosched_exec
