// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>
#include <vector>

#include "cosched_exec/options.hpp"
#include "cosched_exec/task.hpp"

namespace cosched_exec {

/// The tasks that the options ask for: those of -c, then those of the task file. Throws core::Error
/// (usage) for a file that cannot be read or is wrong, and when there are no tasks.
std::vector<Task> read_tasks(const Options& options);

/// Refuses, before anything is started, what can be told for sure to fail: a folder that is not
/// there, a program of an array command that is not there or cannot be executed, an output file in
/// a folder that is not there. Throws core::Error (usage) naming the task.
void check_tasks(const std::vector<Task>& tasks);

/// What would be run, a line a task and an indented line for each thing the task file says of it.
void print_plan(std::ostream& out, const std::vector<Task>& tasks);

}  // namespace cosched_exec
