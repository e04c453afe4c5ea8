// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/standby/formats/formats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "../../core/message_of.hpp"
#include "core/error.hpp"
#include "spare_plan/standby/formats/instants.hpp"
#include "spare_plan/standby/formats/pbs_fields.hpp"
#include "spare_plan/standby/tell.hpp"
#include "traces.hpp"

namespace {

using namespace spare_plan::standby;
using testing::HasSubstr;

std::size_t count(const JobHistory& history, LeftOut why) { return history.count(why).lines; }

std::vector<std::uint32_t> nodes(const JobHistory& history) {
  std::vector<std::uint32_t> all;
  for (const auto& job : history.jobs) all.push_back(job.nodes);
  return all;
}

// --- Standard Workload Format

constexpr const char* kSwf = "7 50 3 100 4 -1 -1 8 600 -1 1 1 1 -1 1 5 -1 -1\n";

TEST(Swf, TakesSubmitRunRequestedProcessorsAndTime) {
  const auto history = history_from(kSwf);
  ASSERT_EQ(history.jobs.size(), 1);
  EXPECT_EQ(history.jobs[0].submit, 50);
  EXPECT_EQ(history.jobs[0].run, 100);
  EXPECT_EQ(history.jobs[0].nodes, 8);
  EXPECT_EQ(history.jobs[0].estimate, 600);
}

TEST(Swf, FallsBackToAllocatedProcessorsAndToTheRunTime) {
  const auto history = history_from("7 50 3 100 4 -1 -1 -1 -1 -1 1 1 1 -1 1 5 -1 -1\n");
  EXPECT_EQ(history.jobs.at(0).nodes, 4);
  EXPECT_EQ(history.jobs.at(0).estimate, 100);
}

TEST(Swf, ARunBeyondItsLimitIsItsOwnEstimate) {
  const auto history = history_from("7 50 3 700 4 -1 -1 8 600 -1 1 1 1 -1 1 5 -1 -1\n");
  EXPECT_EQ(history.jobs.at(0).estimate, 700);
}

TEST(Swf, RoundsNodesUp) {
  EXPECT_EQ(history_from(kSwf, {}, {3, {}, GroupBy::none}).jobs.at(0).nodes, 3);
  EXPECT_EQ(history_from(kSwf, {}, {8, {}, GroupBy::none}).jobs.at(0).nodes, 1);
  EXPECT_EQ(history_from(kSwf, {}, {9, {}, GroupBy::none}).jobs.at(0).nodes, 1);
}

TEST(Swf, SkipsWhatHasNotRunOrHasNoNodes) {
  const auto history = history_from(
      "1 50 3 -1 4 -1 -1 8 600 -1 1 1 1 -1 1 5 -1 -1\n"
      "2 50 3 10 0 -1 -1 0 600 -1 1 1 1 -1 1 5 -1 -1\n"
      "3 50 3 10 -1 -1 -1 -1 600 -1 1 1 1 -1 1 5 -1 -1\n"
      "4 -1 3 10 4 -1 -1 8 600 -1 1 1 1 -1 1 5 -1 -1\n"
      "5 50 3 0 4 -1 -1 8 600 -1 1 1 1 -1 1 5 -1 -1\n");
  EXPECT_EQ(history.jobs.size(), 1);
  EXPECT_EQ(count(history, LeftOut::no_run), 1);
  EXPECT_EQ(count(history, LeftOut::no_nodes), 2);
  EXPECT_EQ(count(history, LeftOut::no_submit), 1);
  EXPECT_EQ(history.skipped(), 4);
}

TEST(Swf, RejectsWhatIsWiderThanTheMachine) {
  const auto history = history_from(kSwf, {}, {1, 7, GroupBy::none});
  EXPECT_TRUE(history.jobs.empty());
  EXPECT_EQ(history.rejected(), 1);
  EXPECT_EQ(history.skipped(), 0);
  EXPECT_EQ(history_from(kSwf, {}, {1, 8, GroupBy::none}).jobs.size(), 1);
}

TEST(Swf, ReadsLinesAsTheyAreInRealLogs) {
  const auto history = history_from(
      "; MaxProcs: 128 (of which 4 are for login)\r\n"
      ";\r\n"
      "\r\n"
      "   1 \t 0 -1 10.5 2 1950.25 -1 2 -1 -1 1 1 1 -1 1 -1 -1 -1\r\n"
      "2 0 -1 10 3 -1 -1 3 -1 -1 1 1 1 -1 1 -1 -1 -1 more columns than\n"
      "3 0 -1 10 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1 ; a remark\n"
      "4 0 -1 10 5 -1 -1 5 -1 -1 1 1 1 -1 1 -1 -1 -1");
  EXPECT_EQ(nodes(history), (std::vector<std::uint32_t>{2, 3, 4, 5}));
  EXPECT_EQ(history.jobs[0].run, 10.5);
  EXPECT_EQ(history.skipped(), 0);
}

TEST(Swf, SkipsLinesThatAreNone) {
  const auto history = history_from(
      "; a trace\n"
      "1 0 -1 10 2 -1 -1 2 -1 -1 1 1 1 -1 1 -1 -1\n"
      "1 0 -1 ten 2 -1 -1 2 -1 -1 1 1 1 -1 1 -1 -1 -1\n"
      "1 0 -1 nan 2 -1 -1 2 -1 -1 1 1 1 -1 1 -1 -1 -1\n"
      "1 0 -1 1e300 2 -1 -1 2 -1 -1 1 1 1 -1 1 -1 -1 -1\n"
      "1 0 -1 10 2 -1 -1 1e12 -1 -1 1 1 1 -1 1 -1 -1 -1\n");
  EXPECT_TRUE(history.jobs.empty());
  EXPECT_EQ(count(history, LeftOut::damaged), 3);
  EXPECT_EQ(history.count(LeftOut::damaged).first_line, 2);
  EXPECT_EQ(history.count(LeftOut::damaged).first_detail, "17 columns, want 18");
  EXPECT_EQ(count(history, LeftOut::no_run), 1);
  EXPECT_EQ(count(history, LeftOut::no_nodes), 1);
}

TEST(Swf, SortsBySubmitAndKeepsTheOrderOfOneInstant) {
  const auto history = history_from(
      "1 9 -1 10 1 -1 -1 1 -1 -1 1 1 1 -1 1 -1 -1 -1\n"
      "2 5 -1 10 2 -1 -1 2 -1 -1 1 1 1 -1 1 -1 -1 -1\n"
      "3 9 -1 10 3 -1 -1 3 -1 -1 1 1 1 -1 1 -1 -1 -1\n"
      "4 5 -1 10 4 -1 -1 4 -1 -1 1 1 1 -1 1 -1 -1 -1\n");
  EXPECT_EQ(nodes(history), (std::vector<std::uint32_t>{2, 4, 1, 3}));
}

TEST(Swf, GroupsByPartition) {
  const auto history = history_from(kSwf, {}, {1, {}, GroupBy::partition});
  EXPECT_EQ(history.groups, (std::vector<std::string>{"5"}));
}

// --- sacct

constexpr const char* kHeader =
    "JobIDRaw|Submit|Eligible|Start|End|ReqNodes|NNodes|AllocNodes|State|TimelimitRaw|ElapsedRaw|"
    "Partition|Constraints\n";

TEST(Sacct, TakesColumnsByTheirNames) {
  const auto history = history_from(
      std::string(kHeader) +
      "1|1700000000|1700000000|1700000100|1700000700|1|3|3|COMPLETED|60|600|batch|gpu\n");
  ASSERT_EQ(history.jobs.size(), 1);
  EXPECT_EQ(history.jobs[0].submit, 1700000000);
  EXPECT_EQ(history.jobs[0].run, 600);
  EXPECT_EQ(history.jobs[0].nodes, 3);
  EXPECT_EQ(history.jobs[0].estimate, 3600);
}

TEST(Sacct, WithoutAHeaderTheUsualColumnsAreMeant) {
  const auto history =
      history_from("1|1700000000|1700000000|1700000100|1700000700|1|3|3|COMPLETED|60|600\n");
  EXPECT_EQ(history.jobs.at(0).nodes, 3);
  EXPECT_EQ(history.jobs.at(0).run, 600);
}

TEST(Sacct, ReadsDatesAndClocksAndATrailingBar) {
  const auto history = history_from(
      "JobID|Submit|Start|NNodes|Elapsed|Timelimit|State|\n"
      "1|2026-12-01T16:00:00|2026-12-01T16:00:05|2|1-00:00:10|2-00:00:00|COMPLETED|\n");
  ASSERT_EQ(history.jobs.size(), 1);
  EXPECT_EQ(history.jobs[0].submit, 1796140800);  // date -u -d 2026-12-01T16:00:00 +%s
  EXPECT_EQ(history.jobs[0].run, 86410);
  EXPECT_EQ(history.jobs[0].estimate, 172800);
}

TEST(Sacct, AJobThatWaitedForItsBeginTimeCountsFromThen) {
  const auto history =
      history_from(std::string(kHeader) +
                   "1|1700000000|1700009000|1700009100|1700009700|1|3|3|COMPLETED|60|600||\n");
  EXPECT_EQ(history.jobs.at(0).submit, 1700009000);
}

TEST(Sacct, WhatNeverStartedIsSkipped) {
  const auto history =
      history_from(std::string(kHeader) +
                   "1|1700000000|1700000000|None|1700000700|2|2|0|CANCELLED by 1000|60|0||\n"
                   "2|1700000000|1700000000|1700000700|1700000700|2|2|0|CANCELLED by 1000|60|0||\n"
                   "3_[1-50]|1700000000|1700000000|Unknown|Unknown|2|2|0|PENDING|60|0||\n"
                   "4|1700000000|Unknown|Unknown|Unknown|2|2|0|PENDING|60|0||\n");
  EXPECT_TRUE(history.jobs.empty());
  EXPECT_EQ(count(history, LeftOut::no_run), 4);
}

TEST(Sacct, ARunningJobCountsWithTheTimeSoFar) {
  const auto history = history_from(
      std::string(kHeader) + "1|1700000000|1700000000|1700000100|Unknown|1|3|3|RUNNING|60|250||\n");
  EXPECT_EQ(history.jobs.at(0).run, 250);
  EXPECT_EQ(history.still_running, 1);
  EXPECT_THAT(history_text(history).at(0).sentence, HasSubstr("1 job still running"));
}

TEST(Sacct, LimitsCanBeWords) {
  const auto history = history_from(
      std::string(kHeader) +
      "1|1700000000|1700000000|1700000100|1700000700|1|3|3|COMPLETED|UNLIMITED|600||\n"
      "2|1700000000|1700000000|1700000100|1700000700|1|3|3|COMPLETED|Partition_Limit|600||\n");
  EXPECT_EQ(history.jobs.at(0).estimate, kLongestTime);
  EXPECT_EQ(history.jobs.at(1).estimate, 600);
}

TEST(Sacct, AStepIsNoJob) {
  const auto history =
      history_from(std::string(kHeader) +
                   "1|1700000000|1700000000|1700000100|1700000700|1|3|3|COMPLETED|60|600||\n"
                   "1.batch|1700000000|1700000000|1700000100|1700000700|1|1|1|COMPLETED||600||\n"
                   "1.0|1700000000|1700000000|1700000100|1700000700|3|3|3|COMPLETED||600||\n");
  EXPECT_EQ(history.jobs.size(), 1);
  EXPECT_EQ(count(history, LeftOut::step), 2);
}

TEST(Sacct, ANameWithABarCannotMoveColumns) {
  const auto history = history_from(
      "JobName|Submit|Start|End|AllocNodes|State\n"
      "x|1700000000|1700000000|1700000600|9000|COMPLETED|1700000000|1700000000|1700000600|1|"
      "COMPLETED\n"
      "Submit|1700000000|1700000000|1700000600|1|COMPLETED\n");
  EXPECT_EQ(nodes(history), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(count(history, LeftOut::damaged), 1);
}

TEST(Sacct, SeveralOutputsInOneFile) {
  const std::string row =
      "1|1700000000|1700000000|1700000100|1700000700|1|3|3|COMPLETED|60|600||\n";
  EXPECT_EQ(history_from(kHeader + row + kHeader + row).jobs.size(), 2);
}

TEST(Sacct, AColumnThatIsMissingIsNamed) {
  const auto message = message_of([] { history_from("Submit|State|NNodes\n"); });
  EXPECT_THAT(message, HasSubstr("history:1: the column ElapsedRaw is missing"));
  EXPECT_THAT(message, HasSubstr("sacct -o JobIDRaw,Submit"));
  EXPECT_THAT(message_of([] { history_from("Submit|ElapsedRaw|Submit|NNodes\n"); }),
              HasSubstr("the column Submit is there twice"));
}

TEST(Sacct, GroupsByPartitionOrFeature) {
  const auto text = std::string(kHeader) +
                    "1|1700000000|1700000000|1700000100|1700000700|1|3|3|COMPLETED|60|600|batch|"
                    "gpu\n";
  EXPECT_EQ(history_from(text, {}, {1, {}, GroupBy::partition}).groups.at(0), "batch");
  EXPECT_EQ(history_from(text, {}, {1, {}, GroupBy::feature}).groups.at(0), "gpu");
}

// --- jobcomp/filetxt

/// A line as Slurm 22.05 writes it.
std::string jobcomp(const std::string& name, const std::string& nodes = "5",
                    const std::string& list = "n[1-5]") {
  return "JobId=12 UserId=ann(1000) GroupId=ann(1000) Name=" + name +
         " JobState=COMPLETED Partition=batch TimeLimit=60 StartTime=2026-12-01T16:00:10"
         " EndTime=2026-12-01T16:10:10 NodeList=" +
         list + " NodeCnt=" + nodes +
         " ProcCnt=10 WorkDir=/home/ann ReservationName= Tres=cpu=10,node=5,billing=10 Account="
         " QOS= WcKey= Cluster=unknown SubmitTime=2026-12-01T16:00:00"
         " EligibleTime=2026-12-01T16:00:00 DerivedExitCode=0:0 ExitCode=0:0 \n";
}

TEST(Jobcomp, TakesWhatItTells) {
  const auto history = history_from(jobcomp("solve"));
  ASSERT_EQ(history.jobs.size(), 1);
  EXPECT_EQ(history.jobs[0].submit, 1796140800);
  EXPECT_EQ(history.jobs[0].run, 600);
  EXPECT_EQ(history.jobs[0].nodes, 5);
  EXPECT_EQ(history.jobs[0].estimate, 3600);
}

TEST(Jobcomp, ANameMayHaveBlanksAndEquals) {
  EXPECT_EQ(history_from(jobcomp("my job x=1 --y=2")).jobs.size(), 1);
}

TEST(Jobcomp, ANameThatSaysWhatSlurmSaysIsNotBelieved) {
  for (const char* name :
       {"x NodeCnt=9000", "x SubmitTime=2000-01-01T00:00:00", "x JobState=PENDING",
        "x\nJobId=12 NodeCnt=9000 StartTime=2026-12-01T16:00:00"}) {
    const auto history = history_from(jobcomp(name));
    EXPECT_TRUE(history.jobs.empty()) << name;
    EXPECT_EQ(history.skipped(), count(history, LeftOut::key_twice) +
                                     count(history, LeftOut::no_submit) +
                                     count(history, LeftOut::no_run));
  }
  EXPECT_EQ(count(history_from(jobcomp("x NodeCnt=9000")), LeftOut::key_twice), 1);
}

TEST(Jobcomp, AJobCancelledWhileItWaitedHadNoNodes) {
  const auto history = history_from(jobcomp("solve", "5", "(null)"));
  EXPECT_EQ(count(history, LeftOut::no_run), 1);
}

TEST(Jobcomp, ALineThatWasCutIsSkipped) {
  const auto line = jobcomp("solve");
  for (std::size_t size = 6; size + 80 < line.size(); size += 7) {
    const auto history = history_from(line.substr(0, size) + "\n", "jobcomp");
    EXPECT_TRUE(history.jobs.empty() || history.jobs[0].submit == 1796140800) << size;
  }
}

// --- OpenPBS

/// A record as OpenPBS writes it when a job ends.
std::string accounting(const std::string& more) {
  return "12/01/2026 16:10:10;E;12.pbs;user=ann group=ann project=_pbs_project_default "
         "jobname=solve queue=workq ctime=1796140790 qtime=1796140800 etime=1796140800 "
         "start=1796140810 exec_host=n1/0*2+n2/0*2 exec_vnode=(n1:ncpus=2)+(n2:ncpus=2) "
         "Resource_List.ncpus=4 Resource_List.nodect=2 Resource_List.place=scatter "
         "Resource_List.select=2:ncpus=2:model=a Resource_List.walltime=01:00:00 session=77 "
         "end=1796141410 Exit_status=0 resources_used.cput=00:10:00 "
         "resources_used.walltime=00:09:58 run_count=1" +
         more + "\n";
}

TEST(PbsAccounting, TakesTheRecordsOfJobsThatEnded) {
  const auto history = history_from(
      "12/01/2026 16:00:00;L;license;floating\n"
      "12/01/2026 16:00:00;Q;12.pbs;queue=workq\n"
      "12/01/2026 16:00:10;S;12.pbs;user=ann queue=workq\n" +
      accounting(""));
  ASSERT_EQ(history.jobs.size(), 1);
  EXPECT_EQ(history.jobs[0].submit, 1796140800);
  EXPECT_EQ(history.jobs[0].run, 600);
  EXPECT_EQ(history.jobs[0].nodes, 2);
  EXPECT_EQ(history.jobs[0].estimate, 3600);
  EXPECT_EQ(history.skipped(), 0);
}

TEST(PbsAccounting, AKeyThatIsThereTwiceSpoilsTheRecord) {
  const auto history = history_from(accounting(" account=x exec_host=n1/0+n2/0+n3/0"));
  EXPECT_EQ(count(history, LeftOut::key_twice), 1);
  EXPECT_TRUE(history.jobs.empty());
}

TEST(PbsAccounting, ChunksOnOneHostAreOneNode) {
  EXPECT_EQ(count_hosts("n1/0*2+n2/0*2"), 2);
  EXPECT_EQ(count_hosts("n1/0+n1/1+n2/0+n1/2"), 2);
  EXPECT_EQ(count_hosts("n1"), 1);
  EXPECT_EQ(count_hosts(""), 0);
}

TEST(PbsAccounting, GroupsByQueueOrByWhatChunksAskFor) {
  EXPECT_EQ(history_from(accounting(""), {}, {1, {}, GroupBy::partition}).groups.at(0), "workq");
  EXPECT_EQ(history_from(accounting(""), {}, {1, {}, GroupBy::feature}).groups.at(0), "model=a");
  EXPECT_EQ(feature_of("2:ncpus=4:model=a:mem=8gb:gpu=true+1:model=b"), "model=a&gpu=true");
  EXPECT_EQ(feature_of("4:ncpus=8"), "");
}

constexpr const char* kQstat = R"({
    "timestamp":1796141500, "pbs_version":"22.05.11", "pbs_server":"pbs",
    "Jobs":{
        "12.pbs":{
            "Job_Name":"solve", "Job_Owner":"ann@login",
            "resources_used":{"cpupercent":0, "ncpus":4, "walltime":"00:10:00"},
            "job_state":"F", "queue":"workq", "ctime":"Tue Dec  1 15:59:50 2026",
            "exec_host":"n1/0*2+n2/0*2", "qtime":"Tue Dec  1 16:00:00 2026",
            "Resource_List":{"ncpus":4, "nodect":2, "select":"2:ncpus=2", "walltime":"01:00:00"},
            "stime":"Tue Dec  1 16:00:10 2026", "etime":"Tue Dec  1 16:00:00 2026",
            "Variable_List":{"PBS_O_HOME":"/home/ann", "walltime":"99:00:00"}
        },
        "13.pbs":{
            "Job_Name":"waits", "job_state":"Q", "queue":"workq",
            "Resource_List":{"nodect":3}, "qtime":"Tue Dec  1 16:05:00 2026"
        }
    }
})";

