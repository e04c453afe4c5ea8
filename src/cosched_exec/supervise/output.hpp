// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "core/fd.hpp"

namespace cosched_exec {

/// Cuts the output of a task into lines with a prefix; a line is given out whole, one of more than
/// kLongestLine bytes in pieces of about that size, each with an end. Pure.
class LinePrefixer {
 public:
  static constexpr std::size_t kLongestLine = 1 << 20;
  explicit LinePrefixer(std::string prefix) : prefix_(std::move(prefix)) {}
  /// Whole lines that the bytes complete, each with its prefix.
  std::string feed(std::string_view bytes);
  /// The last line when it has no end; with one added.
  std::string finish();

 private:
  std::string prefix_, rest_;
};

/// A stream of ours that is written only when it takes something (poll for POLLOUT while waiting()
/// > 0), so that a reader that sleeps never stops the supervisor. Pieces of up to PIPE_BUF bytes,
/// whole lines where they fit. A reader that is gone, or a stream that cannot be written: what
/// comes is dropped (SIGPIPE is to be ignored).
class OutputQueue {
 public:
  explicit OutputQueue(int fd);
  void add(std::string text);
  std::size_t waiting() const { return waiting_; }
  /// To poll.
  int fd() const { return own_ ? own_.get() : fd_; }
  /// Writes what the stream takes now.
  void write_some();
  bool reader_gone() const { return gone_; }
  /// errno of the write that failed; 0: none, or the reader is gone, which is his own will.
  int error() const { return error_; }
  /// Why what tasks wrote did not get to the stream of this name; empty: it did, or the reader is
  /// gone.
  std::string lost(const char* stream) const;

 private:
  int fd_;
  core::Fd own_;  ///< the same stream, not blocking; none for files
  std::deque<std::string> texts_;
  std::size_t waiting_ = 0, written_ = 0;  ///< written_: of the first text
  bool gone_ = false;
  int error_ = 0;
};

}  // namespace cosched_exec
