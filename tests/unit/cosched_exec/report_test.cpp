// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/views/report.hpp"

#include <gtest/gtest.h>

#include "cosched_exec/task_file.hpp"

namespace {

using namespace cosched_exec;

/// Two tasks: 1 s alone each, then 5 s together at 0.8 of their speeds, then both end at 7 s.
class TwoTasks : public testing::Test {
 protected:
  TwoTasks() : scheduler_(SchedulerOptions{.strategy = Strategy::fcs}) {
    for (const TaskId id : {0U, 1U}) {
      tasks_.push_back(shell_task("./a", id + 1));
      scheduler_.admit({id, id == 0 ? "a" : "b", true}, 0);
      journal_.add(0, TaskStarted{id});
    }
    ran({0}, 0, 1, 1);
    ran({1}, 1, 1, 1);
    ran({0, 1}, 2, 5, 4);
    for (const TaskId id : {0U, 1U}) {
      scheduler_.end(id, 7);
      journal_.add(7, TaskEnded{id});
      Outcome outcome;
      outcome.kind = Outcome::Kind::ended;
      outcome.start = 1000;
      outcome.end = 1007;
      outcome.source = Source::cputime;
      supervised_.outcomes.push_back(outcome);
    }
  }

  void ran(const Combination& combination, double from, double seconds, double amount) {
    Decided decided;
    decided.decision.run = combination;
    journal_.add(from, decided);
    std::vector<Observation> seen;
    for (const TaskId id : combination)
      seen.push_back({.task = id, .amount = amount, .unit = 1, .cpu = 1, .busy_threads = 1});
    scheduler_.observe(combination, seconds, seconds, seen, from + seconds);
    journal_.add(from + seconds, Observed{combination, seconds, {}});
  }

  Report told() const {
    return report(tasks_, supervised_, scheduler_, course(tasks_.size(), journal_));
  }

  std::vector<Task> tasks_;
  Scheduler scheduler_;
  Journal journal_;
  Supervised supervised_;
};

// W = 1 + 5 * 0.8 = 5 for both.
TEST_F(TwoTasks, HaveATimeAloneASlowdownAndAShareOfTime) {
  const Report report = told();
  EXPECT_DOUBLE_EQ(report.makespan, 7);
  for (const Report::Row& row : report.rows) {
    EXPECT_NEAR(row.alone, 5, 0.05);
    EXPECT_NEAR(row.slowdown, 7.0 / 5, 0.02);
    EXPECT_NEAR(row.share_run, 6.0 / 7, 1e-9);
  }
}

// Best is all the time together: 5 s of work at 0.8.
TEST_F(TwoTasks, AreComparedWithTheOptimumForTheirSpeeds) {
  const Report report = told();
  ASSERT_TRUE(report.optimum);
  EXPECT_NEAR(*report.optimum, 6.25, 0.1);
  EXPECT_NEAR(excess(report).value(), 7 / 6.25 - 1, 0.02);
}

TEST_F(TwoTasks, HaveNoTimeAloneWhereNothingWasMeasured) {
  supervised_.outcomes[1].source = Source::none;
  const Report report = told();
  EXPECT_GT(report.rows[0].alone, 0);
  EXPECT_EQ(report.rows[1].alone, 0);
  EXPECT_EQ(report.rows[1].slowdown, 0);
}

TEST_F(TwoTasks, AreNotComparedWithAnOptimumWhenTheyWereCutShort) {
  supervised_.interrupted = 2;
  EXPECT_FALSE(told().optimum);
  supervised_.interrupted = 0;
  supervised_.outcomes[0].ended_by_us = true;
  EXPECT_FALSE(told().optimum);
}

// 6.25 s by the speeds: but there was a schedule of 6 s, the run.
TEST_F(TwoTasks, HaveNoOptimumAboveTheirRun) {
  for (Outcome& outcome : supervised_.outcomes) outcome.end = 1006;
  EXPECT_DOUBLE_EQ(told().optimum.value_or(0), 6);
}

TEST_F(TwoTasks, OfWhichOneTookNextToNoTimeHaveAnOptimumWithoutIt) {
  tasks_.push_back(shell_task("true", 3));
  Outcome outcome;
  outcome.kind = Outcome::Kind::ended;
  outcome.start = outcome.end = 1000;
  supervised_.outcomes.push_back(outcome);
  scheduler_.admit({2, "true", true}, 7);
  scheduler_.end(2, 7);
  EXPECT_NEAR(told().optimum.value_or(0), 6.25, 0.1);
}

TEST_F(TwoTasks, ThatWereNotRunHaveNoFigures) {
  supervised_.outcomes.assign(2, Outcome());
  const Report report = told();
  EXPECT_EQ(report.makespan, 0);
  EXPECT_FALSE(report.optimum);
  EXPECT_EQ(report.rows.at(0).alone, 0);
}

TEST(Excess, IsNeverBelowTheOptimum) {
  Report report;
  report.makespan = 4;
  EXPECT_FALSE(excess(report));
  report.optimum = 5;
  EXPECT_EQ(excess(report), 0.0);
}

}  // namespace
