// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/demand.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "traces.hpp"

namespace {

using namespace spare_plan::standby;

Demand demand_of(const std::vector<std::uint32_t>& values, std::uint32_t largest) {
  Demand demand(largest);
  for (const auto value : values) demand.add(value);
  return demand;
}

TEST(Demand, IsTheSmallestNumberThatServesTheShare) {
  const auto demand = demand_of({1, 1, 1, 1, 1, 1, 1, 2, 4, 8}, 64);
  EXPECT_EQ(demand.quantile(0.7), 1);
  EXPECT_EQ(demand.quantile(0.71), 2);
  EXPECT_EQ(demand.quantile(0.8), 2);
  EXPECT_EQ(demand.quantile(0.9), 4);
  EXPECT_EQ(demand.quantile(0.91), 8);
  EXPECT_EQ(demand.quantile(1), 8);
}

TEST(Demand, ComparesTheQuotientNotAProduct) {
  // 0.7 * 10 is 7.000000000000001 when rounded up anywhere; 7 / 10 is 0.7.
  for (int total = 1; total <= 200; ++total)
    for (int count = 1; count <= total; ++count) {
      Demand demand(2);
      for (int i = 0; i < total; ++i) demand.add(i < count ? 1 : 2);
      ASSERT_EQ(demand.quantile(static_cast<double>(count) / total), 1) << count << "/" << total;
    }
}

TEST(Demand, SlidesOverAnyValues) {
  std::mt19937 random(1);
  for (const std::uint32_t largest : {1U, 2U, 7U, 8U, 1000U}) {
    std::uniform_int_distribution<std::uint32_t> value(0, largest);
    std::vector<std::uint32_t> values;
    Demand demand(largest);
    for (int i = 0; i < 300; ++i) {
      values.push_back(value(random));
      demand.add(values.back());
      if (values.size() > 50) {
        demand.remove(values.front());
        values.erase(values.begin());
      }
      auto sorted = values;
      std::ranges::sort(sorted);
      for (const double p0 : {0.01, 0.5, 0.8, 0.9, 1.0}) {
        const auto place = std::ranges::find_if(sorted, [&](auto x) {
          const auto most = std::ranges::upper_bound(sorted, x) - sorted.begin();
          return static_cast<double>(most) / static_cast<double>(sorted.size()) >= p0;
        });
        ASSERT_EQ(demand.quantile(p0), *place);
        ASSERT_EQ(demand.at_most(*place),
                  std::ranges::upper_bound(sorted, *place) - sorted.begin());
      }
    }
  }
}

TEST(Window, OfTimeHasItsFirstInstantToo) {
  const std::vector<Job> jobs{{0, 1, 1, 1, 0}, {10, 1, 1, 1, 0}, {20, 1, 1, 1, 0}};
  EXPECT_EQ(last_window(jobs, {{}, 10}).size(), 2);
  EXPECT_EQ(last_window(jobs, {{}, 9}).size(), 1);
  EXPECT_EQ(last_window(jobs, {{}, 0}).size(), 1);
  EXPECT_EQ(last_window(jobs, {2, {}}).size(), 2);
  EXPECT_EQ(last_window(jobs, {9, {}}).size(), 3);
  EXPECT_EQ(last_window(jobs, {}).size(), 3);
}

}  // namespace
