// SPDX-License-Identifier: BSD-3-Clause
#include "core/node_times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "message_of.hpp"

namespace core {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsNan;

const std::string kHeader = "host,rank,run,bench,seconds,status\n";

Scores score(const std::string& rows, By by = By::median,
             std::optional<std::string_view> bench = std::nullopt) {
  return score_hosts(read_times(kHeader + rows, "t.csv"), by, bench);
}

const HostScore& of(const Scores& scores, std::string_view host) {
  return *std::ranges::find(scores.hosts, host, &HostScore::host);
}

TEST(NodeTimes, TheSlowestRankCountsInEachRepetition) {
  // n1: repetition 0 takes max(1, 3) = 3, repetition 1 takes max(5, 2) = 5.
  const std::string rows =
      "n1,0,0,c,1,ok\nn1,1,0,c,3,ok\nn1,0,1,c,5,ok\nn1,1,1,c,2,ok\nn2,2,0,c,4,ok\nn2,2,1,c,4,ok\n";
  EXPECT_EQ(of(score(rows), "n1").score, 4);
  EXPECT_EQ(of(score(rows, By::mean), "n1").score, 4);
  EXPECT_EQ(of(score(rows, By::slowest), "n1").score, 5);
  EXPECT_EQ(of(score(rows), "n1").ranks, 2U);
  EXPECT_EQ(of(score(rows), "n2").ranks, 1U);
}

const std::string kSplitHeader = "host,rank,run,bench,seconds,status,compute_seconds,mpi_seconds\n";

Scores score_split(const std::string& rows) {
  return score_hosts(read_times(kSplitHeader + rows, "t.csv"), By::median);
}

TEST(NodeTimes, AreComputingWhereItIsKnown) {
  // All end together after 4 s; n2 computes twice as long, in its rank 3.
  const Scores scores =
      score_split("n1,0,0,c,4,ok,2,2\nn1,1,0,c,4,ok,1,3\nn2,2,0,c,4,ok,1,3\nn2,3,0,c,4,ok,4,0\n");
  EXPECT_THAT(scores.measures, ElementsAre(Measure::computing));
  EXPECT_EQ(of(scores, "n1").score, 2);
  EXPECT_EQ(of(scores, "n2").score, 4);
  EXPECT_THAT(remarks(scores), ElementsAre());
}

TEST(NodeTimes, TheLastBlockThatTellsAHostsHardwareCounts) {
  const std::string header = "host,rank,run,bench,seconds,status,hardware\n";
  const Scores scores = score_hosts(read_times(header + "n1,0,0,c,1,ok,old\nn2,1,0,c,1,ok,two\n" +
                                                   header + "n2,0,0,c,1,ok,\nn1,1,0,c,1,ok,new\n",
                                               "t.csv"),
                                    By::median);
  EXPECT_EQ(of(scores, "n1").hardware, "new");
  EXPECT_EQ(of(scores, "n2").hardware, "two");
}

TEST(NodeTimes, AreWallTimeWhereAnOkRowLacksComputing) {
  const Scores scores = score_split("n1,0,0,c,4,ok,2,2\nn2,1,0,c,5,ok,,\n");
  EXPECT_THAT(scores.measures, ElementsAre(Measure::wall_of_mixed));
  EXPECT_EQ(of(scores, "n1").score, 4);
  EXPECT_EQ(of(scores, "n2").score, 5);
  EXPECT_THAT(remarks(scores), ElementsAre(HasSubstr("c: some rows lack compute_seconds")));
}

TEST(NodeTimes, OfOneBenchmarkDoNotDependOnTheOthers) {
  const Scores scores =
      score_split("n1,0,0,a,4,ok,2,2\nn1,0,0,b,7,ok,,\nn2,1,0,a,,failed,,\nn2,1,0,b,7,ok,,\n");
  EXPECT_THAT(scores.measures, ElementsAre(Measure::computing, Measure::wall));
  EXPECT_THAT(of(scores, "n1").times, ElementsAre(2, 7));
}

TEST(NodeTimes, MedianMeanAndSlowestAreOverRepetitions) {
  const std::string rows = "n1,0,0,c,1,ok\nn1,0,1,c,2,ok\nn1,0,2,c,9,ok\n";
  EXPECT_EQ(score(rows).hosts.at(0).score, 2);
  EXPECT_EQ(score(rows, By::mean).hosts.at(0).score, 4);
  EXPECT_EQ(score(rows, By::slowest).hosts.at(0).score, 9);
}

TEST(NodeTimes, TheSameRunOfTwoBlocksIsTwoRepetitions) {
  // Block one: 1; block two: 3. One repetition would be max = 3, two have the median 2.
  const std::string rows = "n1,0,0,c,1,ok\n" + kHeader + "n1,0,0,c,3,ok\n";
  EXPECT_EQ(score(rows).hosts.at(0).score, 2);
  EXPECT_EQ(score(rows).hosts.at(0).ranks, 1U);
}

TEST(NodeTimes, RowsMayComeInAnyOrder) {
  const std::string rows =
      "n1,1,1,c,2,ok\nn2,2,0,c,4,ok\nn1,0,0,c,1,ok\nn1,0,1,c,5,ok\nn1,1,0,c,3,ok\nn2,2,1,c,4,ok\n";
  EXPECT_EQ(of(score(rows), "n1").score, 4);
}

TEST(NodeTimes, RatioIsToTheMedianOverTheUsableHosts) {
  // Usable: 1, 2, 3; their median is 2. n4 would shift it to 2.5.
  const Scores scores =
      score("n1,0,0,c,1,ok\nn2,1,0,c,2,ok\nn3,2,0,c,3,ok\nn4,3,0,c,9,ok\nn4,4,0,c,,failed\n");
  EXPECT_EQ(scores.usable, 3U);
  EXPECT_EQ(of(scores, "n1").ratio, 0.5);
  EXPECT_EQ(of(scores, "n3").ratio, 1.5);
  EXPECT_FALSE(of(scores, "n4").usable);
  EXPECT_EQ(of(scores, "n4").worst, RowStatus::failed);
  EXPECT_THAT(of(scores, "n4").score, IsNan());
  EXPECT_THAT(of(scores, "n4").ratio, IsNan());
  EXPECT_THAT(of(scores, "n4").times, ElementsAre(9));
}

TEST(NodeTimes, OneRowThatIsNotOkMakesAHostUnusable) {
  for (const char* status : {"timeout", "unreachable", "failed", "wrong"}) {
    const Scores scores = score("n1,0,0,c,1,ok\nn1,,1,c,," + std::string(status) + "\n");
    EXPECT_EQ(scores.usable, 0U);
    EXPECT_EQ(to_string(scores.hosts.at(0).worst), status);
  }
}

TEST(NodeTimes, TheFirstStatusThatIsNotOkIsKept) {
  EXPECT_EQ(score("n1,0,0,c,,wrong\nn1,0,1,c,,timeout\n").hosts.at(0).worst, RowStatus::wrong);
}

TEST(NodeTimes, SeveralBenchmarksGiveTheLargestQuotient) {
  // Medians over n1, n2, n3: a: 2, b: 20. Quotients n1: 1/2, 20/20; n2: 2/2, 10/20; n3: 4/2, 30/20.
  const Scores scores = score(
      "n1,0,0,a,1,ok\nn1,0,0,b,20,ok\nn2,0,0,a,2,ok\nn2,0,0,b,10,ok\nn3,0,0,a,4,ok\n"
      "n3,0,0,b,30,ok\n");
  EXPECT_THAT(scores.benches, ElementsAre("a", "b"));
  EXPECT_EQ(of(scores, "n1").score, 1);
  EXPECT_EQ(of(scores, "n2").score, 1);
  EXPECT_EQ(of(scores, "n3").score, 2);
  EXPECT_THAT(of(scores, "n3").times, ElementsAre(4, 30));
  EXPECT_EQ(of(scores, "n3").ratio, 2);
}

TEST(NodeTimes, AHostThatLacksABenchmarkIsNotUsable) {
  const Scores scores = score("n1,0,0,a,1,ok\nn1,0,0,b,1,ok\nn2,0,0,a,1,ok\n");
  EXPECT_EQ(scores.usable, 1U);
  EXPECT_FALSE(of(scores, "n2").usable);
  EXPECT_EQ(of(scores, "n2").worst, RowStatus::ok);
  EXPECT_THAT(of(scores, "n2").times, ElementsAre(DoubleEq(1), IsNan()));
}

TEST(NodeTimes, OneBenchmarkCanBePicked) {
  const std::string rows = "n1,0,0,a,1,ok\nn1,0,0,b,7,ok\nn2,0,0,a,,failed\nn2,0,0,b,5,ok\n";
  const Scores scores = score(rows, By::median, "b");
  EXPECT_THAT(scores.benches, ElementsAre("b"));
  EXPECT_EQ(scores.usable, 2U);
  EXPECT_EQ(of(scores, "n1").score, 7);
  EXPECT_THAT(message_of([&] { score(rows, By::median, "x"); }), HasSubstr("'x'"));
}

TEST(NodeTimes, HostsComeInTheAllocationsOrderThenAsTheyAppear) {
  const Scores scores =
      score_hosts(read_times("# allocation: n3:1,n1:1,n4:1\n" + kHeader +
                                 "n9,0,0,c,1,ok\nn1,1,0,c,1,ok\nn3,2,0,c,1,ok\nn8,3,0,c,1,ok\n",
                             "t.csv"),
                  By::median);
  std::vector<std::string> hosts;
  for (const HostScore& host : scores.hosts) hosts.push_back(host.host);
  EXPECT_THAT(hosts, ElementsAre("n3", "n1", "n4", "n9", "n8"));
  EXPECT_FALSE(of(scores, "n4").usable);
  EXPECT_EQ(of(scores, "n4").ranks, 0U);
}

TEST(NodeTimes, TimesOfZeroAreNoDivisionByZero) {
  const Scores scores = score("n1,0,0,c,0,ok\nn2,0,0,c,0,ok\nn3,0,0,c,1,ok\n");
  EXPECT_EQ(of(scores, "n1").ratio, 1);
  EXPECT_TRUE(std::isinf(of(scores, "n3").ratio));
}

TEST(NodeTimes, NoRowsAreNoUsableHost) {
  EXPECT_EQ(score_hosts({}, By::median).usable, 0U);
  EXPECT_TRUE(score("").hosts.empty());
}

TEST(NodeTimes, RanksAreCountedOnceOverBlocks) {
  // Rank 0 is on n1, then n2, then n1 again.
  const std::string rows = "n1,0,0,c,1,ok\n" + kHeader + "n2,0,0,c,1,ok\n" + kHeader +
                           "n1,0,0,c,1,ok\nn1,4294967295,0,c,1,ok\nn1,4294967295,1,c,1,ok\n";
  EXPECT_EQ(of(score(rows), "n1").ranks, 2U);
  EXPECT_EQ(of(score(rows), "n2").ranks, 1U);
}

TEST(NodeTimes, KnowsTheNamesOfBy) {
  EXPECT_EQ(by_name("median"), By::median);
  EXPECT_EQ(by_name("mean"), By::mean);
  EXPECT_EQ(by_name("slowest"), By::slowest);
  EXPECT_FALSE(by_name("max"));
}

/// The definition, word by word: maps instead of sorting.
double node_time_by_definition(const std::vector<TimesBlock>& blocks, const std::string& host) {
  std::map<std::pair<std::size_t, std::uint32_t>, double> slowest;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (const TimesRow& row : blocks[i].rows)
      if (blocks[i].hosts[row.host] == host) {
        double& time = slowest[{i, row.run}];
        time = std::max(time, row.seconds);
      }
  std::multiset<double> times;
  for (const auto& [repetition, time] : slowest) times.insert(time);
  const auto at = [&times](std::size_t i) { return *std::next(times.begin(), std::ptrdiff_t(i)); };
  return (at((times.size() - 1) / 2) + at(times.size() / 2)) / 2;
}

TEST(NodeTimes, AgreesWithTheDefinitionOnRandomTables) {
  std::mt19937 random(20240604);
  for (int round = 0; round < 50; ++round) {
    std::string rows;
    for (unsigned i = 0; i < 200; ++i) {
      if (random() % 60 == 0) rows += kHeader;
      rows += "n" + std::to_string(random() % 7) + "," + std::to_string(random() % 9) + "," +
              std::to_string(random() % 4) + ",c," + std::to_string(random() % 1000) + ",ok\n";
    }
    const auto blocks = read_times(kHeader + rows, "t.csv");
    for (const HostScore& host : score_hosts(blocks, By::median).hosts)
      ASSERT_EQ(host.score, node_time_by_definition(blocks, host.host));
  }
}

}  // namespace
}  // namespace core
