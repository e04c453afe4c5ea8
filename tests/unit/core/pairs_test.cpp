// SPDX-License-Identifier: BSD-3-Clause
#include "core/pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/node_times.hpp"

namespace core {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

const std::string kHeader = "host,rank,run,bench,seconds,status,peer\n";

TimesBlock block_of(const std::string& rows) { return read_times(kHeader + rows, "t").at(0); }

/// Every pair of four hosts takes 2 s, those of n3 6 s; also that of n1 and n4.
std::string four_hosts(int run) {
  std::string rows;
  for (int a = 1; a <= 4; ++a)
    for (int b = 1; b <= 4; ++b) {
      if (a == b) continue;
      const bool slow = a == 3 || b == 3 || a * b == 4;
      rows += "n" + std::to_string(a) + "," + std::to_string(a - 1) + "," + std::to_string(run) +
              ",net," + (slow ? "6" : "2") + ",ok,n" + std::to_string(b) + "\n";
    }
  return rows;
}

TEST(Pairs, BothRowsOfAPairAreOneTime) {
  const auto runs = pair_runs(block_of("n1,0,0,net,2,ok,n2\nn2,1,0,net,8,ok,n1\n"));
  ASSERT_THAT(runs, SizeIs(1));
  ASSERT_THAT(runs[0].pairs, SizeIs(1));
  EXPECT_NEAR(runs[0].pairs[0].log_time, std::log(4), 1e-12);  // the geometric mean
}

TEST(Pairs, AreFittedForEachBenchmarkAndRun) {
  const auto runs =
      pair_runs(block_of("n1,0,1,a,2,ok,n2\nn1,0,0,b,1,ok,n2\nn1,0,0,a,3,ok,n2\n"
                         "n1,0,0,c,1,ok,\n"));
  ASSERT_THAT(runs, SizeIs(3));
  EXPECT_EQ(runs[0].run, 0U);
  EXPECT_NEAR(runs[0].fit.level, std::log(3), 1e-6);
  EXPECT_EQ(runs[1].run, 1U);
  EXPECT_EQ(runs[2].bench, 1U);
}

TEST(Pairs, BecomeOneRowOfEachHostAndRun) {
  const TimesBlock block = without_pairs(block_of(four_hosts(0) + four_hosts(1)));
  EXPECT_FALSE(has_pairs(block));
  ASSERT_THAT(block.rows, SizeIs(8));
  for (const TimesRow& row : block.rows) {
    EXPECT_EQ(row.rank, row.host);
    // The bend of the fit moves effects by some kPairBend / 3 partners.
    EXPECT_NEAR(row.seconds, block.hosts[row.host] == "n3" ? 6 : 2, 0.3) << block.hosts[row.host];
  }
}

TEST(Pairs, RowsThatAreNotOkAndRowsWithoutPeerStay) {
  const TimesBlock block =
      without_pairs(block_of("n1,0,0,c,1,ok,\nn1,0,0,net,2,ok,n2\nn2,1,0,net,,wrong,n1\n"));
  ASSERT_THAT(block.rows, SizeIs(3));
  EXPECT_EQ(block.rows[0].seconds, 1);
  EXPECT_EQ(block.rows[1].status, RowStatus::wrong);
}

TEST(Pairs, AHostIsScoredByItselfNotByItsPartners) {
  const TimesBlock block = block_of(four_hosts(0));
  const Scores scores = score_hosts({&block, 1}, By::slowest);
  ASSERT_THAT(scores.hosts, SizeIs(4));
  EXPECT_EQ(scores.usable, 4U);
  for (const HostScore& host : scores.hosts) {
    EXPECT_NEAR(host.ratio, host.host == "n3" ? 3 : 1, 0.3) << host.host;
    EXPECT_EQ(host.ranks, 1U);
  }
}

TEST(Pairs, AWrongMessageMakesItsReceiverUnusable) {
  const TimesBlock block =
      block_of("n1,0,0,net,1,ok,n2\nn2,1,0,net,,wrong,n1\nn2,1,1,net,1,ok,n1\n");
  const Scores scores = score_hosts({&block, 1}, By::median);
  EXPECT_EQ(scores.usable, 1U);
  EXPECT_EQ(scores.hosts[1].worst, RowStatus::wrong);
}

}  // namespace
}  // namespace core
