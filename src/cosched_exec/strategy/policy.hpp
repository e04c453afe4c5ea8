// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "cosched_exec/strategy/combination_search.hpp"
#include "cosched_exec/strategy/scheduler.hpp"
#include "cosched_exec/strategy/task_records.hpp"

namespace cosched_exec {

/// What a decision is made from.
struct Situation {
  double now = 0;
  Combination running;      ///< of the last decision, without tasks that have ended
  Combination forced;       ///< that must run: just started, not pausable, paused for too long
  bool young = false;       ///< some of `forced` only because they were just started
  bool ended = false;       ///< a task ended, or came, since the last decision
  double probing_cost = 0;  ///< s
};

/// A way to choose the set that runs next.
class Policy {
 public:
  virtual ~Policy() = default;
  virtual Decision decide(const Situation& situation) = 0;
};

std::unique_ptr<Policy> seq_policy(const SchedulerOptions& options, TaskRecords& records);
std::unique_ptr<Policy> par_policy(const SchedulerOptions& options, TaskRecords& records);
/// fcs, pe and pf as in the source, with the probes that simulation taught (models.md 3).
std::unique_ptr<Policy> source_policy(const SchedulerOptions& options, TaskRecords& records);
std::unique_ptr<Policy> auto_policy(const SchedulerOptions& options, TaskRecords& records);

}  // namespace cosched_exec
