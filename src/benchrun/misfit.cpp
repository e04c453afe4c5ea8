// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/misfit.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace benchrun {

namespace {

constexpr const char* kMpichAndKin = "MPICH or one with its interface (Intel MPI, MVAPICH)";

/// "Open MPI" or "MPICH".
std::string family(const std::string& launcher) {
  return launcher == "Open MPI" ? launcher : "MPICH";
}

std::string cure(const std::string& launcher, const std::string& mpi) {
  if (launcher == "srun")
    return fmt::format(
        "set SLURM_MPI_TYPE to what it needs, often {} (srun --mpi=list prints what there is)",
        mpi == "Open MPI" ? "pmix" : "pmi2");
  return fmt::format(
      "put the mpirun or mpiexec of {} first in PATH",
      family(launcher) == mpi ? "the very installation that the command uses" : "that MPI");
}

}  // namespace

void do_not_fit(const std::string& why) {
  throw core::Error("launcher and benchmark do not fit together: " + why);
}

std::string jobs_of_one_rank(const std::string& launcher, std::uint32_t ranks,
                             const std::string& mpi) {
  return fmt::format(
      "the launcher ({}) has started {} ranks, but to the command's MPI each of them is a job of "
      "one rank. The command uses {}: {}",
      launcher, ranks, mpi == "MPICH" ? kMpichAndKin : mpi, cure(launcher, mpi));
}

}  // namespace benchrun
