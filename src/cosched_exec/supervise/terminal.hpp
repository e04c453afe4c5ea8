// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fd.hpp"

namespace cosched_exec {

/// A pseudo-terminal of 80 x 24 that changes nothing of what is written to it: no echo, no added
/// carriage returns, no signals. Nobody's controlling terminal.
struct Terminal {
  core::Fd ours;     ///< reading it fails with EIO when the program's side has been closed by all
  core::Fd program;  ///< for its stdout
};
/// Throws core::Error.
Terminal open_terminal();

}  // namespace cosched_exec
