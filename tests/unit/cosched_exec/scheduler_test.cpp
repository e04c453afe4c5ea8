// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/scheduler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace {

using cosched_exec::Combination;
using cosched_exec::Decision;
using cosched_exec::Observation;
using cosched_exec::Scheduler;
using cosched_exec::SchedulerOptions;
using cosched_exec::Strategy;
using cosched_exec::TaskId;

/// Runs what is decided; f of a task in a set is a function of them, its rate alone is 1.
class Scheduling : public ::testing::Test {
 protected:
  void begin(Strategy strategy, std::size_t tasks, const std::string& program = "") {
    options_.strategy = strategy;
    scheduler_.emplace(options_);
    for (TaskId id = 0; id < tasks; ++id) admit(id, program);
  }
  void admit(TaskId id, const std::string& program = "", bool pausable = true) {
    scheduler_->admit({id, program.empty() ? "program" + std::to_string(id) : program, pausable},
                      now_);
  }
  Decision decide() { return scheduler_->decide(now_); }

  /// As the supervisor: 100 ms after a change of the set are not measured.
  void run(const Combination& set, double seconds) {
    const double measured = set == last_ ? seconds : seconds - 0.1;
    last_ = set;
    now_ += seconds;
    std::vector<Observation> seen;
    for (const TaskId id : set) {
      Observation each;
      each.task = id;
      if (measure_) each.amount = f_(id, set) * measured;
      each.unit = unit_;
      each.cpu = 1;
      dress_(each);
      seen.push_back(each);
    }
    scheduler_->observe(set, seconds, measured, seen, now_);
  }
  Decision step() {
    const Decision decision = decide();
    run(decision.run, decision.seconds);
    return decision;
  }
  void end(TaskId id) { scheduler_->end(id, now_); }
  /// Sets decided in so many steps.
  std::vector<Combination> steps(int count) {
    std::vector<Combination> result;
    for (int k = 0; k < count; ++k) result.push_back(step().run);
    return result;
  }

  SchedulerOptions options_;
  std::optional<Scheduler> scheduler_;
  double now_ = 0;
  Combination last_;
  int unit_ = 1;
  bool measure_ = true;
  std::function<double(TaskId, const Combination&)> f_ = [](TaskId, const Combination&) {
    return 1.0;
  };
  std::function<void(Observation&)> dress_ = [](Observation&) {};
};

TEST_F(Scheduling, SeqRunsOneAfterAnotherInListOrder) {
  begin(Strategy::seq, 3);
  EXPECT_EQ(steps(2), (std::vector<Combination>{{0}, {0}}));
  end(0);
  EXPECT_EQ(step().run, Combination{1});
  admit(3);
  EXPECT_EQ(step().run, Combination{1});
  end(1);
  EXPECT_EQ(step().run, Combination{2});
}

TEST_F(Scheduling, ParRunsAll) {
  begin(Strategy::par, 3);
  EXPECT_EQ(step().run, (Combination{0, 1, 2}));
  end(1);
  admit(7);
  EXPECT_EQ(step().run, (Combination{0, 2, 7}));
}

TEST_F(Scheduling, FcsTriesEachAloneAndAllOnceAndThenTakesTheFastest) {
  // 0 and 1 fit together, 2 stops both.
  f_ = [](TaskId, const Combination& set) {
    return set.size() == 1 ? 1.0 : std::count(set.begin(), set.end(), TaskId{2}) ? 0.1 : 0.95;
  };
  begin(Strategy::fcs, 3);
  EXPECT_EQ(steps(4), (std::vector<Combination>{{0}, {1}, {2}, {0, 1, 2}}));
  for (int k = 0; k < 4; ++k) step();  // a pair that was not measured may be tried
  EXPECT_EQ(step().run, (Combination{0, 1}));
  const auto before = now_;
  EXPECT_EQ(steps(3), (std::vector<Combination>(3, {0, 1})));
  EXPECT_NEAR(now_ - before, 3 * options_.interval, 1e-9);
}

