// SPDX-License-Identifier: BSD-3-Clause
#include "core/stats.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cassert>
#include <cmath>
#include <numeric>

namespace core {

double median(std::vector<double> values) {
  assert(!values.empty());
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

double mean(std::span<const double> values) {
  assert(!values.empty());
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double scaled_mad(std::span<const double> values, double center) {
  // 1 / the upper quartile of the standard normal distribution.
  constexpr double kNormalConsistency = 1.4826;
  std::vector<double> distances(values.size());
  std::ranges::transform(values, distances.begin(),
                         [center](double x) { return std::abs(x - center); });
  return kNormalConsistency * median(std::move(distances));
}

std::pair<double, double> clopper_pearson(std::uint64_t hits, std::uint64_t n, double confidence) {
  assert(n >= 1 && hits <= n && confidence > 0 && confidence < 1);
  using Binomial = boost::math::binomial_distribution<double>;
  const double each_tail = (1 - confidence) / 2;
  const auto trials = static_cast<double>(n);
  const auto successes = static_cast<double>(hits);
  return {hits == 0 ? 0.0 : Binomial::find_lower_bound_on_p(trials, successes, each_tail),
          hits == n ? 1.0 : Binomial::find_upper_bound_on_p(trials, successes, each_tail)};
}

}  // namespace core
