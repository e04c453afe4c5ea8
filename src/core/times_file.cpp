// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/times.hpp"

namespace core {
namespace {

[[noreturn]] void fail(const std::string& name) {
  throw Error(fmt::format("cannot read {}: {}", name, std::strerror(errno)));
}

std::size_t regular_size(int fd) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) ? static_cast<std::size_t>(info.st_size)
                                                          : 0;
}

}  // namespace

// Piece by piece: a table of a million rows is several times what caches hold, and fresh memory for
// all of it would cost more than parsing.
std::vector<TimesBlock> read_times_file(const std::string& path) {
  const std::string name = path == "-" ? "standard input" : path;
  const Fd opened(path == "-" ? ::dup(STDIN_FILENO)
                              : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  if (!opened) fail(name);
  TimesReader reader(name, regular_size(opened.get()));
  std::string piece(std::size_t{1} << 18, '\0');
  for (;;) {
    const ssize_t got = ::read(opened.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name);
    if (got == 0) return reader.finish();
    reader.add(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
  }
}

}  // namespace core
