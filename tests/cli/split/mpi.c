// SPDX-License-Identifier: BSD-3-Clause
// Three rounds; rank 1 computes 0.3 s in each, the others 0.1 s. By its own
// clock each rank adds "own RANK COMPUTING MPI" to the file "own". `abort`: when all have done so,
// rank 1 aborts, and adds a line to the file "aborts".
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
static void append(const char* name, int rank, double computing, double mpi) {
  FILE* file = fopen(name, "a");
  if (file != NULL) fprintf(file, "own %d %f %f\n", rank, computing, mpi), fclose(file);
}
#ifdef MPICH_VERSION
// Outside of what is measured. MPICH 4.0 with UCX over TCP hangs in MPI_Finalize when a connection
// is still being made (pmodels/mpich#6596).
static void wait_for_connections(void) {
  int none[1024] = {0}, got[1024];
  MPI_Pcontrol(0);
  for (int i = 0; i < 3; ++i) MPI_Alltoall(none, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  usleep(200000);
}
#else
static void wait_for_connections(void) {}
#endif
int main(int argc, char** argv) {
  int rank = 0, sum = 0;
  double computing = 0;
  MPI_Init(&argc, &argv);
  const double start = MPI_Wtime();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 3; ++i) {
    computing -= MPI_Wtime();
    usleep(rank == 1 ? 300000 : 100000);
    computing += MPI_Wtime();
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  const double mpi = MPI_Wtime() - start - computing;
  append("own", rank, computing, mpi);
  if (argc > 1) MPI_Barrier(MPI_COMM_WORLD);
  if (argc > 1 && rank == 1) {
    append("aborts", rank, computing, mpi);
    MPI_Abort(MPI_COMM_WORLD, 5);
  }
  if (argc > 1) MPI_Barrier(MPI_COMM_WORLD);
  wait_for_connections();
  MPI_Finalize();
  return 0;
}
