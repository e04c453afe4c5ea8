// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/steering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace cosched_exec {

namespace {

/// Seconds after a switch in which caches are filled anew, and of the shortest measurement.
constexpr double kSettling = 0.1, kShortest = 0.05;
/// s; after which a start for which there was no room is tried again at the latest.
constexpr double kTryAgain = 0.1;

bool contains(const Combination& combination, TaskId task) {
  return std::binary_search(combination.begin(), combination.end(), task);
}

}  // namespace

Steering::Steering(const std::vector<Task>& tasks, std::size_t jobs, Surroundings& surroundings,
                   Scheduler& scheduler, Journal& journal, RunningTasks& running,
                   std::vector<Outcome>& outcomes, Actions actions)
    : tasks_(tasks),
      jobs_(jobs),
      surroundings_(surroundings),
      scheduler_(scheduler),
      journal_(journal),
      started_(running),
      outcomes_(outcomes),
      actions_(std::move(actions)) {}

double Steering::next() const { return ended_.empty() ? std::min(measure_at_, look_at_) : 0; }

void Steering::act() {
  const double now = actions_.now();
  if (!ended_.empty() || now >= look_at_)
    look(now);
  else if (now >= measure_at_)
    begin_measuring(now);
}

void Steering::ended(TaskId task) {
  admitted_.erase(task);
  ended_.push_back(task);
}

void Steering::start_no_more() {
  no_more_ = true;
  postponed_.clear();
  const auto started = [&](TaskId task) { return started_.count(task) != 0; };
  for (const TaskId task : std::set<TaskId>(admitted_))
    if (!started(task)) ended(task);
}

void Steering::leave_alone() {
  left_alone_ = true;
  start_no_more();
  for (const TaskId task : std::exchange(ended_, {})) scheduler_.end(task, actions_.now());
  runs_.clear();
  measured_since_.reset();
  measure_at_ = look_at_ = kNever;
}

void Steering::pause_all() {
  for (const TaskId task : runs_)
    if (admitted_.count(task) != 0) started_.at(task)->pauser().pause();
}

void Steering::resume_all() {
  if (runs_.empty()) return;
  for (const TaskId task : runs_)
    if (admitted_.count(task) != 0) started_.at(task)->pauser().resume();
  measured_since_.reset();
  measure_at_ = actions_.now() + kSettling;
}

void Steering::admit(double now) {
  while (!no_more_ && more() && admitted_.size() < jobs_) {
    const bool again = !postponed_.empty();
    const TaskId id = again ? postponed_.extract(postponed_.begin()).value() : next_task_++;
    scheduler_.admit({id, program_of(tasks_[id]), tasks_[id].pausable}, now);
    admitted_.insert(id);
  }
}

void Steering::postpone(TaskId task) {
  admitted_.erase(task);
  scheduler_.end(task, actions_.now());
  postponed_.insert(task);
  jobs_ = std::max<std::size_t>(started_.size(), 1);
  try_again_ = true;
}

void Steering::pause_escaped(double now) {
  for (const TaskId task : admitted_) {
    const auto found = started_.find(task);
    if (found == started_.end() || found->second->pauser().stands()) continue;
    note(task, now, "others had let it go on while it was paused");
    pause(task);
    measured_since_.reset();
    measure_at_ = now;
  }
}

void Steering::look(double now) {
  pause_escaped(now);
  observe(now);
  for (const TaskId task : std::exchange(ended_, {})) scheduler_.end(task, now);
  admit(now);
  if (admitted_.empty() || left_alone_) {
    runs_.clear();
    look_at_ = measure_at_ = kNever;
    return;
  }
  const Decision decision = scheduler_.decide(now);
  journal_.add(now, Decided{decision});
  follow(decision, now);
}

void Steering::begin_measuring(double now) {
  const ProcessTree::Members members = surroundings_.tree.members();
  for (const TaskId task : runs_) {
    if (admitted_.count(task) == 0) continue;
    RunningTask& running = *started_.at(task);
    running.meter().begin(running.processes(members), running.ended_cpu());
  }
  measured_since_ = now;
  measure_at_ = kNever;
}

