// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

/// The command line that the programs share, and what they show of their steps:
///   PROGRAM STEPS [--lines N] [--position FILE] [OWN ARGUMENTS]
/// The work is fixed: STEPS steps. --lines N: a line on standard output after each N steps.
/// --position FILE: the number of steps done, written there at most every 5 ms.
class Steps {
 public:
  Steps(int argc, char** argv, const char* own_arguments, std::size_t own_count) {
    for (int i = 1; i < argc; ++i) {
      if (std::strcmp(argv[i], "--lines") == 0 && i + 1 < argc)
        lines_ = std::atol(argv[++i]);
      else if (std::strcmp(argv[i], "--position") == 0 && i + 1 < argc)
        open_position(argv[++i]);
      else if (total_ == 0)
        total_ = std::atol(argv[i]);
      else
        own_.emplace_back(argv[i]);
    }
    if (total_ > 0 && lines_ >= 0 && own_.size() == own_count) return;
    std::fprintf(stderr, "usage: %s STEPS [--lines N] [--position FILE]%s\n", argv[0],
                 own_arguments);
    std::exit(2);
  }
  Steps(const Steps&) = delete;
  ~Steps() {
    if (position_ >= 0) close(position_);
  }

  long total() const { return total_; }
  const std::string& own(std::size_t i) const { return own_[i]; }

  void done(long steps) {
    if (lines_ > 0 && steps % lines_ == 0) {
      std::printf("step %ld\n", steps);
      std::fflush(stdout);
    }
    if (position_ < 0) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - written_ < std::chrono::milliseconds(5)) return;
    written_ = now;
    char text[32];
    const int length = std::snprintf(text, sizeof text, "%ld\n", steps);
    if (pwrite(position_, text, static_cast<std::size_t>(length), 0) != length) std::exit(1);
  }

 private:
  void open_position(const char* path) {
    position_ = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (position_ >= 0) return;
    std::perror(path);
    std::exit(1);
  }

  long total_ = 0, lines_ = 0;
  std::vector<std::string> own_;
  int position_ = -1;
  std::chrono::steady_clock::time_point written_;
};

/// The last line of each program: the same for the same number of steps, however it was run.
inline int finish(double result) {
  std::printf("result %.12g\n", result);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
