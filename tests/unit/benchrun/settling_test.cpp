// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/settling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace benchrun {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::StartsWith;

Plan plan_for(std::size_t hosts, std::optional<Goal> goal) {
  Plan plan;
  for (std::size_t i = 0; i < hosts; ++i) plan.hosts.push_back({"n" + std::to_string(i + 1), 1});
  plan.goal = goal;
  return plan;
}

/// A table of hosts that always take the same times.
core::TimesBlock table(const std::vector<double>& seconds, std::uint32_t runs) {
  core::TimesBlock block;
  block.benches = {"compute"};
  for (std::uint32_t i = 0; i < seconds.size(); ++i) {
    block.hosts.push_back("n" + std::to_string(i + 1));
    for (std::uint32_t run = 0; run < runs; ++run)
      block.rows.push_back({i, 0, i, run, core::RowStatus::ok, seconds[i]});
  }
  return block;
}

std::vector<std::string> texts(const Settling& settling) {
  std::vector<std::string> all;
  for (const Sentence& sentence : settling.sentences())
    all.push_back((sentence.is_warning ? "! " : "") + sentence.text);
  return all;
}

TEST(Settling, WithoutAGoalWantsNothingMoreAndIsSilent) {
  const Plan plan = plan_for(4, std::nullopt);
  Settling settling(plan);
  EXPECT_FALSE(settling.wants_more(table({1, 1, 1, 2}, 3), 1, 60));
  EXPECT_THAT(texts(settling), ElementsAre());
}

TEST(Settling, WithoutAGoalStillTellsWhatIsPlain) {
  const Plan plan = plan_for(4, std::nullopt);
  Settling settling(plan);
  EXPECT_FALSE(settling.wants_more(table({1, 1, 1, 1.5}, 24), 1, 60));
  EXPECT_THAT(texts(settling), ElementsAre("! n4: slow: 1.500 times the median of the others, "
                                           "between 1.500 and 1.500 after 24 runs"));
}

TEST(Settling, EndsWhenEveryHostIsDecided) {
  const Plan plan = plan_for(4, Goal{});
  Settling settling(plan);
  EXPECT_TRUE(settling.wants_more(table({1, 1, 1, 1.2}, 12), 2, 60));
  EXPECT_EQ(settling.blocks(), 1U);
  EXPECT_FALSE(settling.wants_more(table({1, 1, 1, 1.2}, 24), 4, 60));
  EXPECT_THAT(texts(settling),
              ElementsAre(StartsWith("! n4: slow: 1.200 times"),
                          "settled after 24 runs: 1 of 4 hosts more than 5 % slower than the "
                          "others, each told with 99.9 % confidence"));
}

TEST(Settling, EndsWhenAFurtherBlockWouldNotEndInTime) {
  const Plan plan = plan_for(4, Goal{});
  for (const auto& [deadline, more] : {std::pair{22.5, true}, std::pair{21.5, false}}) {
    Settling settling(plan);  // a block took 10 s: another is given 12 s
    EXPECT_EQ(settling.wants_more(table({1, 1, 1, 1.2}, 12), 10, deadline), more);
  }
}

TEST(Settling, SaysWhoIsUndecidedWhenTimeIsUp) {
  const Plan plan = plan_for(4, Goal{});
  Settling settling(plan);
  settling.wants_more(table({1, 1, 1, 1.2}, 12), 10, 11);
  EXPECT_THAT(texts(settling),
              ElementsAre("not settled after 12 runs, all that the budget allows: more than 5 % "
                          "slower than the others or not: n4 (1.200)"));
}

TEST(Settling, EndsAfterTheMostBlocks) {
  const Plan plan = plan_for(4, Goal{std::nullopt, 2});
  Settling settling(plan);
  const auto few = table({1, 1, 1, 1}, 3);
  EXPECT_TRUE(settling.wants_more(few, 1, 60));
  EXPECT_FALSE(settling.wants_more(few, 2, 60));
}

