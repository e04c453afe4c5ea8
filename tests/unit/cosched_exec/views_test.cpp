// SPDX-License-Identifier: BSD-3-Clause
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cosched_exec/task_file.hpp"
#include "cosched_exec/views/course.hpp"
#include "cosched_exec/views/report.hpp"

namespace {

using namespace cosched_exec;
using nlohmann::json;
using testing::HasSubstr;

std::vector<Task> two_tasks() {
  std::vector<Task> tasks{shell_task("./a 1", 1), shell_task("./b\n./c", 2)};
  tasks[0].name = "first";
  return tasks;
}

Outcome ended(int status, int signal, double start, double end) {
  Outcome outcome;
  outcome.kind = Outcome::Kind::ended;
  outcome.status = status;
  outcome.signal = signal;
  outcome.start = outcome.started_at = start;
  outcome.end = outcome.ended_at = end;
  return outcome;
}

Observed::Speed speed(TaskId task, double relative) {
  return {task, Source::calls, 10 * relative, relative, false};
}

Decided run_these(Combination run, std::string reason) {
  Decided decided;
  decided.decision.run = std::move(run);
  decided.decision.reason = std::move(reason);
  return decided;
}

/// Both run for 2 s at 0.5 and 1, then the first alone for 2 s at 1 (the other paused), then both
/// for 1 s at 0.5 and 1; then the second ends, and the first at 6 s.
Journal a_run() {
  Journal journal;
  journal.add(0, run_these({0, 1}, "all in parallel"));
  journal.add(0, TaskStarted{0});
  journal.add(0, TaskStarted{1});
  journal.add(2, Observed{{0, 1}, 2, {speed(0, 0.5), speed(1, 1)}});
  journal.add(2, run_these({0}, "alone"));
  journal.add(4, Observed{{0}, 2, {speed(0, 1)}});
  journal.add(4, run_these({0, 1}, "all in parallel"));
  journal.add(5, Observed{{0, 1}, 1, {speed(0, 0.5), speed(1, 1)}});
  journal.add(5, TaskEnded{1, 0, 0, 3});
  journal.add(5, run_these({0}, "the last one"));
  journal.add(6, Observed{{0}, 1, {speed(0, 1)}});
  journal.add(6, TaskEnded{0, 0, 0, 5});
  return journal;
}

TEST(Journal, TellsItsListenerAtOnce) {
  Journal journal;
  std::vector<double> times;
  journal.listen([&](const Event& event) { times.push_back(event.time); });
  journal.add(1, TaskStarted{0});
  journal.add(2, TaskEnded{});
  EXPECT_EQ(times, (std::vector<double>{1, 2}));
  EXPECT_EQ(journal.events().size(), 2U);
}

TEST(Journal, KeepsOnlyWhatIsWanted) {
  int told = 0;
  Journal journal(false);
  journal.listen([&](const Event&) { ++told; });
  for (int i = 0; i < 3; ++i) journal.add(i, TaskStarted{0});
  EXPECT_EQ(told, 3);
  EXPECT_TRUE(journal.events().empty());
}

TEST(Course, HasTotalsWithoutWhatGrows) {
  CourseFollower follower(2, CourseFollower::Detail::totals);
  const Journal journal = a_run();
  for (const Event& event : journal.events()) follower.follow(event);
  const Course run = follower.finish();
  EXPECT_EQ(run.running, (std::vector<double>{6, 3}));  // 1 is paused from 2 to 4
  EXPECT_EQ(run.under_way, (std::vector<double>{6, 5}));
  EXPECT_EQ(run.fairness, course(2, journal).fairness);
  EXPECT_TRUE(run.moments.empty() && run.spans[1].empty() && run.speeds[1].empty() &&
              run.choices.empty());
}

TEST(Course, CutsTheLifeOfATaskIntoSpans) {
  const Course run = course(2, a_run());
  ASSERT_EQ(run.spans[1].size(), 3U);
  EXPECT_DOUBLE_EQ(run.spans[1][0].to, 2);
  EXPECT_TRUE(run.spans[1][0].running);
  EXPECT_DOUBLE_EQ(run.spans[1][1].to, 4);
  EXPECT_FALSE(run.spans[1][1].running);
  EXPECT_DOUBLE_EQ(run.spans[1][2].to, 5);
  ASSERT_EQ(run.spans[0].size(), 1U);
  EXPECT_DOUBLE_EQ(run.spans[0][0].to, 6);
  EXPECT_DOUBLE_EQ(run.end, 6);
}

TEST(Course, KeepsThePauseOfATaskThatNeverEnded) {
  Journal journal;
  journal.add(0, TaskStarted{0});
  journal.add(1, run_these({}, "nothing"));
  journal.add(3, Noted{});
  const Course run = course(1, journal);
  ASSERT_EQ(run.spans[0].size(), 2U);
  EXPECT_DOUBLE_EQ(run.spans[0][1].to, 3);
  EXPECT_FALSE(run.spans[0][1].running);
}

TEST(Course, HoldsTheLastKnownSpeedOfATaskWhileItRuns) {
  Journal journal = a_run();
  journal.add(6, TaskStarted{1});
  journal.add(7, Observed{{1}, 1, {}});
  journal.add(7, TaskEnded{1});
  const Course run = course(2, journal);
  ASSERT_EQ(run.speeds[1].size(), 3U);  // none while it was paused
  EXPECT_DOUBLE_EQ(run.speeds[1][0].to, 2);
  EXPECT_DOUBLE_EQ(run.speeds[1][1].from, 4);
  EXPECT_DOUBLE_EQ(run.speeds[1][2].to, 7);
  EXPECT_DOUBLE_EQ(run.speeds[1][2].value, 1);
}

TEST(Course, KeepsWhyEachCombinationWasChosen) {
  const Course run = course(2, a_run());
  ASSERT_EQ(run.choices.size(), 4U);
  EXPECT_DOUBLE_EQ(run.choices[1].time, 2);
  EXPECT_EQ(run.choices[1].reason, "alone");
}

TEST(Course, SumsTheSpeedsOfACombination) {
  const Course run = course(2, a_run());
  ASSERT_EQ(run.moments.size(), 4U);
  EXPECT_DOUBLE_EQ(run.moments[0].speed.value(), 1.5);
  EXPECT_EQ(run.moments[0].running, 2U);
  EXPECT_DOUBLE_EQ(run.moments[1].speed.value(), 1);
  EXPECT_EQ(run.moments[1].running, 1U);
}

// W by hand: (1, 2) at 2 s, (3, 2) at 4 s, (3.5, 3) at 5 s; then only one is under way.
TEST(Course, FairnessIsJainsIndexOfTheWorkDone) {
  const Course run = course(2, a_run());
  EXPECT_DOUBLE_EQ(run.moments[0].fairness.value(), 9.0 / 10);
  EXPECT_DOUBLE_EQ(run.moments[1].fairness.value(), 25.0 / 26);
  const double third = 6.5 * 6.5 / (2 * (3.5 * 3.5 + 9));
  EXPECT_DOUBLE_EQ(run.moments[2].fairness.value(), third);
  EXPECT_FALSE(run.moments[3].fairness);
  EXPECT_DOUBLE_EQ(run.fairness.value(), (2 * 0.9 + 2 * 25.0 / 26 + third) / 5);
}

TEST(Course, ALateTaskBeginsWithTheLeastWork) {
  Journal journal;
  journal.add(0, TaskStarted{0});
  journal.add(4, Observed{{0}, 4, {speed(0, 1)}});
  journal.add(4, TaskStarted{1});
  journal.add(6, Observed{{0, 1}, 2, {speed(0, 1), speed(1, 1)}});
  EXPECT_DOUBLE_EQ(course(2, journal).fairness.value(), 1);  // 6 and 4 + 2
}

TEST(Course, OfOneTaskAtATimeHasNoFairness) {
  Journal journal;
  journal.add(0, TaskStarted{0});
  journal.add(2, Observed{{0}, 2, {speed(0, 1)}});
  journal.add(2, TaskEnded{0});
  journal.add(2, TaskStarted{1});
  journal.add(3, Observed{{1}, 1, {speed(1, 1)}});
  EXPECT_FALSE(course(2, journal).fairness);
}

TEST(Course, HasNoSpeedOfACombinationWithAnUnknownTask) {
  Journal journal;
  journal.add(0, TaskStarted{0});
  journal.add(0, TaskStarted{1});
  journal.add(2, Observed{{0, 1}, 2, {speed(0, 1)}});
  EXPECT_FALSE(course(2, journal).moments.at(0).speed);
}

TEST(Joblog, HasTheColumnsOfGnuParallelInTheOrderOfEnds) {
  Supervised supervised;
  supervised.outcomes = {ended(3, 0, 1000.5, 1002.75), ended(137, 9, 1000.25, 1001.5)};
  supervised.outcomes[0].sent = 7;
  std::ostringstream out;
  write_joblog(out, two_tasks(), supervised);
  // parallel 20221122 writes null characters for line ends in a command.
  std::string expected =
      "Seq\tHost\tStarttime\tJobRuntime\tSend\tReceive\tExitval\tSignal\tCommand\n"
      "2\t:\t1000.250\t     1.250\t0\t0\t0\t9\t./b@./c\n"
      "1\t:\t1000.500\t     2.250\t0\t7\t3\t0\t./a 1\n";
  std::ranges::replace(expected, '@', '\0');
  EXPECT_EQ(out.str(), expected);
}

TEST(Joblog, HasTimesByAClockOnTheWall) {
  Supervised supervised;
  supervised.outcomes = {ended(0, 0, 0.5, 2.5), Outcome()};  // and suspended for 8 s between
  supervised.outcomes[0].started_at = 1000;
  supervised.outcomes[0].ended_at = 1010;
  std::ostringstream out;
  write_joblog(out, two_tasks(), supervised);
  EXPECT_THAT(out.str(), HasSubstr("\n1\t:\t1000.000\t    10.000\t"));
}

TEST(Joblog, LeavesOutTasksThatWereNotRun) {
  Supervised supervised;
  supervised.outcomes.resize(2);
  std::ostringstream out;
  write_joblog(out, two_tasks(), supervised);
  EXPECT_EQ(std::ranges::count(out.str(), '\n'), 1);
}

std::vector<json> trace_of(const Journal& journal) {
  std::vector<json> lines;
  for (const Event& event : journal.events()) {
    std::ostringstream out;
    write_trace(out, two_tasks(), event);
    EXPECT_EQ(std::ranges::count(out.str(), '\n'), 1) << out.str();
    lines.push_back(json::parse(out.str()));
  }
  return lines;
}

TEST(Trace, IsALineOfJsonForEachEvent) {
  Journal journal = a_run();
  journal.add(7, Noted{1, "it \xff spins"});
  const std::vector<json> lines = trace_of(journal);
  EXPECT_EQ(lines[0], json::parse(R"({"time":0.0,"event":"decision","run":["first","2"],
      "reason":"all in parallel","probe":false,"seconds":3.0,"speed":null})"));
  EXPECT_EQ(lines[1], json::parse(R"({"time":0.0,"event":"start","task":"first"})"));
  EXPECT_EQ(lines[3], json::parse(R"({"time":2.0,"event":"observation","ran":["first","2"],
      "seconds":2.0,"speeds":[
      {"task":"first","measure":"calls","rate":5.0,"relative":0.5,"spins":false},
      {"task":"2","measure":"calls","rate":10.0,"relative":1.0,"spins":false}]})"));
  EXPECT_EQ(
      lines[8],
      json::parse(R"({"time":5.0,"event":"end","task":"2","status":0,"signal":0,"cpu":3.0})"));
  EXPECT_EQ(lines.back()["event"], "note");
  EXPECT_EQ(lines.back()["task"], "2");
}

TEST(Timeline, HasARowForEachTaskWithItsSpans) {
  std::ostringstream out;
  write_timeline(out, two_tasks(), course(2, a_run()));
  const json timeline = json::parse(out.str());
  double running = 0, paused = 0;
  std::vector<std::string> rows;
  for (const json& event : timeline["traceEvents"]) {
    for (const char* key : {"name", "ph", "pid"}) EXPECT_TRUE(event.contains(key)) << event;
    if (event["ph"] == "M" && event["name"] == "thread_name") rows.push_back(event["args"]["name"]);
    if (event["ph"] != "X" || event["tid"] != 2) continue;
    (event["name"] == "running" ? running : paused) += event["dur"].get<double>();
  }
  EXPECT_EQ(rows, (std::vector<std::string>{"first", "2"}));
  EXPECT_DOUBLE_EQ(running, 3e6);
  EXPECT_DOUBLE_EQ(paused, 2e6);
}

TEST(Timeline, HasCounters) {
  std::ostringstream out;
  write_timeline(out, two_tasks(), course(2, a_run()));
  std::vector<double> running;
  const json timeline = json::parse(out.str());
  for (const json& event : timeline["traceEvents"])
    if (event["ph"] == "C" && event["name"] == "tasks running")
      running.push_back(event["args"]["tasks running"]);
  EXPECT_EQ(running, (std::vector<double>{2, 1, 2, 1}));
}

TEST(Timeline, OfNothingIsStillJson) {
  std::ostringstream out;
  write_timeline(out, {}, course(0, Journal()));
  EXPECT_TRUE(json::accept(out.str())) << out.str();
}

Report a_report() {
  Report report;
  report.makespan = 6;
  report.rows = {{4, 1.5, 1}, {0, 0, 0.6}};
  report.fairness = 0.94;
  report.optimum = 5.5;
  report.probing_cost = 0.25;
  return report;
}

std::string summary(const std::vector<Task>& tasks, const Supervised& supervised,
                    const Report& report) {
  std::ostringstream out;
  write_summary(out, tasks, supervised, report);
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(std::ranges::count_if(line, [](char c) { return (c & 0xc0) != 0x80; }), 80) << line;
  return out.str();
}

TEST(Summary, IsATableOfTheTasksAndTheFigures) {
  Supervised supervised;
  supervised.outcomes = {ended(0, 0, 100, 106), ended(137, 9, 100, 105)};
  supervised.outcomes[0].source = Source::calls;
  EXPECT_EQ(summary(two_tasks(), supervised, a_report()),
            "task      alone      took slowdown   run   measure     exit\n"
            "first       4 s       6 s     1.50 100 %     calls        0\n"
            "2             -       5 s        -  60 %      none  SIGKILL\n"
            "2 tasks: 1 ok, 1 failed\n"
            "makespan 6 s, within 9 % of the optimum 5.5 s for the measured speeds\n"
            "fairness J 0.94, probing cost 250 ms\n");
}

TEST(Summary, SaysNothingOfWhatIsNotKnown) {
  Supervised supervised;
  supervised.outcomes.resize(2);
  Report report;
  report.rows.resize(2);
  const std::string text = summary(two_tasks(), supervised, report);
  EXPECT_THAT(text, HasSubstr("not run\n"));
  EXPECT_EQ(text.find("optimum"), std::string::npos);
  EXPECT_EQ(text.find("fairness"), std::string::npos);
}

TEST(Summary, TellsWhatWasStoppedFromWhatFailed) {
  Supervised supervised;
  supervised.outcomes = {ended(143, 15, 0, 1), Outcome()};
  supervised.outcomes[0].ended_by_us = true;
  Report report;
  report.rows.resize(2);
  EXPECT_THAT(summary(two_tasks(), supervised, report),
              HasSubstr("2 tasks: 0 ok, 0 failed, 1 stopped, 1 not run\n"));
}

TEST(Summary, CutsLongNames) {
  std::vector<Task> tasks = two_tasks();
  tasks[0].name = std::string(90, 'x');
  tasks[1].name = "\xc3\xa4\xc3\xb6\xc3\xbc";
  Supervised supervised;
  supervised.outcomes.resize(2);
  Report report;
  report.rows.resize(2);
  const std::string text = summary(tasks, supervised, report);
  EXPECT_THAT(text, HasSubstr("\n" + std::string(23, 'x') + "~ "));
  EXPECT_THAT(text, HasSubstr("\n\xc3\xa4\xc3\xb6\xc3\xbc" + std::string(21, ' ')));
}

TEST(Summary, OfManyTasksListsTheFailed) {
  std::vector<Task> tasks;
  Supervised supervised;
  for (std::size_t i = 0; i < 100; ++i) {
    tasks.push_back(shell_task("a", i + 1));
    supervised.outcomes.push_back(ended(i == 49 ? 3 : 0, 0, 0, 1));
  }
  Report report;
  report.rows.resize(tasks.size());
  const std::string text = summary(tasks, supervised, report);
  EXPECT_THAT(text, HasSubstr("\n50 "));
  EXPECT_EQ(text.find("\n49 "), std::string::npos);
  EXPECT_THAT(text, HasSubstr("100 tasks: 99 ok, 1 failed\n"));
}

TEST(RunJson, TellsTheFiguresAndEachTask) {
  Supervised supervised;
  supervised.outcomes = {ended(0, 0, 100, 106), ended(137, 9, 100, 105)};
  std::ostringstream out;
  write_json(out, two_tasks(), Options{}, supervised, a_report());
  const json told = json::parse(out.str());
  EXPECT_EQ(told["strategy"], "auto");
  EXPECT_EQ(told["makespan"], 6.0);
  EXPECT_NEAR(told["excess"].get<double>(), 6 / 5.5 - 1, 1e-12);
  EXPECT_EQ(told["status"], 137);
  ASSERT_EQ(told["tasks"].size(), 2U);
  EXPECT_EQ(told["tasks"][0]["name"], "first");
  EXPECT_EQ(told["tasks"][0]["alone"], 4.0);
  EXPECT_EQ(told["tasks"][1]["alone"], nullptr);
  EXPECT_EQ(told["tasks"][1]["signal"], 9);
}

TEST(ExitStatus, DoesNotCountWhatWasStopped) {
  Supervised supervised;
  supervised.outcomes = {ended(143, 15, 0, 1), ended(5, 0, 0, 1)};
  supervised.outcomes[0].ended_by_us = true;
  EXPECT_EQ(exit_status(supervised), 5);
}

TEST(ExitStatus, IsThatOfAFailureOfOurOwnWhateverElseHappened) {
  Supervised supervised;
  supervised.outcomes = {ended(5, 0, 0, 1)};
  supervised.interrupted = 2;
  supervised.failure = "it is only a test";
  EXPECT_EQ(exit_status(supervised), 125);
}

TEST(SignalName, IsItsNumberWhereItHasNone) {
  EXPECT_EQ(signal_name(9), "SIGKILL");
  EXPECT_EQ(signal_name(40), "signal 40");
}

TEST(ExitStatus, IsThatOfTheFailedTaskThatComesFirstInTheList) {
  Supervised supervised;
  supervised.outcomes = {ended(0, 0, 0, 1), ended(5, 0, 0, 9), ended(143, 15, 0, 1)};
  EXPECT_EQ(exit_status(supervised), 5);
  supervised.outcomes[1].status = 0;
  EXPECT_EQ(exit_status(supervised), 143);
  supervised.outcomes[2] = Outcome();
  EXPECT_EQ(exit_status(supervised), 0);
  supervised.interrupted = 2;
  EXPECT_EQ(exit_status(supervised), 130);
}

}  // namespace
