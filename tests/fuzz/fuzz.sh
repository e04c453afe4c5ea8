#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# fuzz.sh [SECONDS|auto] [PARSER...]: lets the fuzz target of each parser search for SECONDS (auto,
# the default: 60 with FULL=1 in the environment, else 5), starting from tests/fuzz/corpus/PARSER.
# Builds the targets (preset `fuzz`) unless FUZZ_BIN tells where they are. An input that breaks a
# parser ends the search: it is copied into the corpus, where a unit test finds it too, and the exit
# status is 1.
set -u
here=$(cd "$(dirname "$0")" && pwd)
src=$(cd "$here/../.." && pwd)
seconds=${1:-auto}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- hostlist times hostfile duration tasks_plain tasks_toml history cluster_state ledger
if [ "$seconds" = auto ]; then
    if [ "${FULL:-0}" = 1 ]; then seconds=60; else seconds=5; fi
fi
case $seconds in
*[!0-9]*) echo 'usage: fuzz.sh [SECONDS|auto] [PARSER...]' >&2; exit 2 ;;
esac

work=$(mktemp -d "${TMPDIR:-/tmp}/launchwise-fuzz.XXXXXX") || exit 1
pid=
# shellcheck disable=SC2317
stop() { [ -z "$pid" ] || kill "$pid" 2>/dev/null; exit 130; }
trap 'rm -rf "$work"' EXIT
trap stop INT TERM

if [ -z "${FUZZ_BIN:-}" ]; then
    if ! command -v clang++-14 >/dev/null 2>&1; then
        echo 'SKIP: clang++-14 is not installed (package clang-14)'
        exit 77
    fi
    cd "$src" || exit 1
    { cmake --preset fuzz && cmake --build --preset fuzz --target fuzzers; } \
        >"$work/build.log" 2>&1 || { tail -n 40 "$work/build.log"; exit 1; }
    FUZZ_BIN=$src/build/fuzz/bin
fi

status=0
for parser; do
    mkdir "$work/$parser" "$work/$parser.finds"
    set -- "$FUZZ_BIN/fuzz_$parser" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 \
        -max_len=4096 -artifact_prefix="$work/$parser.finds/" -print_final_stats=1
    if [ -f "$here/$parser.dict" ]; then set -- "$@" -dict="$here/$parser.dict"; fi
    "$@" "$work/$parser" "$here/corpus/$parser" >"$work/$parser.log" 2>&1 &
    pid=$!
    if wait "$pid"; then
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
    pid=
done
exit $status
