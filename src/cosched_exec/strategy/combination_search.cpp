// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/combination_search.hpp"

#include <algorithm>
#include <cmath>

namespace cosched_exec {

namespace {

bool holds(const Combination& tasks, TaskId id) {
  return std::binary_search(tasks.begin(), tasks.end(), id);
}

/// The model with some members of each class always in the set.
class WithForced : public SpeedModel {
 public:
  WithForced(const SpeedModel& base, Counts forced, std::vector<std::size_t> places)
      : base_(base), forced_(std::move(forced)), places_(std::move(places)) {}

  void speeds(std::span<const std::uint16_t> counts, std::span<double> f) const override {
    full_ = forced_;
    for (std::size_t c = 0; c < counts.size(); ++c)
      full_[places_[c]] = static_cast<std::uint16_t>(full_[places_[c]] + counts[c]);
    f_.assign(full_.size(), 0);
    base_.speeds(full_, f_);
    for (std::size_t c = 0; c < counts.size(); ++c)
      if (counts[c] > 0) f[c] = f_[places_[c]];
  }

 private:
  const SpeedModel& base_;
  Counts forced_;
  std::vector<std::size_t> places_;
  mutable Counts full_;
  mutable std::vector<double> f_;
};

}  // namespace

CombinationSearch::CombinationSearch(TaskRecords& records, const Combination& running,
                                     const Combination& forced, const Rules& rules)
    : records_(records), rules_(rules), forced_(forced) {
  for (const TaskId id : records.active()) {
    const ClassId kind = records.task(id).kind;
    if (std::find(places_.begin(), places_.end(), kind) == places_.end()) places_.push_back(kind);
  }
  free_.resize(places_.size());
  std::vector<std::size_t> members(places_.size(), 0);
  for (const TaskId id : records.active()) {
    const std::size_t place = place_of(id);
    ++members[place];
    if (holds(forced, id)) continue;
    if (place < rules.window)
      free_[place].push_back(id);
    else
      forced_.push_back(id);
  }
  std::sort(forced_.begin(), forced_.end());
  const auto lead = [&](TaskId id) {
    return records.standing(id) - (holds(running, id) ? rules.patience : 0);
  };
  for (Combination& tasks : free_)
    std::stable_sort(tasks.begin(), tasks.end(),
                     [&](TaskId one, TaskId other) { return lead(one) < lead(other); });
  records.estimates().select(places_, members);
}

std::size_t CombinationSearch::place_of(TaskId id) const {
  return static_cast<std::size_t>(
      std::find(places_.begin(), places_.end(), records_.task(id).kind) - places_.begin());
}

Counts CombinationSearch::counts_of(const Combination& tasks) const {
  Counts counts(places_.size(), 0);
  for (const TaskId id : tasks) ++counts[place_of(id)];
  return counts;
}

double CombinationSearch::weight(TaskId id) const {
  return std::pow(records_.standing(id) + rules_.start, -rules_.power);
}

Combination CombinationSearch::best(Strategy strategy, const SpeedModel& model) const {
  std::vector<TaskClass> classes;
  std::vector<std::size_t> searched;
  for (std::size_t place = 0; place < places_.size(); ++place) {
    if (free_[place].empty()) continue;
    TaskClass tasks{free_[place].size(), {}};
    for (const TaskId id : free_[place]) tasks.shares.push_back(weight(id));
    std::sort(tasks.shares.rbegin(), tasks.shares.rend());
    classes.push_back(std::move(tasks));
    searched.push_back(place);
  }
  if (classes.empty()) return forced_;
  const WithForced open(model, counts_of(forced_), searched);
  const Choice choice = choose(strategy, classes, open);
  Combination result = forced_;
  for (std::size_t c = 0; c < searched.size(); ++c) {
    const Combination& tasks = free_[searched[c]];
    result.insert(result.end(), tasks.begin(), tasks.begin() + choice.counts[c]);
  }
  std::sort(result.begin(), result.end());
  if (!forced_.empty() && weighted(forced_, model) > weighted(result, model)) return forced_;
  return result;
}

Combination CombinationSearch::all() const { return records_.active(); }

Combination CombinationSearch::completed(const Combination& tasks) const {
  Combination result = forced_;
  for (const TaskId id : tasks)
    if (records_.task(id).active && !holds(forced_, id)) result.push_back(id);
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<double> CombinationSearch::speeds(const Combination& tasks,
                                              const SpeedModel& model) const {
  const Counts counts = counts_of(tasks);
  std::vector<double> f(counts.size(), 0);
  model.speeds(counts, f);
  return f;
}

double CombinationSearch::speed(const Combination& tasks, const SpeedModel& model) const {
  const std::vector<double> f = speeds(tasks, model);
  double sum = 0;
  for (const TaskId id : tasks) sum += f[place_of(id)];
  return sum;
}

double CombinationSearch::weighted(const Combination& tasks, const SpeedModel& model) const {
  const std::vector<double> f = speeds(tasks, model);
  double sum = 0;
  for (const TaskId id : tasks) sum += weight(id) * f[place_of(id)];
  return sum;
}

}  // namespace cosched_exec
