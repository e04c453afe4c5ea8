// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/objective.hpp"

#include <algorithm>

namespace cosched_exec {
namespace {

constexpr double kTie = 1e-12;

std::vector<double> running_sums(const std::vector<double>& values) {
  std::vector<double> sums = {0};
  for (const double value : values) sums.push_back(sums.back() + value);
  return sums;
}

bool smaller_mask(const Counts& a, const Counts& b) {
  return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

}  // namespace

Objective::Objective(Strategy strategy, std::span<const TaskClass> classes, const SpeedModel& model)
    : strategy_(strategy), classes_(classes), model_(model), speeds_(classes.size()) {
  if (strategy != Strategy::pf) return;
  for (const TaskClass& tasks : classes) shares_.push_back(running_sums(tasks.shares));
}

Worth Objective::worth(const Counts& counts) {
  model_.speeds(counts, speeds_);
  double speed = 0, tasks = 0, fairness = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] == 0) continue;
    tasks += counts[c];
    speed += counts[c] * speeds_[c];
    if (strategy_ == Strategy::pf) fairness += speeds_[c] * shares_[c][counts[c]];
  }
  double value = speed;
  if (strategy_ == Strategy::pe) value = speed * speed / tasks;
  if (strategy_ == Strategy::pf) value = fairness;
  return {value, speed};
}

Choice Objective::at(const Counts& counts) {
  const Worth found = worth(counts);
  return {counts, found.value, found.speed};
}

bool above(double a, double b) { return a > b * (1 + kTie); }

bool better(const Choice& a, const Choice& b) {
  if (above(a.value, b.value)) return true;
  return a.value >= b.value * (1 - kTie) && smaller_mask(a.counts, b.counts);
}

}  // namespace cosched_exec
