// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "spare_plan/standby/live/cluster.hpp"
#include "spare_plan/standby/live/commands.hpp"
#include "spare_plan/standby/live/given.hpp"

namespace spare_plan::standby::live {

/// The state of the cluster, from --state files, else from the scheduler's own commands; of the
/// nodes of --hosts alone where that is given. Throws Error that names what could not be read.
Cluster ask(const Given& given, const Commands& commands, double clock);

}  // namespace spare_plan::standby::live
