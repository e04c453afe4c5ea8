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

/// What would be run, a line a task and an indented line for each thing the task file says of it.
void print_plan(std::ostream& out, const std::vector<Task>& tasks);

}  // namespace cosched_exec
