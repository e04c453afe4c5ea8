# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Sourced by scripts that are one program: run_built PROGRAM ARGS... builds it and becomes it. BUILD: a
# configured release build.
run_built() {
    source_folder=$(cd "$(dirname "$0")/.." && pwd)
    : "${BUILD:=$source_folder/build/release}"
    [ -f "$BUILD/CMakeCache.txt" ] || (cd "$source_folder" && cmake --preset release) >&2
    program=$1
    shift
    cmake --build "$BUILD" --target "$program" >&2
    exec "$BUILD/bin/$program" "$@"
}
