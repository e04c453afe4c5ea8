// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "benchrun/plan.hpp"

namespace benchrun {

/// Seconds that a rank may live longer than it should.
inline constexpr double kRankMargin = 30;

/// The command line of the rank program (share/benchmarks/rank_options.hpp) for all ranks of a
/// plan, with so many seconds left.
std::vector<std::string> rank_command(const Plan& plan, const std::string& program,
                                      const std::string& nonce, double seconds_left);

/// One that only says hello.
std::vector<std::string> probe_command(const std::string& program, const std::string& nonce);

}  // namespace benchrun
