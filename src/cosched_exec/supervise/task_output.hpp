// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "cosched_exec/supervise/output.hpp"
#include "cosched_exec/supervise/start.hpp"

namespace cosched_exec {

/// What a task writes, on its way to us: lines with the prefix "NAME: ", stdout to stdout and
/// stderr to stderr, or a file.
class TaskOutput {
 public:
  /// Takes the streams out of `prepared`. `watch` sees what comes on stdout.
  TaskOutput(const Task& task, Prepared& prepared, OutputQueue& out, OutputQueue& err,
             std::function<void(std::string_view)> watch);

  struct Stream {
    core::Fd from;
    LinePrefixer prefixer;
    OutputQueue* to = nullptr;
    bool watched = false;
  };
  Stream& out() { return out_; }
  Stream& err() { return err_; }
  bool open() const { return out_.from || err_.from; }
  /// Whether more is to be read now: the queue behind is not full.
  bool wants_more(const Stream& stream) const;
  /// Reads what is there, up to some 64 KiB; closes the stream at its end. `last`: what is not
  /// there now will not come any more.
  void read_some(Stream& stream, bool last);
  std::uint64_t bytes() const { return bytes_; }
  /// Why what came through a terminal could not be written to the task's file (what follows is
  /// dropped); empty: it was, or that has been asked already.
  std::string take_trouble() { return std::exchange(trouble_, {}); }

 private:
  void pass_on(Stream& stream, std::string_view bytes);
  void write_file(std::string_view bytes);

  Stream out_, err_;
  core::Fd file_;  ///< for what comes through a terminal; none after a write that failed
  std::string file_name_, trouble_;
  std::function<void(std::string_view)> watch_;
  std::uint64_t bytes_ = 0;
};

}  // namespace cosched_exec
