// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "spare_plan/standby/apply/given.hpp"

namespace spare_plan::standby::apply {

/// spare-plan standby apply: one decision, carried out with --yes. Returns the exit status: 1 when
/// an order could not be carried out; the next run tries again.
int apply(const Given& given);

}  // namespace spare_plan::standby::apply
