// SPDX-License-Identifier: BSD-3-Clause
// What benchrun would find on hosts as noisy as these, by simulation. Pure.
//
// A simulated run (benchrun/trial.hpp) is made of measured blocks, drawn with replacement: a block
// keeps its repetitions in order and what they have in common, but its noise is dealt anew to the
// hosts, each of which was rid of its own speed (the median of its logarithms) before. So the hosts
// are equal but for the one that is made slow.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/times.hpp"

namespace benchrun {

inline constexpr double kMostSlowdown = 4;
inline constexpr std::size_t kFewestTestBlocks = 2;

struct SelfTestOptions {
  double tolerance = 0;           ///< as in a Plan
  std::uint64_t most_blocks = 0;  ///< of a simulated run
  std::uint64_t trials = 1000;    ///< simulated runs for each slowdown that is tried
  /// Called before each simulated run, of which there are seconds; need not return.
  std::function<void()> between = [] {};
};

/// Of the hosts of one hardware.
struct SelfTest {
  std::string hardware;    ///< empty where unknown
  std::size_t hosts = 0;   ///< that are usable
  std::size_t blocks = 0;  ///< that all of them have whole
  /// Half of the distance that the middle 68 % of the ratios to the median of the others lie
  /// within, of logarithms: the standard deviation, were they normal.
  double noise = 0;
  /// The least slowdown at which 99 % are found; nothing: none up to kMostSlowdown is.
  std::optional<double> found;
  std::uint64_t healthy = 0, blamed = 0;  ///< simulated hosts that are not slow; those called slow

  bool told() const { return hosts >= 2 && blocks >= kFewestTestBlocks; }
};

/// One for each hardware, in order of first appearance. Nothing is simulated for one that has less
/// than two hosts or than kFewestTestBlocks.
std::vector<SelfTest> self_test(const core::TimesBlock& block, const SelfTestOptions& options);

/// For people: some lines for each hardware.
std::string print(const std::vector<SelfTest>& tests);

}  // namespace benchrun
