// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace cosched_exec {

/// Our own control group in one hierarchy: "" stands for cgroup v2, "freezer", "cpu", ... for a v1
/// controller. `cgroup` is the text of /proc/self/cgroup (cgroups(7)). Empty: no such hierarchy.
std::string own_path(std::string_view controller, std::string_view cgroup);
/// The same as a folder, by the text of /proc/self/mountinfo (proc(5)). Empty also when it is
/// mounted nowhere that shows our group. Pure.
std::string own_group(std::string_view controller, std::string_view cgroup,
                      std::string_view mountinfo);

}  // namespace cosched_exec
