// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace core {

/// Owns a file descriptor; -1 is none. Closed by the destructor.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept;
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd() { reset(); }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  void reset();
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

/// Everything that can be read until end of file. Throws Error "cannot read NAME: ...".
std::string read_all(int fd, std::string_view name);
/// The content of a file, or of standard input for "-". Throws Error "cannot read PATH: ...".
std::string read_file(const std::string& path);
/// Writes everything, retrying interrupted and short writes. Throws Error "cannot write NAME: ...".
void write_all(int fd, std::string_view data, std::string_view name);

}  // namespace core
