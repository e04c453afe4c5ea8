// SPDX-License-Identifier: BSD-3-Clause
// Jacobi sweeps by OpenMP over a grid that fits in the cache: a step is one sweep, some 60 us with
// two threads, and ends in a barrier. OMP_WAIT_POLICY says how the threads wait there.
#include "steps.hpp"

int main(int argc, char** argv) {
  Steps steps(argc, argv, "", 0);
  constexpr int kRows = 640, kColumns = 1024;
  std::vector<float> now(std::size_t{kRows} * kColumns, 0), next(now);
  for (int c = 0; c < kColumns; ++c) now[c] = next[c] = 100;
#pragma omp parallel default(none) shared(steps, now, next)
  {
    float *from = now.data(), *to = next.data();
    for (long step = 1; step <= steps.total(); ++step) {
#pragma omp for schedule(static)
      for (int r = 1; r < kRows - 1; ++r)
        for (int c = 1; c < kColumns - 1; ++c) {
          const int i = r * kColumns + c;
          to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - kColumns] + from[i + kColumns]);
        }
      std::swap(from, to);
#pragma omp master
      steps.done(step);
    }
  }
  const auto& last = steps.total() % 2 == 0 ? now : next;
  return finish(last[std::size_t{2} * kColumns + kColumns / 2]);
}
