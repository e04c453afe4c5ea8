// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/compact.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>
#include <random>
#include <set>

#include "core/error.hpp"
#include "scores.hpp"

namespace mpisel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Names = std::vector<std::string>;

/// As Slurm 22.05 prints it.
constexpr std::string_view kTwoLevels =
    "SwitchName=s0 Level=0 LinkSpeed=1 Nodes=n[1-2]\n"
    "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=n[3-5]\n"
    "SwitchName=s2 Level=0 LinkSpeed=1 Nodes=n6\n"
    "SwitchName=left Level=1 LinkSpeed=1 Nodes=n[1-5] Switches=s[0-1]\n"
    "SwitchName=top Level=2 LinkSpeed=1 Nodes=n[1-6] Switches=left,s2\n";

std::size_t between(SwitchTree tree, const Names& hosts) {
  return switches_between(tree, tree.places_of(hosts));
}

std::string complaint(std::string_view text) {
  try {
    const SwitchTree tree(text);
  } catch (const core::Error& e) {
    return e.what();
  }
  return "";
}

TEST(Switches, CountsThoseOnTheWaysBetweenHosts) {
  const SwitchTree tree(kTwoLevels);
  EXPECT_EQ(between(tree, {}), 0U);
  EXPECT_EQ(between(tree, {"n1"}), 1U);
  EXPECT_EQ(between(tree, {"n1", "n2"}), 1U);
  EXPECT_EQ(between(tree, {"n1", "n3"}), 3U);        // s0, left, s1
  EXPECT_EQ(between(tree, {"n1", "n6"}), 4U);        // s0, left, top, s2
  EXPECT_EQ(between(tree, {"n1", "n3", "n6"}), 5U);  // all of them
}

TEST(Switches, AHostThatIsNotToldIsAtASwitchOfItsOwn) {
  const SwitchTree tree(kTwoLevels);
  EXPECT_EQ(between(tree, {"x1"}), 1U);
  EXPECT_EQ(between(tree, {"x1", "x2"}), 3U);  // theirs and what joins them
  EXPECT_EQ(between(tree, {"x1", "n1"}), 5U);  // its own, the joint, top, left, s0
  EXPECT_EQ(between(tree, {"n1", "n6"}), 4U);
}

TEST(Switches, SwitchesWithoutACommonOneAreJoined) {
  EXPECT_EQ(between(SwitchTree("SwitchName=a Nodes=n1\nSwitchName=b Nodes=n2\n"), {"n1", "n2"}),
            3U);
}

TEST(Switches, RefusesWhatIsNoTree) {
  EXPECT_THAT(complaint(""), HasSubstr("tells no switch"));
  EXPECT_THAT(complaint("No topology\n"), HasSubstr("tells no switch"));
  EXPECT_THAT(complaint("SwitchName=a Switches=b\nSwitchName=b Switches=a\n"),
              HasSubstr("switch a is above itself"));
  EXPECT_THAT(
      complaint("SwitchName=a Switches=c\nSwitchName=b Switches=c\nSwitchName=c Nodes=n1\n"),
      HasSubstr("switch c"));
  EXPECT_THAT(complaint("SwitchName=a Nodes=n[1\n"), HasSubstr("scontrol show topology"));
}

/// A tree of ours with its hosts, and what is true of it by walking from host to host.
struct Random {
  std::string text;
  std::vector<std::size_t> parent;  ///< of a switch; its own number at the top
  Names hosts;
  std::vector<std::size_t> at;  ///< switch of a host

  std::vector<std::size_t> up(std::size_t from) const {
    std::vector<std::size_t> way{from};
    while (parent[way.back()] != way.back()) way.push_back(parent[way.back()]);
    return way;
  }
  /// Two hosts: up to the first switch that is above both.
  std::set<std::size_t> way(std::size_t a, std::size_t b) const {
    const auto one = up(at[a]), other = up(at[b]);
    std::set<std::size_t> passed;
    for (const std::size_t i : one) {
      passed.insert(i);
      const auto meets = std::ranges::find(other, i);
      if (meets == other.end()) continue;
      passed.insert(other.begin(), meets);
      break;
    }
    return passed;
  }
  std::size_t switches(std::uint32_t set) const {
    std::set<std::size_t> passed;
    for (std::size_t a = 0; a < hosts.size(); ++a)
      for (std::size_t b = a; b < hosts.size(); ++b)
        if ((set >> a & 1) != 0 && (set >> b & 1) != 0) passed.merge(way(a, b));
    return passed.size();
  }
};

Random random_tree(std::mt19937& random) {
  Random tree;
  const std::size_t count = 1 + random() % 7;
  std::vector<std::string> below(count), nodes(count);
  const auto join = [](std::string& list, const std::string& item) {
    list += (list.empty() ? "" : ",") + item;
  };
  for (std::size_t i = 0; i < count; ++i) {
    tree.parent.push_back(i == 0 ? 0 : random() % i);
    if (i > 0) join(below[tree.parent[i]], "s" + std::to_string(i));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!below[i].empty()) continue;
    for (std::size_t hosts = 1 + random() % 3; hosts > 0 && tree.hosts.size() < 11; --hosts) {
      tree.hosts.push_back("n" + std::to_string(tree.hosts.size()));
      tree.at.push_back(i);
      join(nodes[i], tree.hosts.back());
    }
  }
  for (std::size_t i = 0; i < count; ++i)
    tree.text += "SwitchName=s" + std::to_string(i) +
                 (below[i].empty() ? nodes[i].empty() ? "" : " Nodes=" + nodes[i]
                                   : " Switches=" + below[i]) +
                 "\n";
  return tree;
}

