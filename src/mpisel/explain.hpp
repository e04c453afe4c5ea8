// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <iosfwd>

#include "mpisel/select.hpp"

namespace mpisel {

/// Up to this many hosts are listed one by one; of more, only those that were left out, and of
/// these no more than this many.
inline constexpr std::size_t kMostExplained = 64;

/// A table for people in allocation order: each host, its node time (one column a benchmark), its
/// ratio to the median, how sure that is where there are repetitions enough, its hardware where it
/// differs, kept or why not; then a summary line and whether the choice is settled.
void explain(std::ostream& out, const Selection& selection);

}  // namespace mpisel
