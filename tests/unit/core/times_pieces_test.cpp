// SPDX-License-Identifier: BSD-3-Clause
// Tables that come in pieces, and the two ways in which node times collect repetitions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/name_index.hpp"
#include "core/node_times.hpp"
#include "core/times.hpp"

namespace core {
namespace {

constexpr std::string_view kTable =
    "# launchwise-times: 1\n"
    "# allocation: n1:2,n2:2\n"
    "host,rank,run,bench,seconds,status\n"
    "n1,0,0,compute,1.5,ok\n"
    "n2,1,0,compute,2,ok\n"
    "# complete: rows=2 elapsed=3\n";

TEST(TimesReader, ReadsTheSameWhereverTheTextIsCut) {
  for (std::size_t cut = 0; cut <= kTable.size(); ++cut) {
    TimesReader reader("t.csv", 0);
    reader.add(kTable.substr(0, cut));
    reader.add(kTable.substr(cut));
    const auto blocks = reader.finish();
    ASSERT_EQ(blocks.size(), 1U) << cut;
    EXPECT_TRUE(blocks[0].complete) << cut;
    EXPECT_EQ(blocks[0].hosts, (std::vector<std::string>{"n1", "n2"})) << cut;
    ASSERT_EQ(blocks[0].rows.size(), 2U) << cut;
    EXPECT_EQ(blocks[0].rows[0].seconds, 1.5) << cut;
    EXPECT_EQ(blocks[0].allocation().size(), 2U) << cut;
  }
}

TEST(TimesReader, CountsLinesOverPieces) {
  TimesReader reader("t.csv", 0);
  reader.add("host,rank,run,bench,seconds,status\nn1,0,0,compute,1,o");
  reader.add("k\nn2,0,0,comp");
  try {
    reader.add("ute,fast,ok\n");
    FAIL() << "accepted seconds that are no number";
  } catch (const Error& e) {
    EXPECT_TRUE(std::string_view(e.what()).starts_with("t.csv:3: ")) << e.what();
  }
}

TEST(NameIndex, FindsEveryNameAmongMany) {
  NameIndex index;
  std::vector<std::string> names;
  const auto name = [](std::size_t i) { return fmt::format("{:0{}}", i, 5 + i % 20); };
  for (std::size_t i = 0; i < 5000; ++i) {
    ASSERT_EQ(index.find(name(i), names), NameIndex::kNowhere);
    ASSERT_EQ(index.add(name(i), names), i);
  }
  for (std::size_t i = 0; i < 5000; ++i) ASSERT_EQ(index.find(name(i), names), i);
  EXPECT_EQ(index.find("", names), NameIndex::kNowhere);
}

/// A host alone in each of its blocks, and a run that is not counted from 0: by sorting. One block
/// with some ranks a host: by table. The same node times, worked out by hand.
TEST(NodeTimes, AreTheSameForSparseAndForDenseRepetitions) {
  const std::string header = "host,rank,run,bench,seconds,status\n";
  const std::string sparse = header + "a,0,4000000000,compute,3,ok\na,1,4000000000,compute,5,ok\n" +
                             header + "b,0,7,compute,8,ok\n" + header + "a,2,7,compute,1,ok\n";
  const Scores by_sorting = score_hosts(read_times(sparse, "t"), By::mean);
  ASSERT_EQ(by_sorting.usable, 2U);
  EXPECT_EQ(by_sorting.hosts[0].score, 3);  // (max(3, 5) + 1) / 2
  EXPECT_EQ(by_sorting.hosts[0].ranks, 3U);
  EXPECT_EQ(by_sorting.hosts[1].score, 8);

  const std::string dense = header +
                            "a,0,0,compute,3,ok\na,1,0,compute,5,ok\na,0,1,compute,1,ok\n"
                            "a,1,1,compute,0.5,ok\nb,2,0,compute,8,ok\nb,2,1,compute,8,ok\n";
  const Scores by_table = score_hosts(read_times(dense, "t"), By::mean);
  ASSERT_EQ(by_table.usable, 2U);
  EXPECT_EQ(by_table.hosts[0].score, 3);
  EXPECT_EQ(by_table.hosts[0].ranks, 2U);
  EXPECT_EQ(by_table.hosts[1].score, 8);
}

TEST(NodeTimes, CountARankOfTwoHostsForEach) {
  const Scores scores = score_hosts(
      read_times("host,rank,run,bench,seconds,status\na,0,0,c,1,ok\nb,0,0,c,1,ok\na,0,1,c,1,ok\n",
                 "t"),
      By::median);
  EXPECT_EQ(scores.hosts[0].ranks, 1U);
  EXPECT_EQ(scores.hosts[1].ranks, 1U);
}

}  // namespace
}  // namespace core
