// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "cosched_exec/strategy/task_records.hpp"

namespace cosched_exec {

/// The combinations of the active tasks that are open: those that hold all `forced` tasks. Beyond
/// `window` classes the rest is forced too. Of a class the members are taken in order: least work
/// first, but one that runs does not make room for one that is only a little behind.
class CombinationSearch {
 public:
  struct Rules {
    std::size_t window = 12;
    double patience = 3;  ///< s of work that a running task may be ahead and is still taken
    double start = 3;     ///< s added to the work of each task in its weight, > 0
    double power = 0;     ///< weight of a task: (work + start)^-power
  };
  CombinationSearch(TaskRecords& records, const Combination& running, const Combination& forced,
                    const Rules& rules);

  /// Classes of active tasks, by place; the estimates are selected for them.
  const std::vector<ClassId>& places() const { return places_; }
  /// argmax of phi by the model, whose counts are by place; pf: sum of weights x f.
  Combination best(Strategy strategy, const SpeedModel& model) const;
  Combination all() const;
  /// The tasks with those that are forced, without those that have ended.
  Combination completed(const Combination& tasks) const;
  double speed(const Combination& tasks, const SpeedModel& model) const;
  double weighted(const Combination& tasks, const SpeedModel& model) const;
  /// f by place.
  std::vector<double> speeds(const Combination& tasks, const SpeedModel& model) const;
  double weight(TaskId id) const;

 private:
  Counts counts_of(const Combination& tasks) const;
  std::size_t place_of(TaskId id) const;

  TaskRecords& records_;
  Rules rules_;
  Combination forced_;
  std::vector<ClassId> places_;
  std::vector<Combination> free_;  ///< by place, in the order in which they are taken
};

}  // namespace cosched_exec
