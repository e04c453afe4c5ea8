// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/estimates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace {

using cosched_exec::ClassId;
using cosched_exec::ClassSet;
using cosched_exec::Counts;
using cosched_exec::Estimates;
using cosched_exec::Interval;
using cosched_exec::Sample;

constexpr double kAlways = std::numeric_limits<double>::infinity();  // a continuous measure

Sample rate(double value, double seconds = 1) { return {value * seconds, seconds, kAlways}; }

/// Single tasks 0..n-1, each with rate 1 alone.
Estimates singles(std::size_t n, double theta = 0) {
  Estimates estimates(theta);
  for (ClassId id = 0; id < n; ++id) estimates.measure({{id, 1}}, id, rate(1));
  return estimates;
}

void select_all(Estimates& estimates, std::size_t n, std::size_t members = 1) {
  std::vector<ClassId> ids;
  for (ClassId id = 0; id < n; ++id) ids.push_back(id);
  estimates.select(ids, std::vector<std::size_t>(n, members));
}

TEST(Estimates, AMeasuredSetIsTheMeanOfItsSamples) {
  Estimates estimates = singles(2);
  const ClassSet both{{0, 1}, {1, 1}};
  estimates.measure(both, 0, rate(0.8, 1));
  estimates.measure(both, 0, rate(0.5, 2));  // 0.8 x 1 + 0.5 x 2 over 3 s
  select_all(estimates, 2);
  const Interval known = estimates.interval(Counts{1, 1}, 0);
  EXPECT_TRUE(known.measured);
  EXPECT_DOUBLE_EQ(known.estimate, 0.6);
  EXPECT_DOUBLE_EQ(known.lower, 0.6);
  EXPECT_DOUBLE_EQ(known.upper, 0.6);
}

TEST(Estimates, InterpolatesBetweenSubsetsAndSupersets) {
  Estimates estimates = singles(4);
  estimates.measure({{0, 1}, {1, 1}}, 0, rate(0.8));
  estimates.measure({{0, 1}, {2, 1}}, 0, rate(0.9));
  estimates.measure({{0, 1}, {1, 1}, {2, 1}, {3, 1}}, 0, rate(0.4));
  select_all(estimates, 4);
  // {0,1,2}: least of the subsets 0.8 at size 2, greatest superset 0.4 at 4, lambda = 1/2.
  Interval found = estimates.interval(Counts{1, 1, 1, 0}, 0);
  EXPECT_FALSE(found.measured);
  EXPECT_DOUBLE_EQ(found.upper, 0.8);
  EXPECT_DOUBLE_EQ(found.lower, 0.4);
  EXPECT_DOUBLE_EQ(found.estimate, 0.6);
  // {0,3}: only the task alone below, lambda = (2-1)/(4-1).
  found = estimates.interval(Counts{1, 0, 0, 1}, 0);
  EXPECT_DOUBLE_EQ(found.upper, 1);
  EXPECT_DOUBLE_EQ(found.estimate, 1 - 0.6 / 3);
}

TEST(Estimates, WithoutASupersetTheLowerEndIsZeroBeyondTheFullSet) {
  Estimates estimates = singles(3);
  select_all(estimates, 3);
  // Alone 1 at size 1, 0 at size 4: 2/3 for a pair, 1/3 for all.
  EXPECT_DOUBLE_EQ(estimates.interval(Counts{1, 1, 0}, 0).estimate, 1 - 1.0 / 3);
  EXPECT_DOUBLE_EQ(estimates.interval(Counts{1, 1, 1}, 0).estimate, 1 - 2.0 / 3);
}

TEST(Estimates, ThetaMovesTheValueTowardsTheUpperEnd) {
  Estimates estimates = singles(3, 0.5);
  select_all(estimates, 3);
  std::vector<double> f(3, -1);
  estimates.speeds(Counts{1, 1, 0}, f);
  EXPECT_DOUBLE_EQ(f[0], 2.0 / 3 + 0.5 / 3);
  EXPECT_EQ(f[2], -1) << "not in the set, left alone";
}

TEST(Estimates, MembersOfAClassAreCounted) {
  Estimates estimates = singles(1);
  estimates.measure({{0, 4}}, 0, rate(0.4));
  select_all(estimates, 1, 5);
  // 2 of 4: lambda = (2-1)/(4-1); 5: beyond all that was measured, 0.4 down to 0 at 6.
  EXPECT_DOUBLE_EQ(estimates.interval(Counts{2}, 0).estimate, 1 - 0.6 / 3);
  EXPECT_DOUBLE_EQ(estimates.interval(Counts{5}, 0).estimate, 0.2);
}

TEST(Estimates, ASetWithTasksThatHaveEndedStillBoundsFromBelow) {
  Estimates estimates = singles(3);
  estimates.measure({{0, 1}, {1, 1}, {2, 1}}, 0, rate(0.7));
  estimates.select(std::vector<ClassId>{0, 1}, std::vector<std::size_t>{1, 1});
  EXPECT_DOUBLE_EQ(estimates.interval(Counts{1, 1}, 0).lower, 0.7);
}

