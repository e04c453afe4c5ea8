// SPDX-License-Identifier: BSD-3-Clause
// Functions that are called as MPI's are, and take as long as they are told.
#include <setjmp.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
void pass(int ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
  while (nanosleep(&time, &time) != 0) {
  }
}
int MPI_Init(int* argc, char*** argv) {
  (void)argc, (void)argv;
  pass(100);
  return 0;
}
int MPI_Barrier(int ms) {
  pass(ms);
  return ms;
}
int MPI_Allreduce(int ms) { return MPI_Barrier(ms); }
int MPI_Test(int ms) { return MPI_Barrier(ms); }
int MPI_Pcontrol(const int level, ...) { return level; }
int mpi_pcontrol_(const int* level) { return *level; }
int mpi_barrier_(const int* ms) { return MPI_Barrier(*ms); }
extern jmp_buf back;
int MPI_Wait(int ms) {
  pass(ms);
  longjmp(back, 1);
}
int MPI_Recv(int ms) {
  pass(ms);
  return kill(getpid(), SIGKILL);
}
int MPI_Abort(int ms) {
  pass(ms);
  _exit(9);
}
int MPI_Finalize(void) {
  pass(100);
  return 0;
}
