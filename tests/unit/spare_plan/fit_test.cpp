// SPDX-License-Identifier: BSD-3-Clause
// fit_vectors.json: node times with the labels and estimates of the rule, computed independently.
#include "spare_plan/fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace {

using core::RowStatus;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A block with one repetition of one benchmark; hosts are called n0, n1, ...
core::TimesBlock block_of(const std::vector<double>& times, const std::string& file = "t.csv") {
  core::TimesBlock block;
  block.file = file;
  block.benches = {"compute"};
  for (std::uint32_t i = 0; i < times.size(); ++i) {
    block.hosts.push_back("n" + std::to_string(i));
    block.rows.push_back({i, 0, i, 0, RowStatus::ok, times[i]});
  }
  return block;
}

struct Talk {
  std::vector<std::string> said;
  std::function<void(const std::string&)> take = [this](const std::string& s) {
    said.push_back(s);
  };
};

spare_plan::Fit fit_quietly(const std::vector<core::TimesBlock>& blocks) {
  return spare_plan::fit(blocks, std::nullopt, [](const std::string& s) { FAIL() << s; });
}

void expect_digits(double value, double expected) {
  EXPECT_NEAR(value, expected, 1e-12 * std::fabs(expected));
}

TEST(Fit, AgreesWithEveryVectorToTwelveDigits) {
  std::ifstream in(TEST_DATA "/fit_vectors.json");
  for (const auto& vector : json::parse(in)) {
    SCOPED_TRACE(vector["id"].get<std::string>());
    std::vector<core::TimesBlock> blocks;
    for (const auto& run : vector["runs"])
      blocks.push_back(block_of(run.get<std::vector<double>>()));
    const auto fit = fit_quietly(blocks);
    const auto& expect = vector["expect"];
    EXPECT_EQ(fit.nodes, expect["nodes"].get<std::uint64_t>());
    EXPECT_EQ(fit.abnormal, expect["abnormal"].get<std::uint64_t>());
    EXPECT_EQ(fit.unusable, 0u);
    expect_digits(fit.p_abn, expect["p_abn"]);
    expect_digits(fit.p_abn_95.first, expect["p_abn_95"][0]);
    expect_digits(fit.p_abn_95.second, expect["p_abn_95"][1]);
    expect_digits(fit.t_bench.value(), expect["t_bench"]);
    ASSERT_EQ(fit.alpha_abn.has_value(), !expect["alpha_abn"].is_null());
    if (fit.alpha_abn) expect_digits(*fit.alpha_abn, expect["alpha_abn"]);
    ASSERT_EQ(fit.blocks.size(), expect["labels"].size());
    for (std::size_t b = 0; b < fit.blocks.size(); ++b) {
      std::vector<std::string> hosts;
      for (const auto& i : expect["labels"][b]) hosts.push_back("n" + std::to_string(i.get<int>()));
      EXPECT_EQ(fit.blocks[b].abnormal, hosts);
    }
  }
}

TEST(AbnormalNodes, TheLimitItselfIsStillNormal) {
  // Median 1, deviation 0: the limit is 1.1 exactly as 1 + 0.1 x 1.
  const double limit = 1 + 0.10 * 1.0;
  EXPECT_THAT(spare_plan::abnormal_nodes(std::vector{1.0, 1.0, 1.0, 1.0, limit}), IsEmpty());
  EXPECT_THAT(spare_plan::abnormal_nodes(std::vector{1.0, 1.0, 1.0, 1.0, std::nextafter(limit, 2)}),
              ElementsAre(4));
}

TEST(AbnormalNodes, FastNodesAreNotAbnormal) {
  EXPECT_THAT(spare_plan::abnormal_nodes(std::vector{1.0, 1.0, 1.0, 0.1}), IsEmpty());
}

TEST(AbnormalNodes, NoneOfTwoOrFewerIsLabelled) {
  EXPECT_THAT(spare_plan::abnormal_nodes(std::vector<double>{}), IsEmpty());
  EXPECT_THAT(spare_plan::abnormal_nodes(std::vector{9.0}), IsEmpty());
  EXPECT_THAT(spare_plan::abnormal_nodes(std::vector{1.0, 100.0}), IsEmpty());
}

TEST(AbnormalNodes, OneOfThreeIsLabelledWhenTheOthersAgree) {
  // Times 1, 1, 2: median 1, deviations 0, 0, 1 -> their median 0; the limit is 1.1.
  EXPECT_THAT(spare_plan::abnormal_nodes(std::vector{1.0, 1.0, 2.0}), ElementsAre(2));
}

TEST(Fit, ANodesTimeIsTheMedianOverItsRepetitions) {
  // n0: 1, 1, 9 -> 1 (one slow repetition is no slow node); n3: 4, 5, 6 -> 5.
  core::TimesBlock block = block_of({1, 1, 1, 4});
  for (std::uint32_t run = 1; run < 3; ++run)
    for (std::uint32_t host = 0; host < 4; ++host) {
      double seconds = 1;
      if (host == 3) seconds = 4.0 + run;
      if (host == 0 && run == 2) seconds = 9;
      block.rows.push_back({host, 0, host, run, RowStatus::ok, seconds});
    }
  const auto fit = fit_quietly({block});
  EXPECT_EQ(fit.nodes, 4u);
  EXPECT_THAT(fit.blocks[0].abnormal, ElementsAre("n3"));
  EXPECT_DOUBLE_EQ(fit.t_bench.value(), 1);
  EXPECT_DOUBLE_EQ(fit.alpha_abn.value(), 5);
}

