// SPDX-License-Identifier: BSD-3-Clause
#include "core/slow_links.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace core {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

/// A time for each pair of n hosts and each run.
template <class Draw>
TimesBlock table(std::uint32_t n, std::uint32_t runs, Draw draw) {
  TimesBlock block;
  block.benches = {"net"};
  for (std::uint32_t host = 0; host < n; ++host) block.hosts.push_back("n" + std::to_string(host));
  for (std::uint32_t run = 0; run < runs; ++run)
    for (std::uint32_t a = 0; a < n; ++a)
      for (std::uint32_t b = a + 1; b < n; ++b) {
        const double seconds = draw(a, b);
        for (const auto& [host, peer] : {std::pair(a, b), std::pair(b, a)}) {
          TimesRow row;
          row.host = host;
          row.rank = host;
          row.run = run;
          row.seconds = seconds;
          row.peer = peer;
          block.rows.push_back(row);
        }
      }
  return block;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> slow_ones(const Links& links) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> slow;
  const std::vector<JudgedLink> judged = judge_links(links);
  for (std::size_t i = 0; i < judged.size(); ++i)
    if (judged[i].pace == Pace::slow) slow.emplace_back(links.times[i].a, links.times[i].b);
  return slow;
}

class Noisy : public testing::Test {
 protected:
  double noise() { return std::exp(0.05 * normal_(random_)); }
  Links measured(std::uint32_t n, std::uint32_t runs,
                 const std::function<double(std::uint32_t, std::uint32_t)>& factor) {
    const TimesBlock block = table(
        n, runs, [&](std::uint32_t a, std::uint32_t b) { return 1e-3 * noise() * factor(a, b); });
    return links_of({&block, 1});
  }

 private:
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_;
};

TEST_F(Noisy, FindsTheSlowLinkNotItsHosts) {
  const Links links = measured(8, 24, [](auto a, auto b) { return a == 2 && b == 5 ? 1.5 : 1.0; });
  EXPECT_THAT(links.times, SizeIs(28));
  EXPECT_THAT(slow_ones(links), ElementsAre(std::pair(2U, 5U)));
}

TEST_F(Noisy, ASlowHostHasNoSlowLinks) {
  const Links links = measured(8, 24, [](auto a, auto b) { return a == 2 || b == 2 ? 3.0 : 1.0; });
  EXPECT_THAT(slow_ones(links), SizeIs(0));
}

TEST_F(Noisy, FindsASlowLinkOfThreeHosts) {
  const Links links = measured(3, 24, [](auto a, auto b) { return a + b == 2 ? 2.0 : 1.0; });
  EXPECT_THAT(slow_ones(links), ElementsAre(std::pair(0U, 2U)));
}

TEST_F(Noisy, BlamesNoLinkAfterASingleBlock) {
  const Links links = measured(4, 12, [](auto a, auto b) { return a + b == 1 ? 2.0 : 1.0; });
  EXPECT_THAT(slow_ones(links), SizeIs(0));
  EXPECT_EQ(judge_links(links)[0].pace, Pace::undecided);
  EXPECT_EQ(judge_links(links)[1].pace, Pace::even);
}

TEST_F(Noisy, PairsThatAreFarApartAreNotSlow) {
  // Two racks of four hosts: 16 of 28 pairs cross.
  const Links links = measured(8, 48, [](auto a, auto b) { return a / 4 != b / 4 ? 1.6 : 1.0; });
  EXPECT_THAT(slow_ones(links), SizeIs(0));
}

TEST_F(Noisy, TellsWhatThePairTakesInAll) {
  // Hosts 0 and 1 twice as slow each, their link 1.5 times as slow beyond that.
  const Links links = measured(9, 24, [](auto a, auto b) {
    return (a == 0 ? 2.0 : 1.0) * (a == 1 || b == 1 ? 2.0 : 1.0) * (a == 0 && b == 1 ? 1.5 : 1.0);
  });
  const JudgedLink first = judge_links(links)[0];
  EXPECT_NEAR(first.excess, 6, 0.5);
  EXPECT_NEAR(first.ratio, 1.5, 0.15);
  EXPECT_THAT(describe(links, 0, first), HasSubstr("n0 - n1: the link is slow: net takes 1."));
  EXPECT_THAT(describe(links, 0, first), HasSubstr("after 24 runs"));
}

TEST(SlowLinks, AreOneByNameThroughAllBlocks) {
  const auto blocks = read_times(
      "host,rank,run,bench,seconds,status,peer\nn1,0,0,net,1,ok,n2\nn2,0,0,net,1,ok,n3\n"
      "host,rank,run,bench,seconds,status,peer\nn2,0,0,net,1,ok,n1\nn3,0,0,net,1,ok,n2\n",
      "t");
  const Links links = links_of(blocks);
  ASSERT_THAT(links.times, SizeIs(2));
  EXPECT_THAT(links.times[0].rests, SizeIs(2));
  EXPECT_THAT(links.hosts, ElementsAre("n1", "n2", "n3"));
}

TEST(SlowLinks, NamesHostsInTheOrderOfTheAllocation) {
  const Links links = links_of(read_times(
      "# allocation: n1,n2,n3\nhost,rank,run,bench,seconds,status,peer\nn3,0,0,net,1,ok,n2\n",
      "t"));
  ASSERT_THAT(links.times, SizeIs(1));
  EXPECT_EQ(links.hosts[links.times[0].a], "n2");
  EXPECT_EQ(links.hosts[links.times[0].b], "n3");
}

TEST(SlowLinks, ATableWithoutPairsHasNone) {
  const auto blocks = read_times("host,rank,run,bench,seconds,status\nn1,0,0,c,1,ok\n", "t");
  EXPECT_TRUE(judge_links(links_of(blocks)).empty());
}

}  // namespace
}  // namespace core
