// SPDX-License-Identifier: BSD-3-Clause
// Expected values are worked out by hand from n_free = n_on - n_use - n_require.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spare_plan/standby/live/decide.hpp"

namespace {

using namespace spare_plan::standby::live;
using spare_plan::standby::Queue;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kNow = 100000;

Node idle(const std::string& name, double booted = 1000, double idle_since = 2000) {
  return {name, NodeState::idle, {}, booted, idle_since};
}
Node in_state(const std::string& name, NodeState state) { return {name, state}; }
Node off(const std::string& name, double since) {
  return {name, NodeState::off, {}, {}, {}, since};
}

Cluster cluster_of(std::vector<Node> nodes) {
  Cluster cluster;
  cluster.nodes = std::move(nodes);
  return cluster;
}

Rule keep(std::uint32_t nodes) {
  Rule rule;
  rule.keep = nodes;
  return rule;
}

std::vector<std::string> names(const std::vector<Choice>& choices) {
  std::vector<std::string> all;
  for (const auto& choice : choices) all.push_back(choice.node);
  return all;
}

TEST(Decide, WakesWhatIsMissing) {
  const auto decision = decide(
      cluster_of({idle("n1"), off("n2", 500), off("n3", 400), off("n4", 600)}), keep(3), kNow);
  EXPECT_EQ(decision.counts.free(), 1);
  EXPECT_THAT(names(decision.wake), ElementsAre("n3", "n2"));  // off longest first
  EXPECT_THAT(decision.off, IsEmpty());
  EXPECT_EQ(decision.missing, 0);
}

TEST(Decide, SwitchesOffWhatIsBeyondN) {
  const auto decision =
      decide(cluster_of({idle("n1", 3000), idle("n2", 1000), idle("n3", 2000)}), keep(1), kNow);
  EXPECT_THAT(names(decision.off), ElementsAre("n2", "n3"));    // on longest first
  EXPECT_THAT(decision.off[0].why, HasSubstr("on for 1d04h"));  // 99,000 s = 27.5 h
}

TEST(Decide, OfNodesOnEquallyLongTheOneIdleLongestGoesThenTheFirst) {
  const auto decision =
      decide(cluster_of({idle("n1", 1000, 3000), idle("n2", 1000, 2000), idle("n3", 1000, 2000)}),
             keep(1), kNow);
  EXPECT_THAT(names(decision.off), ElementsAre("n2", "n3"));
}

TEST(Decide, BootingNodesAreOnSoThatTheyAreNotWokenAgain) {
  const auto decision = decide(cluster_of({in_state("n1", NodeState::booting),
                                           in_state("n2", NodeState::booting), off("n3", 1)}),
                               keep(2), kNow);
  EXPECT_EQ(decision.counts.on, 2);
  EXPECT_THAT(decision.wake, IsEmpty());
}

TEST(Decide, NodesThatStopAreNotOnAndNotWoken) {
  const auto decision =
      decide(cluster_of({in_state("n1", NodeState::stopping), off("n2", 1)}), keep(2), kNow);
  EXPECT_EQ(decision.counts.on, 0);
  EXPECT_THAT(names(decision.wake), ElementsAre("n2"));
  EXPECT_EQ(decision.missing, 1);
}

TEST(Decide, NeverTouchesHeldAndDownNodes) {
  const auto decision =
      decide(cluster_of({in_state("n1", NodeState::held), in_state("n2", NodeState::down),
                         in_state("n3", NodeState::planned), in_state("n4", NodeState::busy)}),
             keep(0), kNow);
  EXPECT_THAT(decision.off, IsEmpty());
  EXPECT_THAT(decide(cluster_of({in_state("n1", NodeState::held)}), keep(5), kNow).wake, IsEmpty());
}

TEST(Decide, JustStartedNodesStayOn) {
  const auto decision =
      decide(cluster_of({idle("n1", kNow - 599), idle("n2", kNow - 600)}), keep(0), kNow);
  EXPECT_THAT(names(decision.off), ElementsAre("n2"));
  EXPECT_THAT(names(decision.stay), ElementsAre("n1"));
  EXPECT_THAT(decision.stay[0].why, HasSubstr("--min-up"));
}

TEST(Decide, ANodeWhoseClockWasAheadWhenItBootedIsNotKeptOnForGood) {
  const auto decision = decide(cluster_of({idle("n1", kNow + 86400)}), keep(0), kNow);
  EXPECT_THAT(names(decision.off), ElementsAre("n1"));
}

TEST(Decide, NodesIdleOnlyForAWhileStayOn) {
  const auto decision = decide(
      cluster_of({idle("n1", 1000, kNow - 299), idle("n2", 1000, kNow - 300)}), keep(0), kNow);
  EXPECT_THAT(names(decision.off), ElementsAre("n2"));
  EXPECT_THAT(decision.stay[0].why, HasSubstr("--idle-timeout"));
}

TEST(Decide, AnUnknownIdleTimeIsNotLongEnough) {
  Rule rule = keep(0);
  EXPECT_THAT(decide(cluster_of({in_state("n1", NodeState::idle)}), rule, kNow).off, IsEmpty());
  rule.idle_timeout = 0;
  EXPECT_THAT(names(decide(cluster_of({in_state("n1", NodeState::idle)}), rule, kNow).off),
              ElementsAre("n1"));
}

TEST(Decide, ASmallerNSwitchesNothingOffWhileTheLargerOneHolds) {
  const auto nodes = {idle("n1"), idle("n2"), idle("n3"), idle("n4")};
  Rule rule = keep(1);
  rule.keep_at_least = 3;
  EXPECT_EQ(decide(cluster_of(nodes), rule, kNow).off.size(), 1U);
  rule.keep = 4;  // but it wakes nothing either
  rule.keep_at_least = 8;
  EXPECT_THAT(
      decide(cluster_of({idle("n1"), idle("n2"), idle("n3"), idle("n4"), off("n5", 1)}), rule, kNow)
          .wake,
      IsEmpty());
}

TEST(Decide, WaitingJobsAreRequired) {
  auto cluster = cluster_of({idle("n1"), idle("n2"), idle("n3"), off("n4", 1), off("n5", 2)});
  cluster.waiting = {{2}};
  const auto decision = decide(cluster, keep(2), kNow);
  EXPECT_EQ(decision.counts.required, 2);
  EXPECT_EQ(decision.counts.free(), 1);
  EXPECT_THAT(names(decision.wake), ElementsAre("n4"));
}

TEST(Decide, StartableCountsUpToTheFirstThatDoesNotFitWithinABoot) {
  auto cluster = cluster_of({idle("n1"), in_state("n2", NodeState::busy), off("n3", 1)});
  cluster.waiting = {{2}, {2}, {1}};
  cluster.running = {{1, kNow + 500}};
  Rule rule = keep(0);
  EXPECT_EQ(decide(cluster, rule, kNow).counts.required, 2);  // 2 + 2 > idle 1 + off 1
  cluster.running = {{2, kNow + rule.boot}};
  EXPECT_EQ(decide(cluster, rule, kNow).counts.required, 4);
  rule.queue = Queue::all;
  EXPECT_EQ(decide(cluster, rule, kNow).counts.required, 5);
}

TEST(Decide, TheJobOfTheHighestPriorityIsFirst) {
  auto cluster = cluster_of({idle("n1"), off("n2", 1)});
  cluster.waiting = {{2, 1}, {1, 7}};
  EXPECT_EQ(decide(cluster, keep(0), kNow).counts.required, 1);  // 1, and then 2 do not fit
}

TEST(Decide, PlannedNodesAreNotCountedBesideTheJobTheyAreFor) {
  auto cluster = cluster_of({in_state("n1", NodeState::planned), idle("n2"), off("n3", 1)});
  cluster.waiting = {{2}};
  const auto counts = decide(cluster, keep(0), kNow).counts;
  EXPECT_EQ(counts.on, 2);
  EXPECT_EQ(counts.used, 1);
  EXPECT_EQ(counts.required, 1);
  EXPECT_EQ(counts.free(), 0);
}

TEST(Decide, NoMoreThanMaxChangeAtOnce) {
  Rule rule = keep(3);
  rule.max_change = 2;
  const auto decision = decide(cluster_of({off("n1", 1), off("n2", 2), off("n3", 3)}), rule, kNow);
  EXPECT_THAT(names(decision.wake), ElementsAre("n1", "n2"));
  EXPECT_EQ(decision.later, 1);
  EXPECT_EQ(decision.missing, 0);
}

TEST(Decide, ANodeThatDidNotComeUpIsTheLastToBeWokenAgain) {
  auto late = off("n1", 1);
  late.late = true;
  const auto cluster = cluster_of({late, off("n2", 50)});
  EXPECT_THAT(names(decide(cluster, keep(1), kNow).wake), ElementsAre("n2"));
  EXPECT_THAT(names(decide(cluster, keep(2), kNow).wake), ElementsAre("n2", "n1"));
}

}  // namespace
