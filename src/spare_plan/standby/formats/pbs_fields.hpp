// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "spare_plan/standby/job_history.hpp"

namespace spare_plan::standby {

/// What OpenPBS tells of a job, in its own words; empty where it does not.
struct PbsFields {
  std::string_view queued, eligible;  ///< qtime, etime
  std::string_view start, end;        ///< where the end is not told, `used` counts
  std::string_view used;              ///< resources_used.walltime
  std::string_view limit;             ///< Resource_List.walltime
  std::string_view hosts;             ///< exec_host
  std::string_view node_count;        ///< Resource_List.nodect, which counts chunks
  std::string_view select;            ///< Resource_List.select
  std::string_view queue;
  bool running = false;
};

/// Adds the job, or counts why not.
void add_pbs_job(const PbsFields& fields, std::size_t line, HistoryBuilder& history);

/// How many hosts n1/0*2+n2/0*2+n1/1 names; 0 for no text.
std::size_t count_hosts(std::string_view exec_host);

/// What the first chunk of a select asks for besides numbers and sizes, "model=a&gpu=true" of
/// 2:ncpus=4:model=a:mem=8gb:gpu=true.
std::string feature_of(std::string_view select);

}  // namespace spare_plan::standby
