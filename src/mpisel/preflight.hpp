// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace mpisel {

/// Throws Error (status unmet) "cannot run PROGRAM: ..." when execvp would find no program file of
/// that name: a path with a slash, or a name in the folders of `search_path` (as in PATH).
void check_runnable(const std::string& program, const std::string& search_path);

/// A launcher is to read the hostfile that -o keeps, and it reads all of it or waits for more.
/// Throws Error (status usage) unless the path leads to a regular file or to nothing yet; also when
/// it names an open descriptor (/dev/stdout, /dev/fd/N, /proc/self/fd/N), directly or by links.
void check_kept_file(const std::string& path);

}  // namespace mpisel
