// SPDX-License-Identifier: BSD-3-Clause
#include <csetjmp>
#include <cstdio>
#include <stdexcept>
extern "C" int MPI_Wait(int how);
std::jmp_buf back;
int main() {
  for (int i = 0; i < 3; i++) {
    try {
      MPI_Wait(0);
    } catch (const std::runtime_error& e) {
      std::puts(e.what());
    }
    if (setjmp(back) == 0)
      MPI_Wait(1);
    else
      std::puts("jumped");
  }
}
