// SPDX-License-Identifier: BSD-3-Clause
// Jacobi sweeps by MPI over strips of rows: a step exchanges the edges, sweeps, and sums the change
// over all ranks.
#include <mpi.h>

#include "steps.hpp"

namespace {

constexpr int kRows = 256, kColumns = 512;

float sweep(const float* from, float* to) {
  float change = 0;
  for (int r = 1; r <= kRows; ++r)
    for (int c = 1; c < kColumns - 1; ++c) {
      const int i = r * kColumns + c;
      to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - kColumns] + from[i + kColumns]);
    }
  for (int c = 1; c < kColumns - 1; ++c)
    change += to[kColumns * kRows + c] - from[kColumns * kRows + c];
  return change;
}

void exchange(float* cells, int above, int below) {
  MPI_Sendrecv(cells + kColumns, kColumns, MPI_FLOAT, above, 0, cells + (kRows + 1) * kColumns,
               kColumns, MPI_FLOAT, below, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(cells + kRows * kColumns, kColumns, MPI_FLOAT, below, 1, cells, kColumns, MPI_FLOAT,
               above, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  {
    Steps steps(argc, argv, "", 0);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int above = rank == 0 ? MPI_PROC_NULL : rank - 1;
    const int below = rank == size - 1 ? MPI_PROC_NULL : rank + 1;
    std::vector<float> now(std::size_t{kRows + 2} * kColumns, 0), next;
    if (rank == 0) std::fill_n(now.begin(), kColumns, 100.0f);
    next = now;
    float total = 0;
    for (long step = 1; step <= steps.total(); ++step) {
      exchange(now.data(), above, below);
      const float change = sweep(now.data(), next.data());
      std::swap(now, next);
      MPI_Allreduce(&change, &total, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      if (rank == 0) steps.done(step);
    }
    const float corner = now[std::size_t{kColumns} * 2 + 1];
    if (rank == 0) status = finish(corner);
  }
  MPI_Finalize();
  return status;
}
