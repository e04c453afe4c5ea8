// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/picture.hpp"
#include "spare_plan/standby/simulate/report.hpp"

namespace spare_plan::standby {

/// Slowdown, and jobs delayed by a boot, against energy; one below the other.
std::vector<core::Picture> compromise_pictures(std::span<const Simulated> runs,
                                               double all_on_energy);

}  // namespace spare_plan::standby
