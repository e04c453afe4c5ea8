// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace cosched_exec {

/// Runs `supervisor` in a child process that is watched, and returns its exit status. Both adopt
/// orphans, and each watches the other: when the supervisor dies the keeper ends all that is left
/// of the tasks (thawed through `groups_folder`); when the keeper dies the descriptor handed to
/// the supervisor becomes readable. Signals that ask for the end are passed on.
int keep(const std::string& groups_folder, const std::function<int(int life)>& supervisor);

}  // namespace cosched_exec
