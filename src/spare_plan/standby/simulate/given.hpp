// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "spare_plan/standby/given.hpp"
#include "spare_plan/standby/simulate/measures.hpp"

namespace spare_plan::standby {

/// What the command line says about a simulation besides the history.
struct SimulationGiven {
  std::optional<double> boot, shutdown, idle_timeout, watts_on, watts_off, watts_boot;
  std::optional<std::string> backfill, queue, policies, start, sweep;
};

/// Each throws a usage Error that names the option.
Machine machine_of(const Given& given, const SimulationGiven& simulation);
/// But for the policy.
Settings settings_of(const Given& given, const SimulationGiven& simulation);
std::vector<Policy> policies_of(const SimulationGiven& simulation);
/// What is simulated: each policy, or with --sweep those that have one at many values of p0, or all
/// policies of a number of nodes that is always kept.
std::vector<Settings> runs_of(const Given& given, const SimulationGiven& simulation);
std::optional<Watts> watts_of(const SimulationGiven& simulation);

}  // namespace spare_plan::standby
