// SPDX-License-Identifier: BSD-3-Clause
// One step of node_manage of CN1758610A: nodes that are free beyond N are switched off, missing
// ones are woken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spare_plan/standby/live/cluster.hpp"
#include "spare_plan/standby/simulate/settings.hpp"

namespace spare_plan::standby::live {

struct Rule {
  std::uint32_t keep = 1;           ///< N
  std::uint32_t keep_at_least = 0;  ///< no node goes off that leaves fewer free
  Queue queue = Queue::startable;
  double boot = 120;                      ///< s
  double min_up = 600;                    ///< s; a node that booted later stays on
  double idle_timeout = 300;              ///< s; a node that has not been idle for so long stays on
  std::uint32_t max_change = UINT32_MAX;  ///< nodes woken, and as many switched off, in one step
};

struct Choice {
  std::string node, why;
};

/// n_free = n_on - n_use - n_require. on: idle, planned, busy and booting; used: busy and planned;
/// required: what waiting jobs ask for beyond the nodes that are planned for them.
struct Counts {
  std::int64_t on = 0, used = 0, required = 0;
  std::int64_t free() const { return on - used - required; }
};

struct Decision {
  Counts counts;
  std::vector<Choice> wake, off;  ///< in the order in which it is best done
  std::vector<Choice> stay;       ///< beyond N, but not to be switched off now
  std::int64_t missing = 0;       ///< to be woken, but there are no such nodes
  std::int64_t later = 0;         ///< wake or off, but beyond max_change
};

/// Nodes that were off longest are woken first, late ones last; nodes that are on longest are
/// switched off first, of equal ones the one that is idle longest; then by their order.
Decision decide(const Cluster& cluster, const Rule& rule, double now);

}  // namespace spare_plan::standby::live
