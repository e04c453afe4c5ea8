// SPDX-License-Identifier: BSD-3-Clause
#include "core/launchers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "message_of.hpp"
#include "temp_dir.hpp"

namespace core {
namespace {

using Words = std::vector<std::string>;

LauncherKind kind_of_version(const char* output) {
  const Launcher* const found = launcher_of_version(output);
  EXPECT_NE(found, nullptr) << output;
  return found != nullptr ? found->kind : LauncherKind::srun;
}

TEST(Launchers, AreToldApartByTheirVersion) {
  EXPECT_EQ(kind_of_version("mpirun (Open MPI) 4.1.4\n\nReport bugs to ...\n"),
            LauncherKind::openmpi);
  EXPECT_EQ(kind_of_version("mpiexec (OpenRTE) 4.1.4\n"), LauncherKind::openmpi);
  EXPECT_EQ(kind_of_version("prterun (PRRTE) 3.0.2\n"), LauncherKind::openmpi);
  EXPECT_EQ(kind_of_version("HYDRA build details:\n    Launchers available: ssh rsh slurm ll\n"),
            LauncherKind::mpich);
  EXPECT_EQ(kind_of_version("Intel(R) MPI Library for Linux* OS, Version 2021.9 Build 2023\n"),
            LauncherKind::intel);
  EXPECT_EQ(kind_of_version("slurm 22.05.8\n"), LauncherKind::srun);
  for (const char* other : {"", "\n\n", "GNU bash, version 5.2", "1\n2\n3\n4\n5\nslurm 22\n"})
    EXPECT_EQ(launcher_of_version(other), nullptr) << other;
}

bool installed(const char* path) { return ::access(path, X_OK) == 0; }

struct Installed {
  const char* program;
  LauncherKind kind;
};

TEST(Launchers, ThoseInstalledHereAreRecognised) {
  for (const auto& [program, kind] :
       {Installed{"mpirun.openmpi", LauncherKind::openmpi},
        Installed{"mpiexec.openmpi", LauncherKind::openmpi},
        Installed{"mpiexec.mpich", LauncherKind::mpich},
        Installed{"mpiexec.hydra", LauncherKind::mpich}, Installed{"srun", LauncherKind::srun}}) {
    const std::string path = std::string("/usr/bin/") + program;
    if (installed(path.c_str())) {
      EXPECT_EQ(recognise_launcher(path).kind, kind) << path;
    }
  }
}

TEST(Launchers, WhatIsNoneIsNamed) {
  EXPECT_THAT(message_of([] { recognise_launcher("/nonexistent/mpirun"); }),
              testing::HasSubstr("/nonexistent/mpirun"));
  TempDir folder;
  const std::string path = folder / "mpirun";
  std::ofstream(path) << "#!/bin/sh\necho 'my own thing 1.0'\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  EXPECT_THAT(message_of([&] { recognise_launcher(path); }),
              testing::HasSubstr("says 'my own thing 1.0' (status 0)"));
}

TEST(Launchers, ProgramsAreKnownByTheirFileName) {
  for (const char* program : {"mpirun", "/opt/mpi/bin/mpiexec", "srun", "mpiexec.hydra", "orterun"})
    EXPECT_TRUE(is_launcher_program(program)) << program;
  for (const char* program : {"", "./app", "mpirun/", "python3", "xmpirun", "sbatch"})
    EXPECT_FALSE(is_launcher_program(program)) << program;
}

TEST(Launchers, TheTableHoldsEachKindOnce) {
  for (const auto kind :
       {LauncherKind::openmpi, LauncherKind::mpich, LauncherKind::intel, LauncherKind::srun})
    EXPECT_EQ(launcher(kind).kind, kind);
  EXPECT_EQ(launchers().size(), 4U);
}

std::string found(LauncherKind kind, const Words& args) {
  return host_option_in(launcher(kind), args).value_or("none");
}

TEST(HostOption, OpenMpisIsFoundInEverySpelling) {
  const auto kind = LauncherKind::openmpi;
  for (const char* option : {"--host", "-host", "-H", "--hostfile", "-hostfile", "--machinefile",
                             "-machinefile", "-rf", "--rankfile", "--default-hostfile"})
    EXPECT_EQ(found(kind, {"-np", "2", option, "x", "./app"}), option);
  EXPECT_EQ(found(kind, {"--host=a,b", "./app"}), "--host=a,b");
}

TEST(HostOption, TheProgramsOwnOptionsAreNotLookedAt) {
  EXPECT_EQ(found(LauncherKind::openmpi, {"-np", "2", "./app", "--host", "x", "-f", "y"}), "none");
  EXPECT_EQ(found(LauncherKind::openmpi,
                  {"--mca", "btl", "self", "-x", "A=-H", "--oversubscribe", "app", "-H", "x"}),
            "none");
  EXPECT_EQ(found(LauncherKind::mpich, {"-genv", "A", "1", "-n", "2", "./app", "-f", "in"}),
            "none");
  EXPECT_EQ(found(LauncherKind::srun, {"-n", "2", "./app", "-w", "x", "-x"}), "none");
  EXPECT_EQ(found(LauncherKind::openmpi, {"--", "./app", "-H", "x"}), "none");
}

TEST(HostOption, ValuesThatLookLikeOptionsAreSkipped) {
  EXPECT_EQ(found(LauncherKind::openmpi, {"-x", "-H", "./app"}), "none");
  EXPECT_EQ(found(LauncherKind::srun, {"--job-name", "-w", "./app"}), "none");
}

TEST(HostOption, FurtherPartsOfAJobAreLookedAt) {
  EXPECT_EQ(found(LauncherKind::openmpi, {"-np", "1", "a", "-H", ":", "-np", "1", "-H", "x", "b"}),
            "-H");
  EXPECT_EQ(found(LauncherKind::mpich, {"-n", "1", "a", ":", "-n", "1", "-hosts", "x", "b"}),
            "-hosts");
  EXPECT_EQ(found(LauncherKind::openmpi, {"-np", "1", "a", ":", "-np", "1", "b"}), "none");
}

TEST(HostOption, HydrasIsFound) {
  for (const char* option : {"-f", "-hosts", "-host", "-machinefile", "--hosts"}) {
    EXPECT_EQ(found(LauncherKind::mpich, {"-n", "2", option, "x", "./app"}), option);
    EXPECT_EQ(found(LauncherKind::intel, {"-n", "2", option, "x", "./app"}), option);
  }
  EXPECT_EQ(found(LauncherKind::mpich, {"-l", "-ppn", "1", "./app"}), "none");
}

TEST(HostOption, SrunsIsFoundAlsoGluedClusteredAndCutShort) {
  for (const char* option :
       {"-w", "--nodelist", "-x", "--exclude", "-F", "--nodefile", "-wn1", "-xn1", "--nodelist=n1",
        "--exclude=n1", "--nodel=n1", "-lw", "-luwn1"})
    EXPECT_EQ(found(LauncherKind::srun, {"-n", "2", option, "x", "./app"}), option);
  for (const char* option : {"-n2", "-N2", "-l", "-Wx", "-K0", "-Jwx", "--exclusive", "--nodes=2",
                             "--cpu-bind=none", "--overlap", "-lN2"})
    EXPECT_EQ(found(LauncherKind::srun, {option, "./app", "-w"}), "none") << option;
}

TEST(Launchers, VariablesOfRankAndSizeComeInOrderOfPreference) {
  EXPECT_EQ(rank_variables().front(), "OMPI_COMM_WORLD_RANK");
  EXPECT_EQ(rank_variables().back(), "SLURM_PROCID");
  EXPECT_EQ(size_variables().front(), "OMPI_COMM_WORLD_SIZE");
}

TEST(ProgramPlace, IsAfterTheLaunchersOptionsAndTheirValues) {
  const auto place = [](LauncherKind kind, const std::vector<std::string>& args) {
    return core::program_place(core::launcher(kind), args);
  };
  EXPECT_EQ(place(LauncherKind::openmpi, {"-np", "2", "--mca", "a", "b", "./app", "-n"}), 5U);
  EXPECT_EQ(place(LauncherKind::mpich, {"-n", "2", "-bind-to", "core", "app"}), 4U);
  EXPECT_EQ(place(LauncherKind::srun, {"-n2", "--cpu-bind=none", "app"}), 2U);
  EXPECT_EQ(place(LauncherKind::openmpi, {"app"}), 0U);
  EXPECT_EQ(place(LauncherKind::openmpi, {"-np"}), 1U);
}

}  // namespace
}  // namespace core
