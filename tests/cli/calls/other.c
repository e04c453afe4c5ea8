// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>
__attribute__((constructor)) static void f(void) {
  if (write(1, "other\n", 6) != 6) _exit(9);
}
