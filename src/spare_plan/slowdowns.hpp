// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "spare_plan/model.hpp"

namespace spare_plan {

inline constexpr std::size_t kMostRatios = 1000;

/// How slow nodes are, as measured: distinct ratios, ascending, each with its weight > 0.
using Ratios = std::vector<std::pair<double, double>>;

/// Reads `RATIO [WEIGHT]` a line: the time of a node divided by the usual one, > 0, and how often
/// it was seen, > 0 and 1 when absent. Blank lines and lines starting with # are skipped. Throws
/// core::Error "NAME:LINE: ..." on anything else, and when there is no ratio or there are more than
/// kMostRatios different ones.
Ratios read_slowdowns(std::string_view text, const std::string& name);

/// The same as steps: one for each ratio but the least. Abnormal is what is slower than 1.1 x the
/// median; of only two ratios, the greater.
Slowness slowness_of(const Ratios& ratios);

}  // namespace spare_plan
