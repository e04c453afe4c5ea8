#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# standby_simulate.sh [RUNS]: how long spare-plan standby simulate takes for a year of a 1,000-node
# machine (120,000 jobs), and how that grows up to 8 times as many jobs: with the load of that year, and
# with twice as many jobs a year, more than the machine can run, where the queue grows all the time.
# BIN names the folder of a release build. Exit 77: something is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BIN:=$here/../build/release/bin}"
runs=${1:-3}
skip() { echo "SKIP: $*" >&2; exit 77; }
[ -x "$BIN/spare-plan" ] || skip "no $BIN/spare-plan, build it first or set BIN"
command -v mawk >/dev/null || skip 'no mawk (Debian: mawk)'
command -v python3 >/dev/null || skip 'no python3 (Debian: python3)'
folder=$(mktemp -d "${TMPDIR:-/tmp}/launchwise-bench.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
# trace JOBS GAP: jobs of up to 512 nodes and 90 minutes in the mean, GAP seconds apart
trace() {
    mawk -v jobs="$1" -v gap="$2" 'BEGIN {
        srand(7)
        for (i = 1; i <= jobs; ++i) {
            submit += -gap * log(1 - rand())
            nodes = int(exp(6.24 * rand() ^ 1.6))
            if (rand() < 0.75) nodes = 2 ^ int(log(nodes) / log(2))
            run = int(-5400 * log(1 - rand())) + 1
            printf "%d %d -1 %d %d -1 -1 %d %d -1 1 1 1 -1 1 1 -1 -1\n", i, submit, run, nodes, nodes, run * (1 + int(4 * rand()))
        }
    }'
}
for times in 1 2 4 8; do
    trace $((120000 * times)) 263 >"$folder/busy$times"
    trace $((120000 * times)) 131 >"$folder/overloaded$times"
done
python3 "$here/standby_simulate.py" "$BIN/spare-plan" "$folder" "$runs"
