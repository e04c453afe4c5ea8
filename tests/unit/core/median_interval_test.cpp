// SPDX-License-Identifier: BSD-3-Clause
#include "core/median_interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <utility>

namespace core {
namespace {

TEST(MedianInterval, FewExceptionsTellAgainstEvenOdds) {
  EXPECT_EQ(exceptions(9, 1e-3), std::nullopt);  // 2^-9 = 1.95e-3
  EXPECT_EQ(exceptions(10, 1e-3), 0U);           // 2^-10 = 9.77e-4, 11 / 2^10 = 1.07e-2
  EXPECT_EQ(exceptions(24, 1.67e-4), 3U);        // 2325 / 2^24 = 1.39e-4, 12951 / 2^24 = 7.7e-4
}

// scipy.stats.binom, scipy 1.10.1
TEST(MedianInterval, ManyEventsAgreeWithScipy) {
  EXPECT_EQ(exceptions(1000, 1e-3), 450U);
  EXPECT_EQ(exceptions(1000000, 1e-3), 498454U);
  EXPECT_EQ(exceptions(96, 1e-3 / 72), 27U);
  EXPECT_EQ(exceptions(5000, 1e-6), 2331U);
}

TEST(MedianInterval, LiesBetweenTwoOfTheValuesInOrder) {
  std::vector<double> values(24);
  std::iota(values.rbegin(), values.rend(), 1);  // 24, 23, ..., 1
  const Interval interval = median_interval(values, 1.67e-4);
  EXPECT_EQ(interval.low, 4);
  EXPECT_EQ(interval.high, 21);
}

TEST(MedianInterval, TooFewValuesSayNothing) {
  EXPECT_EQ(median_interval({}, 1e-3).low, -INFINITY);
  EXPECT_EQ(median_interval(std::vector<double>(9, 1.0), 1e-3).high, INFINITY);
}

/// Probability that at some of the looks the values below their true median are so few that an end
/// of the interval misses it: exact, as a random walk that ends at the first miss.
double chance_of_a_miss(std::uint64_t block, std::uint64_t looks, double error) {
  std::vector<double> walk{1};  // by number of values below the median
  double missed = 0;
  for (std::uint64_t n = 1; n <= block * looks; ++n) {
    std::vector<double> next(walk.size() + 1);
    for (std::size_t i = 0; i < walk.size(); ++i) {
      next[i] += walk[i] / 2;
      next[i + 1] += walk[i] / 2;
    }
    walk = next;
    if (n % block != 0) continue;
    const auto few = exceptions(n, error_at_look(error, n / block));
    for (std::uint64_t i = 0; few && i <= *few; ++i) missed += std::exchange(walk[i], 0);
  }
  return missed;
}

TEST(MedianInterval, LookingOftenDoesNotRaiseTheErrorAboveWhatIsToBeSpent) {
  for (const std::uint64_t block : {1U, 5U, 12U, 100U}) {
    EXPECT_LE(chance_of_a_miss(block, 50, 1e-3), 1e-3) << block;
    EXPECT_LE(chance_of_a_miss(block, 50, 0.05), 0.05) << block;
  }
  EXPECT_GE(chance_of_a_miss(12, 50, 1e-3), 3e-4);  // and not much of it is wasted
}

TEST(MedianInterval, TheErrorsOfAllLooksSumUp) {
  double sum = 0;
  for (std::uint64_t look = 1; look <= 1000; ++look) sum += error_at_look(0.01, look);
  EXPECT_NEAR(sum, 0.01 * (1 - 1.0 / 1001), 1e-15);
  EXPECT_EQ(error_at_look(0.01, 1), 0.005);
}

}  // namespace
}  // namespace core
