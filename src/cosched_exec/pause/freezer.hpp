// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "cosched_exec/pause/pauser.hpp"

namespace cosched_exec {

/// Seconds after which a group that does not freeze is given up.
constexpr double kFreezePatience = 1;

/// The freezer of a control group (cgroup v2: cgroup.freeze, asynchronous, told by cgroup.events;
/// v1: freezer.state). `method` is one of the two.
/// Waits until the kernel says that all of it is frozen; false after the time, s.
bool freeze(PauseMethod method, const std::string& group, double patience);
/// Whether the kernel has taken the wish, be it frozen already or not.
bool freeze_was_asked(PauseMethod method, const std::string& group);
bool thaw(PauseMethod method, const std::string& group);
/// SIGKILL to all in it; a v1 group is thawed for that.
void kill_group(PauseMethod method, const std::string& group);
/// All in it and in groups below.
std::vector<pid_t> processes_in(const std::string& group);
/// Moves a process into it.
bool move_into(const std::string& group, pid_t process);

/// Writes a control file of a group; false with errno.
bool write_control(const std::string& group, const char* file, const std::string& text);

}  // namespace cosched_exec
