// SPDX-License-Identifier: BSD-3-Clause
#include "benchrun/trial.hpp"

namespace benchrun {

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
  } while (trial.blocks < most_blocks && !core::undecided(trial.series, trial.judged).empty());
  return trial;
}

}  // namespace benchrun