std::vector<Observation> Steering::measure(double now) {
  const ProcessTree::Members members = surroundings_.tree.members();
  std::vector<Observation> seen;
  for (const TaskId task : runs_) {
    if (admitted_.count(task) == 0) continue;
    RunningTask& running = *started_.at(task);
    seen.push_back(running.meter().end(running.processes(members), running.ended_cpu()));
    outcomes_[task].source = running.meter().source();
    note_measure(task, now);
  }
  return seen;
}

void Steering::observe(double now) {
  if (runs_.empty()) return;
  const double measured = measured_since_ ? now - *measured_since_ : 0;
  const bool enough = measured >= kShortest;
  const std::vector<Observation> seen = enough ? measure(now) : std::vector<Observation>();
  scheduler_.observe(runs_, now - stretch_start_, enough ? measured : 0, seen, now);
  report(now, measured, seen);
  if (enough) {
    measured_since_ = now;
  } else if (measured_since_) {
    measured_since_.reset();
    measure_at_ = now;
  }
}

void Steering::report(double now, double measured, const std::vector<Observation>& seen) {
  Observed event{runs_, now - stretch_start_, {}};
  for (const Observation& observation : seen) {
    Observed::Speed speed{
        observation.task, outcomes_[observation.task].source, {}, {}, observation.spins};
    if (observation.amount) speed.rate = *observation.amount / measured;
    speed.relative = scheduler_.speed(observation.task, runs_);
    event.speeds.push_back(speed);
  }
  journal_.add(now, std::move(event));
}

void Steering::follow(const Decision& decision, double now) {
  Combination runs;  // first those that cannot be paused
  decide_again_ = try_again_ = false;
  for (const TaskId task : runs_)
    if (admitted_.count(task) != 0 && !contains(decision.run, task) && !pause(task))
      runs.push_back(task);
  const Combination before = std::exchange(runs_, {});
  for (const TaskId task : decision.run)
    if (admitted_.count(task) != 0 && run(task)) runs.push_back(task);
  if (left_alone_) return;  // a start has failed, and that ends all
  std::sort(runs.begin(), runs.end());
  runs_ = std::move(runs);
  stretch_start_ = now;
  look_at_ = decide_again_ ? now : now + decision.seconds;
  if (try_again_) look_at_ = std::min(look_at_, now + kTryAgain);
  if (runs_ == before) return;
  measured_since_.reset();
  measure_at_ = actions_.now() + kSettling;
}

bool Steering::pause(TaskId task) {
  Pauser& pauser = started_.at(task)->pauser();
  const Pauser::Result result = pauser.pause();
  if (!result.trouble.empty())
    note(task, actions_.now(), "cannot be paused as planned: " + result.trouble);
  if (result.done) {
    outcomes_[task].paused_by = pauser.method();
  } else if (!result.trouble.empty()) {
    scheduler_.cannot_pause(task);
    decide_again_ = true;
  }
  return result.done;
}

bool Steering::run(TaskId task) {
  const auto found = started_.find(task);
  if (found == started_.end()) {
    const Start started = actions_.start(task);
    if (started == Start::later) postpone(task);
    return started == Start::runs;
  }
  if (!found->second->pauser().resume().done)
    note(task, actions_.now(), "does not go on after a pause");
  return true;
}

void Steering::note(TaskId task, double now, const std::string& sentence) {
  journal_.add(now, Noted{task, sentence, true});
}

void Steering::note_measure(TaskId task, double now) {
  const Meter& meter = started_.at(task)->meter();
  const Source source = meter.source();
  Told& told = told_[task];
  const std::string missing = meter.missing();
  if (!missing.empty() && std::exchange(told.missing, missing) != missing) note(task, now, missing);
  if (std::exchange(told.source, source) == source) return;
  journal_.add(now, Noted{task, fmt::format("its speed is measured by {}", name(source)), false});
}

}  // namespace cosched_exec
