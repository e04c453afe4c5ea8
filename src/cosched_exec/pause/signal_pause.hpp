// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <cstdint>
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
  /// SIGCONT to all that pause() has sent a SIGSTOP, also where that is still pending.
  void resume();
  /// Whether none of those that pause() has stopped was continued by others.
  bool stands() const;
  /// Forgets these, so that pause() stops them again.
  void forget_continued();

 private:
  struct Stopped {
    pid_t pid = 0;
    std::uint64_t start = 0;  ///< tells it from a later process of the same number
    bool seen = false;        ///< to stand
  };
  /// Sends SIGSTOP to what has not got it yet; false when there was nothing.
  bool stop_new(const std::vector<pid_t>& processes);
  bool knows(pid_t process) const;
  static bool continued(const Stopped& stopped);

  Processes processes_;
  std::vector<Stopped> stopped_;  ///< by us
  std::vector<pid_t> stopped_before_, refused_;
};

}  // namespace cosched_exec
