// SPDX-License-Identifier: BSD-3-Clause
// Memory latency on one core: a step is 100,000 hops along one random cycle through 64 MiB.
#include <numeric>
#include <random>

#include "steps.hpp"

int main(int argc, char** argv) {
  Steps steps(argc, argv, "", 0);
  constexpr std::size_t kLine = 64, kLines = (64u << 20) / kLine, kHops = 100'000;
  struct alignas(kLine) Line {
    std::size_t next = 0;
  };
  std::vector<Line> lines(kLines);
  std::vector<std::size_t> order(kLines);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(1);
  for (std::size_t i = kLines - 1; i > 0; --i) std::swap(order[i], order[random() % (i + 1)]);
  for (std::size_t i = 0; i < kLines; ++i) lines[order[i]].next = order[(i + 1) % kLines];
  std::size_t at = 0;
  for (long step = 1; step <= steps.total(); ++step) {
    for (std::size_t hop = 0; hop < kHops; ++hop) at = lines[at].next;
    steps.done(step);
  }
  return finish(static_cast<double>(at));
}
