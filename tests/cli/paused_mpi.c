/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up over all ranks until the file argv[1] is there; rank 0 prints "right" or "wrong". */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, size, more = 1;
  long long turns = 0, all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  while (more) {
    long long one = 0, local = (rank + 1) * (turns % 1000);
    MPI_Allreduce(&local, &one, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    all += one;
    ++turns;
    if (rank == 0 && turns % 100 == 0) more = argc < 2 || access(argv[1], F_OK) != 0;
    if (turns % 100 == 0) MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  /* Sum of (t mod 1000) for t = 0 .. turns-1, times the sum of the ranks from 1. */
  long long full = turns / 1000, rest = turns % 1000;
  long long expected = (full * 499500 + rest * (rest - 1) / 2) * size * (size + 1) / 2;
  if (rank == 0) printf("%s\n", all == expected ? "right" : "wrong");
  MPI_Finalize();
  return all == expected ? 0 : 1;
}
