// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/environment.hpp"
#include "core/hostfile.hpp"

namespace core {

/// The hosts that the job was given, in the resource manager's spelling and order.
struct Allocation {
  std::string scheduler;         ///< name in schedulers(), empty when none
  std::string source;            ///< variable or file it was read from, for messages
  std::string job_id;            ///< empty when none
  std::vector<HostSlots> hosts;  ///< slots: ranks the allocation has room for, 0 unknown
  std::vector<unsigned> cpus;    ///< allocated CPUs a host, same order; empty when unknown
};

/// Slurm (SLURM_JOB_ID with SLURM_JOB_NODELIST, SLURM_TASKS_PER_NODE, SLURM_JOB_CPUS_PER_NODE), PBS
/// (PBS_NODEFILE), LSF (LSB_DJOB_HOSTFILE, LSB_MCPU_HOSTS, LSB_HOSTS), SGE (PE_HOSTFILE), Flux
/// (FLUX_JOB_ID: `flux hostlist local`); nothing outside of a job. Throws Error naming the variable
/// or file and line when what is there cannot be read.
std::optional<Allocation> find_allocation(const Environment& environment);

/// Two hosts that share their first label ("worker.1", "worker.2") become one node in Open MPI 4:
/// throws Error naming both.
void check_first_labels(const std::vector<HostSlots>& hosts);

}  // namespace core
