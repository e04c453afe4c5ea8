// SPDX-License-Identifier: BSD-3-Clause
#include "tournament.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <queue>
#include <set>

namespace {

using namespace benchmarks;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Checks that partners agree, and gives each pair once.
Pairs pairs_of_round(std::uint32_t round, std::uint32_t n) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto j = partner_of(i, round, n);
    if (!j) continue;
    EXPECT_LT(*j, n);
    EXPECT_NE(*j, i);
    EXPECT_EQ(partner_of(*j, round, n), i) << i << " in round " << round << " of " << n;
    if (i < *j) pairs.emplace_back(i, *j);
  }
  return pairs;
}

TEST(Tournament, OfOneHasNoRounds) { EXPECT_THAT(rounds_of(1), IsEmpty()); }

TEST(Tournament, OfTwoIsOneMeeting) {
  EXPECT_THAT(rounds_of(2), ElementsAre(0));
  EXPECT_THAT(pairs_of_round(0, 2), ElementsAre(std::pair(0U, 1U)));
}

TEST(Tournament, OfThreeLetsEachRestOnce) {
  EXPECT_THAT(rounds_of(3), SizeIs(3));
  for (std::uint32_t round = 0; round < 3; ++round)
    EXPECT_THAT(pairs_of_round(round, 3), SizeIs(1));
}

TEST(Tournament, LetsEveryPairOfFewMeetExactlyOnce) {
  for (std::uint32_t n = 2; n <= kAllMeet; ++n) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> met;
    for (const std::uint32_t round : rounds_of(n)) {
      const Pairs pairs = pairs_of_round(round, n);
      EXPECT_EQ(pairs.size(), n / 2) << "nobody but the one who rests is idle";
      for (const auto& pair : pairs) EXPECT_TRUE(met.insert(pair).second) << "again, n = " << n;
    }
    EXPECT_EQ(met.size(), n * (n - 1) / 2);
  }
}

TEST(Tournament, OfManyHasLogarithmicallyManyRounds) {
  EXPECT_THAT(rounds_of(17), SizeIs(15));
  EXPECT_THAT(rounds_of(1000), SizeIs(15));
  EXPECT_THAT(rounds_of(1U << 20), SizeIs(20));
  EXPECT_THAT(rounds_of(1000), ElementsAre(0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 3, 5, 6, 7));
}

TEST(Tournament, OfManyLetsNoPairMeetTwice) {
  for (const std::uint32_t n : {17U, 18U, 63U, 64U, 65U, 999U, 1000U}) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> met;
    for (const std::uint32_t round : rounds_of(n))
      for (const auto& pair : pairs_of_round(round, n)) EXPECT_TRUE(met.insert(pair).second);
    EXPECT_GE(met.size(), n / 2 * rounds_of(n).size());
  }
}

/// Steps from player 0 to the farthest one; and whether the meetings could be coloured with two
/// colours so that only different ones meet, where host effects would not be determined.
struct Graph {
  std::size_t eccentricity = 0, reached = 0;
  bool two_colours = true;
};

Graph explore(std::uint32_t n) {
  std::vector<std::size_t> distance(n, SIZE_MAX);
  const std::vector<std::uint32_t> rounds = rounds_of(n);
  Graph graph;
  std::queue<std::uint32_t> next({0});
  distance[0] = 0;
  for (; !next.empty(); next.pop()) {
    const std::uint32_t i = next.front();
    ++graph.reached;
    graph.eccentricity = distance[i];
    for (const std::uint32_t round : rounds)
      if (const auto j = partner_of(i, round, n)) {
        if (distance[*j] == SIZE_MAX) {
          distance[*j] = distance[i] + 1;
          next.push(*j);
        } else if (distance[*j] % 2 == distance[i] % 2) {
          graph.two_colours = false;
        }
      }
  }
  return graph;
}

TEST(Tournament, OfManyConnectsAllInFewMeetingsAndOddCircles) {
  for (const std::uint32_t n : {17U, 18U, 31U, 32U, 33U, 100U, 255U, 256U, 1000U, 4097U}) {
    const Graph graph = explore(n);
    EXPECT_EQ(graph.reached, n);
    EXPECT_FALSE(graph.two_colours) << n;
    EXPECT_LE(graph.eccentricity, std::ceil(std::log2(n))) << n;
  }
}

}  // namespace
