// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fake.h"
static long calls;
static void* work(void* p) {
  for (long i = 0; i < calls; i++) MPI_Barrier();
  return p;
}
static void threads(long n, int together) {
  pthread_t t[64];
  for (long i = 0; i < n; i++) {
    if (pthread_create(&t[i % 64], 0, work, 0)) exit(3);
    if (!together) pthread_join(t[i % 64], 0);
  }
  for (long i = 0; together && i < n; i++) pthread_join(t[i], 0);
}
int main(int argc, char** argv) {  // kind number calls
  long n = argc > 3 ? atol(argv[2]) : 0;
  calls = argc > 3 ? atol(argv[3]) : 0;
  if (argv[1][0] == 't') threads(n, 1);
  if (argv[1][0] == 's') threads(n, 0);
  if (argv[1][0] == 'f') {  // children that do not exec, of a process that has called as well
    work(0);
    for (long i = 0; i < n; i++)
      if (fork() == 0) {
        work(0);
        _exit(0);
      }
    work(0);
    while (wait(0) > 0) {
    }
  }
  return 0;
}
