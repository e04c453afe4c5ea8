// SPDX-License-Identifier: BSD-3-Clause
#include "core/stats.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace core {
namespace {

TEST(Stats, MedianIsTheMiddleOrTheMeanOfTheTwoMiddleOnes) {
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({3, 1}), 2);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({1e308, 1.5e308}), 1.25e308);
}

TEST(Stats, MeanIsTheArithmeticMean) {
  const std::vector<double> values{1, 2, 6};
  EXPECT_EQ(mean(values), 3);
}

TEST(Stats, ScaledMadEstimatesTheStandardDeviation) {
  // |x - 3| = 2 1 0 1 6, their median 1.
  const std::vector<double> values{1, 2, 3, 4, 9};
  EXPECT_DOUBLE_EQ(scaled_mad(values, 3), 1.4826);
}

struct Interval {
  std::uint64_t hits, n;
  double confidence, low, high;
};

// scipy.stats.beta.ppf(tail, hits, n - hits + 1) and .ppf(1 - tail, hits + 1, n - hits),
// scipy 1.10.1
constexpr Interval kIntervals[] = {
    {0, 1, 0.95, 0, 0.975},
    {1, 1, 0.95, 0.02500000000000002, 1},
    {0, 10, 0.95, 0, 0.3084971078187608},
    {3, 10, 0.95, 0.0667395111777345, 0.6524528500599973},
    {10, 10, 0.95, 0.6915028921812392, 1},
    {1, 1000, 0.95, 2.531748749129407e-05, 0.005558924279826672},
    {37, 1000, 0.95, 0.02618270884373733, 0.05064112305992485},
    {50, 100, 0.99, 0.3688614373589241, 0.6311385626410759},
    {2, 100000, 0.95, 2.422101962703155e-06, 7.22449893650479e-05},
    {123456, 1000000, 0.95, 0.1228118416296297, 0.1241023402768027},
};

TEST(Stats, ClopperPearsonAgreesWithScipy) {
  for (const auto& [hits, n, confidence, low, high] : kIntervals) {
    const auto interval = clopper_pearson(hits, n, confidence);
    EXPECT_NEAR(interval.first, low, 1e-11 * low) << hits << " of " << n;
    EXPECT_NEAR(interval.second, high, 1e-11 * high) << hits << " of " << n;
  }
}

TEST(Stats, ClopperPearsonWithoutHitsIsTheClosedForm) {
  // (1 - p)^n = 0.025 at the upper end.
  EXPECT_EQ(clopper_pearson(0, 7).first, 0);
  EXPECT_NEAR(clopper_pearson(0, 7).second, 1 - std::pow(0.025, 1.0 / 7), 1e-14);
  EXPECT_EQ(clopper_pearson(7, 7).second, 1);
}

}  // namespace
}  // namespace core
