// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <optional>

#include "benchrun/launch.hpp"
#include "core/fd.hpp"

namespace benchrun {

/// A program that cannot outlive benchrun. It runs below a keeper: a process of its own session
/// that adopts all orphans among the program's descendants (Open MPI gives each of its ssh clients
/// a process group of its own). When benchrun ends in whatever way, or asks for it, the keeper ends
/// the program (SIGTERM, after a grace SIGKILL) and all its descendants.
class Kept {
 public:
  /// Starts the program with stdin from /dev/null and pipes on stdout and stderr. Throws
  /// core::Error when there are no processes or descriptors left; that the program cannot be
  /// executed is said on its stderr, with status 127.
  static Kept start(const CommandLine& line);
  Kept(Kept&& other) noexcept;
  Kept& operator=(Kept&&) = delete;
  /// Asks for the end and waits for it.
  ~Kept();

  /// The pipes never block a reader.
  int out() const { return out_.get(); }
  int err() const { return err_.get(); }
  /// Lets much of its output wait, so that a program with many ranks and its reader alternate less.
  void widen_out();
  void close_out() { out_.reset(); }
  void close_err() { err_.reset(); }
  /// Readable when the program and all its descendants have ended.
  int ended_fd() const { return pidfd_.get(); }
  /// Asks the keeper to end the program; returns at once.
  void ask_to_end() { life_.reset(); }
  /// To be called when ended_fd() is readable: exit status of the program, or 128 + signal.
  int collect();
  bool running() const { return !status_; }

 private:
  Kept() = default;

  pid_t pid_ = -1;
  core::Fd pidfd_, out_, err_;
  core::Fd life_;  ///< the keeper sees end of file when benchrun closes it or dies
  std::optional<int> status_;
};

}  // namespace benchrun
