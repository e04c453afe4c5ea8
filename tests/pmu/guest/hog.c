// SPDX-License-Identifier: BSD-3-Clause
// hog [--pinned] N COMMAND...: runs the command while N other events (one of cycles, the others of
// instructions) are open on every processor. The kernel gives counters to such events before it
// gives any to those of a process. This machine has 7 (6, and one for cycles only): with N = 6 one
// is left, and the command's two events share it; with --pinned and N = 7 none is left: they are
// opened without error but never run.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int open_event(uint64_t config, int cpu, int pinned) {
  struct perf_event_attr attr;
  memset(&attr, 0, sizeof attr);
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_HARDWARE;
  attr.config = config;
  attr.pinned = (unsigned)pinned;
  return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, (unsigned long)PERF_FLAG_FD_CLOEXEC);
}

static int run(char** argv) {
  const pid_t pid = fork();
  if (pid == 0) {
    execvp(argv[0], argv);
    fprintf(stderr, "hog: cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
  }
  int status;
  if (pid < 0 || waitpid(pid, &status, 0) != pid) return 125;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char** argv) {
  const int pinned = argc > 1 && strcmp(argv[1], "--pinned") == 0;
  argc -= 1 + pinned, argv += 1 + pinned;
  if (argc < 2) {
    fprintf(stderr, "usage: hog [--pinned] N COMMAND...\n");
    return 2;
  }
  for (int cpu = 0; cpu < sysconf(_SC_NPROCESSORS_ONLN); cpu++)
    for (int i = 0; i < atoi(*argv); i++)
      if (open_event(i ? PERF_COUNT_HW_INSTRUCTIONS : PERF_COUNT_HW_CPU_CYCLES, cpu, pinned) < 0) {
        fprintf(stderr, "hog: counter %d on processor %d: %s\n", i, cpu, strerror(errno));
        return 125;
      }
  return run(argv + 1);
}
