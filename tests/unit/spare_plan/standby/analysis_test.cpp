// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/analysis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "spare_plan/standby/report.hpp"
#include "traces.hpp"

namespace {

using namespace spare_plan::standby;
using testing::HasSubstr;
constexpr double kDay = 86400;

/// A job of each number of nodes, `gap` s apart.
JobHistory history_of(const std::vector<std::uint32_t>& nodes, double gap) {
  JobHistory history;
  history.name = "history";
  history.groups = {"batch", "debug", "none"};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    history.jobs.push_back({gap * static_cast<double>(i), 10, 10, nodes[i], i % 5 == 0 ? 1U : 0U});
  return history;
}

const std::vector<std::uint32_t> kTen{1, 1, 3, 1, 1, 2, 1, 2, 8, 32};

TEST(Analysis, TellsTheDistributionAndNAtOtherShares) {
  const auto analysis = analyse(history_of(kTen, 100), {}, 0.7);
  EXPECT_EQ(analysis.nodes, 2);
  std::vector<std::pair<std::uint32_t, double>> steps;
  for (const auto& step : analysis.steps) steps.emplace_back(step.nodes, step.share);
  EXPECT_EQ(steps, (std::vector<std::pair<std::uint32_t, double>>{
                       {1, 0.5}, {2, 0.7}, {3, 0.8}, {8, 0.9}, {32, 1}}));
  EXPECT_EQ(analysis.at_share[0].nodes, 3);  // 80 %
  EXPECT_EQ(analysis.at_share[1].nodes, 8);  // 85 %
  EXPECT_EQ(analysis.at_share[2].nodes, 8);  // 90 %
  EXPECT_DOUBLE_EQ(analysis.powers_of_two, 0.9);
}

TEST(Analysis, TellsHowNMovedOverWindows) {
  const auto analysis = analyse(history_of(kTen, 100), {4, {}}, 1);
  ASSERT_EQ(analysis.parts.size(), 3);
  EXPECT_EQ(analysis.parts[0].nodes, 1);  // 1 1
  EXPECT_EQ(analysis.parts[0].jobs, 2);
  EXPECT_EQ(analysis.parts[1].nodes, 3);  // 3 1 1 2
  EXPECT_EQ(analysis.parts[2].nodes, 32);
  EXPECT_EQ(analysis.parts[2].from, 600);
  EXPECT_EQ(analysis.parts[2].to, 900);
  EXPECT_EQ(analysis.jobs, 4);
}

TEST(Analysis, WithoutAWindowThePartsAreTenths) {
  std::vector<std::uint32_t> nodes(25, 4);
  const auto analysis = analyse(history_of(nodes, 100), {}, 0.9);
  ASSERT_EQ(analysis.parts.size(), 10);
  std::size_t jobs = 0;
  for (const auto& part : analysis.parts) jobs += part.jobs;
  EXPECT_EQ(jobs, 25);
  EXPECT_EQ(analyse(history_of({4}, 100), {}, 0.9).parts.size(), 1);
}

TEST(Analysis, ABandIsNarrowWhereAllDaysAreAlike) {
  std::vector<std::uint32_t> nodes;
  for (int day = 0; day < 20; ++day) nodes.insert(nodes.end(), {1, 2, 4, 8});
  const auto analysis = analyse(history_of(nodes, kDay / 4), {}, 0.6);
  EXPECT_EQ(analysis.blocks, 20);
  EXPECT_EQ(analysis.band_95, (std::pair<std::uint32_t, std::uint32_t>(4, 4)));
}

TEST(Analysis, ABandIsWideWhereDaysDiffer) {
  // A job a day: 1 node on 6 days, 8 nodes on 5. N at 50 % is 1, but at most 5 of 11 draws are a
  // day of the first kind with the chance of 0.38 (binomial).
  const auto analysis = analyse(history_of({1, 8, 1, 8, 1, 8, 1, 8, 1, 8, 1}, kDay), {}, 0.5);
  EXPECT_EQ(analysis.nodes, 1);
  EXPECT_EQ(analysis.blocks, 11);
  EXPECT_EQ(analysis.band_95, (std::pair<std::uint32_t, std::uint32_t>(1, 8)));
}

TEST(Analysis, GroupsHaveAnNOfTheirOwn) {
  const auto history = history_of(kTen, 100);  // jobs 0 and 5 are of debug
  const auto groups = standby_nodes_by_group(history, history.jobs, 0.9);
  ASSERT_EQ(groups.size(), 2);
  EXPECT_EQ(groups[0].name, "batch");
  EXPECT_EQ(groups[0].jobs, 8);
  EXPECT_EQ(groups[0].nodes, 32);  // 7 of 8 is less than 90 %
  EXPECT_EQ(groups[1].name, "debug");
  EXPECT_EQ(groups[1].nodes, 2);
  EXPECT_EQ(groups_text(groups), "batch 32\ndebug 2\n");
}

TEST(Analysis, AGroupsNameCannotBreakItsLine) {
  EXPECT_EQ(groups_text({{"a\nb 7", 1, 2}, {"", 1, 3}, {"a b", 1, 4}}),
            "'a\\nb 7' 2\n'' 3\n'a b' 4\n");
}

TEST(Analysis, JsonHasAllOfIt) {
  const auto history = history_of(kTen, 100);
  const auto text = analysis_json(analyse(history, {}, 0.7), history, GroupBy::partition);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["n"], 2);
  EXPECT_EQ(json["share"], 0.7);
  EXPECT_EQ(json["jobs"], 10);
  EXPECT_EQ(json["n_at"][2]["n"], 8);
  EXPECT_EQ(json["steps"].size(), 5);
  EXPECT_EQ(json["parts"].size(), 10);
  EXPECT_EQ(json["groups"][1]["n"], 2);
  EXPECT_TRUE(nlohmann::json::parse(
                  analysis_json(analyse(history, {}, 0.7), history, GroupBy::none))["groups"]
                  .is_null());
}

TEST(Analysis, TheExplanationNamesTheNeighbouringSteps) {
  const auto history = history_of(kTen, 100);
  const auto text = explanation(analyse(history, {}, 0.8), history);
  EXPECT_THAT(text, HasSubstr("N = 3: keep 3 nodes on"));
  EXPECT_THAT(text, HasSubstr("3 nodes served 80 % of the 10 jobs; the step below is 2 for 70 %; "
                              "the step above is 8 for 90 %"));
  EXPECT_THAT(text, HasSubstr("at other shares: 3 at 80 %, 8 at 85 %, 8 at 90 %"));
  EXPECT_THAT(text, HasSubstr("90 % of the jobs want a power of two"));
}

TEST(Analysis, ThePictureRisesToTheShareAtN) {
  const auto picture = distribution_picture(analyse(history_of(kTen, 100), {}, 0.7));
  ASSERT_EQ(picture.marks.size(), 1);
  EXPECT_EQ(picture.marks[0].x, 2);
  EXPECT_EQ(picture.marks[0].label, "N = 2");
  EXPECT_THAT(picture.series[0].points, testing::Contains(std::pair(2.0, 70.0)));
  EXPECT_EQ(picture.series[1].points[0].second, 70);
}

}  // namespace
