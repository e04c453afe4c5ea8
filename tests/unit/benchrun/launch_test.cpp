// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/launch.hpp"

#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace benchrun;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

const std::vector<std::string> kRank{"/opt/rank", "--nonce", "k 9"};

Placement placement(Per per, unsigned first = 1, unsigned second = 1) {
  Placement result;
  result.hosts = {{"n1", first}, {"n2", second}};
  result.per = per;
  return result;
}

std::string text(const CommandLine& line) { return fmt::format("{}", fmt::join(line.argv, " ")); }

TEST(OpenMpi, StartsOneUnboundRankAHost) {
  const auto lines = open_mpi_launcher("mpirun")->all_hosts(placement(Per::host), kRank);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(text(lines[0]),
            "mpirun --hostfile /proc/self/fd/3 -np 2 --map-by ppr:1:node:OVERSUBSCRIBE "
            "--bind-to none /opt/rank --nonce k 9");
  EXPECT_EQ(lines[0].hostfile, "n1 slots=1\nn2 slots=1\n");
  EXPECT_THAT(lines[0].hosts, ElementsAre(0, 1));
}

TEST(OpenMpi, StartsAsManyRanksAHostAsItHasCores) {
  const auto lines = open_mpi_launcher("mpirun")->all_hosts(placement(Per::core, 4, 4), kRank);
  EXPECT_THAT(text(lines[0]), HasSubstr("-np 8 --map-by ppr:4:node:OVERSUBSCRIBE --bind-to none"));
}

TEST(OpenMpi, LeavesBindingOfSlotsToTheLauncher) {
  const auto lines = open_mpi_launcher("mpirun")->all_hosts(placement(Per::slot, 3, 2), kRank);
  EXPECT_THAT(text(lines[0]), HasSubstr("-np 5 --map-by slot /opt/rank"));
  EXPECT_EQ(lines[0].hostfile, "n1 slots=3\nn2 slots=2\n");
}

TEST(OpenMpi, BindsNoSlotWhenToldSo) {
  Placement slots = placement(Per::slot, 2, 2);
  slots.bind = Bind::none;
  EXPECT_THAT(text(open_mpi_launcher("mpirun")->all_hosts(slots, kRank)[0]),
              HasSubstr("--bind-to none"));
}

TEST(OpenMpi, ProbesOneHostByItself) {
  EXPECT_EQ(text(open_mpi_launcher("mpirun")->one_host("n2", kRank)),
            "mpirun --host n2 -np 1 --map-by slot --bind-to none /opt/rank --nonce k 9");
}

TEST(OpenMpi, InheritsNoTaskCountOfSlurmButTheAllocation) {
  const auto line = open_mpi_launcher("mpirun")->all_hosts(placement(Per::host), kRank)[0];
  using Change = std::pair<std::string, std::optional<std::string>>;
  EXPECT_THAT(line.environment, Contains(Change("SLURM_NTASKS", std::nullopt)));
  EXPECT_THAT(line.environment, Contains(Change("SLURM_HOSTFILE", std::nullopt)));
  EXPECT_THAT(line.environment, Not(Contains(Change("SLURM_TASKS_PER_NODE", std::nullopt))));
}

TEST(Mpich, WritesItsOwnHostfile) {
  const auto launcher = hydra_launcher(core::launcher(core::LauncherKind::mpich), "mpiexec.hydra");
  const auto line = launcher->all_hosts(placement(Per::host), kRank)[0];
  EXPECT_EQ(text(line),
            "mpiexec.hydra -f /proc/self/fd/3 -n 2 -ppn 1 -bind-to none /opt/rank --nonce k 9");
  EXPECT_EQ(line.hostfile, "n1:1\nn2:1\n");
}

TEST(Srun, SaysEverythingExplicitly) {
  const auto line = srun_launcher()->all_hosts(placement(Per::host), kRank)[0];
  EXPECT_EQ(text(line),
            "srun --overlap --kill-on-bad-exit=0 --wait=0 --distribution=block --nodelist=n[1-2] "
            "--nodes=2 --ntasks=2 --ntasks-per-node=1 --cpu-bind=none /opt/rank --nonce k 9");
}

TEST(Ssh, StartsEachRankWithItsNumber) {
  const auto lines = ssh_launcher()->all_hosts(placement(Per::slot, 1, 2), kRank);
  ASSERT_THAT(lines, SizeIs(3));
  EXPECT_EQ(lines[2].argv.back(),
            "exec '/opt/rank' '--rank' '2' '--size' '3' '--local' '1' '--nonce' 'k 9'");
  EXPECT_THAT(lines[2].hosts, ElementsAre(1));
  EXPECT_THAT(lines[2].argv, Contains("n2"));
}

TEST(Ssh, ProtectsWordsFromTheRemoteShell) {
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's $HOME;`x`"), "'it'\\''s $HOME;`x`'");
}

TEST(Local, StartsTheRankItself) {
  Placement here;
  here.hosts = {{"n1", 1}};
  EXPECT_EQ(text(local_launcher()->all_hosts(here, kRank)[0]),
            "/opt/rank --rank 0 --size 1 --local 0 --nonce k 9");
}

}  // namespace