TEST_F(Scheduling, LikeTasksAreTriedOnce) {
  f_ = [](TaskId, const Combination& set) { return std::min(1.0, 2.0 / double(set.size())); };
  begin(Strategy::fcs, 4, "same");
  EXPECT_EQ(step().run.size(), 1u);
  EXPECT_EQ(step().run.size(), 4u);
  EXPECT_GT(step().run.size(), 1u);
}

TEST_F(Scheduling, FcsChoosesAgainWhenSpeedsChangeForTwoLooks) {
  double together = 0.9;
  f_ = [&](TaskId, const Combination& set) { return set.size() == 1 ? 1.0 : together; };
  begin(Strategy::fcs, 2);
  steps(3);
  EXPECT_EQ(step().run, (Combination{0, 1}));
  together = 0.3;
  EXPECT_EQ(step().run, (Combination{0, 1})) << "the change has not been seen yet";
  EXPECT_EQ(step().run, (Combination{0, 1})) << "one look may be noise";
  EXPECT_EQ(step().run.size(), 1u) << "two are a change";
}

TEST_F(Scheduling, FcsDropsAnEstimateThatProvesWrongAtOnce) {
  f_ = [](TaskId, const Combination& set) { return set.size() == 1 ? 1.0 : 0.05; };
  begin(Strategy::fcs, 4, "same");
  EXPECT_EQ(step().run.size(), 1u);
  EXPECT_EQ(step().run.size(), 4u);
  // By interpolation a pair makes 2 (1 - 0.95 / 3) = 1.37, in truth 0.1.
  const double before = now_;
  EXPECT_EQ(step().run.size(), 2u);
  EXPECT_LT(now_ - before, 1);
  for (const Combination& set : steps(10)) EXPECT_EQ(set.size(), 1u);
}

TEST_F(Scheduling, OneOddLookIsNoChange) {
  double together = 0.9;
  f_ = [&](TaskId, const Combination& set) { return set.size() == 1 ? 1.0 : together; };
  begin(Strategy::fcs, 2);
  steps(4);
  for (int k = 0; k < 6; ++k) {
    together = k % 2 == 0 ? 0.3 : 0.9;
    EXPECT_EQ(step().run, (Combination{0, 1}));
  }
  EXPECT_DOUBLE_EQ(scheduler_->speed(0, {0, 1}).value_or(0), 0.9);
}

TEST_F(Scheduling, PfGivesTurnsToTasksThatExcludeEachOther) {
  f_ = [](TaskId, const Combination& set) { return set.size() == 1 ? 1.0 : 0.1; };
  begin(Strategy::pf, 3);
  steps(4);
  steps(30);
  for (TaskId id = 0; id < 3; ++id) EXPECT_NEAR(scheduler_->work(id), 30, 6) << id;
}

TEST_F(Scheduling, PfStartsALateTaskAtTheLeastWorkOfTheOthers) {
  f_ = [](TaskId, const Combination& set) { return set.size() == 1 ? 1.0 : 0.1; };
  begin(Strategy::pf, 2);
  steps(3);
  steps(40);
  admit(2);
  const double before = scheduler_->work(0) + scheduler_->work(1);
  steps(30);
  // Had it begun at no work, the other two would have stood still.
  EXPECT_GT(scheduler_->work(0) + scheduler_->work(1) - before, 45);
  EXPECT_GT(scheduler_->work(2), 20);
}

TEST_F(Scheduling, AutoStartsWithAllAndStaysThereWhenNothingSpeaksAgainstIt) {
  begin(Strategy::automatic, 4);
  options_.processors = 4;
  for (const Combination& set : steps(3)) EXPECT_EQ(set.size(), 4u);
  double alone = 0;
  while (now_ < 200) {
    const double before = now_;
    if (step().run.size() < 4) alone += now_ - before;
  }
  EXPECT_LT(alone, 0.05 * 200);
  EXPECT_GT(alone, 0) << "memory and disks can only be seen by trying";
}

