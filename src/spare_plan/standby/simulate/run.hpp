// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "spare_plan/standby/simulate/given.hpp"

namespace spare_plan::standby {

/// spare-plan standby simulate HISTORY. Returns the exit status.
int print_simulation(const Given& given, const SimulationGiven& simulation);

}  // namespace spare_plan::standby
