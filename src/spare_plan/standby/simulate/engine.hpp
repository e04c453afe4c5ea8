// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "spare_plan/standby/simulate/power.hpp"
#include "spare_plan/standby/simulate/settings.hpp"

namespace spare_plan::standby {

/// What became of the jobs and the nodes.
struct Course {
  std::vector<double> starts;                     ///< of each job
  std::vector<std::uint32_t> nodes_after_submit;  ///< N when the job was submitted
  NodeSeconds seconds;
  std::uint64_t wakes = 0, shuts = 0;
  double begin = 0, end = 0;  ///< the first submit, the end of the job that ends last
};

/// Runs the jobs (by submit, at least one, none wider than the machine) on the machine.
///
/// At each instant: ends of jobs, boots and shutdowns; submits, in order; starts, first come first
/// served or EASY; then one step of CN1758610A's node management:
///
///     n_free = n_on - n_use - n_require        on: idle, busy, booting; required: by waiting jobs
///     n_free < N: wake N - n_free nodes        at most those that are off
///     n_free > N: shut n_free - N nodes        at most those that are idle
///
/// The work grows as n log n with the number of jobs.
Course simulate(std::span<const Job> jobs, const Machine& machine, const Settings& settings);

}  // namespace spare_plan::standby
