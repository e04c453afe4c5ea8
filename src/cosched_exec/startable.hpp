// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "cosched_exec/options.hpp"
#include "cosched_exec/task.hpp"

namespace cosched_exec {

/// Refuses, before anything is started, what can be told for sure to fail: a folder that is not
/// there, a program of an array command that cannot be found or executed, an output file that
/// cannot be written or is another task's too, one of ours or the list of tasks; two of ours that
/// are one. Makes nothing. Throws core::Error (usage) naming the task and its place, or
/// the option.
void check_startable(const std::vector<Task>& tasks, const Options& options);

}  // namespace cosched_exec
