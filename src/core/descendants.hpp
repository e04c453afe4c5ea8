// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace core {

/// A process that lives, as /proc/PID/stat has it.
struct LiveProcess {
  pid_t pid = 0, parent = 0, group = 0, session = 0;
  char state = '?';         ///< of its first thread; Z: that one has ended, others go on
  std::uint64_t start = 0;  ///< tells it from a later process of the same number
};
/// None when there is no such process or it is a zombie.
std::optional<LiveProcess> live_process(pid_t pid);

/// Orphans of our descendants become our children from now on, so that descendants() finds them.
void adopt_orphans();

/// The children of a process, their children and so on, as /proc has them now; parents come first.
/// Costs a few system calls a descendant where the kernel lists children, else for each process of
/// the machine.
std::vector<LiveProcess> living_below(pid_t root);
std::vector<pid_t> descendants_of(pid_t root);
/// Our own.
std::vector<pid_t> descendants();

/// Ends all of them: SIGTERM, after `grace_seconds` SIGKILL, until none is left (at most 5 s more:
/// a process in uninterruptible sleep cannot be waited for). Reaps them all.
void end_descendants(double grace_seconds);

}  // namespace core
