// SPDX-License-Identifier: BSD-3-Clause
#include <omp.h>
#include <stdio.h>
int main(void) {
  int most = 0;
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 1000; i++) {
#pragma omp barrier
    if (omp_get_num_threads() > most) most = omp_get_num_threads();
  }
  printf("%d\n", most);
  return 0;
}
