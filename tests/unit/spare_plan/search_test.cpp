// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "core/error.hpp"

namespace {

using spare_plan::Curve;
using spare_plan::Parameters;
using Exact = boost::multiprecision::cpp_bin_float_100;

Parameters parameters(std::uint64_t n, double p, double alpha, double t_bench, double t_cmpt,
                      double t_comm) {
  Parameters result;
  result.n_node = n;
  result.slowness = spare_plan::two_kinds(p, alpha);
  result.t_bench = t_bench;
  result.t_cmpt = t_cmpt;
  result.t_comm = t_comm;
  return result;
}

/// E[C](k) for all k straight from eq. (1)-(11) with 100 digits.
std::vector<Exact> exact_costs(std::uint64_t n, double p, double alpha, const Parameters& times) {
  const Exact q = 1 - Exact(p), rise = Exact(alpha) - 1;
  Exact term = pow(q, n), within = 0;
  std::vector<Exact> costs;
  for (std::uint64_t k = 0; k <= n; ++k) {
    if (k > 0) term *= Exact(p) * (n + k - 1) / k;
    within += term;
    const Exact bench = Exact(times.t_bench) * (1 + rise * (1 - pow(q, n + k)));
    const Exact app = Exact(times.t_cmpt) * (1 + rise * (1 - within)) + Exact(times.t_comm);
    const Exact total = n + k;
    costs.push_back(times.give_back ? total * bench + Exact(n) * app : total * (bench + app));
  }
  return costs;
}

struct Found {
  std::uint64_t answer = 0, low = 0, high = 0;
  std::vector<std::uint64_t> minima;
};

Found brute_force(const std::vector<Exact>& costs) {
  Found found;
  const auto most = costs.size() - 1;
  for (std::uint64_t k = 0; k <= most; ++k) {
    if (costs[k] < costs[found.answer]) found.answer = k;
    const bool falls_to = k == 0 || costs[k] < costs[k - 1];
    const bool rises_from = k == most || costs[k] < costs[k + 1];
    if (falls_to && rises_from) found.minima.push_back(k);
  }
  const Exact limit = Exact("1.01") * costs[found.answer];
  found.low = found.high = found.answer;
  while (found.low > 0 && costs[found.low - 1] <= limit) --found.low;
  while (found.high < most && costs[found.high + 1] <= limit) ++found.high;
  return found;
}

TEST(Search, AgreesWithBruteForceInHundredDigits) {
  struct Case {
    std::uint64_t n;
    double p, alpha, t_bench, t_cmpt, t_comm;
  };
  const Case cases[] = {
      {100, 0.005, 10, 0.1, 10, 5}, {1000, 0.1, 5, 0.1, 100, 10},     {300, 0.02, 1.2, 0.01, 10, 1},
      {101, 0.45, 9.6, 0.11, 5, 0}, {50, 0.3, 1.05, 1, 10, 0},        {2, 0.45, 6, 0, 5.6, 0},
      {1, 0.3, 50, 0.01, 100, 0},   {686, 0.386557, 32, 40, 511, 2},  {200, 0.6, 20, 0, 5, 5},
      {64, 1e-9, 100, 0.5, 600, 0}, {800, 0.04, 1.01, 0.001, 10, 90}, {400, 0.25, 2, 0.5, 30, 3},
  };
  for (const auto& c : cases)
    for (const bool give_back : {false, true}) {
      if (give_back && c.t_bench == 0) continue;  // then spares are free, and the curve only falls
      SCOPED_TRACE(testing::Message() << c.n << " nodes, p = " << c.p << ", " << give_back);
      auto p = parameters(c.n, c.p, c.alpha, c.t_bench, c.t_cmpt, c.t_comm);
      p.give_back = give_back;
      const auto expected = brute_force(exact_costs(c.n, c.p, c.alpha, p));
      const Curve curve(p);
      const auto plan = spare_plan::search(curve);
      EXPECT_EQ(plan.n_spare, expected.answer);
      EXPECT_EQ(plan.flat_range.first, expected.low);
      EXPECT_EQ(plan.flat_range.second, expected.high);
      EXPECT_EQ(spare_plan::local_minima(curve, c.n), expected.minima);
    }
}

TEST(Search, SkippingWhereTheCurveOnlyRisesMissesNothing) {
  // Compared with every k: p small, p large, and chances that change far from the answer.
  for (const double p : {1e-6, 0.001, 0.05, 0.3, 0.5, 0.7, 0.99})
    for (const double alpha : {1.01, 3.0, 500.0}) {
      constexpr std::uint64_t n = 20'000;
      const Curve curve(parameters(n, p, alpha, 0.1, 10, 1));
      std::uint64_t answer = 0;
      double least = curve.cost(0);
      for (std::uint64_t k = 1; k <= n; ++k)
        if (curve.cost(k) < least) least = curve.cost(answer = k);
      EXPECT_EQ(spare_plan::search(curve).n_spare, answer) << p << ' ' << alpha;
    }
}

TEST(Search, MostNodesBoundsTheSumOfNodesAndSpares) {
  const Curve curve(parameters(1000, 0.1, 5, 0.1, 100, 10));  // minima at 0 and 147
  const auto bounded = spare_plan::search(curve, 1100);
  EXPECT_EQ(bounded.most_spares, 100u);
  EXPECT_EQ(bounded.n_spare, curve.cost(100) < curve.cost(0) ? 100u : 0u);
  EXPECT_EQ(spare_plan::search(curve, 1000).n_spare, 0u);
  EXPECT_EQ(spare_plan::search(curve, 1147).n_spare, 147u);
  EXPECT_TRUE(spare_plan::search(curve, 1140).at_end);
  EXPECT_EQ(spare_plan::search(curve, 5000).n_spare, 147u);
}

TEST(Search, FewerNodesThanTheApplicationNeedsIsAWrongCommandLine) {
  try {
    spare_plan::search(Curve(parameters(10, 0.1, 5, 1, 1, 1)), 9);
    FAIL() << "planned with 9 of 10 nodes";
  } catch (const core::Error& e) {
    EXPECT_EQ(e.status(), core::ExitStatus::usage);
  }
}

TEST(Search, SaysWhenTheBestIsTheEndOfTheRange) {
  // p = 0.45 of 101 nodes: about 83 of the 184 asked for at k = 83 are abnormal, and more help.
  EXPECT_TRUE(spare_plan::search(Curve(parameters(101, 0.45, 9.6, 0.11, 5.3, 0))).at_end);
  EXPECT_FALSE(spare_plan::search(Curve(parameters(100, 0.005, 10, 0.1, 10, 5))).at_end);
}

TEST(Search, EqualCostsGiveTheSmallestNumberOfSpares) {
  // With --give-back and a free benchmark spares cost nothing, and p = 0 makes them useless.
  auto p = parameters(10, 0, 5, 0, 10, 0);
  p.give_back = true;
  const auto plan = spare_plan::search(Curve(p));
  EXPECT_EQ(plan.n_spare, 0u);
  EXPECT_EQ(plan.flat_range, (std::pair<std::uint64_t, std::uint64_t>{0, 10}));
  EXPECT_FALSE(plan.worth_it);  // not cheaper than as-is: equal
}

}  // namespace