TEST(Fit, TheSlowestRankOfAHostCounts) {
  core::TimesBlock block = block_of({1, 1, 1, 1});
  block.rows.push_back({2, 0, 7, 0, RowStatus::ok, 3});
  const auto fit = fit_quietly({block});
  EXPECT_THAT(fit.blocks[0].abnormal, ElementsAre("n2"));
  EXPECT_DOUBLE_EQ(fit.alpha_abn.value(), 3);
}

TEST(Fit, UnusableHostsCountInPOnly) {
  core::TimesBlock block = block_of({1, 1, 1, 1, 4, 1, 1, 1});
  block.rows[7].status = RowStatus::timeout;
  block.rows[7].seconds = std::nan("");
  const auto fit = fit_quietly({block});
  EXPECT_EQ(fit.abnormal, 1u);
  EXPECT_EQ(fit.unusable, 1u);
  EXPECT_DOUBLE_EQ(fit.p_abn, 2.0 / 8);
  EXPECT_DOUBLE_EQ(fit.t_bench.value(), 1);
  EXPECT_DOUBLE_EQ(fit.alpha_abn.value(), 4);
  EXPECT_THAT(fit.blocks[0].unusable, ElementsAre("n7"));
}

TEST(Fit, ABlockOfUnusableHostsOnlyTellsNoTime) {
  core::TimesBlock block = block_of({1});
  block.rows[0].status = RowStatus::failed;
  const auto fit = fit_quietly({block});
  EXPECT_DOUBLE_EQ(fit.p_abn, 1);
  EXPECT_FALSE(fit.t_bench);
  EXPECT_FALSE(fit.alpha_abn);
}

TEST(Fit, FixedCostIsTheMedianOfElapsedBeyondTheBenchmark) {
  // t_bench = 2; elapsed 5, 9, 4 -> 3, 7, 2, median 3. The block without an end line is left out.
  std::vector<core::TimesBlock> blocks;
  for (const double elapsed : {5.0, 9.0, 4.0}) {
    blocks.push_back(block_of({2, 2, 2}));
    blocks.back().marked = blocks.back().complete = true;
    blocks.back().elapsed = elapsed;
  }
  blocks.push_back(block_of({2, 2, 2}));
  EXPECT_DOUBLE_EQ(fit_quietly(blocks).t_fix.value(), 3);
  EXPECT_FALSE(fit_quietly({block_of({2, 2, 2})}).t_fix);
}

TEST(Fit, BlocksWithOtherParametersThanTheLastAreSkipped) {
  for (const char* key : {"compute", "parameters", "command", "per", "bind"}) {
    auto old = block_of({8, 8, 8}, "old.csv"), recent = block_of({1, 1, 1}, "new.csv");
    old.metadata = {{key, "one"}, {"job", "1"}};
    recent.metadata = {{key, "another"}, {"job", "2"}};
    Talk talk;
    const auto fit = spare_plan::fit(std::vector{old, recent}, std::nullopt, talk.take);
    EXPECT_EQ(fit.nodes, 3u) << key;
    EXPECT_DOUBLE_EQ(fit.t_bench.value(), 1);
    EXPECT_THAT(talk.said, ElementsAre(HasSubstr("old.csv:1")));
  }
}

TEST(Fit, ParametersOfAnotherBenchmarkAndJobDoNotMatter) {
  auto one = block_of({1, 1, 1}), other = block_of({1, 1, 1});
  one.metadata = {{"compute", "size=1"}, {"memory", "size=1"}, {"job", "1"}, {"date", "today"}};
  other.metadata = {{"compute", "size=1"}, {"job", "2"}};
  EXPECT_EQ(fit_quietly({one, other}).blocks.size(), 2u);
}

TEST(Fit, SeveralBenchmarksNeedAChoice) {
  auto one = block_of({1, 1, 1}), other = block_of({5, 5, 5});
  other.benches = {"memory"};
  const std::vector blocks{one, other};
  try {
    spare_plan::fit(blocks, std::nullopt, [](const std::string&) {});
    FAIL() << "a choice between benchmarks was made for the user";
  } catch (const core::Error& e) {
    EXPECT_EQ(e.status(), core::ExitStatus::usage);
    EXPECT_THAT(e.what(), HasSubstr("compute, memory"));
  }
  const auto fit = spare_plan::fit(blocks, "memory", [](const std::string&) {});
  EXPECT_DOUBLE_EQ(fit.t_bench.value(), 5);
  EXPECT_THROW(spare_plan::fit(blocks, "network", [](const std::string&) {}), core::Error);
}

TEST(Fit, IncompleteBlocksAreNoEvidence) {
  auto block = block_of({1, 1, 1});
  block.marked = true;
  EXPECT_THROW(spare_plan::fit(std::vector{block}, std::nullopt, [](const std::string&) {}),
               core::Error);
  EXPECT_THROW(spare_plan::fit({}, std::nullopt, [](const std::string&) {}), core::Error);
}

}  // namespace
