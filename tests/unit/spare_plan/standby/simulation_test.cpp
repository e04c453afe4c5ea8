// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "naive_simulation.hpp"
#include "spare_plan/standby/simulate/plot.hpp"
#include "traces.hpp"

namespace {

using namespace spare_plan::standby;

constexpr Policy kAll[] = {Policy::all_on, Policy::all_off, Policy::redundant, Policy::hybrid,
                           Policy::burst};

Settings settings_of(Policy policy) {
  Settings settings;
  settings.policy = policy;
  return settings;
}

void expect_same(const Course& course, const Course& expected) {
  EXPECT_EQ(course.starts, expected.starts);
  EXPECT_EQ(course.nodes_after_submit, expected.nodes_after_submit);
  EXPECT_EQ(course.seconds.busy, expected.seconds.busy);
  EXPECT_EQ(course.seconds.idle, expected.seconds.idle);
  EXPECT_EQ(course.seconds.boot, expected.seconds.boot);
  EXPECT_EQ(course.seconds.shutdown, expected.seconds.shutdown);
  EXPECT_EQ(course.wakes, expected.wakes);
  EXPECT_EQ(course.shuts, expected.shuts);
  EXPECT_EQ(course.end, expected.end);
}

/// A setting of its own for each seed.
Settings varied(std::uint64_t seed, Policy policy) {
  auto settings = settings_of(policy);
  settings.backfill = seed % 2 ? Backfill::easy : Backfill::none;
  settings.queue = seed % 3 == 0 ? Queue::startable : Queue::all;
  settings.start = seed % 5 == 0 ? Start::on : seed % 5 == 1 ? Start::off : Start::policy;
  settings.p0 = seed % 4 == 0 ? 0.8 : seed % 4 == 1 ? 0.5 : 0.9;
  if (seed % 7 == 2) settings.window.jobs = 10;
  if (seed % 7 == 3 && policy != Policy::hybrid) settings.window.seconds = 200;
  settings.idle_timeout = 30;
  return settings;
}

TEST(StandbySimulation, IsTheDescriptionTakenLiterally) {
  for (std::uint64_t seed = 0; seed < 24; ++seed)
    for (const auto policy : kAll) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << " policy " << static_cast<int>(policy));
      const auto jobs = random_trace(seed, {30, 8, 25, seed % 4 < 2 ? 40.0 : 100.0});
      const Machine machine{8, seed % 6 == 0 ? 0.0 : 20.0, seed % 6 < 2 ? 0.0 : 8.0};
      const auto settings = varied(seed, policy);
      expect_same(simulate(jobs, machine, settings), naive_simulation(jobs, machine, settings));
    }
}

/// Gaps so long that no job ever finds another one there.
std::vector<Job> without_queueing(std::uint64_t seed) {
  auto jobs = random_trace(seed, {150, 16, 100, 100});
  double now = 0;
  for (auto& job : jobs) {
    job.submit = now;
    now += 1000 + job.run;
  }
  return jobs;
}

TEST(StandbySimulation, EnergyIsLeastAllOffAndMostAllOnWhereNothingQueues) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto jobs = without_queueing(seed);
    const Machine machine{16, 100, 20};
    const auto energy = [&](Policy policy) {
      return simulate(jobs, machine, settings_of(policy)).seconds.on();
    };
    EXPECT_LE(energy(Policy::all_off), energy(Policy::redundant)) << seed;
    EXPECT_LE(energy(Policy::redundant), energy(Policy::hybrid)) << seed;
    EXPECT_LE(energy(Policy::hybrid), energy(Policy::all_on)) << seed;
  }
}

TEST(StandbySimulation, NodesOfTheMachineKeptIsAllOn) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const auto backfill : {Backfill::none, Backfill::easy}) {
      const auto jobs = random_trace(seed);
      const Machine machine{16, 100, 20};
      auto settings = settings_of(Policy::fixed);
      settings.fixed_nodes = machine.nodes;
      settings.backfill = backfill;
      settings.start = Start::on;
      auto all_on = settings;
      all_on.policy = Policy::all_on;
      expect_same(simulate(jobs, machine, settings), simulate(jobs, machine, all_on));
    }
}

