// SPDX-License-Identifier: BSD-3-Clause
#include "cosched_exec/strategy/speed_table.hpp"

namespace cosched_exec {

void SpeedTable::speeds(std::span<const std::uint16_t> counts, std::span<double> speeds) const {
  std::size_t mask = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) mask |= std::size_t{1} << i;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) speeds[i] = f[mask][i];
}

}  // namespace cosched_exec
