// SPDX-License-Identifier: BSD-3-Clause
// Not an MPI program: it only asks whether it is one.
#include <dlfcn.h>
#include <stdio.h>
__attribute__((weak)) int MPI_Init(int*, char***);
__attribute__((weak)) int MPI_Barrier(void);
__attribute__((weak)) void GOMP_barrier(void);
int (*volatile kept)(int*, char***) = MPI_Init;
int main(void) {
  const char* names[] = {"MPI_Init", "MPI_Barrier", "mpi_init_", "GOMP_parallel", "__kmpc_barrier"};
  for (int i = 0; i < 5; i++) printf("%s %d\n", names[i], dlsym(RTLD_DEFAULT, names[i]) != 0);
  printf("weak %d %d %d %d\n", MPI_Init != 0, MPI_Barrier != 0, GOMP_barrier != 0, kept != 0);
  puts(dlerror() ? "error" : "no error");
  if (MPI_Barrier) MPI_Barrier();
  return 0;
}
