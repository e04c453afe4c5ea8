// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "cosched_exec/strategy/choose.hpp"

namespace cosched_exec {

/// Known speeds of every combination of n tasks, n <= 20.
struct SpeedTable : SpeedModel {
  /// Time alone of each task, s, > 0.
  std::vector<double> p;
  /// f[mask][i] in [0, 1]: speed of task i in the set whose bits are mask, relative to alone;
  /// f[1 << i][i] = 1; 0 where i is not in the set. 2^n rows.
  std::vector<std::vector<double>> f;

  std::size_t tasks() const { return p.size(); }
  void speeds(std::span<const std::uint16_t> counts, std::span<double> speeds) const override;
};

}  // namespace cosched_exec
