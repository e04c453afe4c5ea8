// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "core/fd.hpp"

namespace benchrun {

/// From now on SIGINT, SIGTERM and SIGHUP (unless it is ignored, as under nohup) are read from the
/// descriptor returned, as signalfd_siginfo, instead of ending this process.
core::Fd end_signals();

/// Ends this process by the signal itself, so that its parent sees what happened.
[[noreturn]] void die_by(int signal);

/// One of them that has come since nobody reads the descriptor any more.
std::optional<int> pending_end_signal();

}  // namespace benchrun