TEST(Settling, GoesOnWhereAllBlocksAreWanted) {
  const Plan plan =
      plan_for(4, Goal{.fastest = std::nullopt, .most_blocks = 2, .all_blocks = true});
  Settling settling(plan);
  EXPECT_TRUE(settling.wants_more(table({1, 1, 1, 1}, 12), 1, 60));
  EXPECT_FALSE(settling.wants_more(table({1, 1, 1, 1}, 24), 2, 60));
}

TEST(Settling, HostsThatAreNotOkAreNotWaitedFor) {
  const Plan plan = plan_for(4, Goal{});
  auto block = table({1, 1, 1, 1}, 12);
  block.rows.back().status = core::RowStatus::failed;
  Settling settling(plan);
  EXPECT_FALSE(settling.wants_more(block, 1, 60));
  EXPECT_THAT(texts(settling), ElementsAre(StartsWith("settled after 12 runs: 0 of 3 hosts")));
}

TEST(Settling, TheFastestAreSettledWhileOthersMayBeUndecided) {
  const Plan plan = plan_for(4, Goal{2});
  Settling settling(plan);
  EXPECT_FALSE(settling.wants_more(table({1.3, 1, 1.2, 1}, 12), 1, 60));
  EXPECT_THAT(texts(settling),
              ElementsAre("the 2 fastest of 4 hosts are settled after 12 runs: each is faster "
                          "than any other, with 99 % confidence"));
}

TEST(Settling, TheFastestAreSettledWhenThoseLeftOutMatterLittle) {
  const Plan plan = plan_for(4, Goal{2});
  Settling settling(plan);
  EXPECT_FALSE(settling.wants_more(table({1, 1, 1, 1}, 12), 1, 60));
  EXPECT_THAT(texts(settling),
              ElementsAre("the 2 fastest of 4 hosts are settled after 12 runs: one that is left "
                          "out may be faster by 0 % at most, with 99 % confidence"));
}

TEST(Settling, FastestThatAreNotSettledAreAWarning) {
  const Plan plan = plan_for(4, Goal{2});
  Settling settling(plan);
  EXPECT_FALSE(settling.wants_more(table({1, 1, 1, 1}, 3), 50, 60));
  EXPECT_THAT(texts(settling),
              ElementsAre("! the 2 fastest of 4 hosts are not settled after 3 runs, all that the "
                          "budget allows: too few to tell anything"));
}

TEST(Settling, MoreHostsThanThereAreAreAWarning) {
  const Plan plan = plan_for(4, Goal{5});
  Settling settling(plan);
  EXPECT_FALSE(settling.wants_more(table({1, 1, 1, 1}, 12), 1, 60));
  EXPECT_THAT(texts(settling),
              ElementsAre("! the 5 fastest hosts: there are only 4 that can be used"));
}

core::TimesBlock two_kinds(const std::vector<double>& old_ones, const std::vector<double>& new_ones,
                           std::uint32_t runs) {
  std::vector<double> all = old_ones;
  all.insert(all.end(), new_ones.begin(), new_ones.end());
  core::TimesBlock block = table(all, runs);
  for (std::size_t i = 0; i < all.size(); ++i)
    block.set_hardware(i, i < old_ones.size() ? "old" : "new");
  return block;
}

TEST(Settling, HostsAreComparedWithThoseOfTheirHardware) {
  const Plan plan = plan_for(6, Goal{});
  Settling settling(plan);
  EXPECT_FALSE(settling.wants_more(two_kinds({2, 2, 2}, {1, 1, 1.2}, 24), 1, 60));
  EXPECT_THAT(texts(settling),
              ElementsAre(StartsWith("! n6: slow: 1.200 times the median of the others of its "
                                     "hardware, between"),
                          StartsWith("settled after 24 runs: 1 of 6 hosts")));
}

