// SPDX-License-Identifier: BSD-3-Clause
#include "core/slow_hosts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace core {
namespace {

/// Hosts that always take the same times.
std::vector<HostTimes> steady(const std::vector<double>& seconds, std::uint64_t runs) {
  std::vector<HostTimes> all;
  for (const double time : seconds) {
    all.emplace_back();
    for (std::uint64_t run = 0; run < runs; ++run) all.back().times.push_back({run, time});
  }
  return all;
}

std::vector<Pace> paces(const std::vector<HostTimes>& series, std::uint64_t looks,
                        double tolerance = kTolerance) {
  std::vector<Pace> all;
  for (const Judged& one : judge_hosts(series, {tolerance, looks})) all.push_back(one.pace);
  return all;
}

using enum Pace;
using Paces = std::vector<Pace>;

TEST(SlowHosts, ASlowHostIsComparedWithTheOthersAlone) {
  const auto judged = judge_hosts(steady({1, 1, 1, 1.2}, 24), {0.05, 2});
  EXPECT_EQ(judged[3].pace, slow);
  EXPECT_DOUBLE_EQ(judged[3].ratio, 1.2);
  EXPECT_DOUBLE_EQ(judged[3].interval.low, 1.2);
  EXPECT_DOUBLE_EQ(judged[3].interval.high, 1.2);
  EXPECT_EQ(judged[3].runs, 24U);
  EXPECT_EQ(judged[0].pace, even);
  // The median of 1.2 and its only other: sqrt(1.2 x 1) would halve what is to be seen.
  EXPECT_DOUBLE_EQ(judge_hosts(steady({1, 1.2}, 24), {0.05, 2})[1].ratio, 1.2);
}

TEST(SlowHosts, OneBlockMakesHostsEvenButNoneSlow) {
  EXPECT_EQ(paces(steady({1, 1, 1, 1.2}, 12), 1), (Paces{even, even, even, undecided}));
}

TEST(SlowHosts, FewRepetitionsDecideNothing) {
  EXPECT_EQ(paces(steady({1, 1, 1, 1.2}, 10), 1), Paces(4, undecided));
}

TEST(SlowHosts, AHostWithinTheToleranceIsEven) {
  EXPECT_EQ(paces(steady({1, 1, 1, 1.04}, 24), 2), Paces(4, even));
  EXPECT_EQ(paces(steady({1, 1, 1, 1.04}, 24), 2, 0.03)[3], slow);
}

TEST(SlowHosts, WhatDisturbsAllHostsAtOnceCancels) {
  auto series = steady({1, 1, 1, 1.2}, 24);
  for (HostTimes& one : series)
    for (Repetition& time : one.times) time.seconds *= 1 + static_cast<double>(time.number % 7);
  EXPECT_EQ(paces(series, 2), (Paces{even, even, even, slow}));
}

TEST(SlowHosts, ThreeSlowRepetitionsOf24DoNotMakeAHostSlow) {
  auto series = steady({1, 1, 1, 1}, 24);
  for (const std::size_t run : {0U, 11U, 23U}) series[2].times[run].seconds = 100;
  EXPECT_EQ(paces(series, 2), Paces(4, even));
  series[2].times[5].seconds = 100;  // a fourth one: not sure any more
  EXPECT_EQ(paces(series, 2)[2], undecided);
}

TEST(SlowHosts, ThreeFastRepetitionsOf24DoNotHideASlowHost) {
  auto series = steady({1, 1, 1, 1.2}, 24);
  for (const std::size_t run : {0U, 11U, 23U}) series[3].times[run].seconds = 1;
  EXPECT_EQ(paces(series, 2)[3], slow);
  series[3].times[5].seconds = 1;
  EXPECT_EQ(paces(series, 2)[3], undecided);
}

TEST(SlowHosts, HostsAreComparedWithinTheirKind) {
  auto series = steady({1, 1, 1, 2, 2, 2.4, 5}, 24);
  for (std::size_t i = 3; i < 6; ++i) series[i].kind = 1;
  series[6].kind = 2;
  EXPECT_EQ(paces(series, 2), (Paces{even, even, even, even, even, slow, alone}));
}

TEST(SlowHosts, AHostThatWasNotMeasuredIsUndecidedAndHarmsNoOther) {
  auto series = steady({1, 1, 1, 1.2}, 24);
  series[0].times.clear();
  EXPECT_EQ(paces(series, 2), (Paces{undecided, even, even, slow}));
  EXPECT_TRUE(std::isnan(judge_hosts(series, {0.05, 2})[0].ratio));
}

TEST(SlowHosts, ABoundaryIsClearWhereEveryHostKeptIsFaster) {
  const auto series = steady({1, 1.02, 1.2, 1}, 12);
  const std::array<std::size_t, 3> kept{0, 1, 3};
  const std::array<std::size_t, 1> left{2};
  const Boundary boundary = judge_boundary(series, kept, left, {0.05, 1});
  EXPECT_TRUE(boundary.settled);
  EXPECT_TRUE(boundary.clear);
  EXPECT_DOUBLE_EQ(boundary.gain, 1.02 / 1.2);
}

TEST(SlowHosts, ABoundaryBetweenEqualHostsIsSettledWhenTheyAreKnownToBeEqual) {
  const std::array<std::size_t, 2> kept{0, 1};
  const std::array<std::size_t, 2> left{2, 3};
  const Boundary equal = judge_boundary(steady({1, 1.03, 1, 1}, 12), kept, left, {0.05, 1});
  EXPECT_TRUE(equal.settled);
  EXPECT_FALSE(equal.clear);
  EXPECT_DOUBLE_EQ(equal.gain, 1.03);
  EXPECT_FALSE(judge_boundary(steady({1, 1.06, 1, 1}, 12), kept, left, {0.05, 1}).settled);
  EXPECT_FALSE(judge_boundary(steady({1, 1, 1, 1}, 3), kept, left, {0.05, 1}).settled);
}

TEST(SlowHosts, TheBoundaryOfManyHostsNeedsMoreRepetitions) {
  // 1 % / 2 at the first look, shared by the hosts: 2^-12 is below it for 20 hosts, not for 21.
  for (const auto& [hosts, settled] : {std::pair{20U, true}, std::pair{21U, false}}) {
    const auto series = steady(std::vector<double>(hosts, 1.0), 12);
    std::vector<std::size_t> kept(hosts - 1);
    for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = i;
    const std::array<std::size_t, 1> left{hosts - 1};
    EXPECT_EQ(judge_boundary(series, kept, left, {0.05, 1}).settled, settled) << hosts;
  }
}

TEST(SlowHosts, NothingLeftOutIsSettled) {
  const std::array<std::size_t, 2> kept{0, 1};
  EXPECT_TRUE(judge_boundary(steady({1, 9}, 1), kept, {}, {0.05, 1}).settled);
}

Scores two_benches() {
  Scores scores;
  scores.benches = {"a", "b"};
  scores.usable = 2;
  for (const double slow : {1.0, 3.0}) {
    HostScore host;
    host.usable = true;
    host.times = {1, 10 * slow};
    host.repetitions = {{{0, 1}, {1, 1}}, {{0, 10 * slow}, {2, 10 * slow}}};
    scores.hosts.push_back(host);
  }
  scores.hosts.emplace_back();  // not usable
  return scores;
}

TEST(SlowHosts, OfSeveralBenchmarksTheLargestQuotientCounts) {
  const auto series = series_of(two_benches().hosts, Within::all);
  ASSERT_EQ(series.size(), 3U);
  ASSERT_EQ(series[1].times.size(), 1U);  // the repetition that both have
  EXPECT_EQ(series[1].times[0].number, 0U);
  EXPECT_DOUBLE_EQ(series[1].times[0].seconds, 30.0 / 20);  // medians 1 and 20
  EXPECT_DOUBLE_EQ(series[0].times[0].seconds, 1.0);
  EXPECT_TRUE(series[2].times.empty());
}

HostScore of_hardware(const char* hardware, std::vector<double> times) {
  HostScore host;
  host.usable = true;
  host.hardware = hardware;
  host.times = times;
  for (const double time : times) host.repetitions.push_back({{0, time}});
  return host;
}

TEST(SlowHosts, HostsOfTheSameHardwareAreOfAKind) {
  const std::vector<HostScore> hosts{of_hardware("a", {1}), of_hardware("b", {2}),
                                     of_hardware("a", {1}), of_hardware("", {3})};
  const auto series = series_of(hosts, Within::kind);
  EXPECT_EQ(series[0].kind, series[2].kind);
  EXPECT_NE(series[0].kind, series[1].kind);
  EXPECT_NE(series[3].kind, series[0].kind);
  EXPECT_EQ(by_kind(series).at(series[0].kind), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(by_kind(series).size(), 3U);
}

TEST(SlowHosts, WhatWasNotMeasuredIsNoFurtherKind) {
  std::vector<HostScore> hosts{of_hardware("a", {1}), of_hardware("a", {1}), {}};
  EXPECT_EQ(by_kind(series_of(hosts, Within::kind)).size(), 1U);
}

TEST(SlowHosts, WithinAKindTheBenchmarkThatCountsIsTheWorstAmongItsHosts) {
  // All b are slow at the second benchmark; the last of them at the first one as well, which only
  // shows among the b: medians 1 and 4 there, 1 and 2.5 over all.
  const std::vector<HostScore> hosts{of_hardware("a", {1, 1}), of_hardware("a", {1, 1}),
                                     of_hardware("a", {1, 1}), of_hardware("b", {1, 4}),
                                     of_hardware("b", {1, 4}), of_hardware("b", {1.3, 4})};
  const auto all = series_of(hosts, Within::all), kind = series_of(hosts, Within::kind);
  EXPECT_DOUBLE_EQ(all[4].times[0].seconds, 4 / 2.5);
  EXPECT_DOUBLE_EQ(all[5].times[0].seconds, 4 / 2.5);
  EXPECT_DOUBLE_EQ(kind[4].times[0].seconds, 1);
  EXPECT_DOUBLE_EQ(kind[5].times[0].seconds, 1.3);
}

TEST(SlowHosts, HostsAreAlikeWhereTheirRatioMayBeOne) {
  auto series = steady({1, 1, 1.3, 1, 1.05}, 12);
  // 2 of 12 exceptions happen with a probability of 79 / 4096 > 1 % / 4, one with 13 / 4096, none
  // with 1 / 4096: one repetition the other way leaves a doubt.
  series[1].times[3].seconds = 0.5;
  series[4].times[3].seconds = 0.5;
  series[4].times[7].seconds = 0.5;
  EXPECT_EQ(alike(series, 0, 1), (std::vector<std::size_t>{0, 1, 3, 4}));
  EXPECT_EQ(alike(series, 2, 1), (std::vector<std::size_t>{2}));
}

TEST(SlowHosts, WhatDisturbsBothHostsDoesNotMakeThemAlike) {
  auto series = steady({1, 1.02}, 12);
  for (HostTimes& one : series) one.times[5].seconds *= 3;
  EXPECT_EQ(alike(series, 0, 1), (std::vector<std::size_t>{0}));
}

TEST(SlowHosts, AHostIsAlikeNoOtherAfterTooFewRepetitions) {
  EXPECT_EQ(alike(steady({1, 1}, 8), 0, 1), (std::vector<std::size_t>{0}));  // 1 / 256 > 1 % / 4
  EXPECT_EQ(alike(steady({1, 1}, 9), 0, 1), (std::vector<std::size_t>{0, 1}));
}

TEST(SlowHosts, OnlyRepetitionsThatBothHaveArePaired) {
  auto series = steady({1, 1}, 12);
  for (Repetition& time : series[1].times) time.number += 4;  // 8 in common
  EXPECT_EQ(alike(series, 0, 1), (std::vector<std::size_t>{0}));
}

TEST(SlowHosts, ABoundaryIsDescribedByWhatIsKnown) {
  EXPECT_EQ(describe({true, 0.9, true}), "each is faster than any other, with 99 % confidence");
  EXPECT_EQ(describe({true, 1.0312, false}),
            "one that is left out may be faster by 3.12 % at most, with 99 % confidence");
  EXPECT_EQ(describe({false, INFINITY, false}), "too few to tell anything");
}

TEST(SlowHosts, ALookIsABlockOfRepetitions) {
  EXPECT_EQ(looks_at(steady({1, 1}, 3)), 1U);
  EXPECT_EQ(looks_at(steady({1, 1}, 12)), 1U);
  EXPECT_EQ(looks_at(steady({1, 1}, 13)), 2U);
  EXPECT_EQ(looks_at(steady({1, 1}, 96)), 8U);
}

}  // namespace
}  // namespace core
