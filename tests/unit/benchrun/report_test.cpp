// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/report.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace {

using namespace benchrun;
using core::RowStatus;

Plan plan() {
  Plan result;
  result.hosts = {{"n1", 2}, {"n2", 2}};
  result.steps = {{"compute", true, {}}};
  result.parameters = {{"compute", "--size 512"}};
  return result;
}

const std::vector<Row> kRows = {{1, 0, 1, 0, RowStatus::ok, 0.5},
                                {0, 0, std::nullopt, 0, RowStatus::timeout, std::nan("")}};

TEST(Report, WritesWhatTheFormatSays) {
  std::ostringstream out;
  Report report(out, plan(), describe(plan(), "Open MPI", "17", "2026-01-02T03:04:05Z"));
  report.set_hardware(1, "8 x A");
  report.set_hardware(1, "8 x A");  // a second rank
  report.add(kRows);
  report.complete(1.5);
  EXPECT_EQ(
      out.str(),
      "# launchwise-times: 1\n# job: 17\n# date: 2026-01-02T03:04:05Z\n"
      "# launcher: Open MPI\n# bench: compute\n# compute: --size 512\n"
      "# allocation: n1:2,n2:2\nhost,rank,run,bench,seconds,status,hardware\n"
      "n2,1,0,compute,0.5,ok,8 x A\nn1,,0,compute,,timeout,\n# complete: rows=2 elapsed=1.5\n");
}

TEST(Report, TellsOfACommandHowItsTimeWasSpent) {
  std::ostringstream out;
  Plan command = plan();
  command.command_text = "./app";
  Report report(out, command, {});
  report.add({{0, 0, 0, 0, RowStatus::ok, 3, {1.5, 1.25}}, {1, 0, 1, 0, RowStatus::ok, 3}});
  EXPECT_EQ(out.str(),
            "# launchwise-times: 1\n"
            "host,rank,run,bench,seconds,status,compute_seconds,mpi_seconds,hardware\n"
            "n1,0,0,compute,3,ok,1.5,1.25,\nn2,1,0,compute,3,ok,,,\n");
  EXPECT_EQ(report.block().rows.at(0).split.mpi, 1.25);
}

TEST(Report, TellsWithWhomAHostWasMeasured) {
  std::ostringstream out;
  Plan network = plan();
  network.steps = {{"network", true, {}, {"latency", "exchange"}}};
  Report report(out, network, {});
  report.add(
      {{0, 1, 0, 0, RowStatus::ok, 3, {}, 1}, {1, 0, 1, 0, RowStatus::failed, std::nan("")}});
  EXPECT_EQ(out.str(),
            "# launchwise-times: 1\nhost,rank,run,bench,seconds,status,peer,hardware\n"
            "n1,0,0,network-exchange,3,ok,n2,\nn2,1,0,network-latency,,failed,,\n");
  EXPECT_EQ(report.block().rows.at(0).peer, 1U);
  EXPECT_EQ(report.block().rows.at(1).peer, core::kNoPeer);
}

TEST(Report, RemembersABlockThatReadsBackTheSame) {
  std::ostringstream out;
  Report report(out, plan(), describe(plan(), "Open MPI", "", "now"));
  report.set_hardware(1, "8 x A");
  report.add(kRows);
  report.complete(1.5);
  const auto blocks = core::read_times(out.str(), "out");
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_TRUE(blocks[0].complete);
  EXPECT_EQ(blocks[0].metadata, report.block().metadata);
  EXPECT_EQ(blocks[0].rows.size(), report.block().rows.size());
  EXPECT_EQ(report.block().hardware_of(1), "8 x A");
  EXPECT_EQ(blocks[0].hardware_of(0), "8 x A");  // n2, whose row came first
}

TEST(Report, WritesNothingBeforeTheFirstRow) {
  std::ostringstream out;
  Report report(out, plan(), {});
  report.add({});
  EXPECT_EQ(out.str(), "");
}

TEST(Report, CountsAHostOkOnlyWithAllItsRows) {
  std::ostringstream out;
  Report report(out, plan(), {});
  report.add({{0, 0, 0, 0, RowStatus::ok, 1.0},
              {0, 0, 0, 1, RowStatus::wrong, std::nan("")},
              {1, 0, 1, 0, RowStatus::ok, 1.0}});
  EXPECT_EQ(report.ok_hosts(), 1U);
}

TEST(Progress, ShowsEachChangeOnce) {
  std::ostringstream out;
  {
    Progress progress(out, true, 4);
    progress.show(0);
    progress.show(1);
    progress.show(1);
  }
  EXPECT_EQ(out.str(), "\r0/4 hosts\r1/4 hosts\r\x1b[K");
}

TEST(Progress, SaysNothingWhenNotShown) {
  std::ostringstream out;
  Progress(out, false, 4).show(1);
  EXPECT_EQ(out.str(), "");
}

}  // namespace
