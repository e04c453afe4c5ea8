// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/scheduler.hpp"

#include <algorithm>
#include <map>

#include "cosched_exec/strategy/policy.hpp"
#include "cosched_exec/strategy/task_records.hpp"

namespace cosched_exec {

namespace {

constexpr std::size_t kLargestTable = 12;  ///< tasks

std::unique_ptr<Policy> policy_of(const SchedulerOptions& options, TaskRecords& records) {
  switch (options.strategy) {
    case Strategy::seq:
      return seq_policy(options, records);
    case Strategy::par:
      return par_policy(options, records);
    case Strategy::fcs:
    case Strategy::pe:
    case Strategy::pf:
      return source_policy(options, records);
    case Strategy::automatic:
      break;
  }
  return auto_policy(options, records);
}

}  // namespace

struct Scheduler::State {
  explicit State(const SchedulerOptions& given)
      : options(given),
        records(given.theta, static_cast<double>(given.processors)),
        policy(policy_of(options, records)) {}

  Situation situation(double now);
  void note_probe(const Combination& ran, double seconds);
  double probing_cost() const;
  double lost(const ClassSet& probe, const ClassSet& other) const;

  SchedulerOptions options;
  TaskRecords records;
  std::unique_ptr<Policy> policy;
  Combination running;
  bool ended = false, probing = false;
  std::map<TaskId, double> served;  ///< paused for too long: runs until this time
  /// Seconds of probing by what was run and what was run afterwards.
  std::map<std::pair<ClassSet, ClassSet>, double> probed;
  std::map<ClassSet, double> probed_now;
  double spent = 0;  ///< probing_cost as it looked at each time
};

/// At most one task at a time is served for having been paused too long.
Situation Scheduler::State::situation(double now) {
  Situation result;
  result.now = now;
  result.ended = std::exchange(ended, false);
  std::erase_if(served, [&](const auto& each) {
    return each.second <= now || !records.task(each.first).active;
  });
  std::optional<TaskId> longest;
  for (const TaskId id : records.active()) {
    const TaskRecord& task = records.task(id);
    if (task.started && now - task.last_ran >= options.longest_pause &&
        (!longest || task.last_ran < records.task(*longest).last_ran))
      longest = id;
  }
  if (longest && served.empty()) served[*longest] = now + options.interval;
  for (const TaskId id : running)
    if (records.task(id).active) result.running.push_back(id);
  for (const TaskId id : records.active()) {
    const TaskRecord& task = records.task(id);
    const bool young = task.started && now - *task.started < options.first_moments - 1e-9;
    result.young = result.young || young;
    if (young || !task.pausable || served.contains(id)) result.forced.push_back(id);
  }
  result.probing_cost = spent;
  return result;
}

double Scheduler::State::lost(const ClassSet& probe, const ClassSet& other) const {
  return std::max(0.0, 1 - records.speed(probe) / std::max(records.speed(other), 1e-9));
}

void Scheduler::State::note_probe(const Combination& ran, double seconds) {
  const ClassSet set = records.set_of(ran);
  if (probing) {
    probed_now[set] += seconds;
    spent += seconds * lost(set, records.set_of(records.active()));
    return;
  }
  for (const auto& [probe, each] : probed_now) probed[{probe, set}] += each;
  probed_now.clear();
}

double Scheduler::State::probing_cost() const {
  double cost = 0;
  for (const auto& [sets, seconds] : probed) cost += seconds * lost(sets.first, sets.second);
  return cost;
}

Scheduler::Scheduler(const SchedulerOptions& options) : state_(std::make_unique<State>(options)) {}
Scheduler::Scheduler(Scheduler&&) noexcept = default;
Scheduler::~Scheduler() = default;

void Scheduler::admit(const Candidate& candidate, double now) {
  state_->records.admit(candidate, now);
  state_->ended = true;
}

void Scheduler::end(TaskId task, double) {
  state_->records.end(task);
  state_->ended = true;
}

void Scheduler::cannot_pause(TaskId task) {
  state_->records.cannot_pause(task);
  state_->ended = true;
}

void Scheduler::observe(const Combination& ran, double seconds, double measured_seconds,
                        std::span<const Observation> measured, double now) {
  if (ran.empty() || !(seconds > 0)) return;
  // Not decided, and yet it ran: it cannot be paused.
  for (const TaskId id : ran)
    if (!std::binary_search(state_->running.begin(), state_->running.end(), id))
      state_->records.never_pause(id);
  state_->note_probe(ran, seconds);
  state_->records.observe(ran, seconds, measured_seconds, measured, now);
}

Decision Scheduler::decide(double now) {
  Decision decision = state_->policy->decide(state_->situation(now));
  state_->running = decision.run;
  state_->probing = decision.probe;
  return decision;
}

double Scheduler::work(TaskId task) const { return state_->records.work(task); }

std::optional<double> Scheduler::speed(TaskId task, const Combination& combination) const {
  return state_->records.speed(task, state_->records.set_of(combination));
}

double Scheduler::probing_cost() const { return state_->probing_cost(); }

std::optional<SpeedTable> Scheduler::table(std::span<const TaskId> tasks) const {
  if (tasks.empty() || tasks.size() > kLargestTable) return std::nullopt;
  const TaskRecords& records = state_->records;
  SpeedTable table;
  std::map<ClassId, std::size_t> members;
  for (const TaskId id : tasks) {
    const ClassId kind = records.task(id).kind;
    if (!records.estimates().alone(kind) || !(records.work(id) > 0)) return std::nullopt;
    table.p.push_back(records.work(id));
    ++members[kind];
  }
  std::vector<ClassId> places;
  std::vector<std::size_t> sizes;
  for (const auto& [kind, count] : members) {
    places.push_back(kind);
    sizes.push_back(count);
  }
  const auto place_of = [&](TaskId id) {
    return static_cast<std::size_t>(std::find(places.begin(), places.end(), records.task(id).kind) -
                                    places.begin());
  };
  Estimates view = records.estimates();
  view.select(places, sizes);
  const std::size_t n = tasks.size();
  table.f.assign(std::size_t{1} << n, std::vector<double>(n, 0));
  for (std::size_t mask = 1; mask < table.f.size(); ++mask) {
    Counts counts(places.size(), 0);
    std::vector<double> f(places.size(), 0);
    for (std::size_t i = 0; i < n; ++i)
      if ((mask >> i & 1) != 0) ++counts[place_of(tasks[i])];
    view.intervals(counts, [&](std::size_t place, const Interval& interval) {
      const bool promised = !interval.measured && interval.lower > 0;
      f[place] = promised ? interval.lower : interval.estimate;
    });
    for (std::size_t i = 0; i < n; ++i)
      if ((mask >> i & 1) != 0) table.f[mask][i] = f[place_of(tasks[i])];
  }
  return table;
}

}  // namespace cosched_exec
