// SPDX-License-Identifier: BSD-3-Clause
// What the stubs of stubs.S and the C part share.
#pragma once

#include <stdint.h>

#include "probe/shared.h"

#pragma GCC visibility push(hidden)

// Where the calling thread counts; null before its first call. Always the initial-exec model.
extern __thread struct LaunchwiseSlot* launchwise_slot;

// By index of the stub: the function that is counted, null before its first call; and where its
// name begins, in bytes from launchwise_names.
extern void* launchwise_next[];
extern const int32_t launchwise_names[];
extern const uint32_t launchwise_stubs;  // how many

// Called by a stub when launchwise_slot or its launchwise_next is null; sets both.
void launchwise_prepare(uint32_t index);

// The definition that would have been called without us; never null (a function that fails when
// there is none).
void* launchwise_resolve(const char* name);

// Takes back what the dynamic linker told objects about functions that they refer to weakly and
// that only we define: `if (&MPI_Init)` stays false in a program without MPI. Returns whether any
// object refers to functions of MPI or of an OpenMP runtime for good.
int launchwise_survey(void);

#pragma GCC visibility pop

static inline const char* launchwise_name(uint32_t index) {
  return (const char*)launchwise_names + launchwise_names[index];
}
