// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "cosched_exec/strategy/speed_table.hpp"

namespace cosched_exec {

inline constexpr std::size_t kMostKnownTasks = 16;

struct KnownSpeeds {
  SpeedTable table;
  double slice = 0.01;  ///< s between two choices of pf, > 0
  double w0 = 0.01;     ///< initial W of pf, > 0
};
/// Reads the JSON of `cosched_exec simulate`: an object of p, f, and optionally slice (0.01) and w0
/// (the slice). 1 to kMostKnownTasks tasks; times above 0 and at most 1e12 s; 2^n rows of n speeds
/// in [0, 1], 1 alone, 0 for tasks that are not in the row's set; at most a million slices in sum
/// p. Speeds need not be monotone. Anything else, unknown keys too: core::Error (usage) naming the
/// place.
KnownSpeeds parse_known_speeds(std::string_view json, const std::string& source);
/// Refuses a slice that cuts sum p into more than a million. core::Error (usage) naming the source.
void check_slices(const KnownSpeeds& known, const std::string& source);

/// Makespan of a strategy when all speeds are known: chosen with choose(), at task ends among all
/// combinations, for pf also every slice and as on a live node; a task ends at remaining work <=
/// 1e-9 p. Infinite when the chosen tasks stand still.
double makespan(Strategy strategy, const KnownSpeeds& known);

/// The answer of `cosched_exec simulate` with its line end. JSON: {"optimum":X,"strategies":{"seq":
/// X,"par":X,"fcs":X,"pe":X,"pf":X,"auto":X}}, numbers that read back to the same bits, null for a
/// strategy that never ends. For people: a line each with the makespan in seconds and its ratio to
/// the optimum.
std::string simulate_answer(const KnownSpeeds& known, bool json);

}  // namespace cosched_exec
