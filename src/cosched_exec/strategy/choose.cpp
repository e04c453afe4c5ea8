// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/choose.hpp"

#include "cosched_exec/strategy/local_search.hpp"
#include "cosched_exec/strategy/objective.hpp"

namespace cosched_exec {
namespace {

/// `automatic` leaves the full set for a gain of at least 5 %.
constexpr double kWorthLeaving = 1.05;

Counts first_task(std::span<const TaskClass> classes) {
  Counts counts(classes.size(), 0);
  counts.front() = 1;
  return counts;
}

Counts all(std::span<const TaskClass> classes) {
  Counts counts;
  for (const TaskClass& tasks : classes)
    counts.push_back(static_cast<std::uint16_t>(tasks.members));
  return counts;
}

bool few_combinations(std::span<const TaskClass> classes, std::size_t most) {
  std::size_t left = most + 1;  // with the empty one
  for (const TaskClass& tasks : classes) left /= tasks.members + 1;
  return left > 0;
}

/// The next combination in the order of bit masks; false after the last.
bool next(Counts& counts, std::span<const TaskClass> classes) {
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (counts[c] < classes[c].members) {
      ++counts[c];
      return true;
    }
    counts[c] = 0;
  }
  return false;
}

Choice best_of_all(Objective& objective) {
  Counts counts = first_task(objective.classes());
  Choice best = objective.at(counts);
  while (next(counts, objective.classes())) {
    const Worth worth = objective.worth(counts);
    if (above(worth.value, best.value)) best = {counts, worth.value, worth.speed};
  }
  return best;
}

}  // namespace

Choice choose(Strategy strategy, std::span<const TaskClass> classes, const SpeedModel& model,
              std::size_t tried) {
  Objective objective(strategy, classes, model);
  if (strategy == Strategy::seq) return objective.at(first_task(classes));
  if (strategy == Strategy::par) return objective.at(all(classes));
  const Choice best =
      few_combinations(classes, tried) ? best_of_all(objective) : local_search(objective);
  if (strategy != Strategy::automatic) return best;
  const Choice full = objective.at(all(classes));
  return full.speed >= best.speed / kWorthLeaving ? full : best;
}

std::string_view name_of(Strategy strategy) {
  switch (strategy) {
    case Strategy::automatic:
      return "auto";
    case Strategy::par:
      return "par";
    case Strategy::seq:
      return "seq";
    case Strategy::fcs:
      return "fcs";
    case Strategy::pe:
      return "pe";
    case Strategy::pf:
      return "pf";
  }
  return "";
}

}  // namespace cosched_exec
