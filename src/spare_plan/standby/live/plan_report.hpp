// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "spare_plan/standby/live/decide.hpp"

namespace spare_plan::standby::live {

/// For a person: what is, then a line for each node with the reason.
std::string plan_text(const Decision& decision, const Rule& rule);
/// One JSON object and a newline; launchwise-formats(7).
std::string plan_json(const Decision& decision, const Rule& rule, double time);

}  // namespace spare_plan::standby::live
