// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "cosched_exec/task.hpp"

namespace cosched_exec {

/// A task's process, forked into a session of its own and stopped before its exec, so that
/// counters can be opened on it and it can be put into a group.
struct Prepared {
  pid_t pid = -1;
  core::Fd out, err;  ///< our ends, not blocking: pipes, or `out` the terminal; none for a file
  core::Fd out_file;  ///< where the terminal's output is to be written; none: on ours
  core::Fd go;        ///< it goes on when a byte comes, and ends when we are gone
  core::Fd failure;   ///< errno of a failed exec comes here, its end after any other
};

/// A file of the task cannot be opened: that task cannot be run, others can.
struct CannotOpen : core::Error {
  using core::Error::Error;
};

/// No more descriptors or processes now: it can be started when others have ended.
struct NoRoom : core::Error {
  using core::Error::Error;
};

struct StartOptions {
  std::vector<unsigned> cores;  ///< processing units to bind to; empty: not bound
  std::vector<std::pair<std::string, std::string>> environment;  ///< beside the task's own
  std::optional<rlimit> descriptors;  ///< its RLIMIT_NOFILE; none: as ours is
  bool terminal = false;  ///< stdout is a pseudo-terminal: programs show each line at once
};

/// Files are relative to the task's directory, and created or emptied here; one file for stdout and
/// stderr is opened once. Throws CannotOpen for a file of the task (also for a FIFO that
/// nobody reads), NoRoom, core::Error when no process
/// can be made.
Prepared prepare(const Task& task, const StartOptions& options);
/// Lets it exec. 0, or the errno of the failed exec (then the process has ended and is reaped). An
/// exec that takes longer than 0.5 s goes on: 0, and `failure` stays open to tell later.
int let_go(Prepared& prepared);

}  // namespace cosched_exec
