#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# 8 hosts, each in turn at 90 % of its speed: it is the one that `mpisel -n 7` leaves out, and what
# benchrun calls slow is counted. 24 repetitions, the fewest by which a host can be called slow, are
# enough to leave one out and take some 10 s; with quotas of 2 ms in 10 ms their noise is near 8 %.
# With few runs it is at 75 %, since one of a hundred at 90 % is kept.
# RESULTS=FILE collects the runs of several calls, RUNS=N sets how many one does.
# shellcheck disable=SC2015
# shellcheck source=/dev/null
. "$(dirname -- "$0")/lib.sh"
need_tools benchrun mpisel

ERR=$LAUNCHWISE_CLUSTER_STATE/log/stderr
RUNS=${RUNS:-$(times 2 200)}
PERCENT=90
if ((RUNS < 20)) && [[ ! -v RESULTS ]]; then PERCENT=75; fi
RESULTS=${RESULTS:-$LAUNCHWISE_CLUSTER_STATE/results}

called_slow() { sed -n 's/^benchrun: warning: \(n[0-9]*\): slow: .*/\1/p' "$ERR"; }

# once SLOW : a line of results: is SLOW left out, is it called slow, how many others are, seconds
once() {
    local left_out=0 found others start=${EPOCHREALTIME/[.,]/}
    as "$USER_NAME" timeout 120 benchrun --hostfile "$STATE/hostfile" --runs 24 --history none \
        -o work/times.csv 2>"$ERR" || { cat "$ERR"; return 1; }
    [[ $(as "$USER_NAME" mpisel -n 7 --format plain work/times.csv) != "$(all_others "$1")" ]] ||
        left_out=1
    found=$(called_slow | grep -cx "$1") others=$(called_slow | grep -cvx "$1")
    echo "$left_out $found $others $(seconds_since "$start" "${EPOCHREALTIME/[.,]/}")" >>"$RESULTS"
}

measured() {                         # measured SLOW
    cl slow "$1" "$PERCENT" && once "$1" && cl slow "$1" 100
}

# The limits of Clopper and Pearson, each 95 % sure: P(X <= k) = 5 % above, P(X >= k) = 5 % below.
summed() {
    awk '
    function at_most(k, n, p,   i, term, sum) {
        term = exp(n * log(1 - p))
        for (i = 0; i <= k; i++) { sum += term; term *= (n - i) / (i + 1) * p / (1 - p) }
        return sum
    }
    function where(k, n, chance,   low, high, i) {
        high = 1
        for (i = 0; i < 60; i++)
            if (at_most(k, n, (low + high) / 2) > chance) low = (low + high) / 2
            else high = (low + high) / 2
        return low
    }
    { left += $1; found += $2; flags += $3; seconds += $4 }
    END {
        n = 7 * NR
        printf "%d runs of %.1f s: left out %d, called slow %d; ", NR, seconds / NR, left, found
        printf "of %d others called slow %d, at most %.2g\n", n, flags, where(flags, n, 0.05)
        exit !(left >= 0.95 * NR && (flags == 0 || where(flags - 1, n, 0.95) <= 1e-3))
    }' "$RESULTS"
}

start 8 --slots 1
for ((run = 0; run < RUNS; run++)); do
    host=n$((run % 8 + 1))
    check "run $((run + 1)), $host at $PERCENT %" measured "$host"
done
check "95 % are left out, one other in 1000 at most is called slow" summed
check "nothing is left running" quiet 10
finish
