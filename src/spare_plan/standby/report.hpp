// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "core/picture.hpp"
#include "spare_plan/standby/analysis.hpp"

namespace spare_plan::standby {

/// A line for each group: its name (quoted where it is no plain word) and N.
std::string groups_text(const std::vector<GroupNodes>& groups);
/// What --explain says.
std::string explanation(const Analysis& analysis, const JobHistory& history);
std::string analysis_json(const Analysis& analysis, const JobHistory& history, GroupBy group_by);
/// The distribution with p0 and N marked, as in Fig. 4 of CN1758610A.
core::Picture distribution_picture(const Analysis& analysis);

}  // namespace spare_plan::standby
