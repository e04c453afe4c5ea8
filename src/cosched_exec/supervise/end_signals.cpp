// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/end_signals.hpp"

#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

namespace cosched_exec {

sigset_t asking_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN || signal == SIGTERM) ::sigaddset(&signals, signal);
  }
  return signals;
}

core::Fd receive_signals(const sigset_t& signals, int more) {
  sigset_t all = signals;
  if (more != 0) ::sigaddset(&all, more);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  return core::Fd(::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
}

void leave_on_signals(int known) {
  sigset_t copies;
  ::sigemptyset(&copies);
  const timespec at_once{};
  if (known != 0 && ::sigaddset(&copies, known) == 0) ::sigtimedwait(&copies, nullptr, &at_once);
  const sigset_t signals = asking_signals();
  struct sigaction action {};
  action.sa_handler = [](int signal) { ::_exit(128 + signal); };
  for (int signal = 1; signal < NSIG; ++signal)
    if (signal != SIGTSTP && ::sigismember(&signals, signal) == 1)
      ::sigaction(signal, &action, nullptr);
  ::sigprocmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace cosched_exec
