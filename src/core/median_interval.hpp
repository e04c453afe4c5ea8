// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace core {

struct Interval {
  double low = 0;
  double high = 0;
};

/// The largest number e of exceptions that still tells against even odds: of n >= 1 independent
/// events that are each as likely as not, e or fewer happen with a probability <= error. Nothing
/// where n is too small for that.
std::optional<std::uint64_t> exceptions(std::uint64_t n, double error);

/// Interval of the median of what the values are drawn from, between two of the values in order.
/// Each side misses the median with a probability <= error, whatever the distribution is; an end is
/// infinite where there are too few values for that. (The sign test turned round: David and
/// Nagaraja, Order Statistics, 7.1.)
Interval median_interval(std::vector<double> values, double error);

/// What may be spent of an error at a look (from 1) when more looks follow: error / (k (k + 1)).
/// All of them sum to `error`, however often is looked, and the first has half of it.
double error_at_look(double error, std::uint64_t look);

}  // namespace core
