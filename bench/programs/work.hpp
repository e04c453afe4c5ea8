// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// A chain of multiplications that no compiler shortens: some 3.5 us a thousand.
inline double multiply(double x, long thousands) {
  for (long i = 0; i < thousands * 1000; ++i) x = x * 1.0000001 + (x > 2 ? -1 : 0);
  return x;
}
