// SPDX-License-Identifier: BSD-3-Clause
// How long each thread is inside MPI, in the measured part of its process: from the end of MPI_Init
// to the begin of MPI_Finalize or the end of the process, and only between MPI_Pcontrol(1) and
// MPI_Pcontrol(0) if there are such.
#include <stddef.h>
#include <time.h>

#include "probe/stubs.h"

// The outermost MPI call of this thread: where it is on the stack, null outside MPI. Calls deeper
// in the stack are MPI's own. One that is not deeper shows that an exception or longjmp has left
// it.
static __thread struct {
  const char* frame;
  enum LaunchwiseKind kind;
  int64_t start;
} outermost;

// Of this process: the slot of the thread that initialised MPI, null before; how often it was
// initialised more than finalized; whether MPI_Pcontrol(1) was called.
static struct LaunchwiseSlot* measured_by;
static int open_count;
static int is_marked;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int runs(const LaunchwiseStopwatch* watch) {
  return __atomic_load_n(watch, __ATOMIC_RELAXED) < 0;
}

static void set(LaunchwiseStopwatch* watch, int64_t value) {
  __atomic_store_n(watch, value, __ATOMIC_RELAXED);
}

static void start(LaunchwiseStopwatch* watch, int64_t time) {
  if (!runs(watch)) set(watch, *watch - time);
}

static void stop(LaunchwiseStopwatch* watch, int64_t time) {
  if (runs(watch)) set(watch, *watch + time);
}

static int is_measuring(void) { return measured_by != NULL && runs(&measured_by->measured); }

static void drop_times_so_far(void) {
  const uint32_t taken = __atomic_load_n(&launchwise_calls->head.taken, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < taken && i < kLaunchwiseSlots; ++i) {
    struct LaunchwiseSlot* const slot = &launchwise_calls->slots[i];
    if (slot->process != measured_by->process) continue;
    set(&slot->measured, 0);
    set(&slot->mpi, 0);
    slot->timed = 0;
  }
}

static void mark(int level, int64_t time) {
  if (measured_by == NULL || open_count == 0) return;
  if (level == 0) stop(&measured_by->measured, time);
  if (level != 1) return;
  if (!is_marked) drop_times_so_far();
  is_marked = 1;
  start(&measured_by->measured, time);
}

int launchwise_enter(enum LaunchwiseKind kind, uint64_t argument, const void* frame) {
  struct LaunchwiseSlot* const slot = launchwise_slot;
  if (outermost.frame != NULL && (const char*)frame < outermost.frame) return 0;
  const int64_t time = now();
  if (outermost.frame != NULL) stop(&slot->mpi, outermost.start);
  outermost.frame = NULL;
  if (kind == kMark || kind == kMarkByReference) {
    mark(kind == kMark ? (int)argument : *(const int*)argument, time);
    return 0;
  }
  if (kind == kEnd && --open_count == 0) stop(&measured_by->measured, time);
  outermost.frame = frame;
  outermost.kind = kind;
  outermost.start = time;
  if (is_measuring()) {
    ++slot->timed;
    start(&slot->mpi, time);
  }
  return 1;
}

void launchwise_leave(void) {
  struct LaunchwiseSlot* const slot = launchwise_slot;
  if (outermost.kind == kBegin) launchwise_see_world(slot);  // before the measured part
  const int64_t time = now();
  stop(&slot->mpi, time);
  if (outermost.kind == kBegin && open_count++ == 0) {
    if (measured_by == NULL) measured_by = slot;
    measured_by->initialised = 1;
    start(&measured_by->measured, time);
  }
  outermost.frame = NULL;
}

void launchwise_forget_times(void) {
  outermost.frame = NULL;
  measured_by = NULL;
  open_count = 0;
  is_marked = 0;
}
