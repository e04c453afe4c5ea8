# SPDX-License-Identifier: BSD-3-Clause
# Debian 12: libspdlog-dev libfmt-dev libcli11-dev nlohmann-json3-dev libboost-dev libhwloc-dev
#            libopenblas-openmp-dev
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Boost REQUIRED)  # headers only: Boost.Math
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET hwloc)
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)
