// SPDX-License-Identifier: BSD-3-Clause
// cosched_decision [DECISIONS]: CPU time of one decision of cosched_exec at 10, 12 and 24 classes,
// over estimates that grow from what each chosen set tells, as on a live node. Status 1 when a
// median misses its target.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <numeric>
#include <random>
#include <vector>

#include "cosched_exec/strategy/choose.hpp"
#include "cosched_exec/strategy/estimates.hpp"

namespace {

using cosched_exec::ClassSet;
using cosched_exec::Counts;
using cosched_exec::Estimates;
using cosched_exec::Strategy;
using cosched_exec::TaskClass;

double cpu_microseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

/// True speeds: each task slows each other by a random amount.
class Node {
 public:
  Node(std::size_t classes, std::size_t members) : members_(members), slowdown_(classes) {
    std::exponential_distribution<double> slowdown(static_cast<double>(members) / 0.6);
    for (auto& row : slowdown_)
      for (std::size_t i = 0; i < classes; ++i) row.push_back(slowdown(random_));
  }

  std::size_t classes() const { return slowdown_.size(); }
  std::size_t members() const { return members_; }
  std::mt19937_64& random() { return random_; }

  double speed(const Counts& counts, std::size_t i) const {
    double sum = 1 - slowdown_[i][i];
    for (std::size_t k = 0; k < counts.size(); ++k) sum += slowdown_[i][k] * counts[k];
    return 1 / sum;
  }

  Counts random_set() {
    std::uniform_int_distribution<int> count(0, static_cast<int>(members_));
    Counts counts(classes(), 0);
    for (auto& each : counts) each = static_cast<std::uint16_t>(count(random_));
    if (std::accumulate(counts.begin(), counts.end(), 0) == 0) counts.front() = 1;
    return counts;
  }

 private:
  std::size_t members_;
  std::vector<std::vector<double>> slowdown_;
  std::mt19937_64 random_{1};
};

ClassSet set_of(const Counts& counts) {
  ClassSet set;
  for (std::size_t c = 0; c < counts.size(); ++c)
    if (counts[c] > 0) set.emplace_back(c, counts[c]);
  return set;
}

void measure(Estimates& estimates, const Node& node, const Counts& counts) {
  const ClassSet set = set_of(counts);
  for (const auto& [id, count] : set)
    estimates.measure(set, id, {3e6 * node.speed(counts, id), 3, 3e6});
}

/// What is known after some minutes: each class alone, all together, and some sets.
Estimates known(Node& node) {
  constexpr int kSets = 60;
  Estimates estimates(0.1);
  for (std::size_t c = 0; c < node.classes(); ++c) {
    Counts alone(node.classes(), 0);
    alone[c] = 1;
    measure(estimates, node, alone);
  }
  measure(estimates, node, Counts(node.classes(), static_cast<std::uint16_t>(node.members())));
  for (int k = 0; k < kSets; ++k) measure(estimates, node, node.random_set());
  return estimates;
}

std::vector<TaskClass> classes_of(Node& node) {
  std::uniform_real_distribution<double> share(0.01, 1);
  std::vector<TaskClass> classes(node.classes(), {node.members(), {}});
  for (TaskClass& tasks : classes) {
    for (std::size_t k = 0; k < node.members(); ++k) tasks.shares.push_back(share(node.random()));
    std::sort(tasks.shares.rbegin(), tasks.shares.rend());
  }
  return classes;
}

/// Sorted microseconds of each decision; what it chose is measured before the next.
std::vector<double> times(Strategy strategy, Node& node, int decisions) {
  Estimates estimates = known(node);
  std::vector<std::size_t> ids(node.classes()), members(node.classes(), node.members());
  std::iota(ids.begin(), ids.end(), 0);
  std::vector<double> result;
  for (int k = 0; k < decisions; ++k) {
    const auto classes = classes_of(node);
    const double begin = cpu_microseconds();
    estimates.select(ids, members);
    const auto choice = choose(strategy, classes, estimates);
    result.push_back(cpu_microseconds() - begin);
    measure(estimates, node, choice.counts);
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// One row; whether the median is within the target.
bool report(Strategy strategy, std::size_t classes, std::size_t members, double target,
            int decisions) {
  Node node(classes, members);
  const auto sorted = times(strategy, node, decisions);
  const double median = sorted[sorted.size() / 2];
  fmt::print("{:>7} {:>7} {:>8} {:>8.0f} {:>8.0f} {:>8.0f} {:>8.0f}\n", classes, members,
             name_of(strategy), sorted.front(), median, sorted.back(), target);
  return median <= target;
}

}  // namespace

int main(int argc, char** argv) {
  const int decisions = argc > 1 ? std::max(1, std::atoi(argv[1])) : 100;
  fmt::print("CPU time of a decision, us, {} decisions each\n", decisions);
  fmt::print("{:>7} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "classes", "members", "strategy", "min",
             "median", "max", "target");
  bool met = true;
  for (const std::size_t members : {1, 10})
    for (const auto& [classes, target] :
         {std::pair<std::size_t, double>{10, 1e3}, {12, 1e3}, {24, 1e4}})
      for (const Strategy strategy :
           {Strategy::automatic, Strategy::fcs, Strategy::pe, Strategy::pf})
        met = report(strategy, classes, members, target, decisions) && met;
  return met ? 0 : 1;
}
