// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "cosched_exec/strategy/speed_table.hpp"

namespace cosched_exec {

/// The least makespan for known speeds (models.md 3): min sum x_S subject to
/// sum_{S: i in S} f_i(S) x_S = p_i, x >= 0.
struct Optimum {
  double makespan = 0;          ///< s
  double bound = 0;             ///< sum p_i y_i of a dual y made feasible: never above the optimum
  std::vector<double> dual;     ///< y, one per task
  std::vector<double> time_in;  ///< x_S, s, by mask; one optimal schedule
};

/// COIN-OR CLP; the only file that includes it. A table with a task that has no speed in any set
/// has no schedule: throws core::Error.
Optimum optimum(const SpeedTable& table);

}  // namespace cosched_exec
