// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace cosched_exec {

/// Cuts the output of a task into lines with a prefix; a line is given out whole. Pure.
class LinePrefixer {
 public:
  explicit LinePrefixer(std::string prefix) : prefix_(std::move(prefix)) {}
  /// Whole lines that the bytes complete, each with its prefix.
  std::string feed(std::string_view bytes);
  /// The last line when it has no end; with one added.
  std::string finish();

 private:
  std::string prefix_, rest_;
};

/// A stream of ours that is written only when it takes something (poll for POLLOUT while waiting()
/// > 0), so that a reader that sleeps never stops the supervisor. A reader that is gone: what
/// comes is dropped.
class OutputQueue {
 public:
  explicit OutputQueue(int fd) : fd_(fd) {}
  void add(std::string text);
  std::size_t waiting() const { return waiting_; }
  int fd() const { return fd_; }
  /// Writes what the stream takes now.
  void write_some();
  bool reader_gone() const { return gone_; }

 private:
  int fd_;
  std::deque<std::string> texts_;
  std::size_t waiting_ = 0, written_ = 0;  ///< written_: of the first text
  bool gone_ = false;
};

}  // namespace cosched_exec
