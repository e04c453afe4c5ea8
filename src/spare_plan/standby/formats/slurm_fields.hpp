// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>

#include "spare_plan/standby/job_history.hpp"

namespace spare_plan::standby {

/// What Slurm tells of a job, in its own words; empty where it does not.
struct SlurmFields {
  std::string_view state, submit, eligible, start, end;
  std::string_view elapsed;  ///< s, or a clock
  std::string_view limit;    ///< of `limit_minutes`, minutes, else a clock
  bool limit_minutes = false;
  std::string_view allocated_nodes, nodes, requested_nodes;
  std::string_view partition, feature;
};

/// Adds the job, or counts why not.
void add_slurm_job(const SlurmFields& fields, std::size_t line, HistoryBuilder& history);

}  // namespace spare_plan::standby
