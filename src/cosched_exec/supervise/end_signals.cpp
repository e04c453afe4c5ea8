// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/supervise/end_signals.hpp"

#include <sys/signalfd.h>

namespace cosched_exec {

sigset_t asking_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP}) {
    struct sigaction action {};
    ::sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) ::sigaddset(&signals, signal);
  }
  return signals;
}

core::Fd receive_signals(const sigset_t& signals, int more) {
  sigset_t all = signals;
  if (more != 0) ::sigaddset(&all, more);
  ::sigprocmask(SIG_BLOCK, &all, nullptr);
  return core::Fd(::signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK));
}

}  // namespace cosched_exec
