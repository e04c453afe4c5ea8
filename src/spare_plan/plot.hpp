// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/picture.hpp"
#include "spare_plan/search.hpp"

namespace spare_plan {

/// E[C] around the answer: the answer marked, the stretch within 1 % of the least, and as-is.
core::Picture curve_picture(const Curve& curve, const Plan& plan);

}  // namespace spare_plan
