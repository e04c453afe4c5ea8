// SPDX-License-Identifier: BSD-3-Clause
// The detection that bench/slow_hosts.sh shows on 1,000,000 host-runs, with fewer.
#include "benchrun/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace benchrun {
namespace {

struct Counts {
  int slow_runs = 0, found = 0, healthy_runs = 0, blamed = 0;
  std::uint64_t blocks = 0;
};

/// One host at 90 % of its speed among others; noise(random) is the excess over the least time.
template <class Noise>
Counts simulate(std::size_t hosts, int trials, Noise noise) {
  std::mt19937_64 random(7);
  Counts counts;
  for (int i = 0; i < trials; ++i) {
    const auto draw = [&](std::size_t host, std::uint64_t, std::uint32_t) {
      return (1 + noise(random)) / (host == 0 ? 0.9 : 1);
    };
    const Trial trial = try_once(hosts, draw, 0.05, 8);
    counts.blocks += trial.blocks;
    for (std::size_t host = 0; host < hosts; ++host) {
      const bool slow = trial.judged[host].pace == core::Pace::slow;
      ++(host == 0 ? counts.slow_runs : counts.healthy_runs);
      (host == 0 ? counts.found : counts.blamed) += slow;
    }
  }
  return counts;
}

void expect_good(const Counts& counts) {
  EXPECT_GE(counts.found, 0.95 * counts.slow_runs);
  EXPECT_LE(counts.blamed, 1e-3 * counts.healthy_runs);
}

TEST(Trial, FindsAHostAt90PercentAndBlamesNoOtherInPlainNoise) {
  for (const std::size_t hosts : {4U, 8U, 96U})
    expect_good(simulate(hosts, static_cast<int>(800 / hosts), [](auto& random) {
      return std::normal_distribution<double>(0, 0.03)(random);
    }));
}

TEST(Trial, FindsAHostAt90PercentAndBlamesNoOtherInNoiseToTheSlowSide) {
  for (const std::size_t hosts : {4U, 8U, 96U})
    expect_good(simulate(hosts, static_cast<int>(800 / hosts), [](auto& random) {
      return std::exponential_distribution<double>(1 / 0.03)(random);
    }));
}

TEST(Trial, LittleNoiseTakesTwoBlocksWithASlowHostAndOneWithout) {
  const auto counts = simulate(
      8, 20, [](auto& random) { return std::normal_distribution<double>(0, 0.005)(random); });
  EXPECT_EQ(counts.blocks, 40U);
  EXPECT_EQ(try_once(
                8, [](auto...) { return 1.0; }, 0.05, 8)
                .blocks,
            1U);
}

TEST(Trial, EndsAfterTheMostBlocksWhenItIsNeverDecided) {
  std::mt19937_64 random(7);
  const auto at_the_limit = [&](std::size_t host, std::uint64_t, std::uint32_t) {
    return std::normal_distribution<double>(host == 0 ? 1.05 : 1, 0.001)(random);
  };
  EXPECT_EQ(try_once(8, at_the_limit, 0.05, 4).blocks, 4U);
}

}  // namespace
}  // namespace benchrun
