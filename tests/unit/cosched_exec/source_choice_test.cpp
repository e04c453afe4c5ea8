// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/source_choice.hpp"

#include <gtest/gtest.h>

namespace cosched_exec {
namespace {

/// What a task does in a second.
struct Second {
  double run = 1, wait = 0, switches = 1000, calls = 0, progress = 0, instructions = 0;
};
constexpr Second kSpinsAlone{.run = 2, .switches = 10, .calls = 5000};
constexpr Second kSpinsInBadCompany{.run = 1, .wait = 1, .switches = 5};

/// A task that lives second by second.
class Life {
 public:
  explicit Life(SpeedWish wish = SpeedWish::automatic) : choice(wish) {
    now_.voluntary = 0;
    now_.calls = 0;
  }
  Source live(const Second& second, int seconds = 1, bool detail = true) {
    for (int i = 0; i < seconds; ++i) {
      Reading after = now_;
      after.time += 1;
      after.cpu += second.run;
      after.run += second.run;
      after.wait += second.wait;
      voluntary_ += static_cast<std::uint64_t>(second.switches);
      after.voluntary = detail ? std::optional(voluntary_) : std::nullopt;
      add(after.calls, second.calls, now_.calls);
      add(after.progress, second.progress, now_.progress);
      add(after.instructions, second.instructions, now_.instructions);
      choice.judge(now_, after);
      now_ = after;
    }
    return choice.source();
  }
  SourceChoice choice;

 private:
  static void add(std::optional<double>& after, double more, const std::optional<double>& before) {
    if (before || more > 0) after = before.value_or(0) + more;
  }
  Reading now_;
  std::uint64_t voluntary_ = 0;
};

TEST(SourceChoice, TakesWhatWorksFirst) {
  Life life;
  EXPECT_EQ(life.choice.source(), Source::none);
  EXPECT_EQ(life.live({}), Source::cputime);
  EXPECT_EQ(life.choice.stretches(), 1);
}

TEST(SourceChoice, GoesUpAtOnceInTheBeginningLaterWhenItWorkedTwice) {
  Life life;
  life.live({});
  EXPECT_EQ(life.live({.calls = 500}), Source::calls);
  Life late;
  late.live({}, 10);
  EXPECT_EQ(late.live({.calls = 500}), Source::cputime);
  EXPECT_EQ(late.live({}), Source::cputime);
  EXPECT_EQ(late.live({.calls = 500}, 2), Source::calls);
}

TEST(SourceChoice, AStarvedSpinnerKeepsItsCalls) {
  Life life;
  EXPECT_EQ(life.live(kSpinsAlone, 2), Source::calls);
  EXPECT_EQ(life.live(kSpinsInBadCompany, 100), Source::calls);
  EXPECT_TRUE(life.choice.spins());
}

TEST(SourceChoice, ASpinnerThatStartsInBadCompanyIsSeenThereAndLosesItsCpuTime) {
  Life life;
  EXPECT_EQ(life.live({}), Source::cputime);
  EXPECT_EQ(life.live(kSpinsInBadCompany), Source::none);
  EXPECT_TRUE(life.choice.spins());
  EXPECT_EQ(life.live(kSpinsAlone, 2), Source::calls);
}

TEST(SourceChoice, SpinningIsRememberedWhereDetailIsNotRead) {
  Life life;
  life.live(kSpinsAlone);
  life.live({.run = 2}, 100, false);
  EXPECT_TRUE(life.choice.spins());
}

TEST(SourceChoice, SpinningIsTakenBackAfterThreeFreeStretchesWithoutIt) {
  Life life;
  life.live(kSpinsAlone);
  life.live({.calls = 100}, 2);
  EXPECT_TRUE(life.choice.spins());
  life.live({.calls = 100});
  EXPECT_FALSE(life.choice.spins());
}

TEST(SourceChoice, HeldUpTasksAreNotTakenForCalm) {
  Life life;
  life.live(kSpinsAlone);
  life.live({.run = 0.3, .wait = 0.7}, 20);
  EXPECT_TRUE(life.choice.spins());
}

TEST(SourceChoice, LeavesCallsThatStopForGoodWhileTheTaskRuns) {
  Life life;
  EXPECT_EQ(life.live({.calls = 500}, 3), Source::calls);
  EXPECT_EQ(life.live({}, 4), Source::calls);
  EXPECT_EQ(life.live({}), Source::cputime);
}

TEST(SourceChoice, TakesCallsAgainAfterASilentPhaseButEachTimeLater) {
  Life life;  // calls at its start, then it reads its input, then it works
  life.live({.calls = 500});
  EXPECT_EQ(life.live({}, 6), Source::cputime);
  EXPECT_EQ(life.live({.calls = 500}, 3), Source::cputime);
  EXPECT_EQ(life.live({.calls = 500}), Source::calls);
  EXPECT_EQ(life.live({}, 6), Source::cputime);
  EXPECT_EQ(life.live({.calls = 500}, 7), Source::cputime);
  EXPECT_EQ(life.live({.calls = 500}), Source::calls);
}

TEST(SourceChoice, ASpinnerWhoseCallsStopHasNoMeasureUntilTheyComeAgain) {
  Life life;
  life.live(kSpinsAlone, 3);
  EXPECT_EQ(life.live({.run = 2, .switches = 10}, 5), Source::none);
  EXPECT_EQ(life.live(kSpinsAlone, 4), Source::calls);
}

TEST(SourceChoice, KeepsCallsThroughAShortSilence) {
  Life life;
  life.live({.calls = 500}, 3);
  for (int i = 0; i < 5; ++i) {
    life.live({}, 4);
    EXPECT_EQ(life.live({.calls = 500}), Source::calls);
  }
}

TEST(SourceChoice, KeepsCallsWhileTheTaskWaitsForItsFiles) {
  Life life;
  life.live({.calls = 500}, 3);
  EXPECT_EQ(life.live({.run = 0.05}, 50), Source::calls);
}

TEST(SourceChoice, FallsToItsShareForATaskThatGoesToSleepAndComesBack) {
  Life life;
  life.live({}, 3);
  EXPECT_EQ(life.live({.run = 0.0001}, 5), Source::share);
  EXPECT_EQ(life.live({}, 2), Source::cputime);
}

TEST(SourceChoice, TakesTheWishWhereverItWorks) {
  Life life(SpeedWish::ips);
  EXPECT_EQ(life.live({.calls = 500}), Source::calls);
  EXPECT_EQ(life.live({.calls = 500, .instructions = 1e9}, 3), Source::ips);
  Life spinner(SpeedWish::cputime);
  EXPECT_EQ(spinner.live(kSpinsAlone, 3), Source::calls);
}

TEST(SourceChoice, KeepsWishedProgressOfOneLineASecond) {
  Life life(SpeedWish::progress);
  EXPECT_EQ(life.live({.progress = 1}, 20), Source::progress);
}

}  // namespace
}  // namespace cosched_exec
