// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/optimum.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/error.hpp"
#include "cosched_exec/strategy/simulate.hpp"

namespace {

using cosched_exec::Optimum;
using cosched_exec::optimum;
using cosched_exec::SpeedTable;

SpeedTable table(std::vector<double> p, std::vector<std::vector<double>> f) {
  SpeedTable result;
  result.p = std::move(p);
  result.f = std::move(f);
  return result;
}

double value_in(const std::vector<double>& dual, const std::vector<double>& row) {
  return std::inner_product(dual.begin(), dual.end(), row.begin(), 0.0);
}

/// A schedule and a dual of the same value prove each other optimal, whatever found them.
void expect_proven(const Optimum& found, const SpeedTable& table) {
  std::vector<double> done(table.tasks(), 0);
  double length = 0;
  for (std::size_t mask = 0; mask < table.f.size(); ++mask) {
    EXPECT_GE(found.time_in[mask], 0);
    EXPECT_LE(value_in(found.dual, table.f[mask]), 1 + 1e-15 * 20);
    length += found.time_in[mask];
    for (std::size_t i = 0; i < done.size(); ++i) done[i] += table.f[mask][i] * found.time_in[mask];
  }
  for (std::size_t i = 0; i < done.size(); ++i)
    EXPECT_NEAR(done[i], table.p[i], 1e-12 * table.p[i]) << i;
  EXPECT_NEAR(length, found.makespan, 1e-12 * length);
  EXPECT_NEAR(found.bound, value_in(found.dual, table.p), 1e-15 * length);
  EXPECT_NEAR(found.bound, found.makespan, 1e-11 * length);
}

TEST(Optimum, OfOneTaskIsItsTimeAlone) {
  const auto found = optimum(table({2.5}, {{0}, {1}}));
  EXPECT_DOUBLE_EQ(found.makespan, 2.5);
  EXPECT_DOUBLE_EQ(found.dual.at(0), 1);
  EXPECT_DOUBLE_EQ(found.time_in.at(1), 2.5);
}

// The long task must run 2 s in any case: 1/.8 s beside the short one, the last 1 s alone.
TEST(Optimum, OfTwoTasksIsTogetherAndThenTheLongOneAlone) {
  const auto found = optimum(table({2, 1}, {{0, 0}, {1, 0}, {0, 1}, {0.8, 0.8}}));
  EXPECT_DOUBLE_EQ(found.makespan, 2.25);
  EXPECT_DOUBLE_EQ(found.time_in.at(3), 1.25);
  EXPECT_DOUBLE_EQ(found.time_in.at(1), 1);
  EXPECT_DOUBLE_EQ(found.time_in.at(2), 0);
}

TEST(Optimum, IsProvenByAScheduleAndADualOfTheSameValueForEachVector) {
  std::ifstream in(TEST_DATA "/cosched_vectors.json");
  for (const auto& vector : nlohmann::json::parse(in)) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    const auto known = cosched_exec::parse_known_speeds(vector["speeds"].dump(), "vector");
    const auto found = optimum(known.table);
    expect_proven(found, known.table);
    EXPECT_LE(value_in(vector["dual"].get<std::vector<double>>(), known.table.p),
              found.makespan * (1 + 2e-8));
  }
}

TEST(Optimum, KeepsItsDigitsFromMicrosecondsToYears) {
  const std::vector<std::vector<double>> f = {{0, 0}, {1, 0}, {0, 1}, {0.8, 0.8}};
  EXPECT_DOUBLE_EQ(optimum(table({2e-6, 1e-6}, f)).makespan, 2.25e-6);
  EXPECT_DOUBLE_EQ(optimum(table({2e8, 1e8}, f)).makespan, 2.25e8);
}

TEST(Optimum, TakesATaskWithoutWork) {
  EXPECT_DOUBLE_EQ(optimum(table({0, 1}, {{0, 0}, {1, 0}, {0, 1}, {0.8, 0.8}})).makespan, 1);
  EXPECT_DOUBLE_EQ(optimum(table({0, 1}, {{0, 0}, {0, 0}, {0, 1}, {0, 1}})).makespan, 1);
  EXPECT_DOUBLE_EQ(optimum(table({0}, {{0}, {1}})).makespan, 0);
}

TEST(Optimum, RefusesATaskWithoutSpeedInAnySet) {
  try {
    optimum(table({1, 1}, {{0, 0}, {1, 0}, {0, 0}, {1, 0}}));
    FAIL() << "was taken";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("task 2"));
  }
}

TEST(Optimum, SaysNothingOnStdout) {
  testing::internal::CaptureStdout();
  optimum(table({2, 1}, {{0, 0}, {1, 0}, {0, 1}, {0.8, 0.8}}));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
