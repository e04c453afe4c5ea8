// SPDX-License-Identifier: BSD-3-Clause
// spare_vectors.json was computed with 60-digit arithmetic from the equations of JP2023183342A.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "spare_plan/model.hpp"
#include "spare_plan/search.hpp"

namespace {

using nlohmann::json;

json vectors() {
  std::ifstream in(TEST_DATA "/spare_vectors.json");
  return json::parse(in);
}

spare_plan::Parameters parameters_of(const json& params) {
  spare_plan::Parameters p;
  p.n_node = params["n_node"].get<std::uint64_t>();
  p.slowness = spare_plan::two_kinds(params["p_abn"], params["alpha_abn"]);
  p.t_bench = params["t_bench"];
  p.t_cmpt = params["t_cmpt"];
  p.t_comm = params["t_comm"];
  return p;
}

double relative_error(double value, double expected) {
  return expected == 0 ? std::fabs(value) : std::fabs(value - expected) / std::fabs(expected);
}

constexpr double kDigits12 = 1e-12;

TEST(SpareVectors, EachAnswerIsTheLeastOrTiesWithIt) {
  for (const auto& vector : vectors()) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    const auto plan = spare_plan::search(spare_plan::Curve(parameters_of(vector["params"])));
    const bool near_tie = vector["gap_rel"].get<double>() < 1e-14;
    const bool second = near_tie && plan.n_spare == vector["second_best"].get<std::uint64_t>();
    EXPECT_TRUE(second || plan.n_spare == vector["n_spare"].get<std::uint64_t>()) << plan.n_spare;
    EXPECT_EQ(plan.worth_it, vector["worth_it"].get<bool>());
  }
}

TEST(SpareVectors, CostTimeAsIsAndChanceHaveTwelveDigits) {
  for (const auto& vector : vectors()) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    const spare_plan::Curve curve(parameters_of(vector["params"]));
    const auto point = curve.at(vector["n_spare"].get<std::uint64_t>());
    const double cost = std::stod(vector["e_c_digits"].get<std::string>());
    EXPECT_LE(relative_error(point.cost, cost), kDigits12);
    EXPECT_LE(relative_error(point.cost, vector["e_c"]), kDigits12);
    EXPECT_LE(relative_error(point.time, vector["e_t"]), kDigits12);
    EXPECT_LE(relative_error(curve.as_is_cost(), vector["as_is"]), kDigits12);
    EXPECT_LE(relative_error(curve.as_is_time(), vector["as_is_e_t"]), kDigits12);
    EXPECT_LE(relative_error(point.cost / curve.as_is_cost(), vector["ratio"]), kDigits12);
    EXPECT_LE(relative_error(point.excludable, vector["p_excludable"]), kDigits12);
  }
}

TEST(SpareVectors, AllLocalMinimaAreFound) {
  for (const auto& vector : vectors()) {
    if (vector["gap_rel"].get<double>() < 1e-14) continue;
    SCOPED_TRACE(vector["id"].get<std::string>());
    const auto parameters = parameters_of(vector["params"]);
    const spare_plan::Curve curve(parameters);
    const auto expected = vector["local_minima"].get<std::vector<std::uint64_t>>();
    EXPECT_EQ(spare_plan::local_minima(curve, parameters.n_node), expected);
    const auto plan = spare_plan::search(curve);
    EXPECT_EQ(plan.other_minimum.has_value(), expected.size() > 1);
    if (expected.size() == 2) {
      EXPECT_EQ(plan.other_minimum, expected[plan.n_spare == expected[0] ? 1 : 0]);
    }
  }
}

}  // namespace
