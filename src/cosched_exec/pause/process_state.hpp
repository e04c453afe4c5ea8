// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <chrono>
#include <span>

namespace cosched_exec {

/// What the threads of a process do.
enum class Activity {
  gone,     ///< no such process, or a zombie
  stopped,  ///< all are stopped (T)
  waiting,  ///< stopped, but for some in uninterruptible sleep
  active
};
Activity activity(pid_t process);

/// Whether CPU time of these processes passes within the next milliseconds (0.5 ms is none: the
/// last steps of a thread that is shown as stopped already).
bool uses_cpu(std::span<const pid_t> processes, int milliseconds);

double seconds_since(std::chrono::steady_clock::time_point start);
/// Sleeps that long, microseconds.
void nap(long microseconds);

}  // namespace cosched_exec
