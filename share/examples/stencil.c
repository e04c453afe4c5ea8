/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A small MPI application to try the tools with: heat flow in a plate by Jacobi sweeps over strips
 * of rows. Neighbours' rows are refreshed and the residual is summed once in kSweeps sweeps (block
 * relaxation). Like most MPI programs it runs in step, so one slow host slows all of them.
 *
 *     mpicc -O2 -o stencil stencil.c -lm
 *     mpirun ./stencil [ITERATIONS] [COLUMNS]
 *
 * Rank 0 prints the wall time, and the mean over the ranks of the time spent computing.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kRows = 256, kSweeps = 8 };

static double sweep(const double* from, double* to, int columns) {
  double change = 0;
  for (int r = 1; r <= kRows; ++r)
    for (int c = 1; c < columns - 1; ++c) {
      const long i = (long)r * columns + c;
      to[i] = 0.25 * (from[i - 1] + from[i + 1] + from[i - columns] + from[i + columns]);
      change += fabs(to[i] - from[i]);
    }
  return change;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int iterations = argc > 1 ? atoi(argv[1]) : 100;
  const int columns = argc > 2 ? atoi(argv[2]) : 1024;
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (iterations < 1 || columns < 3) {
    if (rank == 0) fprintf(stderr, "usage: stencil [ITERATIONS >= 1] [COLUMNS >= 3]\n");
    MPI_Finalize();
    return 2;
  }
  const size_t cells = (size_t)(kRows + 2) * (size_t)columns;
  double *now = calloc(cells, sizeof *now), *next = calloc(cells, sizeof *next);
  if (now == NULL || next == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  if (rank == 0) /* the hot edge of the plate */
    for (int c = 0; c < columns; ++c) now[c] = next[c] = 100;
  const int above = rank == 0 ? MPI_PROC_NULL : rank - 1;
  const int below = rank == size - 1 ? MPI_PROC_NULL : rank + 1;

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  double computing = 0, change = 0, total = 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const double begin = MPI_Wtime();
    for (int s = 0; s < kSweeps; ++s) {
      change = sweep(now, next, columns);
      double* swap = now;
      now = next;
      next = swap;
    }
    computing += MPI_Wtime() - begin;
    MPI_Sendrecv(now + columns, columns, MPI_DOUBLE, above, 0,
                 now + (size_t)(kRows + 1) * (size_t)columns, columns, MPI_DOUBLE, below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(now + (size_t)kRows * (size_t)columns, columns, MPI_DOUBLE, below, 1, now, columns,
                 MPI_DOUBLE, above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(next, now, (size_t)columns * sizeof *now);
    memcpy(next + (size_t)(kRows + 1) * (size_t)columns,
           now + (size_t)(kRows + 1) * (size_t)columns, (size_t)columns * sizeof *now);
    MPI_Allreduce(&change, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  const double wall = MPI_Wtime() - start;
  double sum = 0;
  MPI_Reduce(&computing, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("wall %.3f computing %.3f ranks %d residual %.6e\n", wall, sum / size, size, total);
  free(now);
  free(next);
  MPI_Finalize();
  return 0;
}
