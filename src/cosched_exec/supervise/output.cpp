// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace cosched_exec {

namespace {

/// A pipe or terminal opened anew does not block, while the descriptor that we share with others
/// stays as it is. -1: it cannot be opened again.
int own_opening(int fd) {
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !(S_ISFIFO(info.st_mode) || ::isatty(fd) != 0)) return -1;
  return ::open(fmt::format("/proc/self/fd/{}", fd).c_str(),
                O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/// How many bytes to write at once: whole lines as far as they fit, since what is written at once
/// up to PIPE_BUF is not mixed with what others write.
std::size_t piece(std::string_view text) {
  if (text.size() <= PIPE_BUF) return text.size();
  const std::size_t line_end = text.rfind('\n', PIPE_BUF - 1);
  return line_end == std::string_view::npos ? PIPE_BUF : line_end + 1;
}

}  // namespace

std::string LinePrefixer::feed(std::string_view bytes) {
  std::string lines;
  for (std::size_t line_end = 0; (line_end = bytes.find('\n')) != std::string_view::npos;) {
    lines.append(prefix_).append(rest_).append(bytes.substr(0, line_end + 1));
    rest_.clear();
    bytes.remove_prefix(line_end + 1);
  }
  rest_.append(bytes);
  if (rest_.size() > kLongestLine) lines += finish();
  return lines;
}

std::string LinePrefixer::finish() {
  if (rest_.empty()) return {};
  std::string line = prefix_ + rest_ + '\n';
  rest_.clear();
  return line;
}

OutputQueue::OutputQueue(int fd) : fd_(fd), own_(own_opening(fd)) {}

void OutputQueue::add(std::string text) {
  if (gone_ || text.empty()) return;
  waiting_ += text.size();
  texts_.push_back(std::move(text));
}

std::string OutputQueue::lost(const char* stream) const {
  if (error_ == 0) return {};
  return fmt::format("cannot write the output of tasks to {}: {}", stream, std::strerror(error_));
}

void OutputQueue::write_some() {
  while (!texts_.empty()) {
    const std::string_view rest = std::string_view(texts_.front()).substr(written_);
    const ssize_t done = ::write(fd(), rest.data(), piece(rest));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0 && errno == EAGAIN) return;
    if (done < 0) {
      gone_ = true;
      error_ = errno == EPIPE ? 0 : errno;
      texts_.clear();
      waiting_ = written_ = 0;
      return;
    }
    waiting_ -= static_cast<std::size_t>(done);
    written_ += static_cast<std::size_t>(done);
    if (written_ == texts_.front().size()) {
      texts_.pop_front();
      written_ = 0;
    }
    if (!own_) return;  // it may block: one piece for each time that poll finds it ready
  }
}

}  // namespace cosched_exec
