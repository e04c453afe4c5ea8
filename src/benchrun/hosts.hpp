// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "benchrun/launch.hpp"
#include "benchrun/plan.hpp"
#include "core/allocation.hpp"
#include "core/environment.hpp"

namespace benchrun {

/// The hosts to measure: --hosts or --hostfile (inside a job: a part of its allocation, whose slots
/// and cores hold), else the allocation, else this host. Throws core::Error.
core::Allocation find_hosts(const Options& options, const core::Environment& environment);

/// The hosts of --hosts and --hostfile as part of an allocation: keeps its slots and cores. Throws
/// core::Error (usage) naming a host that is not in it.
core::Allocation part_of(const core::Allocation& whole, const core::Allocation& wanted);

/// The launcher of --launcher; auto: mpirun where there is one, else srun inside Slurm, else ssh,
/// for this host alone none at all. Throws core::Error when it is not there, or cannot start ranks
/// on these hosts.
std::unique_ptr<Launcher> choose_launcher(const Options& options,
                                          const core::Allocation& allocation,
                                          const core::Environment& environment);

}  // namespace benchrun
