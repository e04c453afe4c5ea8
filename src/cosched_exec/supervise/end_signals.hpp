// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>

#include "core/fd.hpp"

namespace cosched_exec {

/// TERM and, unless they were ignored when we were started (nohup, a job in the background of a
/// script), INT, HUP, QUIT and TSTP.
sigset_t asking_signals();

/// Blocks them and `more`; they are read from the descriptor as signalfd_siginfo.
core::Fd receive_signals(const sigset_t& signals, int more = 0);

/// From now on they end this process at once, with status 128 + signal (TSTP: stop it). `known`:
/// one that was received; copies of it that are waiting are dropped. 0: none.
void leave_on_signals(int known);

}  // namespace cosched_exec
