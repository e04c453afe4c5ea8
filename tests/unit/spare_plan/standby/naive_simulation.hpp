// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "spare_plan/standby/simulate/engine.hpp"

/// The description of the model taken literally: node by node, second by second, every number
/// counted anew. All times must be whole seconds.
spare_plan::standby::Course naive_simulation(std::span<const spare_plan::standby::Job> jobs,
                                             const spare_plan::standby::Machine& machine,
                                             const spare_plan::standby::Settings& settings);
