// SPDX-License-Identifier: BSD-3-Clause
// cosched_vectors.json: instances with the makespan of each strategy, the optimum and its dual,
// computed apart from this code.
#include "cosched_exec/strategy/simulate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "cosched_exec/strategy/optimum.hpp"

namespace {

using cosched_exec::KnownSpeeds;
using cosched_exec::makespan;
using cosched_exec::parse_known_speeds;
using cosched_exec::Strategy;
using nlohmann::json;
using testing::HasSubstr;

constexpr double kDigits9 = 1e-9;

json vectors() {
  std::ifstream in(TEST_DATA "/cosched_vectors.json");
  return json::parse(in);
}

KnownSpeeds speeds_of(const json& vector) {
  return parse_known_speeds(vector["speeds"].dump(), "vector");
}

KnownSpeeds parse(const std::string& text) { return parse_known_speeds(text, "t.json"); }

void expect_refused(const std::string& text, const std::string& part) {
  SCOPED_TRACE(text);
  try {
    parse(text);
    ADD_FAILURE() << "was taken";
  } catch (const core::Error& error) {
    EXPECT_EQ(error.status(), core::ExitStatus::usage);
    EXPECT_THAT(error.what(), HasSubstr("t.json: "));
    EXPECT_THAT(error.what(), HasSubstr(part));
  }
}

TEST(Simulate, EveryVectorsMakespansHaveNineDigits) {
  const std::map<std::string, Strategy> strategies = {{"seq", Strategy::seq},
                                                      {"par", Strategy::par},
                                                      {"fcs", Strategy::fcs},
                                                      {"pe", Strategy::pe},
                                                      {"pf", Strategy::pf}};
  std::size_t compared = 0;
  for (const auto& vector : vectors()) {
    const auto known = speeds_of(vector);
    for (const auto& [name, expected] : vector["makespans"].items()) {
      SCOPED_TRACE(vector["id"].get<std::string>() + " " + name);
      const double seconds = expected.get<double>();
      EXPECT_NEAR(makespan(strategies.at(name), known), seconds, kDigits9 * seconds);
      ++compared;
    }
  }
  EXPECT_EQ(compared, 50U);
}

// The file's optimum of one instance, shared-5, is 1.4e-8 above the true one, which optimum_test
// proves by a schedule and a dual of the same value; the others agree in nine digits.
TEST(Simulate, EveryVectorsOptimumIsReachedAndNeverExceeded) {
  std::size_t in_nine_digits = 0;
  for (const auto& vector : vectors()) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    const double seconds = vector["optimum"].get<double>();
    const auto optimum = cosched_exec::optimum(speeds_of(vector).table);
    EXPECT_LE(optimum.makespan, seconds * (1 + kDigits9));
    EXPECT_NEAR(optimum.makespan, seconds, 2e-8 * seconds);
    in_nine_digits += std::abs(optimum.makespan - seconds) <= kDigits9 * seconds ? 1 : 0;
  }
  EXPECT_EQ(in_nine_digits, 9U);
}

// Together at 0.8 the short task ends after 1 / 0.8 = 1.25 s; the long one has 2 - 1 = 1 s left.
constexpr const char* kTwo = R"({"p":[2,1],"f":[[0,0],[1,0],[0,1],[0.8,0.8]]})";

TEST(Simulate, AnswersInJsonAsTheContractSays) {
  const auto answer = json::parse(cosched_exec::simulate_answer(parse(kTwo), true));
  EXPECT_DOUBLE_EQ(answer["optimum"], 2.25);
  ASSERT_EQ(answer["strategies"].size(), 6U);
  EXPECT_DOUBLE_EQ(answer["strategies"]["seq"], 3);
  EXPECT_NEAR(answer["strategies"]["pf"].get<double>(), 2.25, 1e-9);
  for (const char* name : {"par", "fcs", "auto"})
    EXPECT_DOUBLE_EQ(answer["strategies"][name], 2.25) << name;
}

TEST(Simulate, NumbersInJsonReadBackToTheSameBits) {
  const auto known = parse(R"({"p":[1.1,0.7,0.3],"f":[[0,0,0],[1,0,0],[0,1,0],[0.7,0.9,0],
      [0,0,1],[0.3,0,0.6],[0,0.77,0.13],[0.41,0.59,0.1]],"slice":0.07})");
  const auto answer = json::parse(cosched_exec::simulate_answer(known, true));
  EXPECT_EQ(answer["optimum"].get<double>(), cosched_exec::optimum(known.table).makespan);
  EXPECT_EQ(answer["strategies"]["par"].get<double>(), makespan(Strategy::par, known));
  EXPECT_EQ(answer["strategies"]["pf"].get<double>(), makespan(Strategy::pf, known));
}

TEST(Simulate, AnswersPeopleWithALineForEachStrategy) {
  const auto answer = cosched_exec::simulate_answer(parse(kTwo), false);
  EXPECT_EQ(std::count(answer.begin(), answer.end(), '\n'), 8);
  EXPECT_THAT(answer, HasSubstr("\nseq                  3    1.3333\n"));
  EXPECT_THAT(answer, HasSubstr("\noptimum           2.25    1.0000\n"));
}

TEST(Simulate, AStrategyThatNeverEndsIsNullNotANumber) {
  const auto known = parse(R"({"p":[1,1],"f":[[0,0],[1,0],[0,1],[0,0]]})");
  const auto answer = json::parse(cosched_exec::simulate_answer(known, true));
  EXPECT_TRUE(answer["strategies"]["par"].is_null());
  EXPECT_DOUBLE_EQ(answer["strategies"]["auto"], 2);
  EXPECT_THAT(cosched_exec::simulate_answer(known, false), HasSubstr("\npar         never ends"));
}