TEST(Compact, FindsTheBestOfAllChoicesInRandomTrees) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const Random truth = random_tree(random);
    SwitchTree tree(truth.text);
    const auto places = tree.places_of(truth.hosts);
    std::vector<PlacedHost> candidates;
    std::uint32_t bound = 0;
    for (std::size_t i = 0; i < truth.hosts.size(); ++i) {
      const bool must = random() % 5 == 0;
      candidates.push_back({places[i], static_cast<double>(random() % 8), must});
      bound |= static_cast<std::uint32_t>(must) << i;
    }
    const auto least = std::max(1, std::popcount(bound));
    const auto count =
        least +
        static_cast<int>(random() % (truth.hosts.size() + 1U - static_cast<std::size_t>(least)));
    const auto sum = [&](std::uint32_t set) {
      double total = 0;
      for (std::size_t i = 0; i < candidates.size(); ++i)
        if ((set >> i & 1) != 0) total += candidates[i].score;
      return total;
    };
    std::pair<std::size_t, double> best{SIZE_MAX, 0};
    for (std::uint32_t set = 0; set < 1U << truth.hosts.size(); ++set)
      if (std::popcount(set) == count && (set & bound) == bound)
        best = std::min(best, {truth.switches(set), sum(set)});

    const auto chosen = fewest_switches(tree, candidates, static_cast<std::size_t>(count));
    std::uint32_t set = 0;
    std::vector<std::size_t> chosen_places;
    for (const std::size_t i : chosen) {
      set |= 1U << i;
      chosen_places.push_back(places[i]);
    }
    ASSERT_EQ(std::popcount(set), count);
    ASSERT_EQ(set & bound, bound);
    ASSERT_EQ(std::pair(truth.switches(set), sum(set)), best) << truth.text;
    ASSERT_EQ(switches_between(tree, chosen_places), truth.switches(set)) << truth.text;
  }
}

/// n1, n3, n5 are faster by less than the noise, which the repetitions show.
core::Scores noisy(std::vector<double> seconds) {
  std::vector<core::HostScore> hosts;
  std::mt19937 random(3);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    core::HostScore one = host("n" + std::to_string(i + 1), seconds[i]);
    one.repetitions[0].clear();
    for (std::uint64_t run = 0; run < 24; ++run)
      one.repetitions[0].push_back(
          {run, seconds[i] * (0.97 + 0.06 * static_cast<double>(random() % 1000) / 1000)});
    hosts.push_back(std::move(one));
  }
  return scores(std::move(hosts));
}

TEST(Compact, ExchangesEquallyGoodHostsForFewerSwitches) {
  Selection selection = select(noisy({1, 1.001, 1, 1.001, 1, 1.001}), want(3));
  EXPECT_THAT(names(selection), ElementsAre("n1", "n3", "n5"));
  SwitchTree tree(
      "SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=n[4-6]\nSwitchName=t Switches=a,b\n");
  compact(selection, tree, Order::allocation);
  EXPECT_THAT(names(selection), ElementsAre("n1", "n2", "n3"));
  EXPECT_EQ(selection.compacted->plain, 3U);
  EXPECT_EQ(selection.compacted->switches, 1U);
  EXPECT_EQ(reason(selection, selection.hosts[4]), "as fast, but at another switch");
}

TEST(Compact, KeepsAFasterHostWhereverItIs) {
  Selection selection = select(noisy({1.2, 1.2, 1.2, 1, 1.21, 1.21}), want(3));
  SwitchTree tree(
      "SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=n[4-6]\nSwitchName=t Switches=a,b\n");
  compact(selection, tree, Order::allocation);
  EXPECT_THAT(names(selection), ElementsAre("n4", "n5", "n6"));
  EXPECT_EQ(selection.compacted->switches, 1U);
}

TEST(Compact, TakesNoHostThatIsKnownToBeSlower) {
  Selection selection = select(noisy({1, 1.2, 1.2, 1, 1, 1.2}), want(3));
  SwitchTree tree(
      "SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=n[4-6]\nSwitchName=t Switches=a,b\n");
  compact(selection, tree, Order::speed);
  EXPECT_THAT(names(selection), testing::UnorderedElementsAre("n1", "n4", "n5"));
  EXPECT_EQ(selection.compacted->switches, 3U);
}

TEST(Compact, BringsInNoHostAtASlowLink) {
  Request request = want(3);
  Selection selection = select(noisy({1, 1.001, 1, 1.001, 1, 1.001}), request);
  selection.network.slow.push_back({"n2", "n3", "latency", {}, ""});
  SwitchTree tree(
      "SwitchName=a Nodes=n[1-3]\nSwitchName=b Nodes=n[4-6]\nSwitchName=t Switches=a,b\n");
  compact(selection, tree, Order::allocation);
  EXPECT_THAT(names(selection), testing::Not(testing::Contains("n2")));
}

TEST(Compact, WithoutRepetitionsNothingIsKnownToBeAlike) {
  Selection selection = select(scores({host("n1", 1), host("n2", 1.001), host("n3", 1)}), want(2));
  SwitchTree tree("SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n3\n");
  compact(selection, tree, Order::allocation);
  EXPECT_THAT(names(selection), ElementsAre("n1", "n3"));
}

TEST(Compact, DoesNothingWhereNoHostsCouldBeChosen) {
  Selection selection = select(scores({host("n1", 1)}), want(2));
  SwitchTree tree(kTwoLevels);
  compact(selection, tree, Order::allocation);
  EXPECT_TRUE(selection.chosen.empty());
  EXPECT_FALSE(selection.compacted);
}

}  // namespace
}  // namespace mpisel
