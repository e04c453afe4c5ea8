// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "cosched_exec/strategy/speed_table.hpp"

namespace cosched_exec {

struct KnownSpeeds {
  SpeedTable table;
  double slice = 0.01;  ///< s between two choices of pf, > 0
  double w0 = 0.01;     ///< initial W of pf, > 0
};
/// Reads the JSON of `cosched_exec simulate`. Bad input: core::Error (usage) naming the place.
KnownSpeeds parse_known_speeds(std::string_view json, const std::string& source);

/// Makespan of a strategy when all speeds are known: chosen with choose(), at task ends, for pf
/// also every slice; a task ends at remaining work <= 1e-9 p.
double makespan(Strategy strategy, const KnownSpeeds& known);

}  // namespace cosched_exec
