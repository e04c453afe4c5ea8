// SPDX-License-Identifier: BSD-3-Clause
// count COMMAND...: runs the command with the counters of cosched_exec, read every 50 ms, and
// prints what they say at the end: "instructions X cycles Y", "-" for what there is not; and why
// something was missing at some time.
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <optional>
#include <string>

#include "cosched_exec/speed/counters.hpp"

namespace {

/// Waits to be let go, as a task of cosched_exec does, and becomes the command.
[[noreturn]] void run(int gate, char** argv) {
  char byte = 0;
  if (::read(gate, &byte, 1) != 1) ::_exit(3);
  ::execvp(argv[0], argv);
  ::_exit(127);
}

void print(const char* name, std::optional<double> value) {
  if (value)
    std::printf("%s %.0f ", name, *value);
  else
    std::printf("%s - ", name);
}

}  // namespace

int main(int argc, char** argv) {
  std::array<int, 2> gate{};
  if (argc < 2 || ::pipe2(gate.data(), O_CLOEXEC) != 0) return 2;
  const pid_t child = ::fork();
  if (child < 0) return 2;
  if (child == 0) run(gate[0], argv + 1);
  cosched_exec::Counters counters(cosched_exec::kernel_perf(), child);
  const int pidfd = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (::write(gate[1], "x", 1) != 1) return 2;
  std::string missing = counters.missing();
  for (pollfd ended{pidfd, POLLIN, 0}; ::poll(&ended, 1, 50) == 0;) {
    counters.read();
    if (!counters.missing().empty()) missing = counters.missing();
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  const cosched_exec::Counters::Counts last = counters.read();
  print("instructions", last.instructions);
  print("cycles", last.cycles);
  std::printf("%s\n", missing.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
