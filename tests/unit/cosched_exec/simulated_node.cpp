// SPDX-License-Identifier: BSD-3-Clause
#include "simulated_node.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

namespace cosched_exec::simulated {

namespace {

constexpr double kRefill = 0.1;     ///< s of a new set that are not measured
constexpr double kSample = 0.25;    ///< s
constexpr double kDriftTime = 10;   ///< s
constexpr double kDriftStep = 0.5;  ///< s

class Simulation {
 public:
  Simulation(const Node& node, const SchedulerOptions& options, std::size_t jobs, unsigned seed)
      : node_(node),
        scheduler_(options),
        jobs_(jobs),
        random_(seed),
        left_(node.tasks.size()),
        drift_(node.tasks.size(), 0),
        seen_(node.tasks.size(), 0) {
    for (std::size_t i = 0; i < left_.size(); ++i) left_[i] = node.tasks[i].p;
    for (double& each : drift_) each = node.drift * normal_(random_);
  }

  Course run(double limit) {
    while (ended_ < left_.size() && now_ < limit) step();
    result_.makespan = now_;
    result_.stopped = ended_ < left_.size();
    result_.probing_cost = scheduler_.probing_cost();
    return std::move(result_);
  }

 private:
  void step();
  void admit();
  Decision decide();
  double asked(const Combination& set) const;
  Combination grown(const Combination& set) const;  ///< those that have got beyond their start
  double waiting(const Combination& set, TaskId id) const;
  std::vector<double> speeds(const Combination& set) const;
  double advance(const Combination& set, double at_most);
  void wander(double seconds);
  void observe(const Combination& set, double seconds, double measured);
  Observation observation(const Combination& set, std::size_t place, double measured);
  bool starting(TaskId id) const {
    return left_[id] > node_.tasks[id].p - node_.tasks[id].startup + 1e-12;
  }

