// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "cosched_exec/strategy/speed_table.hpp"
#include "simulated_node.hpp"

namespace cosched_exec::simulated {

/// The on-line simulation of models.md 3: eight tasks of 50..150 s.
enum class Family { bottleneck, shared, pair, two_class, spin };
std::string name(Family family);
Node instance(Family family, unsigned seed);

/// A mix of mixes.md on two cores by its letter, with its measured pair sums; each program takes
/// about `seconds` alone.
Node mix(char letter, double seconds, unsigned seed);

/// True speeds of all sets; at most 12 tasks.
SpeedTable table(const Node& node);

}  // namespace cosched_exec::simulated
