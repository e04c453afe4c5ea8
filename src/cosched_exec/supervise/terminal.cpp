// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace cosched_exec {

namespace {

core::Fd above_standard(core::Fd fd) { return core::Fd(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3)); }

void make_transparent(int fd) {
  termios settings{};
  ::tcgetattr(fd, &settings);
  ::cfmakeraw(&settings);
  ::tcsetattr(fd, TCSANOW, &settings);
  winsize size{};
  size.ws_row = 24;
  size.ws_col = 80;
  ::ioctl(fd, TIOCSWINSZ, &size);
}

}  // namespace

Terminal open_terminal() {
  Terminal terminal;
  terminal.ours = above_standard(core::Fd(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC)));
  std::array<char, 64> name{};
  if (terminal.ours && ::grantpt(terminal.ours.get()) == 0 &&
      ::unlockpt(terminal.ours.get()) == 0 &&
      ::ptsname_r(terminal.ours.get(), name.data(), name.size()) == 0)
    terminal.program = above_standard(core::Fd(::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC)));
  if (!terminal.program)
    throw core::Error(fmt::format("cannot make a pseudo-terminal: {}", std::strerror(errno)));
  make_transparent(terminal.program.get());
  return terminal;
}

}  // namespace cosched_exec
