// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/processor_share.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using cosched_exec::Demand;

std::vector<double> shares(const std::vector<Demand>& classes,
                           const std::vector<std::uint16_t>& counts, double processors) {
  std::vector<double> f(classes.size(), -1);
  cosched_exec::shared_speeds(classes, counts, processors, f);
  return f;
}

constexpr Demand kBusy{1, false}, kSleeper{0.2, false}, kSpinner{2, true};

TEST(ProcessorShare, TasksThatFitGoAtFullSpeed) {
  EXPECT_EQ(shares({kBusy, kSleeper, kSpinner}, {1, 5, 1}, 4), (std::vector<double>{1, 1, 1}));
}

TEST(ProcessorShare, WhoAsksForLittleGetsItTheOthersShareTheRest) {
  // Two sleepers take 0.4 of 2 processors, four busy ones share 1.6.
  const auto f = shares({kBusy, kSleeper}, {4, 2}, 2);
  EXPECT_NEAR(f[0], 0.4, 1e-9);
  EXPECT_NEAR(f[1], 1, 1e-9);
}

TEST(ProcessorShare, ASpinnerStandsStillBesideABusyTaskAndLivesBesideASleeper) {
  EXPECT_LE(shares({kBusy, kSpinner}, {1, 1}, 2)[1], 1.0 / 3);
  EXPECT_GE(shares({kSleeper, kSpinner}, {1, 1}, 2)[1], 0.5);
  EXPECT_GE(shares({kBusy, kSpinner}, {1, 1}, 2)[0], 0.85);
}

TEST(ProcessorShare, TwoSpinnersTogetherAreSlowerThanOneAfterTheOther) {
  EXPECT_LT(2 * shares({kSpinner}, {2}, 2)[0], 0.53);
  EXPECT_EQ(shares({kSpinner}, {2}, 4)[0], 1) << "with room for both there is no harm";
}

TEST(ProcessorShare, ClassesThatAreNotInTheSetAreLeftAlone) {
  EXPECT_EQ(shares({kBusy, kSpinner}, {1, 0}, 1), (std::vector<double>{1, -1}));
}

}  // namespace
