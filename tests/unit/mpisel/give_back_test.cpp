// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/give_back.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mpisel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;
using Names = std::vector<std::string>;

const Names kHeld{"n1", "n2", "n3", "n4"};
const std::vector<core::HostSlots> kN3N2{{"n3", 2}, {"n2", 2}};

core::Allocation job_of(std::vector<core::HostSlots> hosts, std::vector<unsigned> cpus) {
  core::Allocation job;
  job.scheduler = "Slurm";
  job.job_id = "7";
  job.hosts = std::move(hosts);
  job.cpus = std::move(cpus);
  return job;
}

TEST(GiveBack, KeepsTheChosenNodesInTheOrderOfTheJob) {
  const Shrink shrink = plan_shrink(kHeld, kN3N2, {});
  EXPECT_THAT(shrink.kept, ElementsAre("n2", "n3"));
  EXPECT_THAT(shrink.given, ElementsAre("n1", "n4"));
  EXPECT_THAT(shrink.stay, IsEmpty());
}

TEST(GiveBack, NeverGivesTheLaunchNodeHoweverItIsSpelled) {
  for (const char* name : {"n1", "n1.cluster"}) {
    const Shrink shrink = plan_shrink(kHeld, kN3N2, Names{name});
    EXPECT_THAT(shrink.kept, ElementsAre("n1", "n2", "n3"));
    EXPECT_THAT(shrink.given, ElementsAre("n4"));
    EXPECT_THAT(shrink.stay, ElementsAre("n1"));
  }
}

TEST(GiveBack, ALaunchNodeThatIsChosenOrOutsideOfTheJobChangesNothing) {
  const Shrink shrink = plan_shrink(kHeld, kN3N2, Names{"n2", "login"});
  EXPECT_THAT(shrink.kept, ElementsAre("n2", "n3"));
  EXPECT_THAT(shrink.stay, IsEmpty());
}

TEST(GiveBack, GivesNothingWhereNoChosenNodeIsLeftInTheJob) {
  const Shrink shrink = plan_shrink(Names{"n1", "n4"}, kN3N2, {});
  EXPECT_THAT(shrink.kept, ElementsAre("n1", "n4"));
  EXPECT_THAT(shrink.given, IsEmpty());
}

TEST(GiveBack, SlurmIsToldWhatStaysAndPbsWhatGoes) {
  const Shrink shrink = plan_shrink(kHeld, kN3N2, {});
  EXPECT_THAT(shrink_command(core::scheduler("Slurm"), "7", shrink),
              ElementsAre("scontrol", "update", "JobId=7", "NodeList=n[2-3]"));
  EXPECT_THAT(shrink_command(core::scheduler("PBS"), "7.server", shrink),
              ElementsAre("pbs_release_nodes", "-j", "7.server", "n1", "n4"));
  EXPECT_THAT(shrink_command(core::scheduler("LSF"), "7", shrink), IsEmpty());
}

TEST(GiveBack, AShellReadsTheCommandAsItIs) {
  EXPECT_EQ(as_shell_text(Names{"scontrol", "update", "NodeList=n[2-3]"}),
            "scontrol update 'NodeList=n[2-3]'");
}

TEST(GiveBack, ChangesTheVariablesThatDescribeTheNodes) {
  const auto environment = core::fixed_environment({{"SLURM_JOB_NODELIST", "n[1-4]"},
                                                    {"SLURM_NODELIST", "n[1-4]"},
                                                    {"SLURM_JOB_NUM_NODES", "4"},
                                                    {"SLURM_NNODES", "4"},
                                                    {"SLURM_TASKS_PER_NODE", "2(x3),1"},
                                                    {"SLURM_JOB_CPUS_PER_NODE", "8,4(x3)"}});
  const auto job = job_of({{"n1", 2}, {"n2", 2}, {"n3", 2}, {"n4", 1}}, {8, 4, 4, 4});
  EXPECT_THAT(
      shrunk_environment(environment, job, Names{"n1", "n3", "n4"}),
      UnorderedElementsAre(Pair("SLURM_JOB_NODELIST", "n[1,3-4]"),
                           Pair("SLURM_NODELIST", "n[1,3-4]"), Pair("SLURM_JOB_NUM_NODES", "3"),
                           Pair("SLURM_NNODES", "3"), Pair("SLURM_TASKS_PER_NODE", "2(x2),1"),
                           Pair("SLURM_JOB_CPUS_PER_NODE", "8,4(x2)")));
}

TEST(GiveBack, LeavesVariablesThatAreNotSetOrUnknown) {
  const auto environment = core::fixed_environment(
      {{"SLURM_JOB_NODELIST", "n[1-2]"}, {"SLURM_TASKS_PER_NODE", "2(x2)"}});
  EXPECT_THAT(shrunk_environment(environment, job_of({{"n1", 2}, {"n2", 0}}, {}), Names{"n2"}),
              ElementsAre(Pair("SLURM_JOB_NODELIST", "n2")));
}

}  // namespace
}  // namespace mpisel
