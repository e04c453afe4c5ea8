// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "spare_plan/model.hpp"

namespace spare_plan {

/// A cost within this factor of the least is as good.
inline constexpr double kFlat = 1.01;

/// The answer and what is worth knowing about it.
struct Plan {
  std::uint64_t n_spare = 0;      ///< the k with the least E[C]; of equals the smallest
  std::uint64_t most_spares = 0;  ///< the range searched is 0..most_spares
  Point point;                    ///< at n_spare
  double as_is_cost = 0, as_is_time = 0;
  bool worth_it = false;  ///< point.cost < as_is_cost
  /// The unbroken stretch of k around n_spare with E[C] <= kFlat x the least.
  std::pair<std::uint64_t, std::uint64_t> flat_range;
  /// The cheapest other local minimum of E[C] over the range, its ends included.
  std::optional<std::uint64_t> other_minimum;
  double other_minimum_cost = 0;
  bool at_end = false;  ///< n_spare is the end of the range and E[C] still falls there
};

/// All local minima of E[C] over k in 0..most_spares, ends included, ascending.
std::vector<std::uint64_t> local_minima(const Curve& curve, std::uint64_t most_spares);

/// Searches k in 0..min(n, most_nodes - n). Throws core::Error (usage) when most_nodes < n.
Plan search(const Curve& curve, std::optional<std::uint64_t> most_nodes = std::nullopt);

}  // namespace spare_plan
