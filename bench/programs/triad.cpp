// SPDX-License-Identifier: BSD-3-Clause
// Memory bandwidth on one core: a step is one pass of a = b + s c over three arrays of 32 MiB.
#include "steps.hpp"

int main(int argc, char** argv) {
  Steps steps(argc, argv, "", 0);
  constexpr std::size_t kSize = (32u << 20) / sizeof(double);
  std::vector<double> a(kSize, 0), b(kSize, 1), c(kSize, 2);
  for (long step = 1; step <= steps.total(); ++step) {
    const double factor = 1.0 / static_cast<double>(step % 8 + 1);
    for (std::size_t i = 0; i < kSize; ++i) a[i] = b[i] + factor * c[i];
    std::swap(a, b);
    steps.done(step);
  }
  return finish(b[kSize / 2]);
}
