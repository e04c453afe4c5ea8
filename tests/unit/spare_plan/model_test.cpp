// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/model.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>

#include "core/error.hpp"
#include "spare_plan/search.hpp"

namespace {

using spare_plan::Curve;
using spare_plan::Excludable;
using spare_plan::Parameters;

/// 100 decimal digits, and exponents that (1-p)^n never leaves.
using Exact = boost::multiprecision::cpp_bin_float_100;

Parameters parameters(std::uint64_t n, double p, double alpha) {
  Parameters result;
  result.n_node = n;
  result.slowness = spare_plan::two_kinds(p, alpha);
  result.t_bench = 0.1;
  result.t_cmpt = 10;
  result.t_comm = 5;
  return result;
}

/// All P[N_abn <= k], k = 0..n, by the plain definition summed with 100 digits.
std::vector<Exact> exact_chances(std::uint64_t n, double p) {
  const Exact q = 1 - Exact(p);
  Exact term = pow(q, n), sum = 0;
  std::vector<Exact> chances;
  for (std::uint64_t k = 0; k <= n; ++k) {
    if (k > 0) term *= Exact(p) * (n + k - 1) / k;
    sum += term;
    chances.push_back(sum);
  }
  return chances;
}

/// Relative error, for chances above `least` only.
double error(double value, const Exact& exact, double least) {
  if (exact < least) return value < 2 * least ? 0 : 1;
  return static_cast<double>(abs((Exact(value) - exact) / exact));
}

TEST(Excludable, BothTailsHaveThirteenDigitsForAnyChanceAndSize) {
  for (const std::uint64_t n : {1, 2, 3, 17, 400, 3000})
    for (const double p : {1e-12, 1e-7, 1e-3, 0.03, 0.3, 0.49, 0.5, 0.500001, 0.51, 0.6, 0.9, 0.999,
                           1 - 1e-7, 1 - 1e-12}) {
      SCOPED_TRACE(std::to_string(n) + " nodes, p = " + std::to_string(p));
      const Excludable chance(n, p);
      const auto exact = exact_chances(n, p);
      double worst = 0;
      for (std::uint64_t k = 0; k <= n; ++k) {
        worst = std::max(worst, error(chance.within(k), exact[k], 1e-300));
        worst = std::max(worst, error(chance.exceeded(k), 1 - exact[k], 1e-80));
      }
      EXPECT_LE(worst, 1e-13);
    }
}

TEST(Excludable, IsCertainForNoneAndHopelessForAllAbnormal) {
  const Excludable none(5, 0), all(5, 1);
  for (std::uint64_t k = 0; k <= 5; ++k) {
    EXPECT_EQ(none.within(k), 1);
    EXPECT_EQ(none.exceeded(k), 0);
    EXPECT_EQ(all.within(k), 0);
    EXPECT_EQ(all.exceeded(k), 1);
  }
}

TEST(Excludable, TenMillionNodesNeedOnlyTheRangeWhereSomethingChanges) {
  for (const double p : {1e-12, 1e-6, 0.01, 0.4999, 0.5, 0.50005, 0.7}) {
    const Excludable chance(10'000'000, p);
    EXPECT_LT(chance.last() - chance.first(), 400'000u);
    double before = 0;
    for (auto k = chance.first(); k < std::min(chance.last(), std::uint64_t{10'000'000}); ++k) {
      EXPECT_GE(chance.within(k), before);
      before = chance.within(k);
    }
  }
  // p = 1/2 and k = n: more than half of 2n fair coins with chance (1 - C(2n,n)/4^n) / 2, where
  // C(2n,n)/4^n = (1 - 1/(8n) + ...) / sqrt(pi n).
  const double n = 1e7, middle = (1 - 1 / (8 * n)) / std::sqrt(M_PI * n);
  EXPECT_NEAR(Excludable(10'000'000, 0.5).exceeded(10'000'000), (1 - middle) / 2, 1e-14);
}

TEST(Curve, FollowsTheEquationsByHandForTwoNodes) {
  // n = 2, k = 1, p = 1/4: P[some of 3 abnormal] = 37/64, P[more than 1 of 3] = 10/64.
  const auto point = Curve(parameters(2, 0.25, 5)).at(1);
  const double bench = 0.1 * (1 + 4 * 37.0 / 64), app = 10 * (1 + 4 * 10.0 / 64) + 5;
  EXPECT_DOUBLE_EQ(point.time, bench + app);
  EXPECT_DOUBLE_EQ(point.cost, 3 * (bench + app));
  EXPECT_DOUBLE_EQ(point.excludable, 54.0 / 64);
}

TEST(Curve, FixedCostIsPaidByAllNodes) {
  auto with = parameters(2, 0.25, 5);
  with.t_fix = 7;
  const auto base = Curve(parameters(2, 0.25, 5)).at(1), point = Curve(with).at(1);
  EXPECT_DOUBLE_EQ(point.time, base.time + 7);
  EXPECT_DOUBLE_EQ(point.cost, base.cost + 3 * 7);
  EXPECT_DOUBLE_EQ(Curve(with).as_is_cost(), Curve(parameters(2, 0.25, 5)).as_is_cost());
}

TEST(Curve, GivenBackNodesPayForTheBenchmarkOnly) {
  auto p = parameters(2, 0.25, 5);
  p.t_fix = 7;
  p.give_back = true;
  const double bench = 7 + 0.1 * (1 + 4 * 37.0 / 64), app = 10 * (1 + 4 * 10.0 / 64) + 5;
  EXPECT_DOUBLE_EQ(Curve(p).at(1).cost, 3 * bench + 2 * app);
  EXPECT_DOUBLE_EQ(Curve(p).at(1).time, bench + app);
}

TEST(Curve, AsIsIsTheApplicationOnAllNodesWithoutBenchmark) {
  // P[some of 2 abnormal] = 7/16.
  const Curve curve(parameters(2, 0.25, 5));
  EXPECT_DOUBLE_EQ(curve.as_is_time(), 10 * (1 + 4 * 7.0 / 16) + 5);
  EXPECT_DOUBLE_EQ(curve.as_is_cost(), 2 * curve.as_is_time());
}

TEST(Curve, CostsBeyondTheRangeOfNumbersAreRefused) {
  auto p = parameters(10, 0.5, 1e300);
  p.t_cmpt = 1e200;
  EXPECT_THROW(Curve{p}, core::Error);
}

/// Nodes themselves, not the formula: each is abnormal or not, the n fastest run the application.
struct Simulated {
  double mean = 0, standard_error = 0;
};

Simulated simulate(const Parameters& p, double chance, double alpha, std::uint64_t k, int jobs) {
  std::mt19937_64 random(20231226);
  std::bernoulli_distribution abnormal(chance);
  double sum = 0, squares = 0;
  for (int job = 0; job < jobs; ++job) {
    std::vector<double> node;
    for (std::uint64_t i = 0; i < p.n_node + k; ++i) node.push_back(abnormal(random) ? alpha : 1);
    std::ranges::sort(node);
    const double bench = p.t_bench * node.back();
    const double app = p.t_cmpt * node[p.n_node - 1] + p.t_comm;
    const auto all = static_cast<double>(node.size());
    const double cost = p.give_back ? all * (p.t_fix + bench) + static_cast<double>(p.n_node) * app
                                    : all * (p.t_fix + bench + app);
    sum += cost;
    squares += cost * cost;
  }
  const double mean = sum / jobs, variance = squares / jobs - mean * mean;
  return {mean, std::sqrt(variance / jobs)};
}

TEST(Curve, AgreesWithSimulatedJobsWithinThreeStandardErrors) {
  struct Case {
    std::uint64_t n, k;
    double p, alpha;
    bool give_back;
  };
  for (const auto& c : {Case{20, 0, 0.02, 4, false},
                        {20, 1, 0.02, 4, false},
                        {20, 2, 0.05, 4, true},
                        {50, 5, 0.1, 2, false},
                        {5, 5, 0.6, 3, false},
                        {1, 1, 0.3, 10, true}}) {
    auto p = parameters(c.n, c.p, c.alpha);
    p.t_fix = 0.5;
    p.give_back = c.give_back;
    const auto seen = simulate(p, c.p, c.alpha, c.k, 20'000);
    EXPECT_NEAR(Curve(p).cost(c.k), seen.mean, 3 * seen.standard_error)
        << c.n << " nodes, " << c.k << " spares, p = " << c.p;
  }
}

}  // namespace
