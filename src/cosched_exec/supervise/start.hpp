// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/fd.hpp"
#include "cosched_exec/task.hpp"

namespace cosched_exec {

/// A task's process, forked into a session of its own and stopped before its exec, so that
/// counters can be opened on it and it can be put into a group.
struct Prepared {
  pid_t pid = -1;
  core::Fd pidfd;
  core::Fd out, err;  ///< our ends: pipes, or `out` the terminal; none where a file is written
  core::Fd go;        ///< closed by let_go
  core::Fd failure;   ///< errno of a failed exec comes here
};

struct StartOptions {
  std::vector<unsigned> cores;  ///< processing units to bind to; empty: not bound
  std::vector<std::pair<std::string, std::string>> environment;  ///< beside the task's own
  bool terminal = false;  ///< stdout is a pseudo-terminal: programs show each line at once
};

/// Throws core::Error when a file of the task cannot be opened or no process can be made.
Prepared prepare(const Task& task, const StartOptions& options);
/// Lets it exec. 0, or the errno of the failed exec (then the process has ended).
int let_go(Prepared& prepared);

}  // namespace cosched_exec
