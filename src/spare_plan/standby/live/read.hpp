// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "spare_plan/standby/live/cluster.hpp"

namespace spare_plan::standby::live {

/// Adds what one output of a scheduler tells, recognised by its content:
///
///     "launchwise_cluster"      our own description, launchwise-formats(7)
///     "nodes" an array          sinfo --json, Slurm 22.05 (state, state_flags) and 23.02 to 24.11
///     "jobs" an array           squeue --json
///     "nodes" an object         pbsnodes -a -F json, OpenPBS
///     "Jobs", or "pbs_server"   qstat -f -F json
///     no JSON                   sinfo and squeue, as live/slurm_text.cpp says
///
/// `now` is the instant that times left are counted from. Throws Error that names `name` (and the
/// line).
void read_state(Cluster& cluster, std::string_view text, const std::string& name, double now);

/// Throws Error when a node is there twice, or there is none.
void check_cluster(const Cluster& cluster);

}  // namespace spare_plan::standby::live
