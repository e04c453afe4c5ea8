// SPDX-License-Identifier: BSD-3-Clause
#include "gemm_check.hpp"

#include <cstdint>

namespace benchmarks {

namespace {

/// A step of a 64-bit linear congruential generator; the upper bits are good enough here.
std::uint32_t next(std::uint64_t& state) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return static_cast<std::uint32_t>(state >> 33U);
}

std::vector<double> times_vector(const Square& matrix, const std::vector<double>& x) {
  std::vector<double> result(matrix.n, 0.0);
  for (std::size_t row = 0; row < matrix.n; ++row) {
    const double* const values = &matrix.values[row * matrix.n];
    double sum = 0;
    for (std::size_t column = 0; column < matrix.n; ++column) sum += values[column] * x[column];
    result[row] = sum;
  }
  return result;
}

}  // namespace

Square small_integers(std::size_t n, unsigned seed) {
  Square matrix{n, std::vector<double>(n * n)};
  std::uint64_t state = seed;
  for (double& value : matrix.values) value = static_cast<int>(next(state) % 9U) - 4;
  return matrix;
}

bool product_is_right(const Square& c, const Square& a, const Square& b, unsigned times) {
  std::vector<double> x(c.n);
  std::uint64_t state = 12345;
  for (double& value : x) {
    value = static_cast<double>(next(state) % 64U) + 1;
    if (next(state) % 2U == 0) value = -value;
  }
  const std::vector<double> left = times_vector(c, x);
  const std::vector<double> right = times_vector(a, times_vector(b, x));
  for (std::size_t row = 0; row < c.n; ++row)
    if (!(left[row] == times * right[row])) return false;
  return true;
}

}  // namespace benchmarks
