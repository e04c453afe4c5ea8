// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "spare_plan/standby/job_history.hpp"

namespace spare_plan::standby {

/// A sentence about what was left out for one reason, or otherwise not taken as it stands; usual,
/// or a sign of damage.
struct HistoryText {
  bool usual;
  std::string sentence;
};
std::vector<HistoryText> history_text(const JobHistory& history);

/// Throws Error that says why when there is no job.
void require_jobs(const JobHistory& history);

}  // namespace spare_plan::standby