TEST_F(Scheduling, AutoRunsSpinnersThatStopEachOtherOneAfterTheOther) {
  f_ = [](TaskId, const Combination& set) { return set.size() == 1 ? 1.0 : 0.02; };
  options_.processors = 2;
  options_.longest_pause = 1000;
  dress_ = [this](Observation& seen) {
    seen.spins = true;
    seen.busy_threads = 2;
    seen.cpu = last_.size() == 1 ? 2 : 1;
    seen.waiting = last_.size() == 1 ? 0 : 1;
  };
  begin(Strategy::automatic, 2);
  EXPECT_EQ(step().run.size(), 2u);
  const auto sets = steps(30);
  EXPECT_EQ(std::count_if(sets.begin(), sets.end(), [](const auto& set) { return set.size() > 1; }),
            0);
  // No needless switching: after the probes one goes on.
  EXPECT_EQ(std::count(sets.begin() + 3, sets.end(), sets[3]), 27);
}

TEST_F(Scheduling, AutoComesBackToAPairThatWasDisturbedWhenItWasTried) {
  const Combination good{0, 1};
  double disturbed_until = 15;  // by something else on the node
  f_ = [&](TaskId, const Combination& set) {
    if (set.size() == 1) return 1.0;
    if (set != good) return set.size() == 2 ? 0.5 : 0.3;
    return now_ > disturbed_until ? 0.95 : 0.3;
  };
  options_.processors = 4;
  options_.longest_pause = 1000;
  begin(Strategy::automatic, 3);
  double early = 0, late = 0;
  while (now_ < 100) {
    const double before = now_;
    if (step().run == good) (before < disturbed_until ? early : late) += now_ - before;
  }
  EXPECT_GT(early, 0) << "it was not tried while it was disturbed";
  EXPECT_GT(late, 50);
}

TEST_F(Scheduling, ATaskInItsFirstMomentsIsInEverySet) {
  f_ = [](TaskId, const Combination& set) { return set.size() == 1 ? 1.0 : 0.1; };
  begin(Strategy::fcs, 3);
  ASSERT_EQ(decide().run, Combination{0});
  run({0}, 0.3);  // looked at early, as when another task has ended
  EXPECT_EQ(decide().run, Combination{0});
  run({0}, 0.3);
  EXPECT_EQ(decide().run, Combination{1});
}

TEST_F(Scheduling, ATaskThatIsNotPausableIsInEverySet) {
  f_ = [](TaskId, const Combination& set) { return set.size() == 1 ? 1.0 : 0.1; };
  begin(Strategy::fcs, 3);
  admit(3, "stubborn", false);
  for (const Combination& set : steps(20)) EXPECT_TRUE(std::count(set.begin(), set.end(), 3u));
}

TEST_F(Scheduling, ATaskThatWasPausedForLongRunsForAnInterval) {
  f_ = [](TaskId id, const Combination& set) {
    return set.size() == 1 || id != 2 ? 1.0 : 0.01;  // best without 2
  };
  options_.longest_pause = 20;
  begin(Strategy::fcs, 3);
  double last = 0, longest = 0;
  while (now_ < 200) {
    const Decision decision = step();
    if (std::count(decision.run.begin(), decision.run.end(), TaskId{2})) last = now_;
    longest = std::max(longest, now_ - last);
  }
  EXPECT_LE(longest, options_.longest_pause + 2 * options_.interval);
}

TEST_F(Scheduling, AnotherUnitIsAnotherStage) {
  f_ = [](TaskId, const Combination& set) { return set.size() == 1 ? 1.0 : 0.9; };
  begin(Strategy::fcs, 2);
  steps(4);
  const double before = scheduler_->work(0);
  unit_ = 2;
  const auto sets = steps(4);
  EXPECT_TRUE(std::count(sets.begin(), sets.end(), Combination{0}));
  EXPECT_TRUE(std::count(sets.begin(), sets.end(), Combination{1}));
  EXPECT_GT(scheduler_->work(0), before);
}

TEST_F(Scheduling, UnlikeMembersOfAClassAreToldApart) {
  f_ = [](TaskId id, const Combination& set) {
    return (id == 1 ? 3.0 : 1.0) *
           (set.size() == 1 ? 1.0 : 0.9);  // rates: 1 goes three times as fast
  };
  begin(Strategy::fcs, 3, "same");
  steps(8);
  for (const TaskId id : {0u, 1u, 2u})
    EXPECT_NEAR(scheduler_->speed(id, {0, 1, 2}).value_or(0), 0.9, 0.1) << id;
}