  const Node& node_;
  Scheduler scheduler_;
  std::size_t jobs_, admitted_ = 0, ended_ = 0;
  std::mt19937 random_;
  std::normal_distribution<double> normal_{0, 1};
  std::vector<double> left_, drift_, seen_;  ///< s of work; log; s of work while measured
  double now_ = 0, wandered_ = 0;
  Combination last_;
  Course result_;
};

void Simulation::admit() {
  while (admitted_ < left_.size() && admitted_ - ended_ < jobs_) {
    scheduler_.admit({admitted_, node_.tasks[admitted_].program, true}, now_);
    ++admitted_;
  }
}

Decision Simulation::decide() {
  const auto begin = std::chrono::steady_clock::now();
  Decision decision = scheduler_.decide(now_);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  result_.slowest_decision = std::max(result_.slowest_decision, took.count());
  if (decision.run.size() < admitted_ - ended_ && result_.left_all < 0) result_.left_all = now_;
  result_.decisions.emplace_back(now_, decision);
  return decision;
}

void Simulation::wander(double seconds) {
  for (wandered_ += seconds; wandered_ >= kDriftStep; wandered_ -= kDriftStep)
    for (double& each : drift_) {
      const double keep = std::exp(-kDriftStep / kDriftTime);
      each = keep * each + node_.drift * std::sqrt(1 - keep * keep) * normal_(random_);
    }
}

double Simulation::asked(const Combination& set) const {
  double sum = 0;
  for (const TaskId id : set) sum += starting(id) ? 1 : node_.tasks[id].demand;
  return sum;
}

Combination Simulation::grown(const Combination& set) const {
  Combination result;
  for (const TaskId id : set)
    if (!starting(id)) result.push_back(id);
  return result;
}

double Simulation::waiting(const Combination& set, TaskId id) const {
  if (!node_.waiting) return 0;
  const Combination others = grown(set);
  const auto place = std::find(others.begin(), others.end(), id) - others.begin();
  return node_.waiting(others)[static_cast<std::size_t>(place)];
}

std::vector<double> Simulation::speeds(const Combination& set) const {
  const Combination grown = this->grown(set);
  const std::vector<double> known = grown.empty() ? std::vector<double>{} : node_.speeds(grown);
  std::vector<double> result;
  std::size_t next = 0;
  const double share = std::min(1.0, static_cast<double>(node_.processors) / asked(set));
  for (const TaskId id : set)
    result.push_back((starting(id) ? share : known[next++]) * std::exp(drift_[id]));
  return result;
}

/// Runs the set until something happens; returns the time that passed.
double Simulation::advance(const Combination& set, double at_most) {
  const std::vector<double> speed = speeds(set);
  double time = std::min(at_most, node_.drift > 0 ? kDriftStep : at_most);
  for (std::size_t k = 0; k < set.size(); ++k) {
    const TaskId id = set[k];
    const double until =
        starting(id) ? left_[id] - (node_.tasks[id].p - node_.tasks[id].startup) : left_[id];
    if (speed[k] > 0) time = std::min(time, until / speed[k]);
  }
  for (std::size_t k = 0; k < set.size(); ++k) {
    const TaskId id = set[k];
    if (!starting(id)) seen_[id] += time * speed[k];
    left_[id] -= time * speed[k];
  }
  wander(time);
  return time;
}

Observation Simulation::observation(const Combination& set, std::size_t place, double measured) {
  const TaskId id = set[place];
  const Task& task = node_.tasks[id];
  const double f = std::min(1.0, speeds(set)[place] / std::exp(drift_[id]));
  Observation seen;
  seen.task = id;
  const double blur = node_.noise * std::sqrt(kSample / std::max(measured, 0.01));
  const double done = seen_[id] * std::exp(blur * normal_(random_));
  if (task.measured) seen.amount = task.rate * done;
  seen.unit = task.measured ? 1 : 0;
  seen.events = std::isinf(task.events) ? task.events : task.events * done;
  const double processors = static_cast<double>(node_.processors);
  const double share = std::min(1.0, processors / asked(set));
  if (task.spins && !starting(id)) {
    seen.spins = true;
    seen.busy_threads = task.demand;
    seen.cpu = task.demand * share;
    seen.waiting = task.demand * (1 - share);
  } else {
    const double demand = starting(id) ? 1 : task.demand;
    seen.busy_threads = demand > 0.9 ? demand : 0;
    seen.waiting = starting(id) ? 1 - share : waiting(set, id);
    seen.cpu = demand * (node_.waiting ? f : 1);
  }
  return seen;
}

void Simulation::observe(const Combination& set, double seconds, double measured) {
  std::vector<Observation> seen;
  if (measured > 0.01)
    for (std::size_t k = 0; k < set.size(); ++k) seen.push_back(observation(set, k, measured));
  scheduler_.observe(set, seconds, seen.empty() ? 0 : measured, seen, now_);
}

void Simulation::step() {
  admit();
  const Decision decision = decide();
  const Combination& set = decision.run;
  double unmeasured = set == last_ ? 0 : kRefill, passed = 0, measured = 0;
  last_ = set;
  std::fill(seen_.begin(), seen_.end(), 0);
  bool ends = false;
  while (!ends && passed < decision.seconds - 1e-9) {
    const bool blind = passed < unmeasured - 1e-9;
    const double time =
        advance(set, std::min(decision.seconds, blind ? unmeasured : 1e18) - passed);
    passed += time;
    if (blind)
      std::fill(seen_.begin(), seen_.end(), 0);
    else
      measured += time;
    ends = std::any_of(set.begin(), set.end(), [&](TaskId id) { return left_[id] <= 1e-9; });
  }
  now_ += passed;
  observe(set, passed, measured);
  for (const TaskId id : set)
    if (left_[id] <= 1e-9) {
      scheduler_.end(id, now_);
      ++ended_;
    }
}

}  // namespace

Course run(const Node& node, const SchedulerOptions& options, std::size_t jobs, unsigned seed,
           double limit) {
  return Simulation(node, options, jobs, seed).run(limit);
}

}  // namespace cosched_exec::simulated