TEST(StandbySimulation, NoneKeptIsAllOff) {
  const auto jobs = random_trace(1);
  auto none = settings_of(Policy::fixed);
  none.start = Start::off;
  expect_same(simulate(jobs, {16, 100, 20}, none),
              simulate(jobs, {16, 100, 20}, settings_of(Policy::all_off)));
}

TEST(StandbySimulation, EveryJobRunsForItsTimeOnItsNodes) {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (const auto policy : kAll) {
      const auto jobs = random_trace(seed);
      double work = 0;
      for (const auto& job : jobs) work += job.run * job.nodes;
      const auto course = simulate(jobs, {16, 100, 20}, varied(seed, policy));
      EXPECT_EQ(course.seconds.busy, work);
      for (std::size_t i = 0; i < jobs.size(); ++i) EXPECT_GE(course.starts[i], jobs[i].submit);
    }
}

TEST(StandbySimulation, AllNodesOnAreOnFromTheFirstSubmitToTheLastEnd) {
  const auto jobs = random_trace(3);
  const auto course = simulate(jobs, {20, 100, 20}, settings_of(Policy::all_on));
  EXPECT_EQ(course.seconds.on(), 20 * (course.end - course.begin));
  EXPECT_EQ(course.wakes, 0);
  EXPECT_EQ(course.shuts, 0);
}

TEST(StandbySimulation, FirstComeFirstServedStartsInOrder) {
  for (const auto policy : kAll) {
    const auto jobs = random_trace(5);
    EXPECT_TRUE(std::ranges::is_sorted(simulate(jobs, {16, 100, 20}, settings_of(policy)).starts));
  }
}

TEST(StandbySimulation, NIsMonotoneInTheShare) {
  const auto jobs = random_trace(6);
  std::vector<std::uint32_t> before(jobs.size());
  for (double p0 = 0.05; p0 <= 1; p0 += 0.05) {
    auto settings = settings_of(Policy::redundant);
    settings.p0 = p0;
    const auto after = simulate(jobs, {16, 100, 20}, settings).nodes_after_submit;
    EXPECT_TRUE(std::ranges::equal(before, after, std::less_equal<>())) << p0;
    before = after;
  }
}

TEST(StandbySimulation, AJobIsNotDelayedByANodeThatGoesOffLater) {
  // Two jobs of one node, 100 s apart, each of 10 s; one node is kept by N = 1. The node that the
  // first job leaves is on when the second one comes.
  const std::vector<Job> jobs{{0, 10, 10, 1, 0}, {100, 10, 10, 1, 0}};
  const auto course = simulate(jobs, {4, 50, 10}, settings_of(Policy::redundant));
  EXPECT_EQ(course.starts, (std::vector<double>{0, 100}));
}

TEST(StandbySimulation, HybridKeepsANodeForItsIdleTime) {
  // N = 1. A second node is woken while the first works (0 to 100); at 100 two are idle, and the
  // one that has been idle since 50 goes off at 50 + 300; the last job (N = 1 again) ends at 1010.
  const std::vector<Job> jobs{{0, 100, 100, 1, 0}, {1000, 10, 10, 1, 0}};
  const auto course = simulate(jobs, {4, 50, 10}, settings_of(Policy::hybrid));
  EXPECT_EQ(course.seconds.boot, 50 + 10);                    // 0 to 50, 1000 to 1010
  EXPECT_EQ(course.seconds.idle, (350 - 50) + (1000 - 100));  // of the two
  EXPECT_EQ(course.seconds.shutdown, 10);
}

TEST(StandbySimulation, BurstKeepsWhatComesWithinABoot) {
  // Pairs of jobs of two nodes, 20 s apart and so within one boot of 50 s: N of the jobs is 2, that
  // of the bursts 4.
  std::vector<Job> jobs;
  for (int pair = 0; pair < 20; ++pair)
    for (int one = 0; one < 2; ++one) jobs.push_back({1000.0 * pair + 20.0 * one, 100, 100, 2, 0});
  const Machine machine{16, 50, 10};
  EXPECT_EQ(simulate(jobs, machine, settings_of(Policy::redundant)).nodes_after_submit.back(), 2);
  EXPECT_EQ(simulate(jobs, machine, settings_of(Policy::burst)).nodes_after_submit.back(), 4);
}

