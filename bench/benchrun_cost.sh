#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# benchrun_cost.sh [RUNS]: the whole benchrun against a bare mpirun of the same benchmark program with
# the same arguments, in turn, RUNS times each (default 10). BIN: folder of our programs. HOSTS: a host
# list (default: this host); every one must be healthy and see BIN. Target: ratio of the medians at most
# 1.10.
set -eu
SRC=$(cd "$(dirname "$0")/.." && pwd)
: "${BIN:=$SRC/build/release/bin}"
: "${HOSTS:=$(uname -n)}"
runs=${1:-10}
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
exec /usr/bin/python3 "$SRC/bench/benchrun_cost.py" "$BIN" "$HOSTS" "$runs"
