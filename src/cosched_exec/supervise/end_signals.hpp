// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>

#include "core/fd.hpp"

namespace cosched_exec {

/// INT, TERM, HUP, QUIT and TSTP, without those that were ignored when we were started (nohup, a
/// job in the background of a script).
sigset_t asking_signals();

/// Blocks them and `more`; they are read from the descriptor as signalfd_siginfo.
core::Fd receive_signals(const sigset_t& signals, int more = 0);

}  // namespace cosched_exec
