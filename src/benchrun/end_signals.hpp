// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fd.hpp"

namespace benchrun {

/// From now on SIGINT, SIGTERM and SIGHUP (unless it is ignored, as under nohup) are read from the
/// descriptor returned, as signalfd_siginfo, instead of ending this process.
core::Fd end_signals();

/// Ends this process by the signal itself, so that its parent sees what happened.
[[noreturn]] void die_by(int signal);

}  // namespace benchrun
