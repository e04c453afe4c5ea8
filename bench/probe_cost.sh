#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# probe_cost.sh [RUNS]: what the preloaded probe costs: nanoseconds a counted and a timed call with 1
# and 2 threads, the time of a program that makes 10,000 timed calls a second, and microseconds a
# start of the least process, beside those of an empty preloaded library; without and with, in turn,
# RUNS times (default 11). CPU times, so that other programs on the host disturb little. BIN: folder
# of our programs, with the tests built. Targets: 5 ns a counted call, 2 % with timed ones.
# shellcheck disable=SC2317  # measure calls our functions
set -eu
SRC=$(cd "$(dirname "$0")/.." && pwd)
: "${BIN:=$SRC/build/release/bin}"
runs=${1:-11}
TMP=$(mktemp -d "${TMPDIR:-/tmp}/launchwise-bench.XXXXXX")
trap 'rm -rf "$TMP"' EXIT
trap 'exit 130' INT TERM
unset LD_PRELOAD

echo 'int MPI_Init(void) { return 0; } int MPI_Barrier(void) { return 0; }' >"$TMP/fake.c"
cc -O2 -shared -fPIC -o "$TMP/libfake.so" "$TMP/fake.c"
echo 'int unused;' >"$TMP/empty.c"
cc -O2 -shared -fPIC -o "$TMP/empty.so" "$TMP/empty.c"
cc -O2 -o "$TMP/cost" "$SRC/bench/probe_cost.c" "$TMP/libfake.so" -lpthread

with_probe() { "$BIN/count_calls" "$TMP/count" "$@"; }
with_timing() { "$BIN/count_calls" --time "$TMP/split" "$@"; }
with_empty() { env LD_PRELOAD="$TMP/empty.so" "$@"; }

# row NAME FORMULA DIGITS: min, median and max of it over the pairs
row() {
    awk "{ print $2 }" "$TMP/pairs" | sort -g | awk -v name="$1" -v n="$runs" -v digits="$3" '
        NR == 1 { least = $1 } NR == int((n + 1) / 2) { median = $1 }
        END { format = "%10." digits "f"
            printf "  %-12s" format format format "\n", name, least, median, $1 }'
}
# pairs WITH ARGUMENTS...: cost ARGUMENTS without and with
pairs() {
    with=$1
    shift
    : >"$TMP/pairs"
    for _ in $(seq "$runs"); do
        echo "$("$TMP/cost" "$@") $("$with" "$TMP/cost" "$@")" >>"$TMP/pairs"
    done
}
# measure SENTENCE WITH ARGUMENTS...
# shellcheck disable=SC2016  # the formulas are awk's
measure() {
    echo "$1"
    shift
    pairs "$@"
    row without '$1' 2
    row with '$2' 2
    row difference '$2 - $1' 2 | tee "$TMP/difference"
}
# target LEAST FILE: whether its median is at most that
missed=0
target() {
    awk -v most="$1" '{ print "  median " $3 ", target at most " most ": " ($3 <= most ? "met" : "MISSED")
        exit $3 > most }' "$2" || missed=1
}

printf '%-14s%10s%10s%10s\n' '' min median max
number=20000000
for threads in 1 2; do
    measure "ns a counted call of an empty function, $threads thread(s)" with_probe calls $threads $number
    want=$((threads * (number + 1) + 1))
    [ "$(cat "$TMP/count")" -eq $want ] || {
        echo "counted $(cat "$TMP/count"), want $want" >&2
        exit 1
    }
    target 5 "$TMP/difference"
done
for threads in 1 2; do
    measure "ns a timed call of an empty function, $threads thread(s)" with_timing calls $threads $((number / 10))
    awk '{ exit !($2 > 0) }' "$TMP/split" || {
        echo "not timed: $(cat "$TMP/split")" >&2
        exit 1
    }
done

steps=$("$TMP/cost" work 100 1000 | awk '{ print int(0.5 + 1e-4 / ($1 / 1000 / 100)) }')
echo "s for 10,000 calls, 100 us of work ($steps steps) between them"
pairs with_timing work "$steps" 10000
# shellcheck disable=SC2016  # the formulas are awk's
{
    row without '$1' 4
    row with '$2' 4
    row ratio '$2 / $1' 4 | tee "$TMP/ratio"
}
target 1.02 "$TMP/ratio"

measure 'us a start of true, with an empty library' with_empty starts 400 /bin/true
measure 'us a start of true, with the probe' with_probe starts 400 /bin/true
exit $missed
