// SPDX-License-Identifier: BSD-3-Clause
// program SCENARIO: computes by sleeping, pass(ms), and calls the functions of fake.c.
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
void pass(int ms);
int MPI_Init(int*, char***);
int MPI_Barrier(int), MPI_Allreduce(int), MPI_Test(int), MPI_Wait(int), MPI_Recv(int);
int MPI_Abort(int), MPI_Finalize(void), MPI_Pcontrol(const int, ...);
int mpi_pcontrol_(const int*), mpi_barrier_(const int*);
jmp_buf back;

static void* listen_(void* none) {
  MPI_Barrier(500);
  return none;
}
static void* work(void* none) {
  pass(100);
  MPI_Barrier(300);
  return none;
}

static void plain(void) {
  pass(100);
  if (MPI_Barrier(200) != 200) exit(3);
  MPI_Test(100);
  pass(100);
}
static void nested(void) { MPI_Allreduce(200); }
static void fortran(void) {
  const int off = 0, on = 1, ms = 200;
  pass(100);
  mpi_pcontrol_(&on);
  mpi_barrier_(&ms);
  pass(100);
  mpi_pcontrol_(&off);
  pass(100);
}
static void marked(void) {
  pass(100);
  MPI_Barrier(100);
  MPI_Pcontrol(1);
  pass(100);
  MPI_Barrier(200);
  MPI_Pcontrol(0);
  pass(100);
  MPI_Barrier(100);
  MPI_Pcontrol(1);
  MPI_Barrier(100);
  MPI_Pcontrol(2, "flush");
  pass(100);
}
static void stopped(void) {
  pass(100);
  MPI_Pcontrol(0);
  pass(100);
  MPI_Barrier(100);
}
static void jumps(void) {
  if (setjmp(back) == 0) MPI_Wait(100);
  pass(200);
  MPI_Barrier(100);
}
static void listener(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, listen_, NULL);
  pass(200);
  MPI_Barrier(100);
  pass(200);
  pthread_join(thread, NULL);
}
static void workers(void) {
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
}
static void forks(void) {
  const pid_t child = fork();
  if (child == 0) {
    MPI_Barrier(200);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}
static void aborts(void) {
  pass(200);
  MPI_Abort(100);
}
static void killed(void) {
  MPI_Barrier(100);
  pass(100);
  MPI_Recv(100);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*run)(void);
  } kScenarios[] = {{"plain", plain},       {"nested", nested},   {"fortran", fortran},
                    {"marked", marked},     {"stopped", stopped}, {"jumps", jumps},
                    {"listener", listener}, {"workers", workers}, {"forks", forks},
                    {"aborts", aborts},     {"killed", killed}};
  pass(50);
  MPI_Init(&argc, &argv);
  for (size_t i = 0; i < sizeof kScenarios / sizeof *kScenarios; ++i)
    if (strcmp(argv[1], kScenarios[i].name) == 0) kScenarios[i].run();
  MPI_Finalize();
  pass(50);
  return 7;
}
