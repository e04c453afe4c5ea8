#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# fuzz.sh [SECONDS] [PARSER...]: builds the fuzz targets (preset `fuzz`, with assertions) and lets
# each search for SECONDS (default 60), starting from tests/fuzz/corpus/PARSER. An input that breaks
# a parser ends the search: it is copied into the corpus, where unit tests find it too, and the exit
# status is 1.
set -u
here=$(cd "$(dirname "$0")" && pwd)
src=$(cd "$here/../.." && pwd)
build=${FUZZ_BUILD:-$src/build/fuzz}
seconds=${1:-60}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- hostlist times hostfile duration

case $seconds in
'' | *[!0-9]*) echo "usage: fuzz.sh [SECONDS] [PARSER...]" >&2; exit 2 ;;
esac
if ! command -v clang++-14 >/dev/null 2>&1; then
    echo 'SKIP: clang++-14 is not installed (package clang-14)'
    exit 77
fi

launcher=
if command -v ccache >/dev/null 2>&1; then launcher=ccache; fi
cd "$src" || exit 1
work=$(mktemp -d "${TMPDIR:-/tmp}/launchwise-fuzz.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cmake --preset fuzz -B "$build" -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O2 -g' \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$launcher" >"$work/cmake.log" 2>&1 || {
    cat "$work/cmake.log"
    exit 1
}
targets=
for parser; do targets="$targets fuzz_$parser"; done
# shellcheck disable=SC2086
ninja -C "$build" ${FUZZ_JOBS:+-j "$FUZZ_JOBS"} $targets >"$work/ninja.log" 2>&1 || {
    tail -n 30 "$work/ninja.log"
    exit 1
}

status=0
for parser; do
    mkdir "$work/$parser" "$work/$parser.finds"
    set -- "$build/bin/fuzz_$parser" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 \
        -max_len=4096 -artifact_prefix="$work/$parser.finds/" -print_final_stats=1
    if [ -f "$here/$parser.dict" ]; then set -- "$@" -dict="$here/$parser.dict"; fi
    if "$@" "$work/$parser" "$here/corpus/$parser" >"$work/$parser.log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$parser.log")
        echo "$parser: $runs inputs in $seconds s, none breaks it"
    else
        status=1
        echo "$parser: BROKEN"
        tail -n 40 "$work/$parser.log"
        for find in "$work/$parser.finds"/*; do
            if [ -f "$find" ]; then
                cp "$find" "$here/corpus/$parser/"
                echo "kept as tests/fuzz/corpus/$parser/$(basename "$find")"
            fi
        done
    fi
done
exit $status
