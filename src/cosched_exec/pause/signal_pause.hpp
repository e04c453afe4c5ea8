// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace cosched_exec {

/// Stops processes by SIGSTOP to each of them, as groups and sessions of their own would escape a
/// signal to a group (mpirun's ranks).
class SignalPause {
 public:
  using Processes = std::function<std::vector<pid_t>()>;
  explicit SignalPause(Processes processes) : processes_(std::move(processes)) {}

  /// Until another look finds no process that is not stopped. Those that cannot be stopped (of
  /// another user, in uninterruptible sleep) are accepted when they use no CPU time. Empty: done;
  /// else why not, a phrase, and all go on.
  std::string pause();
  /// SIGCONT to those stopped by pause().
  void resume();

 private:
  /// Sends SIGSTOP to what has not got it yet; false when there was nothing.
  bool stop_new(const std::vector<pid_t>& processes);

  Processes processes_;
  std::vector<pid_t> stopped_;  ///< by us
  std::vector<pid_t> stopped_before_, refused_;
};

}  // namespace cosched_exec
