# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# The Debian packages that the project is built, shown and tested with; sourced by demo and test.

# shellcheck disable=SC2034
BUILD_PACKAGES=(g++ cmake ninja-build pkg-config
    libspdlog-dev libfmt-dev libcli11-dev nlohmann-json3-dev libboost-dev
    libhwloc-dev libopenblas-openmp-dev coinor-libclp-dev libtomlplusplus-dev libpfm4-dev
    libre2-dev zlib1g-dev)
# shellcheck disable=SC2034
RUN_PACKAGES=(openmpi-bin libopenmpi-dev gnuplot-nox fonts-dejavu-core openssh-client
    openssh-server iproute2 util-linux mawk hostname procps)
# shellcheck disable=SC2034
TEST_PACKAGES=(libgtest-dev libgmock-dev clang-14 clang-tidy-14 clang-format-14
    libclang-rt-14-dev mandoc shellcheck mpich libmpich-dev gfortran parallel slurm-wlm munge
    python3 python3-numpy python3-scipy qemu-system-arm g++-aarch64-linux-gnu cpio perl)
# shellcheck disable=SC2034
BENCH_PACKAGES=(lammps elk-lapw gromacs xz-utils parallel)

# install_packages PACKAGE... : those that are missing, with apt; sudo when not root.
install_packages() {
    local package missing=() as_root=()
    for package; do
        dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' \
            || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    if ((EUID != 0)); then
        command -v sudo >/dev/null || {
            echo "missing packages, and neither root nor sudo to install them: ${missing[*]}" >&2
            return 1
        }
        as_root=(sudo)
    fi
    echo "installing: ${missing[*]}"
    # Services that a package starts by itself are of no use here.
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get update -q
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
        apt-get install -q -y --no-install-recommends "${missing[@]}"
}
