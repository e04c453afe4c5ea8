// SPDX-License-Identifier: BSD-3-Clause
#include "spare_plan/app_profile.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../core/message_of.hpp"

namespace {

using spare_plan::AppProfile;
using testing::AllOf;
using testing::HasSubstr;

const std::string kHeader = "host,rank,run,bench,seconds,status,compute_seconds,mpi_seconds\n";

AppProfile profile(const std::string& rows) {
  return spare_plan::app_profile(core::read_times(kHeader + rows, "app.csv"), "app.csv");
}
std::string refusal(const std::string& rows) {
  return message_of([&rows] { profile(rows); });
}

// Two runs, two ranks a host; n3 has half of the others' speed.
const std::string kSlowThird =
    "n1,0,0,app,5,ok,2,3\nn1,1,0,app,5,ok,2.5,2.5\n"
    "n2,2,0,app,5,ok,2.125,2.875\nn2,3,0,app,5,ok,2,3\n"
    "n3,4,0,app,5,ok,4,1\nn3,5,0,app,5,ok,4.5,0.5\n"
    "n1,0,1,app,5,ok,2.75,2.25\nn1,1,1,app,5,ok,2.5,2.5\n"
    "n2,2,1,app,5,ok,2.25,2.75\nn2,3,1,app,5,ok,2.375,2.625\n"
    "n3,4,1,app,5,ok,4.25,0.75\nn3,5,1,app,5,ok,4,1\n";

// Slowest ranks: n1 2.5 and 2.75, n2 2.125 and 2.375, n3 4.5 and 4.25; node
// times 2.625, 2.25, 4.375.
TEST(AppProfile, ComputingIsThatOfTheMedianHost) { EXPECT_EQ(profile(kSlowThird).t_cmpt, 2.625); }

// The slow host's ranks wait for nobody: rank 5 of run 0 and rank 4 of run 1, 0.5 and 0.75 s.
TEST(AppProfile, WaitingForTheSlowestIsNotCommunication) {
  EXPECT_EQ(profile(kSlowThird).t_comm, 0.625);
}

TEST(AppProfile, SaysWhatItComesFrom) {
  const auto found = profile(kSlowThird);
  EXPECT_EQ(found.table, "app.csv");
  EXPECT_EQ(found.bench, "app");
  EXPECT_EQ(found.hosts, 3u);
  EXPECT_EQ(found.runs, 2u);
}

TEST(AppProfile, AHostThatFailedIsLeftOut) {
  const auto found = profile("n1,0,0,app,5,ok,2,3\nn2,1,0,app,5,ok,3,2\nn3,2,0,app,,failed,9,1\n");
  EXPECT_EQ(found.hosts, 2u);
  EXPECT_EQ(found.t_cmpt, 2.5);
  EXPECT_EQ(found.t_comm, 2);
  // Its good run does not count either.
  EXPECT_EQ(profile("n1,0,0,app,5,ok,2,3\nn3,2,0,app,9,ok,8,1\nn3,2,1,app,,failed,9,1\n").t_comm,
            3);
}

TEST(AppProfile, RunsOfSeveralBlocksAreDifferentOnes) {
  const std::string first = kHeader + "n1,0,0,app,5,ok,2,1\n";
  const std::string second = kHeader + "n1,0,0,app,5,ok,4,3\n";
  const auto found = spare_plan::app_profile(core::read_times(first + second, "t"), "t");
  EXPECT_EQ(found.runs, 2u);
  EXPECT_EQ(found.t_cmpt, 3);
  EXPECT_EQ(found.t_comm, 2);
}

TEST(AppProfile, BenchmarksWithoutMpiDoNotCount) {
  EXPECT_EQ(profile("n1,0,0,compute,9,ok,,\nn1,0,0,app,5,ok,2,3\n").t_cmpt, 2);
}

TEST(AppProfile, WallTimesAloneAreNoProfile) {
  EXPECT_THAT(refusal("n1,0,0,app,5,ok,,\n"),
              AllOf(HasSubstr("app.csv"), HasSubstr("benchrun -- APP"), HasSubstr("--walltime")));
  EXPECT_THAT(refusal("n1,0,0,app,,failed,2,3\n"), HasSubstr("ends well"));
}

TEST(AppProfile, SomeRowsWithoutComputingMakeNoProfile) {
  EXPECT_THAT(refusal("n1,0,0,app,5,ok,2,3\nn2,1,0,app,5,ok,,\n"),
              HasSubstr("app has rows without compute_seconds"));
}

TEST(AppProfile, SeveralProgramsAreNotOne) {
  EXPECT_THAT(refusal("n1,0,0,app,5,ok,2,3\nn1,0,0,other,5,ok,2,3\n"), HasSubstr("(app, other)"));
  const auto block = [](const std::string& command) {
    return "# launchwise-times: 1\n# command: " + command + "\n" + kHeader +
           "n1,0,0,app,5,ok,2,3\n# complete: rows=1 elapsed=6\n";
  };
  const auto blocks = core::read_times(block("./app 1") + block("./app 2"), "t");
  EXPECT_THAT(message_of([&] { spare_plan::app_profile(blocks, "t"); }),
              HasSubstr("(./app 1; ./app 2)"));
}

TEST(AppProfile, AProgramThatDidNotComputeIsNoProfile) {
  EXPECT_THAT(refusal("n1,0,0,app,5,ok,0,5\n"), HasSubstr("did not compute"));
}

TEST(AppProfile, NoHostIsNoProfile) {
  EXPECT_THAT(refusal("n1,0,0,app,5,ok,2,3\nn1,0,1,app,,timeout,,\n"),
              HasSubstr("app ended well on no host"));
}

}  // namespace
