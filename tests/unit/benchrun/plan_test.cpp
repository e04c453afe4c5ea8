// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/plan.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"

namespace {

using namespace benchrun;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

core::Allocation allocation(std::vector<unsigned> cpus = {}) {
  core::Allocation result;
  result.hosts = {{"n1", 2}, {"n2", 3}};
  result.cpus = std::move(cpus);
  return result;
}

std::string refusal(const Options& options) {
  try {
    make_plan(options, allocation(), {});
  } catch (const core::Error& e) {
    EXPECT_EQ(e.status(), core::ExitStatus::usage);
    return e.what();
  }
  return "";
}

TEST(Plan, MeasuresComputeOncePerHostByDefault) {
  const Plan plan = make_plan({}, allocation({8, 8}), {});
  ASSERT_THAT(plan.steps, SizeIs(1));
  EXPECT_EQ(plan.steps[0].name, "compute");
  EXPECT_THAT(plan.ranks, ElementsAre(1, 1));
  EXPECT_EQ(plan.threads, 8U);
  ASSERT_THAT(plan.phases, SizeIs(1));
  EXPECT_EQ(plan.phases[0].runs, 12U);
  ASSERT_TRUE(plan.goal);
  EXPECT_FALSE(plan.goal->fastest);
  EXPECT_EQ(plan.timeout, 30);
  EXPECT_FALSE(plan.budget);
}

TEST(Plan, GivesEveryHostTheSameWork) {
  const Plan plan = make_plan({}, allocation({72, 36}), {});
  EXPECT_EQ(plan.threads, 36U);
  ASSERT_THAT(plan.remarks, SizeIs(1));
  EXPECT_THAT(plan.remarks[0], HasSubstr("different numbers of cores"));
}

TEST(Plan, TakesSlotsForCoresWhereNothingElseIsKnown) {
  EXPECT_EQ(make_plan({}, allocation(), {}).threads, 2U);
}

TEST(Plan, LetsARankUseAllItMayWhereNothingIsKnown) {
  core::Allocation unknown;
  unknown.hosts = {{"n1", 0}, {"n2", 0}};
  EXPECT_EQ(make_plan({}, unknown, {}).threads, 0U);
}

TEST(Plan, StartsARankForEveryCore) {
  Options options;
  options.per = Per::core;
  const Plan plan = make_plan(options, allocation({4, 4}), {});
  EXPECT_THAT(plan.ranks, ElementsAre(4, 4));
  EXPECT_EQ(plan.threads, 1U);
}

TEST(Plan, StartsARankForEveryNumaNodeOfThisMachine) {
  Options options;
  options.per = Per::numa;
  Machine machine;
  machine.numa_nodes = 2;
  EXPECT_THAT(make_plan(options, allocation({4, 4}), machine).ranks, ElementsAre(2, 2));
}

TEST(Plan, StartsACommandOnAllSlots) {
  Options options;
  options.command = {"./app", "-x"};
  const Plan plan = make_plan(options, allocation(), {});
  EXPECT_THAT(plan.ranks, ElementsAre(2, 3));
  EXPECT_EQ(plan.steps[0].name, "app");
  EXPECT_FALSE(plan.steps[0].bundled);
  ASSERT_THAT(plan.phases, SizeIs(1));
  EXPECT_EQ(plan.phases[0].runs, 1U);
}

TEST(Plan, LaunchesACommandAnewForEveryRun) {
  Options options;
  options.command = {"./app"};
  options.runs = 2;
  options.warm_ups = 1;
  const Plan plan = make_plan(options, allocation(), {});
  ASSERT_THAT(plan.phases, SizeIs(3));
  EXPECT_EQ(plan.phases[0].runs, 0U);
  EXPECT_EQ(plan.phases[1].first_run, 0U);
  EXPECT_EQ(plan.phases[2].first_run, 1U);
}

TEST(Plan, RunsAsOftenAsToldWithoutAGoal) {
  Options options;
  options.runs = 4;
  const Plan plan = make_plan(options, allocation(), {});
  EXPECT_FALSE(plan.goal);
  EXPECT_EQ(plan.phases[0].runs, 4U);
  EXPECT_FALSE(plan.phases[0].open_ended);
}

TEST(Plan, RunsThreeTimesWhereThereIsNoHostToCompareWith) {
  core::Allocation one;
  one.hosts = {{"n1", 2}};
  const Plan plan = make_plan({}, one, {});
  EXPECT_FALSE(plan.goal);
  EXPECT_EQ(plan.phases[0].runs, 3U);
}

TEST(Plan, RepeatsACommandInBlocksOfLaunchesWhenTold) {
  Options options;
  options.command = {"./app"};
  EXPECT_FALSE(make_plan(options, allocation(), {}).goal);
  options.settle = 1;
  const Plan plan = make_plan(options, allocation(), {});
  ASSERT_TRUE(plan.goal);
  EXPECT_EQ(plan.goal->fastest, 1U);
  ASSERT_THAT(plan.phases, SizeIs(12));
  const auto second = block_of(plan, 1);
  ASSERT_THAT(second, SizeIs(12));
  EXPECT_EQ(second[0].first_run, 12U);
  EXPECT_EQ(second[11].first_run, 23U);
  EXPECT_EQ(second[11].runs, 1U);
}

TEST(Plan, RefusesAGoalTogetherWithANumberOfRuns) {
  Options options;
  options.settle = 1;
  options.runs = 5;
  EXPECT_THAT(refusal(options), HasSubstr("leave out --runs"));
}

TEST(Plan, ASelfTestMeasuresAllBlocksAndHasTheTimeForIt) {
  Options options;
  options.self_test = true;
  const Plan plan = make_plan(options, allocation(), {});
  EXPECT_TRUE(plan.goal.value().all_blocks);
  EXPECT_FALSE(plan.goal->fastest);
  EXPECT_EQ(plan.budget_per_warm_up, 160);
  options.command = {"./app"};
  EXPECT_THAT(make_plan(options, allocation(), {}).phases, SizeIs(12));
  options.runs = 5;
  EXPECT_THAT(refusal(options), HasSubstr("--self-test measures for as long as it needs"));
}

TEST(Plan, ASelfTestNeedsHostsToCompare) {
  core::Allocation one;
  one.hosts = {{"n1", 2}};
  Options options;
  options.self_test = true;
  EXPECT_THROW(make_plan(options, one, {}), core::Error);
}

TEST(Plan, MakesAFieldOfAnyCommandName) {
  Options options;
  options.command = {"/opt/a,b \"c\""};
  EXPECT_EQ(make_plan(options, allocation(), {}).steps[0].name, "a_b__c_");
}

TEST(Plan, RunsSeveralBenchmarksInTheOrderGiven) {
  Options options;
  options.benches = {"memory", "compute"};
  const Plan plan = make_plan(options, allocation(), {});
  ASSERT_THAT(plan.steps, SizeIs(2));
  EXPECT_EQ(plan.steps[0].name, "memory");
}

TEST(Plan, RefusesAnUnknownBenchmarkAndNamesTheKnown) {
  Options options;
  options.benches = {"linpack"};
  EXPECT_THAT(refusal(options), HasSubstr("'linpack', only: compute, memory"));
}

TEST(Plan, RefusesABenchmarkGivenTwice) {
  Options options;
  options.benches = {"compute", "compute"};
  EXPECT_THAT(refusal(options), HasSubstr("twice"));
}

TEST(Plan, RefusesALauncherAsCommand) {
  for (const char* launcher : {"mpirun", "/usr/bin/mpiexec", "srun"}) {
    Options options;
    options.command = {launcher, "./app"};
    EXPECT_THAT(refusal(options), HasSubstr("leave out the launcher, benchrun starts it"));
  }
}

TEST(Plan, RefusesACommandBesideABenchmark) {
  Options options;
  options.benches = {"compute"};
  options.command = {"./app"};
  EXPECT_THAT(refusal(options), HasSubstr("either"));
}

TEST(Plan, AsksEarlierWhenTheBudgetIsShort) {
  Options options;
  options.budget = 15;
  EXPECT_EQ(make_plan(options, allocation(), {}).timeout, 5);
  EXPECT_EQ(make_plan(options, allocation(), {}).probe_limit, 5);
  EXPECT_EQ(make_plan({}, allocation(), {}).probe_limit, 10);
}

Options network() {
  Options options;
  options.benches = {"compute", "network"};
  return options;
}

TEST(Plan, NetworkIsOneProgramAndTwoBenchmarks) {
  const Plan plan = make_plan(network(), allocation(), {});
  EXPECT_THAT(plan.benches(), ElementsAre("compute", "network-latency", "network-exchange"));
  ASSERT_THAT(plan.steps, SizeIs(2));
  EXPECT_TRUE(plan.has_joint_step());
  EXPECT_FALSE(make_plan({}, allocation(), {}).has_joint_step());
}

TEST(Plan, NetworkTakesOneRankAHost) {
  Options options = network();
  options.per = Per::core;
  EXPECT_THAT(refusal(options), HasSubstr("leave out --per"));
}

TEST(Plan, NetworkIsLeftOutWhereThereIsOneHost) {
  core::Allocation one;
  one.hosts = {{"n1", 2}};
  const Plan plan = make_plan(network(), one, {});
  EXPECT_THAT(plan.benches(), ElementsAre("compute"));
  EXPECT_THAT(plan.remarks, ElementsAre(HasSubstr("-b network is left out")));
  Options alone;
  alone.benches = {"network"};
  EXPECT_THROW(make_plan(alone, one, {}), core::Error);
}

TEST(TriadArrays, AreFourTimesTheCaches) {
  Machine machine;
  machine.cache_bytes = std::size_t{96} << 20;
  machine.memory_bytes = std::size_t{512} << 30;
  EXPECT_EQ(triad_array_bytes(machine), std::size_t{384} << 20);
}

TEST(TriadArrays, AreNeverTiny) { EXPECT_EQ(triad_array_bytes({}), std::size_t{64} << 20); }

TEST(TriadArrays, LeaveMostOfTheMemoryFree) {
  Machine machine;
  machine.cache_bytes = std::size_t{260} << 20;
  machine.memory_bytes = std::size_t{24} << 30;
  EXPECT_EQ(triad_array_bytes(machine), std::size_t{1} << 30);
}

TEST(TriadArrays, AreSaidToBeSmallWhereTheyAre) {
  Options options;
  options.benches = {"memory"};
  Machine machine;
  machine.cache_bytes = std::size_t{260} << 20;
  machine.memory_bytes = std::size_t{9} << 30;
  EXPECT_THAT(make_plan(options, allocation({4, 4}), machine).remarks,
              ElementsAre(HasSubstr("too little memory")));
  machine.memory_bytes = std::size_t{90} << 30;
  EXPECT_THAT(make_plan(options, allocation({4, 4}), machine).remarks, IsEmpty());
}

TEST(TriadArrays, AreSharedByTheRanksOfAHost) {
  Options options;
  options.benches = {"memory"};
  options.per = Per::core;
  const Plan plan = make_plan(options, allocation({4, 4}), {});
  EXPECT_THAT(fmt::format("{}", fmt::join(plan.steps[0].argv, " ")),
              HasSubstr("--array-bytes 16777216"));
}

}  // namespace
