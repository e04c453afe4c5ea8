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

struct Heard {
  std::vector<std::string> warnings, infos, details;
  spare_plan::Talk talk{[this](const std::string& s) { warnings.push_back(s); },
                        [this](const std::string& s) { infos.push_back(s); },
                        [this](const std::string& s) { details.push_back(s); }};
};

spare_plan::Fit fit_quietly(const std::vector<core::TimesBlock>& blocks) {
  Heard heard;
  auto result = spare_plan::fit(blocks, std::nullopt, heard.talk);
  EXPECT_THAT(heard.warnings, IsEmpty());
  EXPECT_THAT(heard.infos, IsEmpty());
  return result;
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
    expect_digits(fit.t_bench, expect["t_bench"]);
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

TEST(Fit, HostsAreAbnormalAmongThoseOfTheirHardware) {
  // Old: 2 s, new: 1 s and one of 1.5 s, which is faster than any old one. alpha = 1.5 / 1, t_bench
  // the mean of 2, 2, 2, 2, 1, 1, 1.
  core::TimesBlock block = block_of({2, 2, 2, 2, 1, 1, 1.5, 1});
  for (std::size_t i = 0; i < 8; ++i) block.set_hardware(i, i < 4 ? "old" : "new");
  const auto fit = fit_quietly({block});
  EXPECT_THAT(fit.blocks[0].abnormal, ElementsAre("n6"));
  EXPECT_DOUBLE_EQ(fit.t_bench, 11.0 / 7);
  EXPECT_DOUBLE_EQ(fit.alpha_abn.value(), 1.5);
}

TEST(Fit, OfTwoHostsOfAHardwareNoneIsAbnormal) {
  core::TimesBlock block = block_of({1, 1, 1, 2, 4});
  for (const std::size_t i : {3U, 4U}) block.set_hardware(i, "old");
  EXPECT_THAT(fit_quietly({block}).blocks[0].abnormal, IsEmpty());
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
  EXPECT_DOUBLE_EQ(fit.t_bench, 1);
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
  EXPECT_DOUBLE_EQ(fit.t_bench, 1);
  EXPECT_DOUBLE_EQ(fit.alpha_abn.value(), 4);
  EXPECT_THAT(fit.blocks[0].unusable, ElementsAre("n7"));
}

TEST(Fit, ABlockWithoutAUsableHostSaysNothingOfP) {
  // Had it counted, p would be 3/6, and the other parameters would be the ones kept.
  auto broken = block_of({1, 1, 1}, "broken.csv");
  broken.metadata = {{"compute", "size=9"}};
  for (auto& row : broken.rows) row.status = RowStatus::failed;
  Heard heard;
  const auto fit =
      spare_plan::fit(std::vector{block_of({1, 1, 1}), broken}, std::nullopt, heard.talk);
  EXPECT_EQ(fit.nodes, 3u);
  EXPECT_EQ(fit.p_abn, 0);
  EXPECT_THAT(heard.warnings, ElementsAre("broken.csv:1: no host is usable, skipped"));
  EXPECT_THROW(spare_plan::fit(std::vector{broken}, std::nullopt, heard.talk), core::Error);
}

TEST(Fit, BlocksOfOneOrTwoHostsCount) {
  EXPECT_EQ(fit_quietly({block_of({1}), block_of({1, 2})}).nodes, 3u);
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
    Heard heard;
    const auto fit = spare_plan::fit(std::vector{old, recent}, std::nullopt, heard.talk);
    EXPECT_EQ(fit.nodes, 3u) << key;
    EXPECT_DOUBLE_EQ(fit.t_bench, 1);
    EXPECT_THAT(heard.details, ElementsAre(HasSubstr("old.csv:1")));
  }
}

TEST(Fit, OneWarningCountsTheBlocksWithOtherParameters) {
  std::vector blocks(3, block_of({8, 8, 8}));
  for (auto& block : blocks) block.metadata = {{"compute", "size=1"}};
  blocks.push_back(block_of({1, 1, 1}));
  Heard heard;
  spare_plan::fit(blocks, std::nullopt, heard.talk);
  EXPECT_THAT(heard.warnings, ElementsAre(HasSubstr("3 of 4 blocks were measured with other")));
  EXPECT_EQ(heard.details.size(), 3u);
}

TEST(Fit, ParametersOfAnotherBenchmarkAndJobDoNotMatter) {
  auto one = block_of({1, 1, 1}), other = block_of({1, 1, 1});
  one.metadata = {{"compute", "size=1"}, {"memory", "size=1"}, {"job", "1"}, {"date", "today"}};
  other.metadata = {{"compute", "size=1"}, {"job", "2"}};
  EXPECT_EQ(fit_quietly({one, other}).blocks.size(), 2u);
}

TEST(Fit, OfSeveralBenchmarksComputeIsTaken) {
  auto one = block_of({1, 1, 1}), other = block_of({5, 5, 5});
  other.benches = {"memory"};
  const std::vector blocks{one, other};
  Heard heard;
  EXPECT_EQ(spare_plan::fit(blocks, std::nullopt, heard.talk).bench, "compute");
  EXPECT_THAT(heard.infos, ElementsAre(HasSubstr("(compute, memory), compute is taken; --bench")));
  EXPECT_DOUBLE_EQ(spare_plan::fit(blocks, "memory", heard.talk).t_bench, 5);
  EXPECT_EQ(heard.infos.size(), 1u);
  EXPECT_THROW(spare_plan::fit(blocks, "network", heard.talk), core::Error);
}

TEST(Fit, SeveralBenchmarksWithoutComputeNeedAChoiceThatOtherwiseReplaces) {
  auto one = block_of({1, 1, 1}), other = block_of({5, 5, 5});
  one.benches = {"network"};
  other.benches = {"memory"};
  Heard heard;
  try {
    spare_plan::fit(std::vector{one, other}, std::nullopt, heard.talk);
    FAIL() << "a choice between benchmarks was made for the user";
  } catch (const core::Error& e) {
    EXPECT_EQ(e.status(), core::ExitStatus::failure);
    EXPECT_THAT(e.what(), HasSubstr("(memory, network), choose one with --bench"));
  }
}

TEST(Fit, IncompleteBlocksAreNoEvidence) {
  auto block = block_of({1, 1, 1});
  block.marked = true;
  const Heard heard;
  EXPECT_THROW(spare_plan::fit(std::vector{block}, std::nullopt, heard.talk), core::Error);
  EXPECT_THROW(spare_plan::fit({}, std::nullopt, heard.talk), core::Error);
}

}  // namespace
