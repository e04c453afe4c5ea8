// SPDX-License-Identifier: BSD-3-Clause
// Matrix products by OpenBLAS: a step is one of 512 x 512. OMP_NUM_THREADS says how many threads.
#include <cblas.h>

#include "steps.hpp"

int main(int argc, char** argv) {
  Steps steps(argc, argv, "", 0);
  constexpr int kSize = 512;
  constexpr std::size_t kCells = std::size_t{kSize} * kSize;
  std::vector<double> a(kCells), b(kCells), c(kCells, 0);
  for (std::size_t i = 0; i < kCells; ++i) {
    a[i] = static_cast<double>(i % 7) - 3;
    b[i] = static_cast<double>(i % 5) - 2;
  }
  for (long step = 1; step <= steps.total(); ++step) {
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1, a.data(), kSize,
                b.data(), kSize, 0.5, c.data(), kSize);
    steps.done(step);
  }
  return finish(c[kCells / 2 + 1]);
}
