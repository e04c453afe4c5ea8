// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <vector>

namespace core {

/// Orphans of our descendants become our children from now on, so that descendants() finds them.
void adopt_orphans();

/// Our children, their children and so on, as /proc has them now; parents come first.
std::vector<pid_t> descendants();

/// Ends all of them: SIGTERM, after `grace_seconds` SIGKILL, until none is left (at most 5 s more:
/// a process in uninterruptible sleep cannot be waited for). Reaps them all.
void end_descendants(double grace_seconds);

}  // namespace core
