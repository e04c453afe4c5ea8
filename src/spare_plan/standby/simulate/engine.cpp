// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/engine.hpp"

#include <algorithm>
#include <cassert>
#include <compare>
#include <limits>
#include <queue>
#include <vector>

#include "spare_plan/standby/simulate/standby_rule.hpp"
#include "spare_plan/standby/simulate/waiting_jobs.hpp"

namespace spare_plan::standby {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

std::uint32_t nodes_at_start(const Machine& machine, const Settings& settings) {
  if (settings.start == Start::on) return machine.nodes;
  if (settings.start == Start::off) return 0;
  if (settings.policy == Policy::all_on) return machine.nodes;
  return settings.policy == Policy::all_off ? 0 : 1;
}

/// Jobs that run, by when they end and by when the scheduler expects them to.
class RunningJobs {
 public:
  struct End {
    double at;
    std::uint32_t nodes;
    double expected;
    bool operator<(const End& other) const { return at > other.at; }  // the earliest on top
  };
  struct Expected {
    double at;
    std::uint32_t nodes;
    auto operator<=>(const Expected&) const = default;  // NOLINT(modernize-use-nullptr)
  };

  /// With `expected` unless nobody will ask for it.
  explicit RunningJobs(bool expected) : with_expected_(expected) {}

  void add(const Job& job, double now) {
    const Expected expected{now + job.estimate, job.nodes};
    ends_.push({now + job.run, job.nodes, expected.at});
    if (with_expected_) expected_.insert(std::ranges::upper_bound(expected_, expected), expected);
  }
  double next_end() const { return ends_.empty() ? kNever : ends_.top().at; }
  /// Ends the one that ends next; returns its nodes.
  std::uint32_t end_next() {
    const auto next = ends_.top();
    ends_.pop();
    if (with_expected_)
      expected_.erase(std::ranges::lower_bound(expected_, Expected{next.expected, next.nodes}));
    return next.nodes;
  }
  /// Ascending. No longer than the machine has nodes: moving its elements costs less than a tree.
  const std::vector<Expected>& expected() const { return expected_; }

 private:
  bool with_expected_;
  std::priority_queue<End> ends_;
  std::vector<Expected> expected_;
};

class Engine {
 public:
  Engine(std::span<const Job> jobs, const Machine& machine, const Settings& settings)
      : jobs_(jobs),
        machine_(machine),
        settings_(settings),
        rule_(standby_rule(jobs, machine, settings)),
        waiting_(jobs),
        fitting_(settings.backfill == Backfill::easy ? jobs : jobs.first(0)),
        running_(settings.backfill == Backfill::easy || settings.queue == Queue::startable),
        power_(machine, nodes_at_start(machine, settings), jobs.front().submit) {
    course_.starts.resize(jobs.size());
    course_.nodes_after_submit.resize(jobs.size());
    course_.begin = jobs.front().submit;
  }

  Course run() {
    while (ended_ < jobs_.size()) {
      power_.advance(next_event());
      end_what_is_over();
      if (ended_ == jobs_.size()) break;
      submit();
      start_jobs();
      step();
    }
    course_.seconds = power_.seconds();
    course_.wakes = power_.wakes();
    course_.shuts = power_.shuts();
    course_.end = power_.now();
    return std::move(course_);
  }

 private:
  double next_event() const {
    const double submit = submitted_ < jobs_.size() ? jobs_[submitted_].submit : kNever;
    return std::min({submit, running_.next_end(), power_.next_change(), idle_long_enough_});
  }

  void end_what_is_over() {
    for (; running_.next_end() <= power_.now(); ++ended_) power_.release(running_.end_next());
    power_.settle();
  }

  void submit() {
    for (; submitted_ < jobs_.size() && jobs_[submitted_].submit <= power_.now(); ++submitted_) {
      waiting_.add(submitted_);
      if (settings_.backfill == Backfill::easy) fitting_.add(submitted_);
      course_.nodes_after_submit[submitted_] = rule_->nodes(power_.now(), submitted_ + 1);
    }
  }

