// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace core {
struct SplitArgs;
}

namespace spare_plan::standby::live {

/// spare-plan standby plan. args.own is what stands behind "plan". Returns the exit status.
int plan_command(const core::SplitArgs& args);

}  // namespace spare_plan::standby::live
