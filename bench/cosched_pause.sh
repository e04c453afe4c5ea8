#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cosched_pause.sh [ROUNDS [PAUSES]]: how long a verified pause and resume of a busy task take
# together, against a bare SIGSTOP, wait and SIGCONT, in turn in ROUNDS rounds (default 7) of PAUSES
# each (default 200), for as many threads as cores and for 64. Of each round p50 and p99, of these
# the medians. Targets: p99 below 20 ms with as many threads as cores; with 64 at most 1.2 times the
# bare one (p50). BIN: folder of our programs, with the tests built. As root the freezer is measured
# too, where groups can be made. Exit status 1: a target was missed, 77: something is missing.
set -eu
SRC=$(cd "$(dirname "$0")/.." && pwd)
: "${BIN:=$SRC/build/release/bin}"
[ -x "$BIN/pause_task" ] || { echo "no $BIN/pause_task: build the tests" >&2; exit 77; }
rounds=${1:-7} pauses=${2:-200}
TMP=$(mktemp -d "${TMPDIR:-/tmp}/launchwise-bench.XXXXXX")
trap 'rm -rf "$TMP"' EXIT
trap 'exit 130' INT TERM

cores=$(nproc)
"$BIN/pause_task" auto 1 1 1 "$BIN/pause_task" busy 1 2>"$TMP/try" || true
kinds='bare signal'
if grep -q '^freezer' "$TMP/try"; then kinds='bare signal freezer'; else
    echo 'no groups can be made here: signals only'
fi
for round in $(seq "$rounds"); do
    for threads in "$cores" 64; do
        for kind in $kinds; do
            # 137: it is killed afterwards.
            "$BIN/pause_task" "$kind" "$pauses" 10 1 "$BIN/pause_task" busy "$threads" \
                2>"$TMP/told" || [ $? = 137 ]
            if grep -q 'given up' "$TMP/told"; then cat "$TMP/told" >&2; exit 1; fi
            # METHOD TIMES VIOLATIONS p50 p99; the method may have blanks.
            awk -v key="$threads $kind" '{ print key, $(NF - 1), $NF, $(NF - 2) }' "$TMP/told"
        done
    done
    echo "round $round of $rounds, load $(cut -d' ' -f1 /proc/loadavg)" >&2
done >"$TMP/rows"

median() { # THREADS KIND COLUMN
    awk -v t="$1" -v k="$2" -v c="$3" '$1 == t && $2 == k { print $c }' "$TMP/rows" | sort -g |
        awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
status=0
printf '%-8s %-8s %9s %9s %8s %8s  %s\n' threads way 'p50 ms' 'p99 ms' p50/bare p99/bare target
for threads in "$cores" 64; do
    b50=$(median "$threads" bare 3) b99=$(median "$threads" bare 4)
    for kind in $kinds; do
        p50=$(median "$threads" "$kind" 3) p99=$(median "$threads" "$kind" 4)
        row=$(awk -v t="$threads" -v k="$kind" -v cores="$cores" -v p50="$p50" -v p99="$p99" \
            -v b50="$b50" -v b99="$b99" 'BEGIN {
                target = ""
                if (k != "bare" && t == cores) target = p99 < 20 ? "met" : "MISSED"
                if (k != "bare" && t == 64) target = p50 <= 1.2 * b50 ? "met" : "MISSED"
                printf "%-8s %-8s %9.3f %9.3f %8.2f %8.2f  %s", t, k, p50, p99, p50 / b50,
                    p99 / b99, target }')
        echo "$row"
        case $row in *MISSED) status=1 ;; esac
    done
done
awk '$NF > 0 { bad += $NF } END { if (bad) { print bad " pauses with CPU time passing"; exit 1 } }' \
    "$TMP/rows" || status=1
exit $status
