# SPDX-License-Identifier: BSD-3-Clause
# Debian 12: libspdlog-dev libfmt-dev libcli11-dev nlohmann-json3-dev libboost-dev libhwloc-dev
#            libopenblas-openmp-dev coinor-libclp-dev libtomlplusplus-dev libpfm4-dev
#            libre2-dev zlib1g-dev
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost REQUIRED)  # headers only: Boost.Math
find_package(ZLIB REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(clp REQUIRED IMPORTED_TARGET clp)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)
find_package(tomlplusplus REQUIRED)
# libpfm4 has neither a .pc nor a CMake file.
find_library(LIBPFM4 pfm REQUIRED)
find_path(LIBPFM4_INCLUDE perfmon/pfmlib_perf_event.h REQUIRED)
add_library(libpfm4 INTERFACE)
target_link_libraries(libpfm4 INTERFACE ${LIBPFM4})
target_include_directories(libpfm4 SYSTEM INTERFACE ${LIBPFM4_INCLUDE})
