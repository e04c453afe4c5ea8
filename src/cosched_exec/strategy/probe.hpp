// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "cosched_exec/strategy/policy.hpp"

namespace cosched_exec {

/// One set that is tried for what it tells of its classes: prolonged while too few events came or
/// a task of it was just started, at most to kLongestProbe; dropped when a task of it ends or
/// another must run.
class Probe {
 public:
  Probe(const TaskRecords& records, double seconds) : records_(records), seconds_(seconds) {}

  bool running() const { return set_.has_value(); }
  const Combination& set() const { return *set_; }
  void begin(Combination set, std::string reason, double now);
  /// To be asked before a decision: true when it is to go on.
  bool goes_on(const Situation& situation);
  Decision decision() const;
  /// Classes that were tried alone as long as that may take.
  bool tried_alone(ClassId id) const { return tried_alone_.contains(id); }

 private:
  const TaskRecords& records_;
  double seconds_;
  std::optional<Combination> set_;
  std::string reason_;
  double begun_ = 0;
  std::set<ClassId> tried_alone_;
};

/// No other task is forced to run.
bool may_run_alone(const Situation& situation, TaskId id);

/// A member of the class for a probe: one that was started, else any; least work first.
TaskId member_to_try(const TaskRecords& records, ClassId id);

}  // namespace cosched_exec
