// SPDX-License-Identifier: BSD-3-Clause
#include "mpisel/wrapper.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"

namespace mpisel {
namespace {

using Format = core::HostfileFormat;
using Kind = core::LauncherKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

const std::vector<core::HostSlots> kTwo{{"n1", 2}, {"n2", 2}};

std::string complaint(Kind kind, const Words& command) {
  try {
    check_no_hosts(core::launcher(kind), command);
  } catch (const core::Error& e) {
    EXPECT_EQ(e.status(), core::ExitStatus::usage);
    return e.what();
  }
  return "";
}

TEST(Wrapper, GivesOpenMpiAHostfileBeforeTheUsersArguments) {
  EXPECT_THAT(with_hosts(core::launcher(Kind::openmpi), {"mpirun", "-n", "4", "./app", "-x"},
                         Format::openmpi, "/proc/self/fd/64", kTwo),
              ElementsAre("mpirun", "--hostfile", "/proc/self/fd/64", "-n", "4", "./app", "-x"));
}

TEST(Wrapper, GivesEveryPartOfAnOpenMpiCommandItsHostfile) {
  EXPECT_THAT(with_hosts(core::launcher(Kind::openmpi), {"mpirun", "./a", ":", "./b"},
                         Format::openmpi, "F", kTwo),
              ElementsAre("mpirun", "--hostfile", "F", "./a", ":", "--hostfile", "F", "./b"));
}

TEST(Wrapper, GivesOpenMpiARankfileWhenAsked) {
  const core::Launcher& launcher = core::launcher(Kind::openmpi);
  EXPECT_EQ(format_for(launcher, Format::rankfile), Format::rankfile);
  EXPECT_THAT(with_hosts(launcher, {"mpirun", "./a"}, Format::rankfile, "F", kTwo),
              ElementsAre("mpirun", "--rankfile", "F", "./a"));
}

TEST(Wrapper, GivesMpichOneHostfileForAllParts) {
  EXPECT_THAT(with_hosts(core::launcher(Kind::mpich), {"mpiexec", "./a", ":", "./b"}, Format::mpich,
                         "F", kTwo),
              ElementsAre("mpiexec", "-f", "F", "./a", ":", "./b"));
}

TEST(Wrapper, GivesSrunTheCountAndTheList) {
  EXPECT_THAT(with_hosts(core::launcher(Kind::srun), {"srun", "-n", "4", "./a"},
                         Format::slurm_nodelist, "", kTwo),
              ElementsAre("srun", "-N", "2", "-w", "n[1-2]", "-n", "4", "./a"));
}

TEST(Wrapper, RefusesAFormatThatTheLauncherCannotRead) {
  EXPECT_THROW(format_for(core::launcher(Kind::openmpi), Format::mpich), core::Error);
  EXPECT_THROW(format_for(core::launcher(Kind::mpich), Format::rankfile), core::Error);
  EXPECT_THROW(format_for(core::launcher(Kind::srun), Format::plain), core::Error);
}

TEST(Wrapper, RefusesHostOptionsByName) {
  EXPECT_THAT(complaint(Kind::openmpi, {"mpirun", "--host", "a", "./app"}), HasSubstr("--host "));
  EXPECT_THAT(complaint(Kind::mpich, {"mpiexec", "-f", "hosts", "./app"}), HasSubstr("-f "));
  EXPECT_THAT(complaint(Kind::srun, {"srun", "-w", "n1", "./app"}), HasSubstr("-w "));
  EXPECT_EQ(complaint(Kind::openmpi, {"mpirun"}), "");
}

TEST(Wrapper, FindsHostOptionsInALaterPartOfAnOpenMpiCommand) {
  EXPECT_THAT(complaint(Kind::openmpi, {"mpirun", "./a", ":", "--host", "n1", "./b"}),
              HasSubstr("--host "));
}

std::string count_complaint(Kind kind, const Words& command) {
  try {
    check_node_count(core::launcher(kind), command, 2);
  } catch (const core::Error& e) {
    EXPECT_EQ(e.status(), core::ExitStatus::usage);
    return e.what();
  }
  return "";
}

TEST(NodeCount, OfSrunMustBeTheNumberOfHostsToChoose) {
  EXPECT_EQ(count_complaint(Kind::srun, {"srun", "-N", "2", "./app"}), "");
  EXPECT_EQ(count_complaint(Kind::srun, {"srun", "-N2", "./app"}), "");
  EXPECT_EQ(count_complaint(Kind::srun, {"srun", "--nodes=2", "./app"}), "");
  EXPECT_EQ(count_complaint(Kind::srun, {"srun", "./app", "-N", "3"}), "");
  EXPECT_THAT(count_complaint(Kind::srun, {"srun", "-N", "3", "./app"}), HasSubstr("-N "));
  EXPECT_THAT(count_complaint(Kind::srun, {"srun", "--nodes=3", "./app"}), HasSubstr("--nodes=3"));
  EXPECT_EQ(count_complaint(Kind::openmpi, {"mpirun", "-N", "3", "./app"}), "");
}

core::Allocation slurm_job() {
  core::Allocation job;
  job.scheduler = "Slurm";
  job.hosts = {{"n1", 2}, {"n2", 3}, {"n3", 2}};
  return job;
}

TEST(TaskCounts, BecomeThoseOfTheChosenHosts) {
  const auto environment = core::fixed_environment({{"SLURM_NTASKS", "7"}});
  EXPECT_THAT(task_counts(environment, slurm_job(), kTwo),
              ElementsAre(Pair("SLURM_NTASKS", testing::Optional(std::string("5")))));
}

TEST(TaskCounts, StayUnsetWhereTheyWereUnset) {
  EXPECT_THAT(task_counts(core::fixed_environment({}), slurm_job(), kTwo), IsEmpty());
}

TEST(TaskCounts, StayAsTheyAreWhereTheJobsAreUnknown) {
  const auto environment = core::fixed_environment({{"SLURM_NTASKS", "7"}});
  core::Allocation job = slurm_job();
  job.hosts[1].slots = 0;
  EXPECT_THAT(task_counts(environment, job, kTwo), IsEmpty());
  EXPECT_THAT(task_counts(environment, std::nullopt, kTwo), IsEmpty());
}

}  // namespace
}  // namespace mpisel
