// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "spare_plan/standby/live/given.hpp"

namespace spare_plan::standby::live {

/// spare-plan standby plan: prints which nodes to wake and which to switch off. Returns the exit
/// status.
int print_plan(const Given& given);

}  // namespace spare_plan::standby::live
