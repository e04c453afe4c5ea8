// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/keeper.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "core/descendants.hpp"
#include "core/error.hpp"
#include "core/fd.hpp"
#include "core/process.hpp"
#include "cosched_exec/options.hpp"
#include "cosched_exec/pause/pauser.hpp"
#include "cosched_exec/supervise/end_signals.hpp"

namespace cosched_exec {

namespace {

[[noreturn]] void run_supervisor(const std::function<int(int)>& supervisor, int life) {
  ::setpgid(0, 0);
  ::signal(SIGTTOU, SIG_IGN);  // our lines go to a terminal whose foreground is the keeper
  core::adopt_orphans();
  int status = kOwnFailure;
  try {
    status = supervisor(life);
  } catch (const core::Error& e) {
    spdlog::error("{}", e.what());
  }
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(status);
}

/// Stops ourselves as the supervisor has done, until we are continued.
void stop_with(pid_t supervisor) {
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(supervisor), &info, WSTOPPED | WEXITED | WNOWAIT);
  if (info.si_code != CLD_STOPPED) return;
  ::raise(SIGSTOP);
  ::kill(supervisor, SIGCONT);
}

void pass_on(int signals, pid_t supervisor) {
  signalfd_siginfo info{};
  while (::read(signals, &info, sizeof info) == sizeof info) {
    const int signal = static_cast<int>(info.ssi_signo);
    ::kill(supervisor, signal);
    if (signal == SIGTSTP) stop_with(supervisor);
  }
}

/// Passes signals on until the supervisor has ended; its status as waitpid has it.
int wait_for(pid_t supervisor, int signals) {
  const core::Fd pidfd = core::open_pidfd(supervisor);
  for (;;) {
    std::array<pollfd, 2> ready{{{pidfd.get(), POLLIN, 0}, {signals, POLLIN, 0}}};
    ::poll(ready.data(), ready.size(), -1);
    if (ready[1].revents != 0) pass_on(signals, supervisor);
    if (ready[0].revents == 0) continue;
    int status = 0;
    ::waitpid(supervisor, &status, 0);
    return status;
  }
}

}  // namespace

int keep(const std::string& groups_folder, const std::function<int(int life)>& supervisor) {
  ::signal(SIGCHLD, SIG_DFL);  // inherited as ignored, no child could be waited for
  core::adopt_orphans();
  core::Pipe life = core::make_pipe();
  const core::Fd signals = receive_signals(asking_signals());
  std::cout.flush();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw core::Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
  if (child == 0) {
    life.write.reset();
    run_supervisor(supervisor, life.read.get());
  }
  ::setpgid(child, child);
  life.read.reset();
  const int status = wait_for(child, signals.get());
  end_groups(groups_folder);
  core::end_descendants(0);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  spdlog::error("the supervising process was ended by signal {} ({}), so all tasks were ended too",
                WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return kOwnFailure;
}

}  // namespace cosched_exec
