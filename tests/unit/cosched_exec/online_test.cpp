// SPDX-License-Identifier: BSD-3-Clause
// Claims about whole runs on the simulated node (models.md 3, "On-line simulation"; mixes.md).
#include <gtest/gtest.h>

#include <algorithm>

#include "cosched_exec/strategy/optimum.hpp"
#include "simulated_families.hpp"

namespace {

using namespace cosched_exec;
using namespace cosched_exec::simulated;

constexpr unsigned kInstances = 3;  // all 25 of each: bench/cosched_online.sh

Course run_with(Strategy strategy, const Node& node, unsigned seed, std::size_t jobs = 12) {
  SchedulerOptions options;
  options.strategy = strategy;
  options.processors = node.processors;
  return run(node, options, jobs, seed, 1e5);
}

class OnlineFamily : public ::testing::TestWithParam<Family> {};

TEST_P(OnlineFamily, AutoIsNearTheOptimumAndNowhereFivePercentOverPar) {
  double sum = 0;
  for (unsigned seed = 1; seed <= kInstances; ++seed) {
    const Node node = instance(GetParam(), seed);
    const double best = optimum(table(node)).makespan;
    const Course chosen = run_with(Strategy::automatic, node, seed);
    const Course par = run_with(Strategy::par, node, seed);
    EXPECT_GE(chosen.makespan, best * (1 - 1e-6)) << "seed " << seed << ": nothing beats it";
    EXPECT_LE(chosen.makespan, 1.05 * par.makespan + chosen.probing_cost) << "seed " << seed;
    sum += chosen.makespan / best;
  }
  EXPECT_LE(sum / kInstances, 1.10);
}

INSTANTIATE_TEST_SUITE_P(Families, OnlineFamily,
                         ::testing::Values(Family::bottleneck, Family::shared, Family::pair,
                                           Family::two_class, Family::spin),
                         [](const auto& each) {
                           std::string text = name(each.param);
                           std::erase(text, '-');
                           return text;
                         });

TEST(OnlineSpin, AutoLeavesParWithinTwoSeconds) {
  // 0.6 s for the first look, and one or two short ones for programs that spin only after their
  // start.
  for (unsigned seed = 1; seed <= kInstances; ++seed) {
    const Course result = run_with(Strategy::automatic, instance(Family::spin, seed), seed);
    EXPECT_GE(result.left_all, 0);
    EXPECT_LE(result.left_all, 2) << "seed " << seed;
  }
}

TEST(OnlineMany, AThousandEqualTasksTakeAsLongAsListScheduling) {
  Node node;
  node.processors = 128;
  Task task;
  task.program = "one";
  task.p = 20;
  node.tasks.assign(1000, task);
  node.speeds = [](const Combination& set) { return std::vector<double>(set.size(), 1); };
  // 128 at a time: eight rounds.
  const Course result = run_with(Strategy::automatic, node, 1, 128);
  EXPECT_LE(result.makespan, 1.02 * 8 * 20);
}

struct Target {
  char letter;
  double over_seq, over_par;  ///< makespan of auto at most so many times theirs
};

class OnlineMix : public ::testing::TestWithParam<Target> {};

/// The last column of mixes.md, for the median of the runs.
TEST_P(OnlineMix, AutoReachesItsTarget) {
  std::vector<double> over_seq, over_par;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const Node node = mix(GetParam().letter, 9, seed);
    const double chosen = run_with(Strategy::automatic, node, seed).makespan;
    over_seq.push_back(chosen / run_with(Strategy::seq, node, seed).makespan);
    over_par.push_back(chosen / run_with(Strategy::par, node, seed).makespan);
  }
  const auto median = [](std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + 2, values.end());
    return values[2];
  };
  EXPECT_LE(median(over_seq), GetParam().over_seq);
  EXPECT_LE(median(over_par), GetParam().over_par);
}

INSTANTIATE_TEST_SUITE_P(Mixes, OnlineMix,
                         ::testing::Values(Target{'A', 1.10, 1 / 2.5}, Target{'B', 1.10, 1 / 2.5},
                                           Target{'J', 1.10, 1 / 2.5}, Target{'G', 1.05, 1 / 1.6},
                                           Target{'H', 1 / 1.35, 1 / 1.35},
                                           Target{'K', 1 / 1.45, 1 / 1.2},
                                           Target{'F', 1 / 1.5, 1.0}, Target{'C', 1, 1.10},
                                           Target{'D', 1, 1.10}),
                         [](const auto& each) { return std::string(1, each.param.letter); });

}  // namespace
