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

/// The first of these that is there, or nothing outside of a job:
/// - Slurm: SLURM_JOB_ID with SLURM_JOB_NODELIST. Slots: SLURM_TASKS_PER_NODE (may be longer than
///   the list), else SLURM_JOB_CPUS_PER_NODE / SLURM_CPUS_PER_TASK (at least 1), else unknown.
/// - PBS: PBS_NODEFILE, a line per slot.
/// - LSF: LSB_JOBID with LSB_DJOB_HOSTFILE (a line per slot), else LSB_MCPU_HOSTS (host and slots
///   in turn), else LSB_HOSTS (a word per slot). On systems with jsrun the first host is the batch
///   node; LSF tells nothing by which to know that (prrte#800), so every host is kept: leaving one
///   out is up to --exclude or --hosts.
/// - SGE: PE_HOSTFILE, lines "host slots queue range".
/// - Flux: FLUX_JOB_ID, then what `flux hostlist local` prints; in a batch script, which has only
///   FLUX_ENCLOSING_ID, what `flux getattr hostlist` prints. Slots unknown.
/// A host's lines add up. Throws Error naming the variable or file and line when what is there
/// cannot be read.
std::optional<Allocation> find_allocation(const Environment& environment);

/// Two hosts that share their first label ("worker.1", "worker.2") become one node in Open MPI 4:
/// throws Error naming both. IPv4 addresses are not cut.
void check_first_labels(const std::vector<HostSlots>& hosts);

}  // namespace core
