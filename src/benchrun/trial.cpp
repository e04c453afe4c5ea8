// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/trial.hpp"

#include <algorithm>

namespace benchrun {

bool all_decided(const std::vector<core::Judged>& judged) {
  return std::ranges::none_of(
      judged, [](const core::Judged& host) { return host.pace == core::Pace::undecided; });
}

Trial try_once(std::size_t hosts, const Draw& draw, double tolerance, std::uint64_t most_blocks) {
  Trial trial;
  trial.series.resize(hosts);
  do {
    for (std::uint32_t run = 0; run < core::kBlockRuns; ++run)
      for (std::size_t host = 0; host < hosts; ++host)
        trial.series[host].times.push_back(
            {trial.blocks * core::kBlockRuns + run, draw(host, trial.blocks, run)});
    ++trial.blocks;
    trial.judged = core::judge_hosts(trial.series, {tolerance, trial.blocks});
  } while (trial.blocks < most_blocks && !all_decided(trial.judged));
  return trial;
}

}  // namespace benchrun
