// SPDX-License-Identifier: BSD-3-Clause
// Programs with a known number of instructions:
//   load loop K                    2 K instructions and some ten thousand
//   load tree K THREADS CHILDREN   1 + THREADS + 2 CHILDREN such loops: in the main thread, in
//                                  threads, in children and, through exec, in a child of each
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Exactly 2 instructions an iteration.
static void loop(uint64_t n) {
  __asm__ volatile("1: subs %0, %0, #1\n b.ne 1b" : "+r"(n) : : "cc");
}

static void* loop_in_thread(void* n) {
  loop(*(uint64_t*)n);
  return NULL;
}

static void child(uint64_t k, const char* text) {
  if (fork() == 0) {
    execl("/proc/self/exe", "load", "loop", text, (char*)NULL);
    _exit(3);
  }
  loop(k);
  wait(NULL);
  _exit(0);
}

static int tree(const char* text, int threads, int children) {
  enum { MOST = 64 };
  uint64_t k = strtoull(text, NULL, 10);
  pthread_t thread[MOST];
  if (threads > MOST) return 2;
  for (int i = 0; i < threads; i++)
    if (pthread_create(&thread[i], NULL, loop_in_thread, &k) != 0) return 3;
  for (int i = 0; i < children; i++)
    if (fork() == 0) child(k, text);
  loop(k);
  for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL);
  while (wait(NULL) > 0) {
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "loop") == 0) {
    loop(strtoull(argv[2], NULL, 10));
    return 0;
  }
  if (argc == 5 && strcmp(argv[1], "tree") == 0) return tree(argv[2], atoi(argv[3]), atoi(argv[4]));
  fprintf(stderr, "usage: load loop K | load tree K THREADS CHILDREN\n");
  return 2;
}