TEST(Simulate, SpeedsTooSmallForTheNumbersOfTheMachineNeverEnd) {
  const auto known = parse(R"({"p":[1,1],"f":[[0,0],[1,0],[0,1],[5e-324,5e-324]]})");
  EXPECT_TRUE(std::isinf(makespan(Strategy::par, known)));
}

TEST(Simulate, ATaskEndsWithABillionthOfItsWorkLeft) {
  auto known = parse(R"({"p":[1],"f":[[0],[1]]})");
  known.slice = 1 - 5e-10;
  EXPECT_DOUBLE_EQ(makespan(Strategy::pf, known), 1 - 5e-10);
  known.slice = 1 - 2e-9;
  EXPECT_DOUBLE_EQ(makespan(Strategy::pf, known), 1);
}

// Only five of the eleven tasks get on together; every other set is worth one task. No step from
// anywhere else leads there. 1 s for the five, and then 6 s.
TEST(Simulate, TriesAllCombinationsAtTaskEnds) {
  KnownSpeeds known;
  constexpr std::size_t kFive = 0b00101010101;
  known.table.p.assign(11, 1);
  for (std::size_t mask = 0; mask < 1 << 11; ++mask) {
    auto& row = known.table.f.emplace_back(11, 0);
    for (std::size_t i = 0; i < 11; ++i)
      if ((mask >> i & 1) != 0) row[i] = mask == kFive ? 1 : 1.0 / std::popcount(mask);
  }
  EXPECT_NEAR(makespan(Strategy::fcs, known), 7, 1e-12);
}

TEST(Simulate, AutoStaysInParallelForAGainBelowFivePercent) {
  // All three together F = .96 x 2 = 1.92, the best pair F = 2: 4 % more is not worth it.
  const auto near = parse(R"({"p":[1,1,1],"f":[[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0,0,1],
      [0.5,0,0.5],[0,0.5,0.5],[0.64,0.64,0.64]]})");
  EXPECT_DOUBLE_EQ(makespan(Strategy::automatic, near), 1 / 0.64);
  // F = 1.8: the pair first, 1 s, and then the third.
  const auto far = parse(R"({"p":[1,1,1],"f":[[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0,0,1],
      [0.5,0,0.5],[0,0.5,0.5],[0.6,0.6,0.6]]})");
  EXPECT_DOUBLE_EQ(makespan(Strategy::automatic, far), 2);
}

TEST(KnownSpeeds, TheSliceIsTenMillisecondsAndW0IsTheSlice) {
  EXPECT_DOUBLE_EQ(parse(kTwo).slice, 0.01);
  EXPECT_DOUBLE_EQ(parse(kTwo).w0, 0.01);
  const auto known = parse(R"({"p":[1],"f":[[0],[1]],"slice":0.5})");
  EXPECT_DOUBLE_EQ(known.w0, 0.5);
  EXPECT_DOUBLE_EQ(parse(R"({"p":[1],"f":[[0],[1]],"slice":0.5,"w0":2})").w0, 2);
}

TEST(KnownSpeeds, RefusesWhatIsNoTableOfSpeeds) {
  expect_refused("", "not JSON at byte 1");
  expect_refused("[1]", "not a JSON object");
  expect_refused(R"({"p":[1]})", "has no list f");
  expect_refused(R"({"p":1,"f":[[0],[1]]})", "has no list p");
  expect_refused(R"({"p":[],"f":[[]]})", "p has 0 tasks");
  expect_refused(R"({"p":[1],"f":[[0],[1]],"w":1})", "'w' is not known");
  expect_refused(R"({"p":[0],"f":[[0],[1]]})", "p[0] is '0', want seconds above 0");
  expect_refused(R"({"p":["1"],"f":[[0],[1]]})", "p[0]");
  expect_refused(R"({"p":[1e400],"f":[[0],[1]]})", "too large");
  expect_refused(R"({"p":[1e300],"f":[[0],[1]]})", "p[0]");
  expect_refused(R"({"p":[1],"f":[[0]]})", "f has 1 rows, want 2");
  expect_refused(R"({"p":[1],"f":[[0],[1,1]]})", "f[1] is not a list of 1 speeds");
  expect_refused(R"({"p":[1],"f":[[0],[0.9]]})", "f[1][0] is 0.9, the speed of a task alone");
  expect_refused(R"({"p":[1],"f":[[0.1],[1]]})", "f[0][0] is 0.1, but set 0 is without task 0");
  expect_refused(R"({"p":[1,1],"f":[[0,0],[1,0],[0,1],[1.5,1]]})", "f[3][0] is '1.5'");
  expect_refused(R"({"p":[1,1],"f":[[0,0],[1,0],[0,1],[1,-0.1]]})", "f[3][1] is '-0.1'");
  expect_refused(R"({"p":[1,1],"f":[[0,0],[1,0],[0,1],[1,null]]})", "f[3][1] is 'null'");
  expect_refused(R"({"p":[1],"f":[[0],[1]],"slice":0})", "slice is '0'");
  expect_refused(R"({"p":[1],"f":[[0],[1]],"w0":-1})", "w0 is '-1'");
  expect_refused(R"({"p":[1e9],"f":[[0],[1]]})", "slice 0.01 is too short");
  std::string many = "1";
  for (int i = 0; i < 16; ++i) many += ",1";
  expect_refused("{\"p\":[" + many + "],\"f\":[]}", "p has 17 tasks, want 1 to 16");
}

}  // namespace
