// SPDX-License-Identifier: BSD-3-Clause
#include "core/median_interval.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cassert>
#include <cmath>
#include <limits>

namespace core {

std::optional<std::uint64_t> exceptions(std::uint64_t n, double error) {
  assert(n >= 1 && error > 0 && error < 0.5);
  const boost::math::binomial_distribution<double> events(static_cast<double>(n), 0.5);
  const auto rare = [&](std::uint64_t e) {
    return boost::math::cdf(events, static_cast<double>(e)) <= error;
  };
  if (!rare(0)) return std::nullopt;
  std::uint64_t few = 0, many = n;  // rare(few), not rare(many)
  while (many - few > 1) {
    const std::uint64_t middle = few + (many - few) / 2;
    (rare(middle) ? few : many) = middle;
  }
  return few;
}

Interval median_interval(std::vector<double> values, double error) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto cut = values.empty() ? std::nullopt : exceptions(values.size(), error);
  if (!cut) return {-kInfinity, kInfinity};
  const auto at = [&](std::uint64_t i) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(i);
    std::nth_element(values.begin(), place, values.end());
    return *place;
  };
  return {at(*cut), at(values.size() - 1 - *cut)};
}

double error_at_look(double error, std::uint64_t look) {
  assert(look >= 1);
  const auto k = static_cast<double>(look);
  return error / (k * (k + 1));
}

}  // namespace core