TEST(Estimates, FewEventsCountOnlyWhereMoreWouldHaveComeAlone) {
  Estimates estimates(0);
  const ClassSet both{{0, 1}, {1, 1}};
  estimates.measure(both, 0, {3, 0.5, 3});
  EXPECT_FALSE(estimates.valid(both, 0)) << "3 events, and nobody knows what is usual";
  estimates.measure({{0, 1}}, 0, {30, 1, 30});
  EXPECT_FALSE(estimates.valid(both, 0)) << "alone 15 in half a second: too few to tell";
  estimates.replace({{0, 1}}, 0, {100, 1, 100});
  EXPECT_TRUE(estimates.valid(both, 0)) << "alone 50 in half a second: it is slow";
  select_all(estimates, 2);
  EXPECT_DOUBLE_EQ(estimates.interval(Counts{1, 1}, 0).estimate, 0.06);
}

TEST(Estimates, FewEventsAloneAreNoRate) {
  Estimates estimates(0);
  estimates.measure({{0, 1}}, 0, {19, 1, 19});
  EXPECT_FALSE(estimates.measured_alone(0));
  EXPECT_FALSE(estimates.alone(0));
  estimates.measure({{0, 1}}, 0, {1, 1, 1});
  EXPECT_DOUBLE_EQ(estimates.alone(0).value_or(0), 10);
}

TEST(Estimates, ForgettingAClassDropsEverySetWithIt) {
  Estimates estimates = singles(3);
  const ClassSet first{{0, 1}, {1, 1}}, second{{1, 1}, {2, 1}};
  for (const ClassSet& set : {first, second}) estimates.measure(set, 1, rate(0.5));
  estimates.forget(0);
  EXPECT_EQ(estimates.find(first, 1), nullptr);
  EXPECT_NE(estimates.find(second, 1), nullptr);
  EXPECT_FALSE(estimates.alone(0));
}

TEST(Estimates, AClassAtAnotherRateKeepsItsSlowdowns) {
  Estimates estimates = singles(2);
  const ClassSet both{{0, 1}, {1, 1}};
  estimates.measure(both, 0, rate(0.5));
  estimates.scale(0, 1.2, {});
  select_all(estimates, 2);
  EXPECT_DOUBLE_EQ(estimates.alone(0).value_or(0), 1.2);
  EXPECT_DOUBLE_EQ(estimates.interval(Counts{1, 1}, 0).estimate, 0.5);
}

/// Random monotone speeds, random sets measured: what is known bounds the truth.
class KnownInPart : public ::testing::TestWithParam<unsigned> {
 protected:
  static constexpr std::size_t kTasks = 6;
  static constexpr unsigned kSets = 1u << kTasks;

  KnownInPart() : estimates_(singles(kTasks, 0.3)), random_(GetParam()) {
    std::uniform_real_distribution<double> uniform(0.1, 1);
    for (double& each : demand_) each = uniform(random_);
    for (int k = 0; k < 12; ++k) {
      const unsigned mask = 1 + static_cast<unsigned>(random_()) % (kSets - 1);
      for (std::size_t i = 0; i < kTasks; ++i)
        if ((mask >> i & 1) != 0) estimates_.measure(set_of(mask), i, rate(truth(mask)));
    }
    select_all(estimates_, kTasks);
  }

  double truth(unsigned mask) const {
    double sum = 0;
    for (std::size_t i = 0; i < kTasks; ++i)
      if ((mask >> i & 1) != 0) sum += demand_[i];
    return 1 / std::max(1.0, sum);
  }
  static ClassSet set_of(unsigned mask) {
    ClassSet set;
    for (ClassId i = 0; i < kTasks; ++i)
      if ((mask >> i & 1) != 0) set.emplace_back(i, std::uint16_t{1});
    return set;
  }
  static Counts counts_of(unsigned mask) {
    Counts counts(kTasks, 0);
    for (std::size_t i = 0; i < kTasks; ++i) counts[i] = mask >> i & 1;
    return counts;
  }
  Interval interval(unsigned mask, std::size_t i) const {
    return estimates_.interval(counts_of(mask), i);
  }

  Estimates estimates_;
  std::mt19937 random_;
  double demand_[kTasks] = {};
};

TEST_P(KnownInPart, TheEstimateAndTheTruthLieBetweenTheBounds) {
  for (unsigned mask = 1; mask < kSets; ++mask)
    for (std::size_t i = 0; i < kTasks; ++i) {
      if ((mask >> i & 1) == 0) continue;
      const Interval found = interval(mask, i);
      EXPECT_LE(found.lower, found.estimate + 1e-12);
      EXPECT_LE(found.estimate, found.upper + 1e-12);
      EXPECT_LE(found.estimate, estimates_.value(found) + 1e-12);
      EXPECT_LE(estimates_.value(found), found.upper + 1e-12);
      EXPECT_LE(found.lower, truth(mask) + 1e-12);
      EXPECT_GE(found.upper, truth(mask) - 1e-12);
    }
}

TEST_P(KnownInPart, TheBoundsFallAsSetsGrow) {
  for (unsigned mask = 1; mask < kSets; ++mask)
    for (std::size_t added = 0; added < kTasks; ++added)
      for (std::size_t i = 0; i < kTasks; ++i) {
        if ((mask >> added & 1) != 0 || (mask >> i & 1) == 0) continue;
        const Interval small = interval(mask, i), large = interval(mask | 1u << added, i);
        EXPECT_GE(small.upper, large.upper - 1e-12);
        EXPECT_GE(small.lower, large.lower - 1e-12);
      }
}

INSTANTIATE_TEST_SUITE_P(Seeds, KnownInPart, ::testing::Range(1u, 21u));

}  // namespace
