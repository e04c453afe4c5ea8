// SPDX-License-Identifier: BSD-3-Clause
// What is proven of the strategies: their worst families exactly, their bounds on random instances.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <vector>

#include "cosched_exec/strategy/optimum.hpp"
#include "cosched_exec/strategy/simulate.hpp"
#include "instances.hpp"

namespace {

using cosched_exec::KnownSpeeds;
using cosched_exec::makespan;
using cosched_exec::optimum;
using cosched_exec::Strategy;

/// Tasks whose speed depends on how many run only.
KnownSpeeds alike(std::vector<double> p, const std::function<double(std::size_t)>& speed) {
  KnownSpeeds known;
  known.table.p = std::move(p);
  const std::size_t tasks = known.table.tasks();
  for (std::size_t mask = 0; mask < std::size_t{1} << tasks; ++mask) {
    auto& row = known.table.f.emplace_back(tasks, 0);
    for (std::size_t i = 0; i < tasks; ++i)
      if ((mask >> i & 1) != 0) row[i] = speed(static_cast<std::size_t>(std::popcount(mask)));
  }
  return known;
}

/// m resources for m + 1 tasks: m short ones of (m-1)/m and one of 1.
KnownSpeeds fcs_family(double m, bool long_last) {
  std::vector<double> p(static_cast<std::size_t>(m) + 1, (m - 1) / m);
  (long_last ? p.back() : p.front()) = 1;
  return alike(p, [m](std::size_t set) { return std::min(1.0, m / static_cast<double>(set)); });
}

TEST(Strategies, FcsFamilyIsTwoMinusOneOverMWithTheLongTaskLast) {
  for (const double m : {2, 3, 4, 5, 8, 12}) {
    SCOPED_TRACE(m);
    const auto known = fcs_family(m, true);
    EXPECT_NEAR(optimum(known.table).makespan, 1, 1e-12);
    EXPECT_NEAR(makespan(Strategy::fcs, known), 2 - 1 / m, 1e-12);
  }
}

TEST(Strategies, FcsFamilyIsTwoMinusTwoOverMWithTheLongTaskFirst) {
  for (const double m : {2, 3, 4, 5, 8, 12}) {
    SCOPED_TRACE(m);
    EXPECT_NEAR(makespan(Strategy::fcs, fcs_family(m, false)), 2 - 2 / m, 1e-12);
  }
}

// Alone 1, in a set of k (1-e)/sqrt k: F^2/|S| = (1-e)^2 < 1, so one runs at a time.
TEST(Strategies, PeTrapIsSquareRootOfN) {
  constexpr double kLess = 1e-3;
  for (const std::size_t n : {2, 4, 5, 9}) {
    SCOPED_TRACE(n);
    const auto known = alike(std::vector<double>(n, 1), [](std::size_t set) {
      return set == 1 ? 1 : (1 - kLess) / std::sqrt(static_cast<double>(set));
    });
    const double least = optimum(known.table).makespan;
    EXPECT_NEAR(makespan(Strategy::pe, known), static_cast<double>(n), 1e-12);
    EXPECT_NEAR(makespan(Strategy::pe, known) / least, std::sqrt(n) * (1 - kLess), 1e-9);
    EXPECT_NEAR(makespan(Strategy::fcs, known) / least, 1, 1e-9);
  }
}

// Tasks that do not disturb each other: one after another takes n times as long.
TEST(Strategies, SeqTrapIsN) {
  const auto known = alike(std::vector<double>(7, 3), [](std::size_t) { return 1; });
  EXPECT_DOUBLE_EQ(optimum(known.table).makespan, 3);
  EXPECT_DOUBLE_EQ(makespan(Strategy::seq, known), 21);
  for (const auto other : {Strategy::par, Strategy::fcs, Strategy::pe, Strategy::automatic})
    EXPECT_DOUBLE_EQ(makespan(other, known), 3);
}

// Tasks that nearly stop each other (0.01 as two spinners do): par takes 100 times p, not 2 p.
TEST(Strategies, ParTrapIsUnbounded) {
  const auto known = alike({2, 2}, [](std::size_t set) { return set == 1 ? 1 : 0.01; });
  EXPECT_DOUBLE_EQ(optimum(known.table).makespan, 4);
  EXPECT_DOUBLE_EQ(makespan(Strategy::par, known), 200);
  for (const auto other : {Strategy::seq, Strategy::fcs, Strategy::pe, Strategy::automatic})
    EXPECT_DOUBLE_EQ(makespan(other, known), 4);
  EXPECT_NEAR(makespan(Strategy::pf, known), 4, 1e-6);
}

/// dual bound <= LP <= every strategy; gives fcs over the LP.
double checked_fcs_ratio(const KnownSpeeds& known) {
  constexpr double kRest = 1e-8;  // a task ends with 1e-9 p left
  const auto least = optimum(known.table);
  EXPECT_LE(least.bound, least.makespan * (1 + 1e-12));
  EXPECT_GE(least.bound, least.makespan * (1 - 1e-9));
  for (const auto strategy : {Strategy::seq, Strategy::par, Strategy::fcs, Strategy::pe,
                              Strategy::pf, Strategy::automatic})
    EXPECT_GE(makespan(strategy, known), least.makespan * (1 - kRest)) << name_of(strategy);
  return makespan(Strategy::fcs, known) / least.makespan;
}

TEST(Strategies, BoundLpAndStrategiesAreInOrderAndFcsWithinTwiceTheLpOnTenThousandInstances) {
  double worst = 0;
  std::size_t instances = 0;
  instances::Random random(20221201);
  for (const auto& family : instances::kMonotone)
    for (int repeat = 0; repeat < 500; ++repeat)
      for (const std::size_t tasks : {2, 3, 4, 5}) {
        SCOPED_TRACE(family.name + " " + std::to_string(repeat));
        KnownSpeeds known;
        known.table = family.make(random, tasks);
        known.slice = known.w0 = 5;
        const double ratio = checked_fcs_ratio(known);
        ASSERT_LE(ratio, 2);
        worst = std::max(worst, ratio);
        ++instances;
      }
  EXPECT_EQ(instances, 10000U);
  EXPECT_GT(worst, 1.3) << "the instances are too easy to say something";
}

TEST(Strategies, NoneIsFasterThanTheLpWhenSpeedsAreNotMonotone) {
  instances::Random random(7);
  for (int repeat = 0; repeat < 500; ++repeat) {
    SCOPED_TRACE(repeat);
    KnownSpeeds known;
    known.table = instances::rough(random, 2 + static_cast<std::size_t>(repeat % 4));
    known.slice = known.w0 = 5;
    checked_fcs_ratio(known);
  }
}

}  // namespace
