// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "spare_plan/standby/job_history.hpp"
#include "spare_plan/standby/simulate/measures.hpp"

namespace spare_plan::standby {

/// One simulation and what it gave.
struct Run {
  Settings settings;
  Course course;
  Measures measures;
};

std::string policy_name(const Settings& settings);

/// For people: a line for each run, energy also as a share of `all_on_energy`.
std::string simulation_table(std::span<const Run> runs, double all_on_energy);
/// A list with an object for each run.
std::string simulation_json(std::span<const Run> runs, const JobHistory& history,
                            double all_on_energy);

}  // namespace spare_plan::standby
