// SPDX-License-Identifier: BSD-3-Clause
#include <errno.h>
#include <stdio.h>
#include "fake.h"
int main(void) {
  for (int i = 0; i < 2; i++) {
    errno = 33;
    printf("%.17g\n", MPI_Send(1, 2.5, -3, 4.25, 5, 6.5f, 1L << 40, 8, -9, 10, 11, 12.125, 13, 14,
                               &errno, 16, 17));
    struct wide w = MPI_Recv(1.5);
    printf("%g %g %d\n", w.x[0], w.x[6], errno);
    printf("%g\n", MPI_Bcast(10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.));
    MPI_Test();
  }
  return 7;
}
