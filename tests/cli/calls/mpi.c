// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank = 0, size = 0, flag = 0;
  long sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (long i = 0; i < 1000; i++) {
    long mine = rank + i, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    sum += all;
    for (int polls = 0; polls < 10; polls++)
      MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("%ld of %d\n", sum, size);
  MPI_Finalize();
  return 0;
}
