// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/simulate/waiting_jobs.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "traces.hpp"

namespace {

using namespace spare_plan::standby;

TEST(WaitingJobs, TheSumStopsAtTheFirstThatDoesNotFit) {
  const std::vector<Job> jobs{{0, 1, 1, 4, 0}, {0, 1, 1, 8, 0}, {0, 1, 1, 1, 0}};
  WaitingJobs waiting(jobs);
  for (std::size_t job = 0; job < 3; ++job) waiting.add(job);
  EXPECT_EQ(waiting.nodes_in_order(3), 0);
  EXPECT_EQ(waiting.nodes_in_order(11), 4);  // the one of 1 node would fit, but is not next
  EXPECT_EQ(waiting.nodes_in_order(12), 12);
  EXPECT_EQ(waiting.nodes_in_order(13), 13);
  waiting.remove(0);
  EXPECT_EQ(waiting.first(), 1);
  EXPECT_EQ(waiting.nodes_in_order(8), 8);
}

TEST(FittingJobs, TheFirstThatFitsIsFound) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto jobs = random_trace(seed, {100, 40, 10, 100});
    std::mt19937_64 random(seed);
    FittingJobs fitting(jobs);
    std::set<std::size_t> waiting;
    for (int i = 0; i < 400; ++i) {
      const auto job = random() % jobs.size();
      if (waiting.erase(job) == 0) {
        waiting.insert(job);
        fitting.add(job);
      } else {
        fitting.remove(job);
      }
      const auto from = random() % (jobs.size() + 1);
      const auto nodes = static_cast<std::uint32_t>(random() % 45);
      const double seconds =
          random() % 4 == 0 ? FittingJobs::kForever : static_cast<double>(random() % 300);
      auto expected = waiting.lower_bound(from);
      while (expected != waiting.end() &&
             (jobs[*expected].nodes > nodes || jobs[*expected].estimate > seconds))
        ++expected;
      ASSERT_EQ(fitting.first(from, nodes, seconds),
                expected == waiting.end() ? FittingJobs::kNone : *expected);
    }
  }
}

}  // namespace
