// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/slowdowns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/error.hpp"
#include "spare_plan/search.hpp"

namespace {

using spare_plan::Curve;
using spare_plan::Parameters;
using spare_plan::Ratios;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

Parameters parameters(std::uint64_t n, spare_plan::Slowness slowness) {
  Parameters p;
  p.n_node = n;
  p.slowness = std::move(slowness);
  p.t_bench = 0.5;
  p.t_cmpt = 10;
  p.t_comm = 2;
  return p;
}

TEST(ReadSlowdowns, TakesOneRatioALineWithOrWithoutWeight) {
  EXPECT_THAT(spare_plan::read_slowdowns("# ratios\n1\n\n 1.5 2\r\n1\n3\t0.5\n1.5", "f"),
              ElementsAre(Pair(1, 2), Pair(1.5, 3), Pair(3, 0.5)));
}

TEST(ReadSlowdowns, NamesFileAndLineOfWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"1\nslow\n", "f:2: the ratio is 'slow', want a number above 0"},
      {"0\n", "f:1: the ratio is '0', want a number above 0"},
      {"-1 2\n", "f:1: the ratio is '-1'"},
      {"1 0\n", "f:1: the weight is '0'"},
      {"inf\n", "f:1: the ratio is 'inf'"},
      {"1 2 3\n", "f:1: '3' is one word too many"},
      {"# nothing\n", "f: holds no ratio"},
      {"", "f: holds no ratio"},
  };
  for (const auto& [text, sentence] : cases) {
    try {
      spare_plan::read_slowdowns(text, "f");
      ADD_FAILURE() << "accepted: " << text;
    } catch (const core::Error& e) {
      EXPECT_THAT(e.what(), HasSubstr(sentence));
    }
  }
}

TEST(ReadSlowdowns, RefusesMoreThanAThousandDifferentRatios) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += std::to_string(1000 + i) + "\n";
  EXPECT_EQ(spare_plan::read_slowdowns(text, "f").size(), 1000u);
  EXPECT_THROW(spare_plan::read_slowdowns(text + "1\n", "f"), core::Error);
}

TEST(Slowdowns, TwoPointsGiveTheClosedForm) {
  for (const auto& [n, p, alpha] : {std::tuple{100ul, 0.005, 10.0},
                                    {1000ul, 0.1, 5.0},
                                    {7ul, 0.4, 1.05},
                                    {50ul, 0.9, 3.0},
                                    {100000ul, 1e-4, 2.0}}) {
    const Curve measured(parameters(n, spare_plan::slowness_of({{1, 1 - p}, {alpha, p}})));
    const Curve closed(parameters(n, spare_plan::two_kinds(p, alpha)));
    for (std::uint64_t k = 0; k <= n; k += std::max<std::uint64_t>(1, n / 97)) {
      const auto a = measured.at(k), b = closed.at(k);
      EXPECT_NEAR(a.cost, b.cost, 1e-9 * b.cost);
      EXPECT_NEAR(a.time, b.time, 1e-9 * b.time);
      EXPECT_NEAR(a.excludable, b.excludable, 1e-9 * b.excludable + 1e-60);
    }
    EXPECT_EQ(spare_plan::search(measured).n_spare, spare_plan::search(closed).n_spare);
  }
}

/// E[max] and E[n-th smallest] of N draws by going through all outcomes.
std::pair<double, double> by_enumeration(const Ratios& ratios, std::size_t n, std::size_t total) {
  double weight = 0;
  for (const auto& r : ratios) weight += r.second;
  double largest = 0, nth = 0;
  std::vector<double> draws;
  const std::function<void(double)> draw = [&](double chance) {
    if (draws.size() == total) {
      auto sorted = draws;
      std::ranges::sort(sorted);
      largest += chance * sorted.back();
      nth += chance * sorted[n - 1];
      return;
    }
    for (const auto& [ratio, w] : ratios) {
      draws.push_back(ratio);
      draw(chance * w / weight);
      draws.pop_back();
    }
  };
  draw(1);
  return {largest, nth};
}

TEST(Slowdowns, ExpectationsAreThoseOfTheOrderStatistics) {
  const Ratios ratios{{0.9, 3}, {1, 5}, {1.25, 1}, {4, 2}};
  constexpr std::uint64_t n = 4;
  const Curve curve(parameters(n, spare_plan::slowness_of(ratios)));
  for (std::uint64_t k = 0; k <= n; ++k) {
    const auto [largest, nth] = by_enumeration(ratios, n, n + k);
    const double time = 0.5 * largest + 10 * nth + 2;
    EXPECT_NEAR(curve.at(k).time, time, 1e-12 * time);
    EXPECT_NEAR(curve.at(k).cost, static_cast<double>(n + k) * time, 1e-10);
  }
  // As-is: the application on n nodes waits for the slowest of them.
  EXPECT_NEAR(curve.as_is_time(), 10 * by_enumeration(ratios, n, n).first + 2, 1e-11);
}

TEST(Slowdowns, OneRatioNeedsNoSpares) {
  const auto slowness = spare_plan::slowness_of({{1.5, 7}});
  EXPECT_TRUE(slowness.steps.empty());
  const auto plan = spare_plan::search(Curve(parameters(10, slowness)));
  EXPECT_EQ(plan.n_spare, 0u);
  EXPECT_DOUBLE_EQ(plan.point.cost, 10 * (1.5 * (0.5 + 10) + 2));
  EXPECT_DOUBLE_EQ(plan.point.excludable, 1);
}

TEST(Slowdowns, AbnormalIsWhatIsATenthSlowerThanTheMedian) {
  // Median 1; 1.05 is normal, 1.2 is not: the second step of three.
  const auto slowness = spare_plan::slowness_of({{1, 6}, {1.05, 2}, {1.2, 1}, {3, 1}});
  ASSERT_EQ(slowness.steps.size(), 3u);
  EXPECT_EQ(slowness.abnormal, 1u);
  EXPECT_DOUBLE_EQ(slowness.steps[1].chance, 0.2);
  EXPECT_DOUBLE_EQ(slowness.steps[1].rise, 1.2 - 1.05);
}

TEST(Slowdowns, SixtyRatiosOnAHundredThousandNodesAgreeWithTheFullSearch) {
  Ratios ratios;
  for (int i = 0; i < 60; ++i)
    ratios.emplace_back(1 + 0.05 * i, std::exp(-0.35 * i) + (i == 59 ? 1e-3 : 0));
  const Curve curve(parameters(100'000, spare_plan::slowness_of(ratios)));
  const auto plan = spare_plan::search(curve);
  double least = curve.cost(0);
  std::uint64_t answer = 0;
  for (std::uint64_t k = 1; k <= 100'000; k += 1)
    if (curve.cost(k) < least) least = curve.cost(answer = k);
  EXPECT_EQ(plan.n_spare, answer);
  EXPECT_EQ(plan.point.cost, least);
}

}  // namespace