TEST(StandbySimulation, AQueueThatCannotStartAsksForNoNodes) {
  // 14 of 16 nodes work up to 1000 s, and a job waits for all. When it counts, the two that went
  // off at 0 are woken at 1 and idle from 51 to 1000; when it does not, they are woken at 1000, and
  // the 14 are idle up to 1050.
  const std::vector<Job> jobs{{0, 1000, 1000, 14, 0}, {1, 10, 10, 16, 0}};
  auto settings = settings_of(Policy::all_off);
  settings.start = Start::on;
  const Machine machine{16, 50, 0};
  const auto idle = [&](Queue queue) {
    settings.queue = queue;
    return simulate(jobs, machine, settings).seconds.idle;
  };
  EXPECT_EQ(idle(Queue::all), 2 * 949);
  EXPECT_EQ(idle(Queue::startable), 14 * 50);
}

TEST(StandbyMeasures, ExtraWaitAndDelaysAreAgainstAllOn) {
  // All off, boot 30 s: the one job of 100 s starts 30 s late; slowdown 130/100.
  const std::vector<Job> jobs{{0, 100, 100, 2, 0}};
  const Machine machine{4, 30, 10};
  const auto all_on = simulate(jobs, machine, settings_of(Policy::all_on));
  const auto course = simulate(jobs, machine, settings_of(Policy::all_off));
  const auto measures = measure(jobs, machine, course, all_on, Watts{200, 100, 10});
  EXPECT_EQ(measures.delayed_by_boot, 1);
  EXPECT_EQ(measures.mean_extra_wait, 30);
  EXPECT_DOUBLE_EQ(measures.mean_bounded_slowdown, 1.3);
  EXPECT_DOUBLE_EQ(measures.boots_per_node_day, 2.0 / 4 / (130.0 / 86400));
  // 200 node-seconds busy, 60 booting, 4 * 130 - 260 off.
  EXPECT_DOUBLE_EQ(*measures.kwh, (200 * 200 + 100 * 60 + 10 * 260) / 3.6e6);
}

TEST(StandbyMeasures, AShortJobCountsAsOneOfTenSeconds) {
  const std::vector<Job> jobs{{0, 1, 1, 1, 0}};
  const Machine machine{1, 30, 10};
  const auto course = simulate(jobs, machine, settings_of(Policy::all_off));
  EXPECT_DOUBLE_EQ(measure(jobs, machine, course, course, {}).mean_bounded_slowdown, 3.1);
}

Simulated run_of(double energy, double slowdown) {
  Simulated run;
  run.measures.jobs = 1;
  run.measures.energy = energy;
  run.measures.mean_bounded_slowdown = slowdown;
  return run;
}

TEST(StandbyReport, ACompromiseIsBestUnlessAnotherOneIsBetterAndNowhereWorse) {
  const std::vector<Simulated> runs{run_of(100, 1), run_of(50, 3), run_of(70, 2),
                                    run_of(80, 2),  run_of(70, 2), run_of(90, 2.5)};
  EXPECT_EQ(best_compromises(runs), (std::vector<bool>{true, true, true, false, true, false}));
}

TEST(StandbyReport, ThePictureHasThePolicyAndTheFrontInPerCent) {
  const std::vector<Simulated> runs{run_of(100, 1), run_of(50, 3), run_of(80, 4)};
  const auto pictures = compromise_pictures(runs, 200);
  ASSERT_EQ(pictures.size(), 2);
  const auto& series = pictures[0].series;
  ASSERT_EQ(series.size(), 2);
  EXPECT_EQ(series[0].points, (std::vector<std::pair<double, double>>{{25, 3}, {50, 1}}));
  EXPECT_EQ(series[1].title, "redundant");
  EXPECT_EQ(series[1].points, (std::vector<std::pair<double, double>>{{25, 3}, {40, 4}, {50, 1}}));
}

TEST(StandbyReport, ThePictureShowsARunThatNeedsMoreEnergyThanAllNodesOn) {
  const std::vector<Simulated> runs{run_of(100, 1), run_of(1300, 13)};
  for (const auto& picture : compromise_pictures(runs, 100))
    EXPECT_GE(picture.x_range->second, 1300);
}

}  // namespace
