// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/allocation.hpp"
#include "core/environment.hpp"
#include "core/hostfile.hpp"
#include "core/launchers.hpp"

namespace mpisel {

using Words = std::vector<std::string>;

/// Throws Error (status usage), naming the option, when the launcher's own part of the command line
/// names hosts already.
void check_no_hosts(const core::Launcher& launcher, const Words& command);

/// srun alone: a -N of the user's comes after ours and wins, so srun would add hosts that were not
/// chosen. Throws Error (status usage), naming it, unless it says `count`.
void check_node_count(const core::Launcher& launcher, const Words& command, std::size_t count);

/// The format that the launcher gets: its own, or the one asked for where it can read it (Open MPI:
/// rankfile too). Throws Error (status usage) otherwise.
core::HostfileFormat format_for(const core::Launcher& launcher,
                                std::optional<core::HostfileFormat> asked);

/// The command with the hosts in it: `path` (of a file in `format`) for every launcher but srun,
/// which gets `-N n -w LIST`. Open MPI takes a hostfile for each ":" part.
Words with_hosts(const core::Launcher& launcher, const Words& command, core::HostfileFormat format,
                 const std::string& path, std::span<const core::HostSlots> chosen);

/// Changes for srun's environment: sbatch -n and --ntasks-per-node leave SLURM_NTASKS
/// (SLURM_NPROCS) with the tasks of the whole job, spare nodes included. What is set becomes the
/// tasks of the chosen hosts. srun's own -n wins over it.
std::vector<std::pair<std::string, std::optional<std::string>>> task_counts(
    const core::Environment& environment, const std::optional<core::Allocation>& job,
    std::span<const core::HostSlots> chosen);

}  // namespace mpisel
