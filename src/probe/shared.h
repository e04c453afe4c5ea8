// SPDX-License-Identifier: BSD-3-Clause
// The memory that a task's processes count into. Who wants the counts makes it (a sealed memfd) and
// names it in the task's environment: LAUNCHWISE_CALLS=/proc/PID/fd/N,TOKEN. Read by C and C++.
#pragma once

#include <stdint.h>

#define LAUNCHWISE_CALLS "LAUNCHWISE_CALLS"

enum {
  // Random bytes, in hexadecimal in the environment: on another host the same path is another file.
  kLaunchwiseTokenBytes = 16,
  // Threads get slots in turn. Beyond this many they share them, and simultaneous calls may get
  // lost.
  kLaunchwiseSlots = 16384
};

// One thread's counts, alone on a cache line: only that thread writes.
struct LaunchwiseSlot {
  uint64_t calls;
  uint64_t unused[7];
};

struct LaunchwiseHead {
  unsigned char token[kLaunchwiseTokenBytes];
  uint32_t loaded;  // not 0: a process that refers to counted functions has loaded the probe
  uint32_t taken;   // slots handed out so far; may exceed their number
  unsigned char unused[40];
};

struct LaunchwiseCalls {
  struct LaunchwiseHead head;
  struct LaunchwiseSlot slots[kLaunchwiseSlots];
};
