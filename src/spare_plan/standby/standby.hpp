// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace core {
struct SplitArgs;
}

namespace spare_plan::standby {

/// spare-plan standby: chooses the subcommand by its first word and runs it. args.own is what
/// stands behind "standby". Returns the exit status.
int command(core::SplitArgs args);

}  // namespace spare_plan::standby
