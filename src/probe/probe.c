// SPDX-License-Identifier: BSD-3-Clause
// Preloaded into every process of a task: counts its MPI and OpenMP runtime calls into memory that
// is shared with whoever started the task. Where that cannot be had, nothing is counted and nothing
// said. It lives in other people's programs: no allocation, no output, nothing left behind.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "probe/shared.h"
#include "probe/stubs.h"

__thread struct LaunchwiseSlot* launchwise_slot;

static __thread struct LaunchwiseSlot not_shared;
static struct LaunchwiseCalls* calls;

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

// The memory behind the descriptor, if it is what the environment means and cannot shrink.
static struct LaunchwiseCalls* map(int fd, const unsigned char* token) {
  struct stat status;
  if (fstat(fd, &status) != 0 || status.st_size != sizeof(struct LaunchwiseCalls)) return NULL;
  const int seals = fcntl(fd, F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) return NULL;
  void* const memory =
      mmap(NULL, sizeof(struct LaunchwiseCalls), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) return NULL;
  if (memcmp(memory, token, kLaunchwiseTokenBytes) == 0) return memory;
  munmap(memory, sizeof(struct LaunchwiseCalls));
  return NULL;
}

static struct LaunchwiseCalls* open_calls(const char* where) {
  const char* const comma = strchr(where, ',');
  unsigned char token[kLaunchwiseTokenBytes];
  char path[64];
  if (comma == NULL || (size_t)(comma - where) >= sizeof path) return NULL;
  if (!read_token(comma + 1, token)) return NULL;
  memcpy(path, where, (size_t)(comma - where));
  path[comma - where] = '\0';
  const int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return NULL;
  struct LaunchwiseCalls* const memory = map(fd, token);
  close(fd);
  return memory;
}

__attribute__((constructor)) static void load(void) {
  const int error = errno;
  const char* const where = getenv(LAUNCHWISE_CALLS);
  if (where != NULL) calls = open_calls(where);
  if (calls != NULL && __atomic_load_n(&calls->loaded, __ATOMIC_RELAXED) == 0)
    __atomic_store_n(&calls->loaded, 1, __ATOMIC_RELAXED);
  launchwise_mend_weak_references();
  errno = error;
}

static void forget_slot(void) { launchwise_slot = NULL; }

// A child that does not exec gets a slot of its own, or two processes would write to one.
static void watch_forks(void) {
  static int watching;
  if (__atomic_exchange_n(&watching, 1, __ATOMIC_RELAXED) == 0)
    pthread_atfork(NULL, NULL, forget_slot);
}

static void take_slot(void) {
  if (calls == NULL) {
    launchwise_slot = &not_shared;
    return;
  }
  watch_forks();
  const uint32_t number = __atomic_fetch_add(&calls->taken, 1, __ATOMIC_RELAXED);
  launchwise_slot = &calls->slots[number % kLaunchwiseSlots];
}

void launchwise_prepare(uint32_t index) {
  const int error = errno;
  if (launchwise_slot == NULL) take_slot();
  void** const next = &launchwise_next[index];
  if (__atomic_load_n(next, __ATOMIC_RELAXED) == NULL)
    __atomic_store_n(next, launchwise_resolve(launchwise_name(index)), __ATOMIC_RELEASE);
  errno = error;
}
