#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpisel_table.sh [RUNS]: mpisel on a table of 1,000,000 rows against a mawk/sort pipeline that finds
# the same hosts. BIN names the folder of a release build. Exit 77: something is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BIN:=$here/../build/release/bin}"
runs=${1:-9}
skip() { echo "SKIP: $*" >&2; exit 77; }
[ -x "$BIN/mpisel" ] || skip "no $BIN/mpisel, build it first or set BIN"
command -v mawk >/dev/null || skip 'no mawk (Debian: mawk)'
command -v python3 >/dev/null || skip 'no python3 (Debian: python3)'
LC_ALL=C
export LC_ALL
folder=$(mktemp -d "${TMPDIR:-/tmp}/launchwise-bench.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
for order in scrambled by_rank; do
    mawk -v hosts=15625 -v ranks=64 -v order="$order" -f "$here/mpisel_table_generate.awk" \
        >"$folder/times.csv" || exit 1
    echo "rows $order:"
    python3 "$here/mpisel_table.py" "$BIN/mpisel" "$folder/times.csv" 15000 "$runs" || exit 1
done
