// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <iosfwd>

namespace cosched_exec {

/// Tries every speed source and every way of pausing on a process of our own and tells what works
/// here and, where not, why and what would help. Returns the exit status.
int doctor(std::ostream& out);

}  // namespace cosched_exec
