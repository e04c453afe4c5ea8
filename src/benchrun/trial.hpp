// SPDX-License-Identifier: BSD-3-Clause
// A benchrun that is simulated: blocks of drawn times, judged after each as the real ones are.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/slow_hosts.hpp"

namespace benchrun {

struct Trial {
  std::uint64_t blocks = 0;
  std::vector<core::HostTimes> series;  ///< the times that were drawn
  std::vector<core::Judged> judged;     ///< in the end
};

/// draw(host, block, run): a time > 0; called in the order of blocks, in each of runs, in each of
/// hosts. Ends when all hosts are decided or after so many blocks.
using Draw = std::function<double(std::size_t host, std::uint64_t block, std::uint32_t run)>;
Trial try_once(std::size_t hosts, const Draw& draw, double tolerance, std::uint64_t most_blocks);

}  // namespace benchrun
