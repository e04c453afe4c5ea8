// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "spare_plan/standby/demand.hpp"
#include "spare_plan/standby/job_history.hpp"

namespace spare_plan::standby {

/// The share of the jobs that asked for at most so many nodes.
struct DemandStep {
  std::uint32_t nodes;
  double share;
};

/// N of some consecutive jobs.
struct PartNodes {
  double from, to;  ///< the first and the last submit
  std::size_t jobs;
  std::uint32_t nodes;
};

struct GroupNodes {
  std::string name;
  std::size_t jobs;
  std::uint32_t nodes;
};

/// What a history tells about N besides N itself.
struct Analysis {
  double p0 = 0;
  std::size_t jobs = 0;                             ///< that N goes by
  std::uint32_t nodes = 0;                          ///< N
  std::vector<DemandStep> at_share;                 ///< N at 80, 85 and 90 %
  std::vector<DemandStep> steps;                    ///< the distribution, ascending
  double powers_of_two = 0;                         ///< share of the jobs of 1, 2, 4, ... nodes
  std::vector<PartNodes> parts;                     ///< by time
  std::pair<std::uint32_t, std::uint32_t> band_95;  ///< by bootstrap
  std::size_t blocks = 0;                           ///< that were drawn for it
  std::vector<GroupNodes> groups;                   ///< by name, of those that have jobs
};

/// N of jobs (at least one).
std::uint32_t standby_nodes(std::span<const Job> jobs, double p0);

/// N of each group of these jobs, by name.
std::vector<GroupNodes> standby_nodes_by_group(const JobHistory& history, std::span<const Job> jobs,
                                               double p0);

/// The parts are windows as the one that N goes by, at most the last kMostParts, or tenths of all
/// jobs. The band is the middle 95 % of N when blocks of consecutive jobs are drawn with
/// replacement (B. Efron's bootstrap, by blocks since jobs of a day belong together): days, or
/// where there are fewer than kFewestDays, equally many jobs each. The draws are always the same.
constexpr std::size_t kMostParts = 12, kFewestDays = 10;
Analysis analyse(const JobHistory& history, const Window& window, double p0);

}  // namespace spare_plan::standby
