// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "spare_plan/standby/simulate/engine.hpp"

namespace spare_plan::standby {

/// Of a node: W when on, while it boots or shuts down, and off.
struct Watts {
  double on = 0, boot = 0, off = 0;
};

/// What a policy costs and what it does to the jobs.
struct Measures {
  std::size_t jobs = 0;
  NodeSeconds seconds;
  double energy = 0;                   ///< node-seconds powered
  double mean_bounded_slowdown = 0;    ///< mean of max((wait + run) / max(run, 10 s), 1)
  double mean_wait = 0, max_wait = 0;  ///< s
  std::size_t delayed_by_boot = 0;     ///< jobs that start later than when all nodes are on
  double mean_extra_wait = 0;          ///< s, mean over all jobs of the start less that with all on
  std::uint64_t wakes = 0, shuts = 0;
  double boots_per_node_day = 0;
  std::uint32_t nodes_last = 0;  ///< N at the last submit
  double begin = 0, end = 0;     ///< the first submit, the end of the job that ends last
  std::optional<double> kwh;
};

/// `all_on`: the course of the same jobs with all nodes on.
Measures measure(std::span<const Job> jobs, const Machine& machine, const Course& course,
                 const Course& all_on, const std::optional<Watts>& watts);

}  // namespace spare_plan::standby
