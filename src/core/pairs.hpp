// SPDX-License-Identifier: BSD-3-Clause
// Rows of a times table that have a peer: the times of pairs of hosts. Pure.
#pragma once

#include <vector>

#include "core/pair_fit.hpp"
#include "core/times.hpp"

namespace core {

bool has_pairs(const TimesBlock& block);

/// The pairs of a benchmark in one repetition. Hosts are indices of the block.
struct PairRun {
  std::uint32_t bench = 0, run = 0;
  std::vector<PairTime> pairs;  ///< a < b, each pair once, ascending
  PairFit fit;
};

/// In the order of benchmarks and runs. Only ok rows; of several of one pair (both hosts report it)
/// the mean of the logarithms; a time of 0 counts as 1 ns.
std::vector<PairRun> pair_runs(const TimesBlock& block);

/// The block with the ok rows that have a peer replaced: of each host, benchmark and run one row,
/// whose time is that of the host with an ordinary partner over an even link, by the fit of that
/// run (core/pair_fit.hpp). What is not ok stays. No row has a peer then.
TimesBlock without_pairs(TimesBlock block);

}  // namespace core
