// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace core {

/// The middle value, or the mean of the two middle ones. values must not be empty.
double median(std::vector<double> values);
double mean(std::span<const double> values);

/// 1.4826 x the median of |x - center|: estimates the standard deviation of normal noise.
double scaled_mad(std::span<const double> values, double center);

/// Exact (Clopper-Pearson) two-sided interval of a binomial proportion, hits of n >= 1.
std::pair<double, double> clopper_pearson(std::uint64_t hits, std::uint64_t n,
                                          double confidence = 0.95);

}  // namespace core
