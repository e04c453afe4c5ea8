// SPDX-License-Identifier: BSD-3-Clause
// What of a job can be given back, and by which command. Pure; mpisel/release does it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/allocation.hpp"
#include "core/environment.hpp"
#include "core/schedulers.hpp"

namespace mpisel {

/// The nodes of a job, parted; each part in the order of `held`.
struct Shrink {
  std::vector<std::string> kept;   ///< those chosen, and those of `stay`
  std::vector<std::string> given;  ///< all others
  std::vector<std::string> stay;   ///< kept although not chosen, since the job's script runs there
};

/// held: the nodes that the job has. launch: names of the nodes that the job must not lose, in any
/// spelling with the same first label; those that are none of its nodes are ignored. Without a
/// chosen node among `held` nothing is given.
Shrink plan_shrink(std::span<const std::string> held, std::span<const core::HostSlots> chosen,
                   std::span<const std::string> launch);

/// The scheduler's command for it (schedulers().give_back filled in); empty where there is none.
std::vector<std::string> shrink_command(const core::Scheduler& scheduler, const std::string& job_id,
                                        const Shrink& shrink);

/// The command as a shell reads it.
std::string as_shell_text(std::span<const std::string> command);

/// Slurm: the variables that describe the job's nodes, as they would be had the job begun with
/// `kept`; only those that are set. Open MPI and srun go by them. SLURM_NTASKS and SLURM_NPROCS,
/// which count tasks, are left to task_counts (mpisel/wrapper.hpp).
std::vector<std::pair<std::string, std::optional<std::string>>> shrunk_environment(
    const core::Environment& environment, const core::Allocation& job,
    std::span<const std::string> kept);

}  // namespace mpisel
