// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/processor_share.hpp"

#include <algorithm>
#include <cstddef>

namespace cosched_exec {

namespace {

constexpr double kStarved = 0.1;    ///< f of a spinner beside busy tasks: 1/3 .. 1/70 were seen
constexpr double kLossPerCore = 1;  ///< of a spinner for each core that sleepers want: sum 1.3-1.5

/// The most that each may have so that all together have `processors` (water filling).
double water_level(std::span<const Demand> classes, std::span<const std::uint16_t> counts,
                   double processors) {
  double level = 0;
  for (double left = processors, last = -1; left > 1e-9 && level != last;) {
    last = level;
    double thirsty = 0, next = 1e300;
    for (std::size_t c = 0; c < classes.size(); ++c)
      if (!classes[c].spins && counts[c] > 0 && classes[c].processors > level) {
        thirsty += counts[c];
        next = std::min(next, classes[c].processors);
      }
    if (thirsty == 0) return 1e300;
    const double step = std::min(next - level, left / thirsty);
    level += step;
    left -= step * thirsty;
  }
  return level;
}

}  // namespace

bool shared_speeds(std::span<const Demand> classes, std::span<const std::uint16_t> counts,
                   double processors, std::span<double> f) {
  double asked = 0, spinners = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    asked += counts[c] * classes[c].processors;
    if (classes[c].spins) spinners += counts[c];
  }
  const double over = std::max(0.0, asked - processors);
  const double level = water_level(classes, counts, processors);
  const bool beside = spinners > 0 && over > 0.1;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (counts[c] == 0) continue;
    const Demand& each = classes[c];
    if (!each.spins)
      f[c] =
          (each.processors > level ? level / each.processors : 1) * (beside ? kBesideSpinner : 1);
    else if (spinners > 1 && over > 0.1)
      f[c] = kStarved;
    else
      f[c] = std::clamp(1 - kLossPerCore * over, kStarved, 1.0);
  }
  return beside;
}

}  // namespace cosched_exec