TEST(QstatJson, TakesJobsThatRanAndSkipsThoseThatWait) {
  const auto history = history_from(kQstat);
  ASSERT_EQ(history.jobs.size(), 1);
  EXPECT_EQ(history.jobs[0].submit, 1796140800);
  EXPECT_EQ(history.jobs[0].run, 600);
  EXPECT_EQ(history.jobs[0].nodes, 2);
  EXPECT_EQ(history.jobs[0].estimate, 3600);
  EXPECT_EQ(count(history, LeftOut::no_run), 1);
}

TEST(QstatJson, AKeyThatIsThereTwiceSpoilsTheJob) {
  std::string text = kQstat;
  text.replace(text.find("\"job_state\":\"F\""), 0, "\"exec_host\":\"n1/0\", ");
  const auto history = history_from(text);
  EXPECT_EQ(count(history, LeftOut::key_twice), 1);
  EXPECT_TRUE(history.jobs.empty());
}

TEST(QstatJson, WhatIsNoJsonIsNamedWithItsLine) {
  std::string text = kQstat;
  text.replace(text.find("\"22.05.11\""), 10, "22.05.11");
  EXPECT_THAT(message_of([&] { history_from(text); }), HasSubstr("history:2: not JSON as qstat"));
  EXPECT_THAT(
      message_of([] { history_from("{\"a\":1}"); }),
      HasSubstr("has no \"Jobs\" as qstat -x -f -F json prints them; of Slurm take sacct -P"));
  EXPECT_THAT(message_of([] { history_from("{\"Jobs\":{"); }), HasSubstr("not JSON"));
}