  void start(std::size_t job) {
    waiting_.remove(job);
    if (settings_.backfill == Backfill::easy) fitting_.remove(job);
    power_.occupy(jobs_[job].nodes);
    running_.add(jobs_[job], power_.now());
    course_.starts[job] = power_.now();
  }

  void start_jobs() {
    while (!waiting_.empty()) {
      const auto head = waiting_.first();
      if (jobs_[head].nodes > power_.idle()) {
        if (settings_.backfill == Backfill::easy) fill_behind(head);
        return;
      }
      start(head);
    }
  }

  /// EASY (D. Lifka, 1995): those behind the head start when they do not delay it as far as is
  /// known: they end before it can start, or need none of its nodes.
  void fill_behind(std::size_t head) {
    auto gap = gap_before(jobs_[head].nodes);
    for (auto job = next_for(gap, head + 1); job != FittingJobs::kNone;
         job = next_for(gap, job + 1)) {
      if (!(jobs_[job].estimate <= gap.seconds)) gap.extra -= jobs_[job].nodes;
      start(job);
    }
  }

  /// What the head leaves: all idle nodes for `seconds`, `extra` of them for ever.
  struct Gap {
    double seconds;
    std::uint32_t extra;
  };
  std::size_t next_for(const Gap& gap, std::size_t from) const {
    if (power_.idle() == 0) return FittingJobs::kNone;
    return std::min(
        fitting_.first(from, power_.idle(), gap.seconds),
        fitting_.first(from, std::min(power_.idle(), gap.extra), FittingJobs::kForever));
  }

  /// Up to when so many nodes are expected to be free, by the ends of jobs and of boots. When nodes
  /// that are off would be needed, nobody knows: then everything that fits may start.
  Gap gap_before(std::uint32_t nodes) const {
    std::uint64_t free = power_.idle();
    auto job = running_.expected().begin();
    auto boot = power_.boots().begin();
    while (free < nodes) {
      const double job_end = job == running_.expected().end() ? kNever : job->at;
      const double boot_end = boot == power_.boots().end() ? kNever : boot->at;
      const double next = std::min(job_end, boot_end);
      if (next == kNever) return {kNever, 0};
      for (; job != running_.expected().end() && job->at == next; ++job) free += job->nodes;
      for (; boot != power_.boots().end() && boot->at == next; ++boot) free += boot->nodes;
      if (free >= nodes) return {next - power_.now(), static_cast<std::uint32_t>(free - nodes)};
    }
    assert(false);  // the head would have started
    return {0, 0};
  }

  /// Nodes that jobs ask for which do not run yet.
  std::uint64_t required() const {
    if (settings_.queue == Queue::all) return waiting_.nodes();
    std::uint64_t within_a_boot = std::uint64_t{power_.idle()} + power_.off() + power_.booting();
    for (const auto& [at, nodes] : running_.expected()) {
      if (at > power_.now() + machine_.boot) break;
      within_a_boot += nodes;
    }
    return waiting_.nodes_in_order(within_a_boot);
  }

  void step() {
    const bool hybrid = settings_.policy == Policy::hybrid;
    const double least_idle = hybrid ? settings_.idle_timeout : 0;
    const auto wanted = required() + rule_->nodes(power_.now(), submitted_);
    const auto free = std::uint64_t{power_.idle()} + power_.booting();
    if (free < wanted) power_.wake(wanted - free);
    if (free > wanted) power_.shut(free - wanted, least_idle);
    if (hybrid) idle_long_enough_ = power_.next_idle_for(least_idle);
  }

  std::span<const Job> jobs_;
  const Machine& machine_;
  const Settings& settings_;
  std::unique_ptr<StandbyRule> rule_;
  WaitingJobs waiting_;
  FittingJobs fitting_;  ///< the same jobs, with EASY
  RunningJobs running_;
  PowerStates power_;
  std::size_t submitted_ = 0, ended_ = 0;
  double idle_long_enough_ = kNever;  ///< of hybrid: when the next node is
  Course course_;
};

}  // namespace

Course simulate(std::span<const Job> jobs, const Machine& machine, const Settings& settings) {
  return Engine(jobs, machine, settings).run();
}

}  // namespace spare_plan::standby
