// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/choose.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

namespace {

using cosched_exec::choose;
using cosched_exec::Counts;
using cosched_exec::Strategy;
using cosched_exec::TaskClass;

/// f of each class is a function of the counts; counts how often it is asked.
struct Model : cosched_exec::SpeedModel {
  std::function<double(std::span<const std::uint16_t>, std::size_t)> f;
  mutable std::size_t calls = 0;

  explicit Model(decltype(f) speed) : f(std::move(speed)) {}
  void speeds(std::span<const std::uint16_t> counts, std::span<double> result) const override {
    ++calls;
    for (std::size_t c = 0; c < counts.size(); ++c)
      if (counts[c] > 0) result[c] = f(counts, c);
  }
};

std::size_t tasks_in(std::span<const std::uint16_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

/// Tasks of one core each on `cores` cores.
Model cores(double cores) {
  return Model([cores](auto counts, std::size_t) {
    return std::min(1.0, cores / static_cast<double>(tasks_in(counts)));
  });
}

std::vector<TaskClass> singles(std::size_t count) { return std::vector<TaskClass>(count); }

TEST(Choose, SeqTakesTheFirstTaskAndParAll) {
  const std::vector<TaskClass> classes = {{3, {}}, {2, {}}};
  EXPECT_EQ(choose(Strategy::seq, classes, cores(2)).counts, (Counts{1, 0}));
  const auto all = choose(Strategy::par, classes, cores(2));
  EXPECT_EQ(all.counts, (Counts{3, 2}));
  EXPECT_DOUBLE_EQ(all.speed, 2);
  EXPECT_DOUBLE_EQ(all.value, 2);
}

TEST(Choose, FcsTakesTheSmallestMaskOfTiedSets) {
  EXPECT_EQ(choose(Strategy::fcs, singles(4), cores(2)).counts, (Counts{1, 1, 0, 0}));
  EXPECT_EQ(choose(Strategy::fcs, singles(4), cores(1)).counts, (Counts{1, 0, 0, 0}));
  EXPECT_EQ(choose(Strategy::fcs, singles(2), cores(3)).counts, (Counts{1, 1}));
}

TEST(Choose, ATieIsWithinTwelveDigitsAndNoMore) {
  const auto second_greater_by = [](double more) {
    return Model([more](auto counts, std::size_t c) {
      return tasks_in(counts) > 1 ? 0.1 : c == 0 ? 0.9 : 0.9 * (1 + more);
    });
  };
  EXPECT_EQ(choose(Strategy::fcs, singles(2), second_greater_by(5e-13)).counts, (Counts{1, 0}));
  EXPECT_EQ(choose(Strategy::fcs, singles(2), second_greater_by(2e-12)).counts, (Counts{0, 1}));
}

// F^2/|S|: alone 1; a pair at .8 has 1.6^2/2 = 1.28; three at .6 have 1.8^2/3 = 1.08.
TEST(Choose, PeWeighsSpeedWithEfficiency) {
  const Model model([](auto counts, std::size_t) {
    const double speeds[] = {0, 1, 0.8, 0.6};
    return speeds[tasks_in(counts)];
  });
  const auto pe = choose(Strategy::pe, singles(3), model);
  EXPECT_EQ(pe.counts, (Counts{1, 1, 0}));
  EXPECT_DOUBLE_EQ(pe.value, 1.28);
  EXPECT_DOUBLE_EQ(pe.speed, 1.6);
  EXPECT_EQ(choose(Strategy::fcs, singles(3), model).counts, (Counts{1, 1, 1}));
}

// On one core: f = 1/|S|. Of W = 1, .5, 4 the second has the greatest 1/W.
TEST(Choose, PfPrefersTheTaskThatGotLeast) {
  const std::vector<TaskClass> classes = {{1, {1}}, {1, {2}}, {1, {0.25}}};
  const auto pf = choose(Strategy::pf, classes, cores(1));
  EXPECT_EQ(pf.counts, (Counts{0, 1, 0}));
  EXPECT_DOUBLE_EQ(pf.value, 2);
  EXPECT_DOUBLE_EQ(pf.speed, 1);
}

// On two cores the best two of 1/W = 4, 3, 1 and 3.5, 2: two of one class would be 7.
TEST(Choose, PfTakesAClasssMembersInTheirOrder) {
  const std::vector<TaskClass> classes = {{3, {4, 3, 1}}, {2, {3.5, 2}}};
  const auto pf = choose(Strategy::pf, classes, cores(2));
  EXPECT_EQ(pf.counts, (Counts{1, 1}));
  EXPECT_DOUBLE_EQ(pf.value, 7.5);
}

// Two classes that hurt their own kind only: F = a f(a) + b f(b), greatest at two of each.
TEST(Choose, CountsMembersOfClasses) {
  const Model model([](auto counts, std::size_t c) {
    const double speeds[] = {0, 1, 0.9, 0.55, 0.4};
    return speeds[counts[c]];
  });
  const std::vector<TaskClass> classes = {{4, {}}, {4, {}}};
  const auto fcs = choose(Strategy::fcs, classes, model);
  EXPECT_EQ(fcs.counts, (Counts{2, 2}));
  EXPECT_DOUBLE_EQ(fcs.speed, 3.6);
}

TEST(Choose, AutoStaysWithAllUntilAnotherSetIsFivePercentFaster) {
  const auto all_at = [](double speed) {
    return Model([speed](auto counts, std::size_t) { return tasks_in(counts) < 3 ? 1 : speed; });
  };
  EXPECT_EQ(choose(Strategy::automatic, singles(3), all_at(1.91 / 3)).counts, (Counts{1, 1, 1}));
  const auto left = choose(Strategy::automatic, singles(3), all_at(1.90 / 3));
  EXPECT_EQ(left.counts, (Counts{1, 1, 0}));
  EXPECT_DOUBLE_EQ(left.value, 2);
}

TEST(Choose, TriesEveryCombinationWhenThereAreFew) {
  const auto model = cores(2);
  choose(Strategy::fcs, singles(10), model);
  EXPECT_EQ(model.calls, 1023U);
  choose(Strategy::fcs, singles(8), model, 255);
  EXPECT_EQ(model.calls, 1023U + 255);
}

TEST(Choose, SearchesWithoutTryingAllWhenThereAreMany) {
  const auto model = cores(2);
  EXPECT_EQ(choose(Strategy::fcs, singles(11), model).counts,
            (Counts{1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_LE(model.calls, 600U);
}

TEST(Choose, AsksForAThousandEqualTasksAtMostAThousandTimes) {
  const std::vector<TaskClass> classes = {{1000, {}}};
  const auto model = cores(128);
  EXPECT_EQ(choose(Strategy::fcs, classes, model).counts, Counts{128});
  EXPECT_LE(model.calls, 1000U);
  EXPECT_EQ(choose(Strategy::automatic, classes, model).counts, Counts{1000});
}

TEST(Choose, FindsItsWayThroughClassesOfThousands) {
  const std::vector<TaskClass> classes = {{5000, {}}, {7000, {}}};
  const auto model = cores(128);
  EXPECT_EQ(choose(Strategy::fcs, classes, model).counts, (Counts{128, 0}));
  EXPECT_LE(model.calls, 600U);
}

}  // namespace
