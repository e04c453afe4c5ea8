// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace spare_plan {

/// P[N_abn <= k] with N_abn ~ Binomial(n + k, p), for all k in 0..n: the chance that k spares are
/// enough to leave out every abnormal node (JP2023183342A eq. (6)).
///
/// Only the k where the chance is neither 0 nor 1 to within `cut` are kept, a few dozen standard
/// deviations around the mode, so building costs O(min(n, sqrt(n) log(1/cut))) time and memory.
class Excludable {
 public:
  /// n >= 1, 0 <= p <= 1. Terms of the sums up to `cut` (the largest is 1) are left out.
  Excludable(std::uint64_t n, double p, long double cut = 1e-330L);

  /// P[N_abn <= k] and its complement, each to full relative precision; k in 0..n.
  double within(std::uint64_t k) const;
  double exceeded(std::uint64_t k) const;

  /// Outside first()..last()-1 the chance is constant: 0 below, 1 from last() on.
  std::uint64_t first() const { return first_; }
  std::uint64_t last() const { return first_ + smaller_.size(); }

 private:
  void from_series(double p, long double cut);
  void from_middle_term(double p, long double cut);

  std::uint64_t n_;
  std::uint64_t first_ = 0;
  std::uint64_t split_ = 0;      ///< from here on smaller_ holds P[N_abn > k], before P[N_abn <= k]
  std::vector<double> smaller_;  ///< entry i belongs to k = first_ + i
};

}  // namespace spare_plan
