// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "mpisel/json.hpp"
#include "scores.hpp"

namespace mpisel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

SlowLink link(const std::string& a, const std::string& b, double excess) {
  SlowLink slow{a, b, "net", {}, a + " - " + b + ": the link is slow"};
  slow.judged.runs = 24;
  slow.judged.ratio = slow.judged.excess = excess;
  slow.judged.interval = {excess - 0.25, excess + 0.25};
  slow.judged.pace = core::Pace::slow;
  return slow;
}

/// Hosts h0, h1, ... by their ratios, fastest first.
Kept kept_of(const std::vector<double>& ratios, const std::vector<SlowLink>& links,
             std::size_t count) {
  static const std::vector<std::string> kNames{"h0", "h1", "h2", "h3", "h4", "h5"};
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < ratios.size(); ++i) candidates.push_back({kNames[i], ratios[i]});
  return keep(candidates, links, count);
}

TEST(Keep, WithoutSlowLinksKeepsTheFastest) {
  EXPECT_THAT(kept_of({0.9, 1, 1.1, 2}, {}, 2).kept, ElementsAre(0, 1));
}

TEST(Keep, OfASlowLinkTheSlowerHostGoesAndOnlyOne) {
  const Kept kept = kept_of({0.9, 1, 1.1, 1.2}, {link("h0", "h1", 3)}, 3);
  EXPECT_THAT(kept.kept, ElementsAre(0, 2, 3));
  EXPECT_THAT(kept.for_link, ElementsAre(Pair(1, 0)));
}

TEST(Keep, TheHostWithMoreSlowLinksGoes) {
  const Kept kept = kept_of({0.9, 1, 1.1, 1.2}, {link("h0", "h1", 3), link("h0", "h2", 2)}, 3);
  EXPECT_THAT(kept.kept, ElementsAre(1, 2, 3));
}

TEST(Keep, TheWorstGoesFirstBeItAHostOrALink) {
  EXPECT_THAT(kept_of({1, 1, 1, 4}, {link("h0", "h1", 3)}, 3).kept, ElementsAre(0, 1, 2));
  EXPECT_THAT(kept_of({1, 1, 1, 4}, {link("h0", "h1", 3)}, 2).kept, ElementsAre(0, 2));
  EXPECT_THAT(kept_of({1, 1, 1, 2}, {link("h0", "h1", 3)}, 3).kept, ElementsAre(0, 2, 3));
}

TEST(Keep, WithNoneToSpareKeepsBoth) {
  const Kept kept = kept_of({1, 1, 1}, {link("h0", "h1", 3)}, 3);
  EXPECT_THAT(kept.kept, SizeIs(3));
  EXPECT_THAT(kept.for_link, IsEmpty());
}

TEST(Keep, LinksToOtherHostsDoNotMatter) {
  EXPECT_THAT(kept_of({1, 1, 1}, {link("h0", "elsewhere", 3)}, 2).kept, ElementsAre(0, 1));
}

Selection chosen(std::size_t count, double n4 = 1.1) {
  Request request = want(count);
  request.network = {6, {"compute"}, {link("n1", "n3", 3)}};
  return select(scores({steady("n1", 1, 1, 24), steady("n2", 1, 1, 24), steady("n3", 1, 1, 24),
                        steady("n4", n4, n4, 24)}),
                request);
}

std::string explained(const Selection& selection) {
  std::ostringstream out;
  explain_network(out, selection);
  return out.str();
}

TEST(Network, ASelectionLeavesOutOneEndOfASlowLink) {
  const Selection selection = chosen(3);
  EXPECT_THAT(names(selection), ElementsAre("n1", "n2", "n4"));
  EXPECT_EQ(reason(selection, selection.hosts[2]), "slow link to n1");
  EXPECT_EQ(network_warning(selection), "");
}

TEST(Network, IsExplainedAsLinkOrAsHost) {
  EXPECT_EQ(explained(chosen(3, 1)), "n1 - n3: the link is slow; n3 is left out for it\n");
  EXPECT_EQ(explained(chosen(3, 4)),
            "n1 - n3: the link is slow; both hosts are kept, there is none to spare\n"
            "n4: slow with all its partners, so the host or its own link: compute takes 4 times "
            "the median of the others, between 4 and 4 after 24 runs\n");
}

TEST(Network, IsWarnedOfWhenASlowLinkIsKept) {
  EXPECT_THAT(network_warning(chosen(4)), HasSubstr("n1 and n3 are both chosen"));
}

TEST(Network, ThatIsEvenIsSaidToBe) {
  Request request = want(1);
  request.network.pairs = 3;
  request.network.benches = {"compute"};
  const auto even = scores({steady("n1", 1, 1, 24), steady("n2", 1, 1, 24)});
  EXPECT_EQ(explained(select(even, request)),
            "the network: neither a host nor one of 3 links is known to be slow\n");
  EXPECT_EQ(explained(select(scores({host("n1", 1)}), want(1))), "");
}

TEST(Network, OfTwoHostsIsNotSaidToBeEven) {
  Request request = want(1);
  request.network.pairs = 1;
  request.network.benches = {"compute"};
  const auto even = scores({steady("n1", 1, 1, 24), steady("n2", 1, 1, 24)});
  EXPECT_EQ(explained(select(even, request)),
            "links: one pair of hosts alone shows neither a slow host nor a slow link\n");
}

TEST(Network, IsInTheJson) {
  std::ostringstream out;
  const Selection selection = chosen(3);
  write_json(out, selection, {}, Order::allocation);
  const auto answer = nlohmann::json::parse(out.str());
  ASSERT_EQ(answer["slow_links"].size(), 1U);
  EXPECT_EQ(answer["slow_links"][0]["hosts"], nlohmann::json({"n1", "n3"}));
  EXPECT_EQ(answer["slow_links"][0]["interval"], nlohmann::json({2.75, 3.25}));
  EXPECT_EQ(answer["hosts"][2]["reason"], "slow link to n1");
}

/// A table of four hosts in which n2 and n4 take `link` s with each other, others 1 s.
std::string table(double link) {
  std::ostringstream rows;
  rows << "host,rank,run,bench,seconds,status,peer\n";
  for (int run = 0; run < 24; ++run)
    for (int a = 1; a <= 4; ++a)
      for (int b = 1; b <= 4; ++b)
        if (a != b)
          rows << "n" << a << ",0," << run << ",net," << (a * b == 8 ? link : 1) << ",ok,n" << b
               << "\n";
  return rows.str();
}

TEST(Network, IsReadFromATable) {
  const Network network = network_of(core::read_times(table(2), "t"));
  EXPECT_EQ(network.pairs, 6U);
  ASSERT_THAT(network.slow, SizeIs(1));
  EXPECT_EQ(network.slow[0].a, "n2");
  EXPECT_EQ(network.slow[0].b, "n4");
  EXPECT_THAT(network_of(core::read_times(table(1), "t")).slow, IsEmpty());
}

}  // namespace
}  // namespace mpisel
