// SPDX-License-Identifier: BSD-3-Clause
// The memory that a program's processes count into. Who wants the counts makes it (a sealed memfd)
// and names it in the program's environment: LAUNCHWISE_CALLS=/proc/PID/fd/N,TOKEN. It outlives the
// program, whatever way that ends. Read by C and C++.
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

// Whose interface the MPI has that a program uses.
enum LaunchwiseMpi { kLaunchwiseOtherMpi, kLaunchwiseOpenMpi, kLaunchwiseMpich };

// Time that has passed on CLOCK_MONOTONIC, ns: 0 or more while it stands, and less its start, so
// below 0, while it runs. One word, right whenever the program is killed.
typedef int64_t LaunchwiseStopwatch;

// One thread's counts, alone on a cache line: only that thread writes, but for the first
// MPI_Pcontrol(1), which sets the process's times to 0.
struct LaunchwiseSlot {
  uint64_t calls;                // counted ones
  LaunchwiseStopwatch mpi;       // inside MPI, in the measured part
  LaunchwiseStopwatch measured;  // the measured part; of a thread that initialised MPI
  uint64_t timed;                // MPI calls in the measured part
  uint32_t process;              // its id: which slots belong together
  uint32_t initialised;          // not 0: this thread has initialised MPI
  uint32_t world;                // ranks of its MPI_COMM_WORLD; 0: has initialised none, or unknown
  uint32_t mpi_kind;             // enum LaunchwiseMpi
  uint64_t unused[2];
};

struct LaunchwiseHead {
  unsigned char token[kLaunchwiseTokenBytes];
  uint32_t loaded;  // not 0: a process that refers to counted functions has loaded the probe
  uint32_t taken;   // slots handed out so far; may exceed their number
  uint32_t timing;  // not 0: MPI calls are timed, and not counted (`calls`); set by the maker
  unsigned char unused[36];
};

struct LaunchwiseCalls {
  struct LaunchwiseHead head;
  struct LaunchwiseSlot slots[kLaunchwiseSlots];
};
