// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "spare_plan/standby/live/cluster.hpp"
#include "spare_plan/standby/live/commands.hpp"
#include "spare_plan/standby/live/given.hpp"
#include "spare_plan/standby/live/ledger.hpp"

namespace spare_plan::standby::live {

/// The state of the cluster, from --state files, else from the scheduler's own commands; of the
/// nodes of --hosts alone where that is given. Throws Error that names what could not be read.
Cluster ask(const Given& given, const Commands& commands, double clock);

/// The ledger as it is on the disk; an empty one for the default one where that is not there, and
/// with Missing::allowed for any.
enum class Missing { refused, allowed };
Ledger read_ledger(const Given& given, Missing missing = Missing::refused);

/// Throws Error when there is something else than a file of that name, which might be endless.
void check_ledger_file(const std::string& path);

/// Seconds since 1970.
double clock_now();

}  // namespace spare_plan::standby::live
