// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace core {
struct SplitArgs;
}

namespace spare_plan::standby::live {

/// spare-plan standby plan and apply. args.own is what stands behind that word. Each returns the
/// exit status.
int plan_command(const core::SplitArgs& args);
int apply_command(const core::SplitArgs& args);

}  // namespace spare_plan::standby::live
