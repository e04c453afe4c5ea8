// SPDX-License-Identifier: BSD-3-Clause
// Finds the function that would have been called without the probe.
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <string.h>

#include "probe/stubs.h"

// What a caller gets whom we have misled (dlopen of an object with weak references): an MPI error
// code, instead of a jump to nowhere.
static int nowhere(void) { return 15; }

struct Search {
  int left;  // objects before the one that is wanted
  char name[PATH_MAX];
};

static int copy_name(struct dl_phdr_info* object, size_t size, void* data) {
  (void)size;
  struct Search* const search = data;
  if (search->left-- > 0) return 0;
  const size_t length = strlen(object->dlpi_name);
  if (length < sizeof search->name) memcpy(search->name, object->dlpi_name, length + 1);
  return 1;
}

// In objects that are loaded, but not in the global scope (dlopen with RTLD_LOCAL, as Python does).
// One object at a time: nothing may be opened while the list is locked.
static void* find_anywhere(const char* name) {
  struct Search search;
  for (int i = 0;; ++i) {
    search.left = i;
    search.name[0] = '\0';
    if (dl_iterate_phdr(copy_name, &search) == 0) return NULL;
    if (search.name[0] == '\0') continue;
    void* const object = dlopen(search.name, RTLD_LAZY | RTLD_NOLOAD);
    if (object == NULL) continue;
    void* const found = dlsym(object, name);
    dlclose(object);
    if (found != NULL) return found;
  }
}

// We keep the address for good, so the object must stay as well.
static void pin(const void* function) {
  Dl_info object;
  if (dladdr(function, &object) == 0 || object.dli_fname == NULL) return;
  dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void* launchwise_find(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  if (found == NULL) found = find_anywhere(name);
  dlerror();
  return found;
}

void* launchwise_resolve(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  if (found == NULL) found = find_anywhere(name);
  if (found != NULL) pin(found);
  dlerror();  // what we have tried is not the program's error
  return found != NULL ? found : (void*)nowhere;
}
