// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/task_records.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cosched_exec {

namespace {

constexpr double kShortestLook = 0.1;  ///< s: shorter ones say nothing of speeds
constexpr double kExplained = 0.85;    ///< of the rate that the share of the processors explains
constexpr double kSmallChange = 1.35;  ///< of a rate: the slowdowns by others stay what they are
constexpr double kLeastShare = 0.05;
constexpr double kLittleWaiting = 0.1;

double waiting_share(const Observation& seen) {
  return std::clamp(seen.waiting / std::max(1.0, seen.busy_threads), 0.0, 1 - kLeastShare);
}

}  // namespace

ClassId TaskRecords::add_class(const ClassRecord& record) {
  classes_.push_back(record);
  return classes_.size() - 1;
}

void TaskRecords::admit(const Candidate& candidate, double now) {
  const auto like = std::find_if(classes_.begin(), classes_.end(), [&](const ClassRecord& each) {
    return each.program == candidate.program;
  });
  TaskRecord record;
  record.kind = like == classes_.end() ? add_class({.program = candidate.program})
                                       : static_cast<ClassId>(like - classes_.begin());
  record.pausable = candidate.pausable;
  record.last_ran = now;
  for (const TaskId id : active_)
    record.head_start =
        id == active_.front() ? standing(id) : std::min(record.head_start, standing(id));
  tasks_[candidate.id] = record;
  active_.insert(std::lower_bound(active_.begin(), active_.end(), candidate.id), candidate.id);
}

void TaskRecords::end(TaskId id) {
  tasks_.at(id).active = false;
  std::erase(active_, id);
}

ClassSet TaskRecords::set_of(const Combination& tasks) const {
  std::map<ClassId, std::uint16_t> counts;
  for (const TaskId id : tasks) ++counts[tasks_.at(id).kind];
  return {counts.begin(), counts.end()};
}

bool TaskRecords::measured(const Combination& tasks) const {
  const ClassSet set = set_of(tasks);
  return std::all_of(set.begin(), set.end(), [&](const auto& part) {
    return classes_[part.first].blind || estimates_.valid(set, part.first);
  });
}

double TaskRecords::work(TaskId id) const {
  const TaskRecord& task = tasks_.at(id);
  const auto alone = estimates_.alone(task.kind);
  return task.settled + task.blind + (alone ? task.amount / *alone : task.seconds);
}

bool TaskRecords::unexplained(ClassId id) const {
  const ClassRecord& kind = classes_[id];
  if (!kind.fair) return false;
  const double best =
      estimates_.measured_alone(id) ? estimates_.alone(id).value_or(0) : kind.screened.value_or(0);
  return *kind.fair < kExplained * best;
}

std::optional<double> TaskRecords::class_speed(ClassId id, const ClassSet& set) const {
  const auto alone = estimates_.alone(id);
  if (!alone) return std::nullopt;
  if (set.size() == 1 && set.front().second == 1) return 1;
  if (estimates_.valid(set, id))
    return std::clamp(estimates_.find(set, id)->rate() / *alone, 0.0, 1.0);
  Estimates view = estimates_;
  std::vector<ClassId> ids;
  std::vector<std::size_t> members;
  Counts counts;
  std::size_t place = 0;
  for (const auto& [each, count] : set) {
    if (each == id) place = ids.size();
    ids.push_back(each);
    members.push_back(count);
    counts.push_back(count);
  }
  view.select(ids, members);
  return view.value(view.interval(counts, place));
}

std::optional<double> TaskRecords::speed(TaskId id, const ClassSet& set) const {
  return class_speed(tasks_.at(id).kind, set);
}

double TaskRecords::speed(const ClassSet& set) const {
  double sum = 0;
  for (const auto& [id, count] : set) sum += count * class_speed(id, set).value_or(1);
  return sum;
}

bool TaskRecords::take_change() { return std::exchange(changed_, false); }

void TaskRecords::end_stage(TaskRecord& task, double changed) {
  const auto alone = estimates_.alone(task.kind);
  task.settled += task.blind + (alone ? task.amount * changed / *alone : task.seconds);
  task.amount = task.blind = task.seconds = 0;
}