TEST_F(Scheduling, ASpinnerThatNothingMeasuresRunsWithoutBusyCompany) {
  options_.processors = 2;
  measure_ = false;
  dress_ = [](Observation& seen) {
    if (seen.task > 1) {
      seen.amount = 0.05;
      seen.cpu = 0.05;  // sleepers
      return;
    }
    seen.spins = true;
    seen.cpu = 1;
    seen.busy_threads = 2;
    seen.waiting = 1;
  };
  begin(Strategy::automatic, 4);
  steps(6);
  for (const Combination& set : steps(10))
    EXPECT_LT(std::count(set.begin(), set.end(), TaskId{0}) +
                  std::count(set.begin(), set.end(), TaskId{1}),
              2);
}

TEST_F(Scheduling, UnmeasuredTasksThatDoNotSpinRunInParallel) {
  measure_ = false;
  begin(Strategy::automatic, 4);
  for (const Combination& set : steps(20)) EXPECT_EQ(set.size(), 4u);
  EXPECT_DOUBLE_EQ(scheduler_->work(0), now_) << "by time where nothing was measured";
}

TEST_F(Scheduling, WhatRunsUndecidedCannotBePaused) {
  begin(Strategy::fcs, 3);
  const Decision first = decide();
  run(first.run, 0.6);
  const Decision second = decide();
  Combination both = {0, 1};
  ASSERT_EQ(second.run, Combination{1});
  run(both, 0.6);
  for (int k = 0; k < 5; ++k) {
    const Combination set = step().run;
    EXPECT_TRUE(std::count(set.begin(), set.end(), TaskId{0}));
  }
}

TEST_F(Scheduling, TheTableHoldsWorkAndSpeeds) {
  f_ = [](TaskId, const Combination& set) { return set.size() == 1 ? 1.0 : 0.75; };
  begin(Strategy::fcs, 2);
  EXPECT_FALSE(scheduler_->table(Combination{0, 1})) << "nothing is known yet";
  steps(5);
  const auto table = scheduler_->table(Combination{0, 1});
  ASSERT_TRUE(table);
  ASSERT_EQ(table->f.size(), 4u);
  EXPECT_DOUBLE_EQ(table->f[1][0], 1);
  EXPECT_DOUBLE_EQ(table->f[3][0], 0.75);
  EXPECT_DOUBLE_EQ(table->f[3][1], 0.75);
  EXPECT_DOUBLE_EQ(table->p[0], scheduler_->work(0));
  // Alone for 0.6 s, the rest of the time together at 0.75.
  EXPECT_NEAR(scheduler_->work(0), 0.6 + 0.75 * (now_ - 1.2), 1e-9);
}

TEST_F(Scheduling, TheTablePromisesOfUnmeasuredSetsOnlyWhatMonotonyDoes) {
  f_ = [](TaskId, const Combination& set) { return set.size() == 1 ? 1.0 : 0.9; };
  begin(Strategy::fcs, 3);  // 2.7 together: no pair is ever tried
  steps(6);
  const auto table = scheduler_->table(Combination{0, 1, 2});
  ASSERT_TRUE(table);
  EXPECT_DOUBLE_EQ(table->f[7][0], 0.9);
  EXPECT_DOUBLE_EQ(table->f[3][0], 0.9);
  EXPECT_DOUBLE_EQ(table->f[3][1], 0.9);
}

TEST_F(Scheduling, ProbingCostsWhatTheChosenSetWouldHaveDone) {
  begin(Strategy::fcs, 2);  // no slowdown at all: together twice as fast
  EXPECT_DOUBLE_EQ(scheduler_->probing_cost(), 0);
  steps(4);
  // Two solo probes of 0.6 s at speed 1 in place of 2; the probe of all loses nothing.
  EXPECT_NEAR(scheduler_->probing_cost(), 2 * 0.6 / 2, 1e-9);
}

}  // namespace
