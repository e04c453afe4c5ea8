// SPDX-License-Identifier: BSD-3-Clause
double MPI_Send(int, double, long, double, char, float, long, double, int, double, long, double,
                short, double, void*, double, double);
struct wide {
  double x[7];
};
struct wide MPI_Recv(double);
double MPI_Bcast(int, ...);
int MPI_Barrier(void);
int MPI_Test(void);
