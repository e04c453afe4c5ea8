// SPDX-License-Identifier: BSD-3-Clause
// What noise of a known distribution lets one find was simulated apart, by a script of scipy (4000
// runs of 4 hosts for each slowdown, fresh normal or exponential draws, medians and binomial
// quantiles of numpy and scipy): 99 % are found from 1.072 on with normal noise of 2 %, from 1.064
// with exponential noise of 2 %, from 1.092 with normal noise of 2 % a run and as much a block. The
// bands allow for the few draws that a table has and for the few runs that are simulated here.
#include "benchrun/self_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace benchrun {
namespace {

using testing::HasSubstr;

/// time(host, run)
core::TimesBlock table(std::size_t hosts, std::uint32_t runs,
                       const std::function<double(std::size_t, std::uint32_t)>& time) {
  core::TimesBlock block;
  block.benches = {"compute"};
  for (std::uint32_t host = 0; host < hosts; ++host) {
    block.hosts.push_back("n" + std::to_string(host));
    for (std::uint32_t run = 0; run < runs; ++run)
      block.rows.push_back({host, 0, host, run, core::RowStatus::ok, time(host, run)});
  }
  return block;
}

core::TimesBlock normal_noise(std::size_t hosts) {
  std::mt19937_64 random(3);
  return table(hosts, 96, [&](auto...) { return std::normal_distribution(1.0, 0.02)(random); });
}

std::vector<SelfTest> tested(const core::TimesBlock& block, std::uint64_t trials) {
  return self_test(block, {.tolerance = 0.05, .most_blocks = 8, .trials = trials});
}

SelfTest only(const core::TimesBlock& block, std::uint64_t trials = 10) {
  const auto tests = tested(block, trials);
  EXPECT_EQ(tests.size(), 1U);
  return tests.at(0);
}

TEST(SelfTest, WithoutNoiseWhatIsBeyondTheToleranceIsFound) {
  const SelfTest test = only(table(4, 24, [](auto...) { return 1.0; }));
  EXPECT_NEAR(test.found.value(), 1.05, 0.001);
  EXPECT_EQ(test.noise, 0);
  EXPECT_EQ(test.blamed, 0U);
  EXPECT_EQ(test.healthy, 40U);
}

TEST(SelfTest, WhatIsWithinTheToleranceIsNotFoundHoweverLongIsSought) {
  for (const double tolerance : {3.0, 1e13, 1e300}) {
    const auto tests = self_test(table(4, 24, [](auto...) { return 1.0; }),
                                 {.tolerance = tolerance, .most_blocks = 8, .trials = 10});
    EXPECT_FALSE(tests.at(0).found.has_value()) << tolerance;
  }
}

TEST(SelfTest, TellsWhatNormalNoiseLetsOneFind) {
  const SelfTest test = only(normal_noise(4), 60);
  EXPECT_NEAR(test.found.value(), 1.072, 0.006);
  // The variances of one and of the median of three (0.4487 of one) add up.
  EXPECT_NEAR(test.noise, 0.02 * std::sqrt(1.4487), 0.004);
  EXPECT_EQ(test.blamed, 0U);
}

TEST(SelfTest, TellsWhatNoiseToTheSlowSideLetsOneFind) {
  std::mt19937_64 random(3);
  std::exponential_distribution noise(1 / 0.02);
  const auto block = table(4, 96, [&](auto...) { return 1 + noise(random); });
  EXPECT_NEAR(only(block, 60).found.value(), 1.064, 0.006);
}

TEST(SelfTest, WhatABlockHasInCommonIsNotEvenedOutByItsRuns) {
  std::mt19937_64 random(3);
  std::normal_distribution noise(0.0, 0.02);
  double of_block = 0;
  const auto block = table(4, 96, [&](std::size_t, std::uint32_t run) {
    if (run % 12 == 0) of_block = noise(random);
    return 1 + of_block + noise(random);
  });
  EXPECT_NEAR(only(block, 60).found.value(), 1.092, 0.015);
}

TEST(SelfTest, NeitherSlowHostsNorWhatDisturbsAllAtOnceAreNoise) {
  const core::TimesBlock even = normal_noise(4);
  core::TimesBlock uneven = even;
  for (core::TimesRow& row : uneven.rows)
    row.seconds *= (row.host == 2 ? 1.5 : 1) * (row.run / 12 % 3 == 0 ? 2 : 1);
  EXPECT_NEAR(only(uneven).found.value(), only(even).found.value(), 0.003);
  EXPECT_NEAR(only(uneven).noise, only(even).noise, 0.0005);
}

TEST(SelfTest, SaysThatTooMuchNoiseHidesAnything) {
  std::mt19937_64 random(3);
  const SelfTest test =
      only(table(3, 24, [&](auto...) { return std::lognormal_distribution(0.0, 2.0)(random); }));
  EXPECT_FALSE(test.found);
  EXPECT_THAT(print({test}),
              HasSubstr("less than 99 % even of the hosts that take 4 times as long"));
}

TEST(SelfTest, TestsEachHardwareApart) {
  core::TimesBlock block = normal_noise(5);
  for (std::size_t host = 0; host < 5; ++host)
    block.set_hardware(host, host < 2 ? "old" : host < 4 ? "new" : "odd");
  for (core::TimesRow& row : block.rows)
    if (row.host < 2) row.seconds = 7;
  const auto tests = tested(block, 10);
  ASSERT_EQ(tests.size(), 3U);
  EXPECT_EQ(tests[0].hardware, "old");
  EXPECT_NEAR(tests[0].found.value(), 1.05, 0.001);
  EXPECT_GT(tests[1].found.value(), 1.06);
  EXPECT_FALSE(tests[2].told());
  EXPECT_THAT(print(tests), HasSubstr("\nodd:\nhosts   1: there is none to compare with\n"));
}

TEST(SelfTest, BlocksThatNotAllHaveWholeDoNotCount) {
  core::TimesBlock block = normal_noise(3);
  std::erase_if(block.rows, [](const core::TimesRow& row) {
    return row.run >= 36 || (row.host == 1 && row.run == 20);
  });
  EXPECT_EQ(only(block).blocks, 2U);
  std::erase_if(block.rows, [](const core::TimesRow& row) { return row.run >= 24; });
  EXPECT_FALSE(only(block).told());
}

TEST(SelfTest, CanBeEndedBetweenSimulatedRuns) {
  struct Ended {};
  unsigned calls = 0;
  const auto end = [&] {
    if (++calls == 5) throw Ended{};
  };
  EXPECT_THROW(self_test(normal_noise(4), {.tolerance = 0.05, .most_blocks = 8, .between = end}),
               Ended);
  EXPECT_EQ(calls, 5U);
}

TEST(SelfTest, IsPrintedForPeople) {
  SelfTest test;
  test.hosts = 8;
  test.blocks = 8;
  test.noise = 0.0187;
  test.found = 1.0724;
  test.healthy = 8000;
  EXPECT_EQ(
      print({test}),
      "hosts   8, 96 times each in 8 blocks\n"
      "noise   1.9 %\n"
      "found   99 % of the hosts that take 1.072 times as long as the others (93.2 % of their "
      "speed) or longer\n"
      "blamed  0 of 8000 healthy hosts: less than 0.037 % of them with 95 % confidence\n");
}

}  // namespace
}  // namespace benchrun
