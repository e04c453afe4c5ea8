// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cosched_exec/speed/calls.hpp"
#include "cosched_exec/speed/counters.hpp"
#include "cosched_exec/speed/process_times.hpp"
#include "cosched_exec/speed/progress.hpp"
#include "cosched_exec/speed/reading.hpp"

namespace cosched_exec {

/// Measures one task by all that works for it, and settles on the best measure. It changes to a
/// better one that has worked twice in a row, and away from one that tells nothing any more for
/// several stretches in which the task was not held up.
class Meter {
 public:
  struct Parts {
    std::optional<Counters> counters;
    std::optional<CallCounter> calls;
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

  Source source() const { return source_; }
  bool spins() const { return spins_; }
  /// CPU seconds by the last reading.
  double cpu() const { return last_.cpu; }
  /// Why a measure that the user asked for is missing; empty: it is there, or was not asked for.
  std::string missing() const;

 private:
  Reading read(std::span<const pid_t> processes, double ended_cpu);
  bool in_detail() const;
  void judge_spinning(const Reading& after);
  void choose(const Reading& after);
  bool barren(const Reading& after) const;
  int rank(Source source) const;
  bool dropped(Source source) const;
  std::string trouble() const;

  TaskId task_;
  SpeedWish wish_;
  Parts parts_;
  ProcessTimes times_;
  Reading last_;
  Source source_ = Source::none;
  Source candidate_ = Source::none;  ///< the best of the last stretch
  bool spins_ = false;
  int calm_ = 0;            ///< judgements in a row that it does not spin
  int stretches_ = 0;       ///< until the task's nature is settled, readings are in detail
  int barren_ = 0;          ///< stretches in a row in which the source told nothing
  double barren_time_ = 0;  ///< s
  unsigned dropped_ = 0;    ///< sources that have failed for good, a bit each
};

}  // namespace cosched_exec
