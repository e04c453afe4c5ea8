// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/explain.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "scores.hpp"

namespace mpisel {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string explained(const Selection& selection) {
  std::ostringstream out;
  explain(out, selection);
  return out.str();
}

TEST(Explain, AlignsEveryHostInAllocationOrder) {
  const Selection s =
      select(scores({host("n1", 1, 1), host("node22", 12.5, 12.5),
                     broken("n3", core::RowStatus::timeout), host("n4", 1.0625, 1.0625)}),
             want(2));
  EXPECT_EQ(explained(s),
            "host    compute [s]   ratio  decision\n"
            "n1            1.000   1.000  kept\n"
            "node22       12.500  12.500  slower than the 2 kept\n"
            "n3                -       -  timeout\n"
            "n4            1.062   1.062  kept\n"
            "kept 2 of 4 hosts; slowest kept: ratio 1.062; fastest left out as slow: ratio "
            "12.500\n"
            "the choice is not settled after 1 run: too few to tell anything\n");
}

TEST(Explain, TellsHowSureItIsWhereRepetitionsAllowIt) {
  // The median of 1, 1 and 1.2 is 1, of 1 and 1.2 (the others of a) 1.1; by logarithms sqrt(1.2).
  const Selection s =
      select(scores({steady("a", 1, 1, 24), steady("b", 1, 1, 24),
                     broken("c", core::RowStatus::failed), steady("d", 1.2, 1.2, 24)}),
             want(2));
  EXPECT_EQ(explained(s),
            "host  compute [s]  ratio        to the others  pace  decision\n"
            "a           1.000  1.000  0.913 (0.913-0.913)  even  kept\n"
            "b           1.000  1.000  0.913 (0.913-0.913)  even  kept\n"
            "c               -      -                    -     -  failed\n"
            "d           1.200  1.200  1.200 (1.200-1.200)  slow  slower than the 2 kept\n"
            "kept 2 of 4 hosts; slowest kept: ratio 1.000; fastest left out as slow: ratio 1.200\n"
            "the choice is settled after 24 runs: each is faster than any other, with 99 % "
            "confidence\n");
}

TEST(Explain, ShowsTheHardwareWhereItDiffers) {
  std::vector<core::HostScore> hosts{steady("a", 1, 0.5, 24), steady("b", 1, 0.5, 24),
                                     steady("c", 3, 1.5, 24), steady("d", 3, 1.5, 24)};
  for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i].hardware = i < 2 ? "8 x New" : "4 x Old";
  const std::string text = explained(select(scores(hosts), want(2)));
  EXPECT_THAT(text, HasSubstr("pace  hardware  decision\n"));
  EXPECT_THAT(text, HasSubstr("1.000 (1.000-1.000)  even   8 x New  kept\n"));
  EXPECT_THAT(text, HasSubstr("1.000 (1.000-1.000)  even   4 x Old  slower than the 2 kept\n"));
}

TEST(Explain, CountsTheRunsAlsoWhereNoTwoHostsAreOfAKind) {
  std::vector<core::HostScore> hosts{steady("a", 1, 0.8, 24), steady("b", 1.5, 1.2, 24)};
  for (core::HostScore& one : hosts) one.hardware = "of " + one.host;
  EXPECT_THAT(explained(select(scores(hosts), want(1))),
              HasSubstr("the choice is settled after 24 runs: each is faster"));
}

TEST(Explain, HostsAboveTheRatioAreOnTheOtherSideOfTheBoundary) {
  Request request = want(2);
  request.max_ratio = 1.1;
  const Selection s = select(
      scores({steady("a", 1, 1, 24), steady("b", 1, 1, 24), steady("d", 1.2, 1.2, 24)}), request);
  EXPECT_THAT(explained(s), HasSubstr("the choice is settled after 24 runs: each is faster"));
}

TEST(Explain, WhereNoHostIsSlowerThereIsNoBoundary) {
  const Selection s = select(scores({steady("a", 1, 1, 24), steady("b", 1, 1, 24)}), want(2));
  EXPECT_THAT(explained(s), Not(HasSubstr("settled")));
}

TEST(Explain, TheToleranceIsTheOneAskedFor) {
  Request request = want(1);
  request.tolerance = 0.25;
  const Selection s = select(scores({steady("a", 1, 1, 24), steady("d", 1.2, 1.2, 24)}), request);
  EXPECT_THAT(explained(s), Not(HasSubstr("slow  slower")));
}

TEST(Explain, UsesOneUnitForAColumn) {
  const Selection s = select(scores({host("a", 0.0015), host("b", 0.002), host("c", 1)}), want(1));
  EXPECT_THAT(explained(s), HasSubstr("compute [ms]"));
  EXPECT_THAT(explained(s), HasSubstr("1000.000"));
}

TEST(Explain, HasAColumnForEachBenchmark) {
  core::Scores two = scores({host("a", 1)});
  two.benches = {"compute", "memory"};
  two.measures = {core::Measure::computing, core::Measure::wall};
  two.hosts[0].times = {2, 3};
  two.hosts[0].repetitions = {{{0, 2}}, {{0, 3}}};
  const std::string text = explained(select(two, want(1)));
  EXPECT_THAT(text, HasSubstr("compute computing [s]  memory [s]"));
  EXPECT_THAT(text, HasSubstr("2.000       3.000"));
}

TEST(Explain, SaysWhatIsUsableWhenTooFewAre) {
  const std::string text =
      explained(select(scores({host("a", 1), broken("b", core::RowStatus::wrong)}), want(2)));
  EXPECT_THAT(text, HasSubstr("usable"));
  EXPECT_THAT(text, HasSubstr("wrong"));
  EXPECT_THAT(text, HasSubstr("asked for 2 of 2 hosts, 1 usable\n"));
}

TEST(Explain, ListsOnlyTheHostsLeftOutOfMany) {
  std::vector<core::HostScore> many;
  for (int i = 0; i < 10000; ++i) many.push_back(host(fmt::format("n{}", i), i == 77 ? 5 : 1));
  const std::string text = explained(select(scores(many), want(9999)));
  EXPECT_THAT(text, HasSubstr("n77 "));
  EXPECT_THAT(text, Not(HasSubstr("n78 ")));
  EXPECT_THAT(text, HasSubstr("... and 9999 kept (--json lists every host)\n"));
}

TEST(Explain, StaysShortWhenManyAreLeftOut) {
  std::vector<core::HostScore> many;
  for (int i = 0; i < 10000; ++i) many.push_back(host(fmt::format("n{}", i), 1));
  const std::string text = explained(select(scores(many), want(100)));
  EXPECT_LE(std::ranges::count(text, '\n'), 69);
  EXPECT_THAT(text, HasSubstr("... and 9836 more left out\n"));
}

}  // namespace
}  // namespace mpisel