// --- all of them

TEST(HistoryFormats, EachIsRecognisedByItsFirstLine) {
  const std::vector<std::pair<const char*, std::string>> texts{{"swf", kSwf},
                                                               {"swf", "\n\n; a trace\n"},
                                                               {"sacct", kHeader},
                                                               {"jobcomp", jobcomp("x")},
                                                               {"pbs-accounting", accounting("")},
                                                               {"qstat-json", kQstat}};
  for (const auto& [name, text] : texts) {
    const auto line = text.substr(text.find_first_not_of('\n'));
    std::size_t found = 0;
    for (const auto& format : history_formats())
      if (format.recognises(line.substr(0, line.find('\n')))) {
        if (found++ == 0) {
          EXPECT_EQ(format.name, name);
        }
      }
    EXPECT_GT(found, 0) << name;
  }
}

TEST(HistoryFormats, TheFormatCanBeForced) {
  EXPECT_EQ(history_from(kSwf, "sacct").jobs.size(), 0);
  EXPECT_THAT(message_of([] { history_from(kSwf, "nope"); }),
              HasSubstr("--format: 'nope' is none of swf, qstat-json, jobcomp"));
}

TEST(HistoryFormats, PiecesMakeNoDifference) {
  for (const std::string& text :
       {std::string(kSwf) + kSwf, jobcomp("solve") + jobcomp("x NodeCnt=1"), accounting(""),
        std::string(kQstat)}) {
    const auto whole = history_from(text);
    for (const std::size_t size : {1U, 2U, 7U, 100U}) {
      std::size_t at = 0;
      Bytes bytes([&] {
        const auto piece = std::string_view(text).substr(at, size);
        at += piece.size();
        return piece;
      });
      const auto name = whole.jobs.empty() ? ""
                        : text[0] == '{'   ? "qstat-json"
                        : text[0] == 'J'   ? "jobcomp"
                        : text[2] == '/'   ? "pbs-accounting"
                                           : "swf";
      const auto pieces = read_history(bytes, "history", {}, name);
      EXPECT_EQ(nodes(pieces), nodes(whole)) << size;
      EXPECT_EQ(pieces.skipped(), whole.skipped());
    }
  }
}

TEST(HistoryFormats, ALineBeyondAllMeasureIsSkipped) {
  const auto history = history_from(jobcomp(std::string(kLongestLine, 'x')) + jobcomp("short"));
  EXPECT_EQ(history.jobs.size(), 1);
  EXPECT_EQ(history.count(LeftOut::damaged).first_line, 1);
}

TEST(Instants, AreReadAsSchedulersWriteThem) {
  EXPECT_EQ(parse_instant("1796140800"), 1796140800);
  EXPECT_EQ(parse_instant("2026-12-01T16:00:00"), 1796140800);
  EXPECT_EQ(parse_instant("Tue Dec  1 16:00:00 2026"), 1796140800);
  EXPECT_EQ(parse_instant("2024-02-29T00:00:00"), 1709164800);  // date -u -d ... +%s
  for (const char* text : {"", "Unknown", "None", "N/A", "2026-02-30T00:00:00", "2026-12-01",
                           "2026-12-01T16:00", "2026-12-01T16:00:00Z", "Tue Dec", "Dec 1 16:00"})
    EXPECT_FALSE(parse_instant(text)) << text;
}

}  // namespace
