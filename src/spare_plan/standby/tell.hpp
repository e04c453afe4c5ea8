// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "spare_plan/standby/job_history.hpp"

namespace spare_plan::standby {

/// A sentence for each reason why lines were left out, which is not usual (damage, doubt) or is.
struct LeftOutText {
  bool usual;
  std::string sentence;
};
std::vector<LeftOutText> left_out_text(const JobHistory& history);

/// Throws Error that says why when there is no job.
void require_jobs(const JobHistory& history);

}  // namespace spare_plan::standby
