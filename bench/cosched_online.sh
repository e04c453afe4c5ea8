#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cosched_online.sh [PART]: what the on-line simulation says of the strategies of cosched_exec: 25
# instances of each family against the optimum (families), the mixes of real programs on a simulated
# node (mixes), 1,000 tasks on 128 cores (many), CPU time of a decision (cost); default: all. BIN
# names the folder of a release build. Exit 77: the program is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BIN:=$here/../build/release/bin}"
if [ ! -x "$BIN/cosched_online_table" ]; then
    echo "SKIP: no $BIN/cosched_online_table, build it first or set BIN" >&2
    exit 77
fi
exec "$BIN/cosched_online_table" "${1:-all}"
