// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace benchmarks {

/// n x n, row by row.
struct Square {
  std::size_t n = 0;
  std::vector<double> values;
};

/// Small whole numbers (-4..4) that depend on the position and the seed only. Sums of products of
/// them are exact in a double whatever the order of the additions, so a product has one right
/// value.
Square small_integers(std::size_t n, unsigned seed);

/// Whether c is exactly `times` x a x b, by Freivalds' method with a vector of non-zero whole
/// numbers: c x = times a (b x). A single wrong element is always found; O(n^2).
bool product_is_right(const Square& c, const Square& a, const Square& b, unsigned times);

}  // namespace benchmarks
