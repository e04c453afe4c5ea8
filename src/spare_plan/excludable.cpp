// SPDX-License-Identifier: BSD-3-Clause
// At N_total = n + k the binomial sum P[N_abn <= k] is the sum of the first k + 1 terms of the
// negative binomial distribution, c(i) = C(n+i-1, i) (1-p)^n p^i: k abnormal nodes or fewer among
// n + k means that the n-th normal node is met after at most k abnormal ones. So one more spare
// adds one positive term, and nothing cancels. The factor (1-p)^n, which underflows for large n, is
// never computed: terms start with 1 at the mode and are divided by their sum.
#include "spare_plan/excludable.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace spare_plan {
namespace {

using Real = long double;

/// c(i) / c(i-1).
Real ratio(Real n, Real p, Real i) { return p * (n + i - 1) / i; }

}  // namespace

Excludable::Excludable(std::uint64_t n, double p, Real cut) : n_(n) {
  assert(n >= 1 && p >= 0 && p <= 1);
  if (p == 1) {  // never enough, whatever k
    first_ = split_ = n + 1;
  } else if (p > 0.5) {
    from_middle_term(p, cut);
  } else if (p > 0) {
    from_series(p, cut);
  }
}

/// p <= 1/2: the whole series can be summed, beyond i = n too, so both tails are exact.
void Excludable::from_series(double p, Real cut) {
  const Real n = static_cast<Real>(n_);
  const Real q = 1 - static_cast<Real>(p);
  const auto mode = static_cast<std::uint64_t>(std::floor(p * (n - 1) / q));
  std::vector<Real> terms;  // from the mode down, then turned round
  Real term = 1;
  for (std::uint64_t i = mode; term > cut; --i) {
    terms.push_back(term);
    if (i == 0) break;
    term /= ratio(n, p, static_cast<Real>(i));
  }
  first_ = mode + 1 - terms.size();
  std::ranges::reverse(terms);
  term = 1;
  for (std::uint64_t i = mode + 1;; ++i) {
    term *= ratio(n, p, static_cast<Real>(i));
    if (term <= cut) break;
    terms.push_back(term);
  }

  std::vector<Real> above(terms.size());  // sum of the terms after this one, smallest first
  Real sum = 0;
  for (std::size_t i = terms.size(); i-- > 0;) {
    above[i] = sum;
    sum += terms[i];
  }
  const auto kept = std::min<std::uint64_t>(terms.size(), n_ + 1 - first_);
  smaller_.resize(kept);
  split_ = first_ + kept;
  Real below = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    below += terms[i];
    const bool upper = below > above[i];
    smaller_[i] = static_cast<double>((upper ? above[i] : below) / sum);
    if (upper) split_ = std::min(split_, first_ + i);
  }
}

/// p > 1/2: the series reaches far beyond n, but P[N_abn > k] >= 1/4 for all k <= n, so only the
/// lower sums are needed. Their last term is c(n) = b / 2, b = P[Binomial(2n, p) = n], from the
/// binomial terms divided by their sum.
void Excludable::from_middle_term(double p, Real cut) {
  const Real n = static_cast<Real>(n_);
  const Real odds = (1 - static_cast<Real>(p)) / p;
  const auto trials = 2 * n_;
  const auto mode =
      std::min(trials, static_cast<std::uint64_t>(std::floor((2 * n + 1) * static_cast<Real>(p))));
  Real sum = 0, term = 1, middle = 0;
  for (std::uint64_t i = mode; term > cut; --i) {
    sum += term;
    if (i == n_) middle = term;
    if (i == 0) break;
    term *= static_cast<Real>(i) * odds / static_cast<Real>(trials - i + 1);
  }
  term = 1;
  for (std::uint64_t i = mode; i < trials && term > cut; ++i) {
    term *= static_cast<Real>(trials - i) / (static_cast<Real>(i + 1) * odds);
    sum += term;
  }

  term = middle / sum / 2;
  std::vector<Real> terms;  // c(n), c(n-1), ...
  for (std::uint64_t i = n_; term > cut; --i) {
    terms.push_back(term);
    if (i == 0) break;
    term /= ratio(n, p, static_cast<Real>(i));
  }
  first_ = n_ + 1 - terms.size();
  split_ = n_ + 1;
  Real below = 0;
  for (std::size_t i = terms.size(); i-- > 0;) {
    below += terms[i];
    smaller_.push_back(static_cast<double>(below));
  }
}

double Excludable::within(std::uint64_t k) const {
  if (k < first_) return 0;
  if (k >= last()) return 1;
  const double value = smaller_[k - first_];
  return k < split_ ? value : 1 - value;
}

double Excludable::exceeded(std::uint64_t k) const {
  if (k < first_) return 1;
  if (k >= last()) return 0;
  const double value = smaller_[k - first_];
  return k < split_ ? 1 - value : value;
}

}  // namespace spare_plan
