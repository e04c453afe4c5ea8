// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into every process of a program: counts its MPI and OpenMP runtime calls, or times
// those of MPI, in memory that is shared with whoever started the program. Where that cannot be
// had, nothing is counted and nothing said. It lives in other people's programs: no allocation, no
// output, nothing left behind.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/shared.h"
#include "probe/stubs.h"

__thread struct LaunchwiseSlot* launchwise_slot;

static __thread struct LaunchwiseSlot not_shared;
struct LaunchwiseCalls* launchwise_calls;
static int timing;

static int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

static int read_token(const char* text, unsigned char* token) {
  for (int i = 0; i < kLaunchwiseTokenBytes; ++i, text += 2) {
    const int high = digit(text[0]), low = high < 0 ? -1 : digit(text[1]);
    if (low < 0) return 0;
    token[i] = (unsigned char)(high * 16 + low);
  }
  return *text == '\0';
}

// Whether the descriptor is what the environment means, and cannot shrink; says that we are here.
// Without touching mapped memory: a page fault is dear, and most processes never count.
static int greet(int fd, const unsigned char* token) {
  struct stat status;
  struct LaunchwiseHead head;
  if (fstat(fd, &status) != 0 || status.st_size != sizeof(struct LaunchwiseCalls)) return 0;
  const int seals = fcntl(fd, F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) return 0;
  if (pread(fd, &head, sizeof head, 0) != sizeof head) return 0;
  if (memcmp(head.token, token, kLaunchwiseTokenBytes) != 0) return 0;
  const uint32_t yes = 1;
  if (head.loaded == 0) pwrite(fd, &yes, sizeof yes, offsetof(struct LaunchwiseHead, loaded));
  return 1;
}

static struct LaunchwiseCalls* map(int fd) {
  void* const memory =
      mmap(NULL, sizeof(struct LaunchwiseCalls), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

static struct LaunchwiseCalls* find_calls(const char* where) {
  const char* const comma = strchr(where, ',');
  unsigned char token[kLaunchwiseTokenBytes];
  char path[64];
  if (comma == NULL || (size_t)(comma - where) >= sizeof path) return NULL;
  if (!read_token(comma + 1, token)) return NULL;
  memcpy(path, where, (size_t)(comma - where));
  path[comma - where] = '\0';
  const int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return NULL;
  struct LaunchwiseCalls* const memory = greet(fd, token) ? map(fd) : NULL;
  close(fd);
  return memory;
}

static void open_calls(void) {
  const char* const where = getenv(LAUNCHWISE_CALLS);
  if (where != NULL) launchwise_calls = find_calls(where);
  timing = launchwise_calls != NULL && launchwise_calls->head.timing != 0;
}

static void open_calls_once(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_calls);
}

// Opening takes longer than all else here: most processes of a script never call MPI or OpenMP. One
// that loads it later opens the memory at its first call.
__attribute__((constructor)) static void load(void) {
  const int error = errno;
  if (launchwise_survey()) open_calls_once();
  errno = error;
}

static void forget_slot(void) {
  launchwise_slot = NULL;
  launchwise_forget_times();
}

// A child that does not exec gets a slot of its own, or two processes would write to one.
static void watch_forks(void) {
  static int watching;
  if (__atomic_exchange_n(&watching, 1, __ATOMIC_RELAXED) == 0)
    pthread_atfork(NULL, NULL, forget_slot);
}

static void take_slot(void) {
  open_calls_once();
  if (launchwise_calls == NULL) {
    launchwise_slot = &not_shared;
    return;
  }
  watch_forks();
  const uint32_t number = __atomic_fetch_add(&launchwise_calls->head.taken, 1, __ATOMIC_RELAXED);
  launchwise_slot = &launchwise_calls->slots[number % kLaunchwiseSlots];
  launchwise_slot->process = (uint32_t)getpid();
}

// Where a call is timed, launchwise_next stays null, so that its stub always comes here.
static void* find_next(uint32_t index, int is_timed) {
  void** const next = is_timed ? &launchwise_timed_next[index] : &launchwise_next[index];
  void* function = __atomic_load_n(next, __ATOMIC_RELAXED);
  if (function != NULL) return function;
  function = launchwise_resolve(launchwise_name(index));
  __atomic_store_n(next, function, __ATOMIC_RELEASE);
  return function;
}

static int is_counted(enum LaunchwiseKind kind) {
  return kind == kOpenMp || kind == kMpi || kind == kBegin || kind == kEnd;
}

struct LaunchwiseStep launchwise_prepare(uint32_t index, uint64_t argument) {
  const int error = errno;
  const enum LaunchwiseKind kind = launchwise_kinds[index];
  if (launchwise_slot == NULL) take_slot();
  struct LaunchwiseStep step = {NULL, 0};
  const int is_timed = timing && kind != kOpenMp;
  step.function = find_next(index, is_timed);
  if (is_timed)
    step.timed = (uint64_t)launchwise_enter(kind, argument, __builtin_frame_address(0));
  else
    launchwise_slot->calls += (uint64_t)is_counted(kind);
  errno = error;
  return step;
}
