// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/policy.hpp"

namespace cosched_exec {

namespace {

class Seq : public Policy {
 public:
  Seq(const SchedulerOptions& options, const TaskRecords& records)
      : interval_(options.interval), records_(records) {}
  Decision decide(const Situation& situation) override {
    const TaskId next =
        situation.running.empty() ? records_.active().front() : situation.running.front();
    return {{next}, interval_, false, "one after another", 1};
  }

 private:
  double interval_;
  const TaskRecords& records_;
};

class Par : public Policy {
 public:
  Par(const SchedulerOptions& options, const TaskRecords& records)
      : interval_(options.interval), records_(records) {}
  Decision decide(const Situation&) override {
    const Combination& all = records_.active();
    return {all, interval_, false, "all in parallel", 0};
  }

 private:
  double interval_;
  const TaskRecords& records_;
};

}  // namespace

std::unique_ptr<Policy> seq_policy(const SchedulerOptions& options, TaskRecords& records) {
  return std::make_unique<Seq>(options, records);
}

std::unique_ptr<Policy> par_policy(const SchedulerOptions& options, TaskRecords& records) {
  return std::make_unique<Par>(options, records);
}

}  // namespace cosched_exec
