// SPDX-License-Identifier: BSD-3-Clause
#include "core/fd.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace core {

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

void Fd::reset() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

std::string read_all(int fd, std::string_view name) {
  constexpr std::size_t kLeast = 1 << 16;
  struct stat info {};
  std::string data;
  std::size_t used = 0;
  if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
    data.resize(static_cast<std::size_t>(info.st_size) + 1);  // + 1: the read that finds the end
  for (;;) {
    if (data.size() - used == 0) data.resize(std::max(kLeast, 2 * data.size()));
    const ssize_t got = ::read(fd, data.data() + used, data.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw Error(fmt::format("cannot read {}: {}", name, std::strerror(errno)));
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  data.resize(used);
  return data;
}

std::string read_file(const std::string& path) {
  if (path == "-") return read_all(STDIN_FILENO, "standard input");
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!fd) throw Error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  return read_all(fd.get(), path);
}

void write_all(int fd, std::string_view data, std::string_view name) {
  while (!data.empty()) {
    const ssize_t put = ::write(fd, data.data(), data.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw Error(fmt::format("cannot write {}: {}", name, std::strerror(errno)));
    data.remove_prefix(static_cast<std::size_t>(put));
  }
}

}  // namespace core
