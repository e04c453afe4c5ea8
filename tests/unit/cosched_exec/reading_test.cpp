// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/speed/reading.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cosched_exec {
namespace {

/// One second of a task with a thread that runs all the time, by nothing but /proc.
struct Stretch {
  Reading before, after;
};
Stretch one_thread() {
  Stretch s;
  s.before.time = 10;
  s.after.time = 11;
  s.before.cpu = s.before.run = 5;
  s.after.cpu = s.after.run = 6;
  s.before.voluntary = 100;
  s.after.voluntary = 400;
  return s;
}

Stretch two_threads(double run, double wait, std::uint64_t voluntary) {
  Stretch s = one_thread();
  s.after.cpu = s.before.cpu + run;
  s.after.run = s.before.run + run;
  s.after.wait = s.before.wait + wait;
  s.after.voluntary = *s.before.voluntary + voluntary;
  return s;
}

bool spin(const Stretch& s) { return spins(s.before, s.after); }
Source best(const Stretch& s, SpeedWish wish = SpeedWish::automatic, bool spinning = false) {
  return best_source(s.before, s.after, wish, spinning);
}
Observation seen(const Stretch& s, Source source) {
  return observation(3, s.before, s.after, source, false);
}

TEST(Spins, SeenByTwoBusyThreadsWithTheFewSwitchesOfMeasuredSpinners) {
  EXPECT_TRUE(spin(two_threads(2.0, 0, 0)));
  EXPECT_TRUE(spin(two_threads(2.0, 0, 44)));
}

TEST(Spins, NotSeenAtTheSwitchesOfProgramsThatSleepAtBarriers) {
  EXPECT_FALSE(spin(two_threads(2.0, 0, 246)));
}

TEST(Spins, SeenInTheCompanyOfOthersWhereThreadsMostlyWaitForAProcessor) {
  EXPECT_TRUE(spin(two_threads(0.5, 1.45, 3)));
}

TEST(Spins, ASleeperThatIsSlowedByOthersIsNotTakenForASpinner) {
  // 246 a second with two processors: 123 a CPU second, of which it gets half of one here.
  EXPECT_FALSE(spin(two_threads(0.5, 1.45, 61)));
}

TEST(Spins, NeedsASecondBusyThread) {
  EXPECT_FALSE(spin(two_threads(1.0, 0, 0)));
  EXPECT_FALSE(spin(two_threads(1.0, 0.3, 0)));
}

TEST(Spins, IsNotSaidWithoutDetailOrOfAStartThatHardlyRan) {
  Stretch s = two_threads(2.0, 0, 0);
  s.before.voluntary.reset();
  EXPECT_FALSE(spin(s));
  EXPECT_FALSE(spin(two_threads(0.01, 1.99, 0)));
}

TEST(BestSource, WithoutAnythingElseIsCpuTime) { EXPECT_EQ(best(one_thread()), Source::cputime); }

TEST(BestSource, PrefersProgressThenCallsThenInstructions) {
  Stretch s = one_thread();
  s.before.instructions = 1e9, s.after.instructions = 2e9;
  s.before.cycles = 1e9, s.after.cycles = 3e9;
  EXPECT_EQ(best(s), Source::ips);
  s.before.calls = 0, s.after.calls = 5000;
  EXPECT_EQ(best(s), Source::calls);
  s.before.progress = 1, s.after.progress = 40;
  EXPECT_EQ(best(s), Source::progress);
}

TEST(BestSource, OfASpinnerIsNeverCpuTimeNorInstructions) {
  Stretch s = two_threads(2.0, 0, 0);
  s.before.instructions = 1e9, s.after.instructions = 2e9;
  s.before.cycles = 1e9, s.after.cycles = 3e9;
  for (const SpeedWish wish :
       {SpeedWish::automatic, SpeedWish::ipc, SpeedWish::ips, SpeedWish::cputime})
    EXPECT_EQ(best(s, wish, true), Source::none);
  s.before.calls = 0, s.after.calls = 2;
  EXPECT_EQ(best(s, SpeedWish::ipc, true), Source::calls);
}

TEST(BestSource, PassesByAHandfulOfCallsWhereCpuTimeTells) {
  Stretch s = one_thread();
  s.before.calls = 0, s.after.calls = 1;
  EXPECT_EQ(best(s), Source::cputime);
  EXPECT_EQ(best(s, SpeedWish::calls), Source::calls);
}

TEST(BestSource, TakesTheWishWhereItWorksElseWhatAutomaticTakes) {
  Stretch s = one_thread();
  EXPECT_EQ(best(s, SpeedWish::ipc), Source::cputime);
  s.before.instructions = 1e9, s.after.instructions = 2e9;
  EXPECT_EQ(best(s, SpeedWish::ipc), Source::ips);
  s.before.cycles = 1e9, s.after.cycles = 3e9;
  EXPECT_EQ(best(s, SpeedWish::ipc), Source::ipc);
  EXPECT_EQ(best(s, SpeedWish::cputime), Source::cputime);
}

TEST(BestSource, OfATaskThatSleepsIsItsShare) {
  Stretch s = two_threads(0.0005, 0.0001, 10);
  EXPECT_EQ(best(s), Source::share);
  s.before.run = s.after.run = 0;  // a kernel without schedstat
  EXPECT_EQ(best(s), Source::none);
}

TEST(BestSource, OfAShellThatStartsACommandNowAndThenIsItsShare) {
  Stretch s = one_thread();
  s.after.cpu = s.before.cpu + 0.016;
  s.after.run = s.before.run + 0.016;
  s.before.instructions = 0;
  s.after.instructions = 4e7;
  EXPECT_EQ(best(s), Source::share);
  EXPECT_EQ(best(s, SpeedWish::cputime), Source::cputime);
}

TEST(BestSource, OfAStarvedTaskIsItsCpuTime) {
  Stretch s = one_thread();
  s.after.cpu = s.before.cpu + 0.016;
  s.after.run = s.before.run + 0.016;
  s.after.wait = s.before.wait + 0.98;
  EXPECT_EQ(best(s), Source::cputime);
}

TEST(Observed, IpcIsInstructionsOverCyclesTimesCpuSeconds) {
  Stretch s = two_threads(1.5, 0, 0);
  s.before.instructions = 1e9, s.after.instructions = 4e9;
  s.before.cycles = 1e9, s.after.cycles = 3e9;
  EXPECT_DOUBLE_EQ(*seen(s, Source::ipc).amount, 1.5 * 1.5);
  EXPECT_DOUBLE_EQ(*seen(s, Source::ips).amount, 3e9);
}

TEST(Observed, NoCyclesAreNoSampleRatherThanNoSpeed) {
  Stretch s = one_thread();
  s.before.instructions = s.after.instructions = 1e9;
  s.before.cycles = s.after.cycles = 1e9;
  EXPECT_FALSE(seen(s, Source::ipc).amount);
  EXPECT_FALSE(seen(s, Source::ips).amount);
}

TEST(Observed, CallsCountEventsAndNoneOfThemIsNoSpeed) {
  Stretch s = one_thread();
  s.before.calls = 10, s.after.calls = 17;
  EXPECT_DOUBLE_EQ(*seen(s, Source::calls).amount, 7);
  EXPECT_DOUBLE_EQ(seen(s, Source::calls).events, 7);
  s.after.calls = 10;
  EXPECT_DOUBLE_EQ(seen(s, Source::calls).amount.value(), 0);
  EXPECT_DOUBLE_EQ(seen(s, Source::calls).events, 0);
}

TEST(Observed, ANumberShownCountsAsOneEventHoweverFarItJumps) {
  Stretch s = one_thread();
  s.before.progress = 1000, s.after.progress = 1300;
  EXPECT_TRUE(std::isinf(seen(s, Source::progress).events));
  s.before.progress_events = 10, s.after.progress_events = 13;
  EXPECT_DOUBLE_EQ(*seen(s, Source::progress).amount, 300);
  EXPECT_DOUBLE_EQ(seen(s, Source::progress).events, 3);
}

TEST(Observed, ProgressThatBeginsAgainIsNoSample) {
  Stretch s = one_thread();
  s.before.progress = 100, s.after.progress = 1;
  EXPECT_FALSE(seen(s, Source::progress).amount);
}

TEST(Observed, ShareIsTimeLessWhatItWasHeldUp) {
  const Stretch s = two_threads(0.3, 0.1, 0);
  EXPECT_NEAR(*seen(s, Source::share).amount, 0.75, 1e-12);
  EXPECT_NEAR(*seen(two_threads(0, 0, 0), Source::share).amount, 1, 1e-12);
}

TEST(Observed, TellsCpuWaitingAndBusyThreadsPerSecond) {
  Stretch s = two_threads(1.0, 3.0, 0);
  s.after.time = 12;
  const Observation o = seen(s, Source::cputime);
  EXPECT_EQ(o.task, 3U);
  EXPECT_EQ(o.unit, static_cast<int>(Source::cputime));
  EXPECT_DOUBLE_EQ(*o.amount, 1.0);
  EXPECT_TRUE(std::isinf(o.events));
  EXPECT_DOUBLE_EQ(o.cpu, 0.5);
  EXPECT_DOUBLE_EQ(o.waiting, 1.5);
  EXPECT_DOUBLE_EQ(o.busy_threads, 2.0);
}

TEST(Observed, HasNeverANegativeOrInfiniteAmount) {
  Stretch s = one_thread();
  s.before.instructions = s.before.cycles = s.before.calls = s.before.progress = 9;
  s.after.instructions = s.after.cycles = s.after.calls = s.after.progress = 8;
  s.after.cpu = s.before.cpu - 1;
  s.after.run = s.before.run - 1;
  s.after.wait = s.before.wait - 1;
  for (const double time : {11.0, 10.0, 9.0})
    for (const Source source : {Source::none, Source::progress, Source::calls, Source::ips,
                                Source::ipc, Source::cputime, Source::share}) {
      s.after.time = time;
      const Observation o = seen(s, source);
      const double made = o.amount.value_or(0);
      EXPECT_TRUE(std::isfinite(made) && made >= 0) << name(source);
      EXPECT_GE(o.cpu, 0);
      EXPECT_GE(o.waiting, 0);
      EXPECT_GE(o.busy_threads, 0);
    }
}

TEST(RunsFreely, MeansMostlyRunningAndHardlyWaiting) {
  const auto freely = [](const Stretch& s) { return runs_freely(s.before, s.after); };
  EXPECT_TRUE(freely(two_threads(1.0, 0.05, 0)));
  EXPECT_FALSE(freely(two_threads(1.0, 0.5, 0)));
  EXPECT_FALSE(freely(two_threads(0.2, 0, 0)));
}

std::vector<double> totals(std::initializer_list<double> sums) {
  GrowingTotal total;
  std::vector<double> taken;
  for (const double sum : sums) taken.push_back(total.take(sum));
  return taken;
}

TEST(GrowingTotal, ForgetsAFallThatTheNextSumMakesUpFor) {
  // A child of 4 s ended and its parent waits for it only after the second reading.
  EXPECT_EQ(totals({10, 7, 12, 13}), (std::vector<double>{10, 10, 12, 13}));
}

TEST(GrowingTotal, GoesOnFromTheLowerSumWhenNobodyWaitedForAProcess) {
  EXPECT_EQ(totals({100, 40, 42, 45}), (std::vector<double>{100, 100, 102, 105}));
}

TEST(GrowingTotal, TakesAFallByHundredthsForRounding) {
  EXPECT_EQ(totals({1, 0.99, 0.98, 1, 1.5}), (std::vector<double>{1, 1, 1, 1, 1.5}));
  // ... also where a fall is made up for
  EXPECT_EQ(totals({2, 1, 1.99, 2.5}), (std::vector<double>{2, 2, 2, 2.5}));
}

TEST(GrowingTotal, NeverFalls) {
  const auto taken = totals({3, 2.99, 2.98, 5, 0, 0.5, 9, 8});
  for (std::size_t i = 1; i < taken.size(); ++i) EXPECT_GE(taken[i], taken[i - 1]);
}

}  // namespace
}  // namespace cosched_exec