TEST(Settling, OfTwoHostsOfAHardwareEachIsComparedWithTheOther) {
  const Plan plan = plan_for(4, Goal{});
  Settling settling(plan);
  EXPECT_FALSE(settling.wants_more(two_kinds({2, 2.4}, {1, 1}, 24), 1, 60));
  EXPECT_THAT(texts(settling), ElementsAre(StartsWith("! n2: slow: 1.200 times"),
                                           StartsWith("settled after 24 runs: 1 of 4 hosts")));
}

TEST(Settling, TheOnlyHostOfItsHardwareIsComparedWithNone) {
  const Plan plan = plan_for(4, Goal{});
  Settling settling(plan);
  EXPECT_FALSE(settling.wants_more(two_kinds({9}, {1, 1, 1}, 12), 1, 60));
  EXPECT_THAT(texts(settling),
              ElementsAre("settled after 12 runs: 0 of 4 hosts more than 5 % slower than the "
                          "others, each told with 99.9 % confidence; compared with none, the only "
                          "one of its hardware: n1"));
}

TEST(Settling, TheFastestAreThoseOfAllKinds) {
  const Plan plan = plan_for(6, Goal{3});
  Settling settling(plan);
  EXPECT_FALSE(settling.wants_more(two_kinds({2, 2, 2}, {1, 1, 1.2}, 12), 1, 60));
  EXPECT_THAT(texts(settling), ElementsAre(StartsWith("the 3 fastest of 6 hosts are settled after "
                                                      "12 runs: each is faster than any other")));
}

/// All pairs of the hosts take the same, n1 with n2 twice as long.
core::TimesBlock pairs_table(std::uint32_t runs, std::uint32_t hosts = 5) {
  core::TimesBlock block;
  block.benches = {"net"};
  for (std::uint32_t i = 1; i <= hosts; ++i) block.hosts.push_back("n" + std::to_string(i));
  for (std::uint32_t run = 0; run < runs; ++run)
    for (std::uint32_t a = 0; a < hosts; ++a)
      for (std::uint32_t b = 0; b < hosts; ++b)
        if (a != b)
          block.rows.push_back({a, 0, a, run, core::RowStatus::ok, a + b == 1 ? 2.0 : 1.0, {}, b});
  return block;
}

TEST(Settling, ASlowLinkIsToldApartFromItsHosts) {
  const Plan plan = plan_for(5, Goal{});
  Settling settling(plan);
  EXPECT_TRUE(settling.wants_more(pairs_table(12), 1, 60)) << "a block does not suffice to blame";
  EXPECT_FALSE(settling.wants_more(pairs_table(24), 2, 60));
  EXPECT_THAT(texts(settling),
              ElementsAre(StartsWith("! n1 - n2: the link is slow: net takes 1.9"),
                          StartsWith("settled after 24 runs: 0 of 5 hosts"),
                          "links: 1 of 10 more than 25 % slower than their hosts account for, "
                          "with 99 % confidence that none is blamed wrongly"));
}

TEST(Settling, OfTwoHostsTheNetworkTellsNothing) {
  const Plan plan = plan_for(2, Goal{});
  Settling settling(plan);
  settling.wants_more(pairs_table(12, 2), 1, 60);
  EXPECT_EQ(texts(settling).back(),
            "links: one pair of hosts alone shows neither a slow host nor a slow link");
}

TEST(Settling, NamesTenSlowHostsAndCountsTheRest) {
  std::vector<double> seconds(40, 1.0);
  for (std::size_t i = 0; i < 12; ++i) seconds[i] = 2;
  const Plan plan = plan_for(40, std::nullopt);
  Settling settling(plan);
  settling.wants_more(table(seconds, 24), 1, 60);
  ASSERT_EQ(texts(settling).size(), 11U);
  EXPECT_EQ(texts(settling).back(), "! ... and 2 more hosts are slow");
}

}  // namespace
}  // namespace benchrun
