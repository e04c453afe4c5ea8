// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "spare_plan/standby/demand.hpp"

namespace spare_plan::standby {

/// How many idle nodes are kept on, N, and when the others go off.
enum class Policy {
  all_on,     ///< every node, always
  all_off,    ///< none: N = 0
  redundant,  ///< N = cdf^-1(p0) of the jobs' nodes, CN1758610A
  hybrid,     ///< the same N; beyond it a node goes off only after it was idle for a while
  burst,      ///< N = cdf^-1(p0) of the nodes that are asked for within one boot time
  fixed       ///< a number of nodes that is given; for a sweep
};

constexpr std::array<std::pair<std::string_view, Policy>, 5> kPolicies{{
    {"all-on", Policy::all_on},
    {"all-off", Policy::all_off},
    {"redundant", Policy::redundant},
    {"hybrid", Policy::hybrid},
    {"burst", Policy::burst},
}};

/// The machine; nodes are all alike.
struct Machine {
  std::uint32_t nodes = 1;
  double boot = 120, shutdown = 30;  ///< s, >= 0
};

enum class Backfill { none, easy };
/// Which waiting jobs count as requests for nodes: all (the source), or those that first come,
/// first served could start within one boot time.
enum class Queue { all, startable };
/// Nodes that are on in the beginning: as the policy has it (all, none, one), all or none.
enum class Start { policy, on, off };

struct Settings {
  Policy policy = Policy::redundant;
  double p0 = 0.9;  ///< in (0, 1]
  Window window;
  std::uint32_t fixed_nodes = 0;  ///< of Policy::fixed
  double idle_timeout = 300;      ///< s, of Policy::hybrid
  Backfill backfill = Backfill::none;
  Queue queue = Queue::all;
  Start start = Start::policy;
};

}  // namespace spare_plan::standby
