// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "spare_plan/standby/given.hpp"

namespace spare_plan::standby {

/// spare-plan standby HISTORY: prints N. Returns the exit status.
int print_standby(const Given& given);

}  // namespace spare_plan::standby
