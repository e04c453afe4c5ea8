// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/probe.hpp"

#include <algorithm>

namespace cosched_exec {

namespace {

constexpr double kLongestProbe = 2;  ///< s

}  // namespace

void Probe::begin(Combination set, std::string reason, double now) {
  set_ = std::move(set);
  reason_ = std::move(reason);
  begun_ = now;
}

bool Probe::goes_on(const Situation& situation) {
  if (!set_) return false;
  const bool complete =
      std::all_of(set_->begin(), set_->end(), [&](TaskId id) { return records_.task(id).active; });
  const bool alone =
      std::includes(set_->begin(), set_->end(), situation.forced.begin(), situation.forced.end());
  const bool late = situation.now - begun_ >= kLongestProbe;
  if (complete && alone && !late && (situation.young || !records_.measured(*set_))) return true;
  if (complete && set_->size() == 1) tried_alone_.insert(records_.task(set_->front()).kind);
  set_.reset();
  return false;
}

Decision Probe::decision() const { return {*set_, seconds_, true, reason_, 0}; }

bool may_run_alone(const Situation& situation, TaskId id) {
  return std::all_of(situation.forced.begin(), situation.forced.end(),
                     [&](TaskId each) { return each == id; });
}

TaskId member_to_try(const TaskRecords& records, ClassId id) {
  const auto key = [&](TaskId task) {
    return std::pair(!records.task(task).started, records.work(task));
  };
  std::optional<TaskId> best;
  for (const TaskId task : records.active())
    if (records.task(task).kind == id && (!best || key(task) < key(*best))) best = task;
  return *best;
}

}  // namespace cosched_exec
