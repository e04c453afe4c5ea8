// SPDX-License-Identifier: BSD-3-Clause
// Opens its MPI late and for itself, as Python does.
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char** argv) {
  for (int round = 0; round < 3; round++) {
    void* plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
    if (!plugin) return puts(dlerror()), 1;
    int (*run)(void) = (int (*)(void))dlsym(plugin, "run");
    printf("%d\n", run());
    dlclose(plugin);
  }
  return argc + (argv == 0) - 1;
}
