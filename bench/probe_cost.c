// SPDX-License-Identifier: BSD-3-Clause
// What probe_cost.sh runs with and without the probe:
//   probe_cost calls THREADS N    CPU nanoseconds a call of an empty MPI_Barrier in another library
//   probe_cost work STEPS N       CPU seconds of N pieces of work, with such a call after each
//   probe_cost starts N PROGRAM   CPU microseconds of the system and the program from fork to end
#define _GNU_SOURCE
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char** environ;
int MPI_Init(void);
int MPI_Barrier(void);

static long number;

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void* call(void* seconds) {
  MPI_Barrier();  // the first one resolves
  const double start = cpu_seconds();
  for (long i = 0; i < number; ++i) MPI_Barrier();
  *(double*)seconds = cpu_seconds() - start;
  return NULL;
}

static double calls(int threads) {
  pthread_t thread[64];
  double seconds[64], sum = 0;
  for (int i = 0; i < threads; ++i) pthread_create(&thread[i], NULL, call, &seconds[i]);
  for (int i = 0; i < threads; ++i) {
    pthread_join(thread[i], NULL);
    sum += seconds[i];
  }
  return 1e9 * sum / (double)number / threads;
}

// A piece of work is STEPS passes over what fits in the first-level cache, so that what a call does
// to the cache counts too.
static double work(long steps) {
  enum { kSize = 4096 };
  static volatile double result;
  double numbers[kSize];
  for (int j = 0; j < kSize; ++j) numbers[j] = 1;
  const double start = cpu_seconds();
  for (long i = 0; i < number; ++i) {
    for (long step = 0; step < steps; ++step)
      for (int j = 1; j < kSize; ++j) numbers[j] = 0.5 * (numbers[j] + numbers[j - 1]);
    MPI_Barrier();
  }
  const double seconds = cpu_seconds() - start;
  result = numbers[kSize - 1];
  (void)result;
  return seconds;
}

static double starts(const char* program) {
  struct rusage used;
  char* const argv[] = {(char*)program, NULL};
  for (long i = 0; i < number; ++i) {
    pid_t pid;
    if (posix_spawn(&pid, program, NULL, NULL, argv, environ) != 0) exit(1);
    waitpid(pid, NULL, 0);
  }
  getrusage(RUSAGE_CHILDREN, &used);
  return ((double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
          (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec)) /
         (double)number;
}

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  if (strcmp(argv[1], "starts") == 0) {
    number = atol(argv[2]);
    printf("%.4f\n", starts(argv[3]));
    return 0;
  }
  MPI_Init();  // measured is what comes after it
  number = atol(argv[3]);
  const int is_work = strcmp(argv[1], "work") == 0;
  printf("%.4f\n", is_work ? work(atol(argv[2])) : calls(atoi(argv[2])));
  return 0;
}