void TaskRecords::split(const Combination& tasks) {
  ClassRecord record = classes_[tasks_.at(tasks.front()).kind];
  record.fair = record.fair_now = record.screened = std::nullopt;
  const ClassId kind = add_class(record);
  for (const TaskId id : tasks) {
    TaskRecord& task = tasks_.at(id);
    end_stage(task);
    task.kind = kind;
    task.disagreed = 0;
  }
  changed_ = true;
}

/// Another measure, or none any more, makes another class of the task.
void TaskRecords::note_unit(const Observation& seen) {
  TaskRecord& task = tasks_.at(seen.task);
  ClassRecord& own = classes_[task.kind];
  if (!own.unit) {
    own.unit = seen.unit;
    own.blind = !seen.amount;
  }
  if (*own.unit == seen.unit) {
    own.blind = own.blind && !seen.amount;
    return;
  }
  end_stage(task);
  changed_ = true;
  const auto like = std::find_if(classes_.begin(), classes_.end(), [&](const ClassRecord& each) {
    return each.program == own.program && each.unit == seen.unit;
  });
  if (like != classes_.end()) {
    task.kind = static_cast<ClassId>(like - classes_.begin());
    return;
  }
  ClassRecord record{.program = own.program,
                     .unit = seen.unit,
                     .blind = !seen.amount,
                     .demand = own.demand,
                     .least_waiting = own.least_waiting};
  task.kind = add_class(record);
}

void TaskRecords::note_demand(const Observation& seen) {
  ClassRecord& kind = classes_[tasks_.at(seen.task).kind];
  kind.demand.spins = seen.spins;
  const double waiting = waiting_share(seen);
  if (waiting > kind.least_waiting + 0.05) return;
  kind.least_waiting = std::min(kind.least_waiting, waiting);
  kind.demand.processors = std::clamp(seen.cpu / (1 - waiting), 0.01, std::max(processors_, 0.01));
}

