#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# probe_cost.sh [RUNS]: what the preloaded probe costs: nanoseconds a counted call with 1 and 2
# threads, and microseconds a start of the least process, beside those of an empty preloaded
# library; with minus without, in turn, RUNS times (default 11). CPU times, so that other programs
# on the host disturb little. BIN: folder of our programs, with the tests built. Target: 5 ns a call.
# shellcheck disable=SC2317  # measure calls our functions
set -eu
SRC=$(cd "$(dirname "$0")/.." && pwd)
: "${BIN:=$SRC/build/release/bin}"
runs=${1:-11}
TMP=$(mktemp -d "${TMPDIR:-/tmp}/launchwise-bench.XXXXXX")
trap 'rm -rf "$TMP"' EXIT
trap 'exit 130' INT TERM
unset LD_PRELOAD

echo 'int MPI_Barrier(void) { return 0; }' >"$TMP/fake.c"
cc -O2 -shared -fPIC -o "$TMP/libfake.so" "$TMP/fake.c"
echo 'int unused;' >"$TMP/empty.c"
cc -O2 -shared -fPIC -o "$TMP/empty.so" "$TMP/empty.c"
cc -O2 -o "$TMP/cost" "$SRC/bench/probe_cost.c" "$TMP/libfake.so" -lpthread

with_probe() { "$BIN/count_calls" "$TMP/count" "$@"; }
with_empty() { env LD_PRELOAD="$TMP/empty.so" "$@"; }

row() { # NAME FORMULA: min, median and max of it over the pairs
    awk "{ print $2 }" "$TMP/pairs" | sort -g | awk -v name="$1" -v n="$runs" '
        NR == 1 { least = $1 } NR == int((n + 1) / 2) { median = $1 }
        END { printf "  %-12s%9.2f%9.2f%9.2f\n", name, least, median, $1 }'
}
# measure SENTENCE WITH ARGUMENTS...: cost ARGUMENTS without and with
# shellcheck disable=SC2016  # the formulas are awk's
measure() {
    what=$1 with=$2
    shift 2
    : >"$TMP/pairs"
    for _ in $(seq "$runs"); do
        echo "$("$TMP/cost" "$@") $("$with" "$TMP/cost" "$@")" >>"$TMP/pairs"
    done
    echo "$what"
    row without '$1'
    row with '$2'
    row difference '$2 - $1' | tee "$TMP/difference"
}

printf '%-14s%9s%9s%9s\n' '' min median max
number=20000000 missed=0
for threads in 1 2; do
    measure "ns a call of an empty function, $threads thread(s)" with_probe calls $threads $number
    want=$((threads * (number + 1)))
    [ "$(cat "$TMP/count")" -eq $want ] || {
        echo "counted $(cat "$TMP/count"), want $want" >&2
        exit 1
    }
    awk '{ print "  median " $3 " ns, target at most 5 ns: " ($3 <= 5 ? "met" : "MISSED")
        exit $3 > 5 }' "$TMP/difference" || missed=1
done
measure 'us a start of true, with an empty library' with_empty starts 400 /bin/true
measure 'us a start of true, with the probe' with_probe starts 400 /bin/true
exit $missed
