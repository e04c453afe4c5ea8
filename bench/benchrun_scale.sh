#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# benchrun_scale.sh [RUNS [HOSTS [RANKS]]]: benchrun with a simulated launcher of HOSTS hosts (10,000)
# with RANKS ranks each (64), 1 % of them silent and 0.5 % slow: rows, memory, CPU time, RUNS times
# (default 3); then mpisel and spare-plan fit on its table. Beside it what a user could do instead: a
# program that prints a line a rank, whose lines awk or python make the same rows of. BIN: folder of a
# release build. Targets: no row lost, less than 500 MB, less than 10 s of CPU time of benchrun's own.
set -eu
SRC=$(cd "$(dirname "$0")/.." && pwd)
: "${BIN:=$SRC/build/release/bin}"
for program in benchrun mpisel spare-plan many_ranks; do
    [ -x "$BIN/$program" ] || { echo "SKIP: no $BIN/$program, build it first or set BIN" >&2; exit 77; }
done
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
exec /usr/bin/python3 "$SRC/bench/benchrun_scale.py" "$BIN" "${1:-3}" "${2:-10000}" "${3:-64}"
