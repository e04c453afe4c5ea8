// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "spare_plan/standby/live/cluster.hpp"
#include "spare_plan/standby/live/ledger.hpp"

namespace spare_plan::standby::apply {

/// What the ledger and the truth say together, by what is to be done about it.
struct Reconciled {
  std::vector<std::string> off;         ///< were to be switched off, and are: to be noted
  std::vector<std::string> up;          ///< are in use again: to be welcomed and noted
  std::vector<std::string> finish_off;  ///< half switched off: orders to be given again
  std::vector<std::string> wake_again;  ///< woken, not seen to boot: orders to be given again
  std::vector<std::string> late;        ///< did not come up in time: to be noted and told
};

/// Of each node that the ledger knows. `scheduler_knows`: the scheduler tells itself what is off
/// and on its way; otherwise a node that was switched off may be told idle for up to `boot_limit`
/// seconds, until the scheduler notices.
Reconciled reconcile(const live::Cluster& cluster, const live::Ledger& ledger, bool scheduler_knows,
                     double now, double boot_limit);

/// Nodes that are told idle although they have just been switched off: stopping, for the decision.
void mark_stopping(live::Cluster& cluster, const live::Ledger& ledger, double now,
                   double boot_limit);

}  // namespace spare_plan::standby::apply
