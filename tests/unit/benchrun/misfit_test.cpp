// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/misfit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using benchrun::jobs_of_one_rank;
using testing::AllOf;
using testing::HasSubstr;

TEST(Misfit, NamesLauncherRanksAndTheMpiOfTheCommand) {
  EXPECT_THAT(jobs_of_one_rank("Open MPI", 8, "MPICH"),
              AllOf(HasSubstr("the launcher (Open MPI) has started 8 ranks"),
                    HasSubstr("uses MPICH or one with its interface"),
                    HasSubstr("put the mpirun or mpiexec of that MPI first in PATH")));
}

TEST(Misfit, OfOneMpiItAsksForTheSameInstallation) {
  EXPECT_THAT(jobs_of_one_rank("Open MPI", 2, "Open MPI"), HasSubstr("very installation"));
  EXPECT_THAT(jobs_of_one_rank("Intel MPI", 2, "MPICH"), HasSubstr("very installation"));
}

TEST(Misfit, SrunNeedsTheTypeOfTheCommandsMpi) {
  EXPECT_THAT(jobs_of_one_rank("srun", 2, "Open MPI"),
              HasSubstr("SLURM_MPI_TYPE to what it needs, often pmix"));
  EXPECT_THAT(jobs_of_one_rank("srun", 2, "MPICH"), HasSubstr("often pmi2"));
}

}  // namespace
