// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/fd.hpp"

namespace core {

struct Pipe {
  Fd read, write;
};
/// A pipe whose ends are close-on-exec and numbered `least` or above, so that dup2 onto a lower
/// number never meets its own source. Throws Error.
Pipe make_pipe(int least = 3);

/// Readable when the process has ended; none when there is no such process.
Fd open_pidfd(pid_t pid);

/// argv or envp as exec wants it; the strings must outlive it.
std::vector<char*> pointers(const std::vector<std::string>& words);

/// The errno that a child has written into its close-on-exec pipe after a failed exec; 0 at the
/// pipe's end, when the exec has succeeded.
int read_exec_failure(int pipe);

/// The files that execvp tries, in its order, for a program without a slash; an empty folder of the
/// search path is ".".
std::vector<std::string> places_in_path(const std::string& program, std::string_view search_path);

/// Raises the limit of open descriptors as far as it goes; the limit that there was before.
/// Programs that use select() rely on a low one.
std::optional<rlimit> allow_more_descriptors();

/// Where a child's stream goes.
enum class Stream { inherit, null, pipe, to_stderr };

struct SpawnOptions {
  Stream out = Stream::inherit;  ///< to_stderr: the child's stdout is our stderr
  Stream err = Stream::inherit;
  Stream in = Stream::null;  ///< null or inherit
  bool own_group = false;    ///< a process group of its own (a terminal's Ctrl-C does not reach it)
  bool pass_descriptors = false;   ///< those above 2 that are not close-on-exec
  int death_signal = 0;            ///< sent by the kernel to the child when we die; 0: none
  bool empty_environment = false;  ///< the child gets only what `environment` sets
  /// Changes to the environment: a value to set, or nothing to remove.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;
};

/// A started child. pidfd becomes readable when it ends; out and err are our ends of pipes.
struct Child {
  pid_t pid = -1;
  Fd pidfd;
  Fd out;
  Fd err;
};

/// Starts argv[0] (looked up in PATH) without a shell, with default signal dispositions and an
/// empty signal mask; no descriptor but 0, 1, 2 is passed on unless so asked. Throws Error "cannot
/// run PROGRAM:
/// ..." when it cannot be executed.
Child spawn(const std::vector<std::string>& argv, const SpawnOptions& options = {});

/// How a child ended, from waitpid: the exit status, or 128 + signal.
int wait_for(Child& child);

struct Captured {
  int status = 0;
  std::string out;
};
/// Runs to the end and returns exit status and stdout; ended by SIGKILL (status 137) after the time
/// limit or so many bytes, or when we die. Of the options err and the environment hold.
Captured capture(const std::vector<std::string>& argv, double timeout_seconds,
                 std::size_t most_bytes, SpawnOptions options);
/// The same; err: null or inherit.
Captured capture(const std::vector<std::string>& argv, double timeout_seconds,
                 std::size_t most_bytes = 1 << 20, Stream err = Stream::null);

/// Becomes the program: restores signals, sets the environment changes, execvp. Throws Error when
/// that fails.
[[noreturn]] void become(const std::vector<std::string>& argv, const SpawnOptions& options = {});

}  // namespace core
