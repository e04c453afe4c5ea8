// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "spare_plan/standby/job_history.hpp"
#include "spare_plan/standby/simulate/measures.hpp"

namespace spare_plan::standby {

/// One simulation and what it gave.
struct Simulated {
  Settings settings;
  Measures measures;
};

/// Whether each run is one of the best compromises: no other is better in energy or slowdown
/// without being worse in the other.
std::vector<bool> best_compromises(std::span<const Simulated> runs);

std::string policy_name(const Settings& settings);

/// For people: a line for each run, energy also as a share of `all_on_energy`, the best compromises
/// marked.
std::string simulation_table(std::span<const Simulated> runs, double all_on_energy);
/// A list with an object for each run.
std::string simulation_json(std::span<const Simulated> runs, const JobHistory& history,
                            double all_on_energy);

}  // namespace spare_plan::standby
