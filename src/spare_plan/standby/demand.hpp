// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "spare_plan/standby/job_history.hpp"

namespace spare_plan::standby {

/// The distribution of a number, of nodes here, to which values are added and taken away. Work of
/// each call: the logarithm of the largest value.
class Demand {
 public:
  /// Values are from 0 to `largest`.
  explicit Demand(std::uint32_t largest);

  void add(std::uint32_t value, std::size_t times = 1) {
    change(value, static_cast<std::ptrdiff_t>(times));
  }
  void remove(std::uint32_t value) { change(value, -1); }
  std::size_t total() const { return total_; }

  /// How many values are at most x.
  std::size_t at_most(std::uint32_t x) const;
  /// cdf^-1(p0): the smallest x for which (values of at most x)/(values) >= p0, computed as that
  /// quotient. 0 < p0 <= 1; there is at least one value. CN1758610A, eq. of the redundancy N.
  std::uint32_t quantile(double p0) const;

 private:
  void change(std::uint32_t value, std::ptrdiff_t by);

  std::vector<std::uint32_t> sums_;  ///< Fenwick tree; index: value + 1
  std::size_t total_ = 0, highest_bit_ = 1;
};

/// Which jobs count: the last ones, those of some time up to the last submit, or all.
struct Window {
  std::optional<std::uint64_t> jobs;
  std::optional<double> seconds;  ///< submit >= last submit - seconds
};

/// The jobs of the window at the end. Jobs by submit, at least one.
std::span<const Job> last_window(std::span<const Job> jobs, const Window& window);

}  // namespace spare_plan::standby
