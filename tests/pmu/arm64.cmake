# SPDX-License-Identifier: BSD-3-Clause
# Toolchain of the emulated machine; LAUNCHWISE_ARM64_ROOT: where its libraries were unpacked.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LAUNCHWISE_ARM64_ROOT)
set(CMAKE_FIND_ROOT_PATH ${LAUNCHWISE_ARM64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
# Quick to build; no talk of what GCC 10 passed otherwise.
set(CMAKE_CXX_FLAGS_INIT
  "-O1 -Wno-psabi -isystem ${LAUNCHWISE_ARM64_ROOT}/usr/include/aarch64-linux-gnu")
set(libraries ${LAUNCHWISE_ARM64_ROOT}/usr/lib/aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-L${libraries} -Wl,-rpath-link,${libraries}:${LAUNCHWISE_ARM64_ROOT}/lib/aarch64-linux-gnu")
