// SPDX-License-Identifier: BSD-3-Clause
// standby_vectors.json was computed by another program, written from the description of the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "spare_plan/standby/formats/formats.hpp"
#include "spare_plan/standby/simulate/measures.hpp"
#include "traces.hpp"

namespace {

using namespace spare_plan::standby;
using nlohmann::json;

json vectors() {
  std::ifstream in(TEST_DATA "/standby_vectors.json");
  return json::parse(in);
}

JobHistory history_of(const json& vector) {
  std::string text;
  for (const auto& line : vector["swf"]) text += line.get<std::string>() + "\n";
  return history_from(text, "swf");
}

Settings settings_of(const json& vector, const json& course) {
  Settings settings;
  const std::string policy = course["policy"];
  settings.policy = std::ranges::find(kPolicies, policy, [](const auto& known) {
                      return std::string(known.first);
                    })->second;
  settings.p0 = vector["p0"];
  if (!vector["window_jobs"].is_null()) settings.window.jobs = vector["window_jobs"];
  settings.backfill = course["backfill"] == "easy" ? Backfill::easy : Backfill::none;
  return settings;
}

struct Simulated {
  JobHistory history;
  Machine machine;
  Course course;
  Measures measures;
};

Simulated simulated(const json& vector, const json& expected) {
  Simulated result;
  result.history = history_of(vector);
  result.machine = {vector["nodes"], vector["boot"], vector["shutdown"]};
  const auto settings = settings_of(vector, expected);
  auto all_on = settings;
  all_on.policy = Policy::all_on;
  result.course = simulate(result.history.jobs, result.machine, settings);
  result.measures = measure(result.history.jobs, result.machine, result.course,
                            simulate(result.history.jobs, result.machine, all_on), {});
  return result;
}

template <class Check>
void for_each_course(const Check& check) {
  for (const auto& vector : vectors())
    for (const auto& course : vector["courses"]) {
      SCOPED_TRACE(vector["id"].get<std::string>() + " " + course["policy"].get<std::string>() +
                   " " + course["backfill"].get<std::string>());
      check(vector, course);
    }
}

TEST(StandbyVectors, EachJobStartsWhenItDoes) {
  for_each_course([](const json& vector, const json& expected) {
    EXPECT_EQ(simulated(vector, expected).course.starts,
              expected["starts"].get<std::vector<double>>());
  });
}

TEST(StandbyVectors, NAfterEachSubmitIsTheSame) {
  for_each_course([](const json& vector, const json& expected) {
    EXPECT_EQ(simulated(vector, expected).course.nodes_after_submit,
              expected["n"].get<std::vector<std::uint32_t>>());
  });
}

TEST(StandbyVectors, NodeSecondsBootsAndShutdownsAreExact) {
  for_each_course([](const json& vector, const json& expected) {
    const auto result = simulated(vector, expected);
    EXPECT_EQ(result.course.seconds.busy, expected["busy"].get<double>());
    EXPECT_EQ(result.course.seconds.idle, expected["idle"].get<double>());
    EXPECT_EQ(result.course.seconds.boot, expected["boot"].get<double>());
    EXPECT_EQ(result.course.seconds.shutdown, expected["shutdown"].get<double>());
    EXPECT_EQ(result.measures.energy, expected["energy"].get<double>());
    EXPECT_EQ(result.course.end, expected["end"].get<double>());
    EXPECT_EQ(result.course.wakes, expected["wakes"].get<std::uint64_t>());
    EXPECT_EQ(result.course.shuts, expected["shuts"].get<std::uint64_t>());
  });
}

TEST(StandbyVectors, SlowdownAndWaitsAreTheSame) {
  for_each_course([](const json& vector, const json& expected) {
    const auto measures = simulated(vector, expected).measures;
    const double slowdown = expected["mean_bounded_slowdown"];
    EXPECT_NEAR(measures.mean_bounded_slowdown, slowdown, 1e-12 * slowdown);
    EXPECT_DOUBLE_EQ(measures.mean_wait, expected["mean_wait"].get<double>());
    EXPECT_EQ(measures.max_wait, expected["max_wait"].get<double>());
  });
}

}  // namespace
