// SPDX-License-Identifier: BSD-3-Clause
// How many ranks MPI_COMM_WORLD has. An MPI that was started by the launcher of another one makes a
// world of one rank in every process.
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "probe/stubs.h"

typedef int AskFlag(int* flag);
// Handles are pointers in Open MPI, numbers in MPICH.
typedef int SizeByPointer(const void* communicator, int* size);
typedef int SizeByNumber(int communicator, int* size);

static const int kMpichWorld = 0x44000000;

// MPI's own library, by a function of it that no tool wraps; null when there is none, or it has the
// handles of MPI 5's standard interface.
static void* open_library(void) {
  Dl_info object;
  void* const function = launchwise_find("PMPI_Comm_size");
  if (function == NULL || dladdr(function, &object) == 0) return NULL;
  if (object.dli_fname == NULL || strstr(object.dli_fname, "libmpi_abi") != NULL) return NULL;
  return dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

// MPI_Init may have failed, and MPI_Session_init makes no world: to ask for its size would be an
// error that ends the program.
static int has_world(void* library) {
  int flag = 0;
  AskFlag* const is_initialised = (AskFlag*)dlsym(library, "PMPI_Initialized");
  AskFlag* const is_finalised = (AskFlag*)dlsym(library, "PMPI_Finalized");
  if (is_initialised == NULL || is_initialised(&flag) != 0 || flag == 0) return 0;
  return is_finalised != NULL && is_finalised(&flag) == 0 && flag == 0;
}

// The handle is only right in its own MPI, which a symbol that programs of it need tells.
static enum LaunchwiseMpi ask(void* library, int* size) {
  void* const function = dlsym(library, "PMPI_Comm_size");
  const void* world = dlsym(library, "ompi_mpi_comm_world");
  if (world != NULL) {
    const void* const copied = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");  // by the linker
    if (copied != NULL) world = copied;
    ((SizeByPointer*)function)(world, size);
    return kLaunchwiseOpenMpi;
  }
  if (dlsym(library, "MPIR_Dup_fn") == NULL) return kLaunchwiseOtherMpi;
  ((SizeByNumber*)function)(kMpichWorld, size);
  return kLaunchwiseMpich;
}

void launchwise_see_world(struct LaunchwiseSlot* slot) {
  const int error = errno;
  void* const library = open_library();
  int size = 0;
  if (library != NULL && has_world(library)) {
    slot->mpi_kind = ask(library, &size);
    slot->world = size > 0 ? (uint32_t)size : 0;
  }
  if (library != NULL) dlclose(library);
  dlerror();
  errno = error;
}
