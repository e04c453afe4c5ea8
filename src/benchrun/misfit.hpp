// SPDX-License-Identifier: BSD-3-Clause
// What to say when launcher and benchmark do not fit together. Pure.
#pragma once

#include <cstdint>
#include <string>

namespace benchrun {

/// Throws core::Error.
[[noreturn]] void do_not_fit(const std::string& why);

/// Why the command is not the parallel job of `ranks` ranks that was launched, and what helps.
/// launcher: Launcher::name(); mpi: whose interface the command's MPI has, "Open MPI" or "MPICH".
std::string jobs_of_one_rank(const std::string& launcher, std::uint32_t ranks,
                             const std::string& mpi);

}  // namespace benchrun
