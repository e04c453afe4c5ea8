// SPDX-License-Identifier: BSD-3-Clause
// What the stubs of stubs.S and the C part share.
#pragma once

#include <stdint.h>

#include "probe/shared.h"

#pragma GCC visibility push(hidden)

// What a call means; by index of the stub in launchwise_kinds.
enum LaunchwiseKind {
  kOpenMp,
  kMpi,
  kPoll,   // as kMpi, but not counted
  kBegin,  // initialises MPI
  kEnd,    // finalizes it
  kMark,   // MPI_Pcontrol, in C
  kMarkByReference
};

// Where the calling thread counts; null before its first call. Always the initial-exec model.
extern __thread struct LaunchwiseSlot* launchwise_slot;

// By index of the stub: the function that is counted, null before its first call; the same where it
// is timed; where its name begins, in bytes from launchwise_names; its kind.
extern void* launchwise_next[];
extern void* launchwise_timed_next[];
extern const int32_t launchwise_names[];
extern const uint8_t launchwise_kinds[];
extern const uint32_t launchwise_stubs;  // how many

// The memory that is counted into; null without.
extern struct LaunchwiseCalls* launchwise_calls;

// What a stub does next: call the function and then launchwise_leave, or jump on to it.
struct LaunchwiseStep {
  void* function;
  uint64_t timed;
};

// Called by a stub when launchwise_slot or its launchwise_next is null, and so at every call that
// is timed; counts the call. argument: the first of the call.
struct LaunchwiseStep launchwise_prepare(uint32_t index, uint64_t argument);

// Begins to time a call of the calling thread, which has its slot; frame: a stack address of it.
// Returns whether launchwise_leave is to be called after it: not for the calls that MPI makes
// itself.
int launchwise_enter(enum LaunchwiseKind kind, uint64_t argument, const void* frame);
void launchwise_leave(void);
// In a child that has not called exec.
void launchwise_forget_times(void);

// The definition that would have been called without us; never null (a function that fails when
// there is none).
void* launchwise_resolve(const char* name);

// The definition that the program would use, null when there is none.
void* launchwise_find(const char* name);

// Asks MPI how many ranks the world has that the calling thread has just initialised.
void launchwise_see_world(struct LaunchwiseSlot* slot);

// Takes back what the dynamic linker told objects about functions that they refer to weakly and
// that only we define: `if (&MPI_Init)` stays false in a program without MPI. Returns whether any
// object refers to functions of MPI or of an OpenMP runtime for good.
int launchwise_survey(void);

#pragma GCC visibility pop

static inline const char* launchwise_name(uint32_t index) {
  return (const char*)launchwise_names + launchwise_names[index];
}