/// Leaves those out that are far from the median; twice in a row, and they are another class.
void TaskRecords::compare_members(ClassId id, Seen& seen) {
  if (seen.members.size() < 2) return;
  if (classes_[id].demand.spins && seen.waiting > kLittleWaiting) return;
  std::vector<double> rates;
  for (const auto& [_, sample] : seen.members) rates.push_back(sample.rate());
  const auto middle = rates.begin() + static_cast<std::ptrdiff_t>((rates.size() - 1) / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  std::vector<std::pair<TaskId, Sample>> like;
  Combination others;
  for (const auto& [task, sample] : seen.members) {
    const bool differs =
        std::abs(sample.rate() - *middle) > rate_tolerance(sample.events, seen.waiting) * *middle;
    int& disagreed = tasks_.at(task).disagreed;
    disagreed = differs ? disagreed + 1 : 0;
    if (disagreed >= 2) others.push_back(task);
    if (!differs) like.emplace_back(task, sample);
  }
  seen.members = std::move(like);
  seen.sample = {};
  for (const auto& [_, sample] : seen.members) seen.sample.add(sample);
  for (const TaskId task : others) split({task});
}

void TaskRecords::note_fair(ClassId id, const Seen& seen) {
  ClassRecord& kind = classes_[id];
  if (kind.demand.spins && seen.waiting > kLittleWaiting) return;
  const double fair = seen.sample.rate() / (1 - seen.waiting);
  const double agreed = std::max(fair, kind.fair_now.value_or(fair));
  kind.fair_now = fair;
  kind.fair = std::min(agreed, kind.fair.value_or(agreed));
  const double before = estimates_.alone(id).value_or(fair);
  estimates_.set_reference(id, before + 0.3 * (fair - before),
                           seen.sample.events / seen.sample.seconds);
}

void TaskRecords::note_speed(const Combination& ran, const ClassSet& set, ClassId id,
                             const Seen& seen) {
  const Sample* known = estimates_.find(set, id);
  Combination members;
  for (const auto& [task, _] : seen.members) members.push_back(task);
  if (known == nullptr || !estimates_.valid(set, id)) {
    watch_.begin(set, id, members);
    estimates_.measure(set, id, seen.sample);
    return;
  }
  const double before = known->rate(), floor = 0.02 * estimates_.alone(id).value_or(0);
  const ChangeWatch::Verdict verdict = watch_.look(set, id, *known, seen.sample, members, floor);
  if (verdict.kind == ChangeWatch::Verdict::Kind::agrees) estimates_.measure(set, id, seen.sample);
  if (verdict.kind != ChangeWatch::Verdict::Kind::changed) return;
  changed_ = true;
  if (!verdict.strangers.empty()) {
    split(verdict.strangers);
    estimates_.measure(set_of(ran), tasks_.at(verdict.strangers.front()).kind, verdict.since);
    return;
  }
  watch_.begin(set, id, members);
  estimates_.replace(set, id, verdict.since);
  const bool alone = set.size() == 1 && set.front().second == 1;
  if (before > 0 && (alone || (set.size() > 1 && seen.waiting < kLittleWaiting)))
    jumps_.emplace_back(id, verdict.since.rate() / before);
}

/// A small change is one of the rate, as clocks and neighbours make it; a great one begins a stage.
void TaskRecords::note_jump(const ClassSet& set, ClassId id, double ratio) {
  ClassRecord& kind = classes_[id];
  for (auto& [_, task] : tasks_)
    if (task.kind == id) end_stage(task, set.size() > 1 ? 1 : ratio);
  if (ratio > 1 / kSmallChange && ratio < kSmallChange) {
    estimates_.scale(id, ratio, set);
    for (std::optional<double>* rate : {&kind.fair, &kind.fair_now, &kind.screened})
      if (*rate) **rate *= ratio;
    return;
  }
  const auto alone = estimates_.alone(id);
  estimates_.forget(id, &set);
  if (alone) estimates_.set_reference(id, *alone * (set.size() > 1 ? ratio : 1), 0);
  kind.fair = kind.fair_now = kind.screened = std::nullopt;
}

void TaskRecords::observe(const Combination& ran, double seconds, double measured_seconds,
                          std::span<const Observation> measured, double now) {
  for (const TaskId id : ran) {
    TaskRecord& task = tasks_.at(id);
    if (!task.started) task.started = now - seconds;
    task.last_ran = now;
    const auto seen = std::find_if(measured.begin(), measured.end(),
                                   [&](const Observation& each) { return each.task == id; });
    const bool looked = measured_seconds > 0 && seen != measured.end();
    if (looked) note_unit(*seen);
    if (!looked || !seen->amount) {
      task.blind += seconds;
      continue;
    }
    task.amount += *seen->amount / measured_seconds * seconds;
    task.seconds += seconds;
  }
  if (measured_seconds < kShortestLook) return;
  for (const Observation& each : measured) note_demand(each);
  Looks looks = looks_of(measured, measured_seconds);
  const std::size_t classes = classes_.size();
  for (auto& [id, seen] : looks) compare_members(id, seen);
  if (classes_.size() > classes) looks = looks_of(measured, measured_seconds);
  jumps_.clear();
  const ClassSet set = set_of(ran);
  for (const auto& [id, seen] : looks) {
    if (ran.size() > 1) note_fair(id, seen);
    note_speed(ran, set, id, seen);
  }
  // Of one class alone: its own stage. Of several: they slow each other otherwise than before.
  if (jumps_.size() == 1) note_jump(set, jumps_.front().first, jumps_.front().second);
}

TaskRecords::Looks TaskRecords::looks_of(std::span<const Observation> measured,
                                         double seconds) const {
  Looks looks;
  for (const Observation& each : measured) {
    if (!each.amount) continue;
    Seen& seen = looks[tasks_.at(each.task).kind];
    const Sample sample{*each.amount, seconds, each.events};
    seen.sample.add(sample);
    seen.members.emplace_back(each.task, sample);
    const double count = static_cast<double>(seen.members.size());
    seen.waiting += (waiting_share(each) - seen.waiting) / count;
  }
  return looks;
}

}  // namespace cosched_exec
