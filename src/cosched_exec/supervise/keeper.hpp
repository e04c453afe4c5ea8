// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace cosched_exec {

/// Runs `supervisor` in a child process that is watched, and returns its exit status. Both adopt
/// orphans, and each watches the other: when the supervisor dies the keeper ends all that is left
/// of the tasks (thawed through `groups_folder`); when the keeper dies the descriptor handed to
/// the supervisor becomes readable. Signals that ask for the end (INT, TERM, HUP, QUIT) and TSTP
/// are passed on: the supervisor is in a process group of its own and finds them blocked. After
/// TSTP the supervisor stops itself, then so do we, and CONT lets both go on. A core::Error that
/// `supervisor` throws is logged, with status kOwnFailure; so is its death.
int keep(const std::string& groups_folder, const std::function<int(int life)>& supervisor);

}  // namespace cosched_exec
