#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# standby_traces.sh: what spare-plan standby says of real logs of the archive of parallel workloads
# (https://www.cs.huji.ac.il/labs/parallel/workload/), and whether the claim of CN1758610A holds on
# each: energy close to all-off, slowdown close to all-on. LAUNCHWISE_TRACES names the folder with the
# logs, BIN that of a build. Exit 77: something is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BIN:=$here/../build/release/bin}"
skip() { echo "SKIP: $*" >&2; exit 77; }
[ -x "$BIN/spare-plan" ] || skip "no $BIN/spare-plan, build it first or set BIN"
[ -d "${LAUNCHWISE_TRACES:-}" ] || skip 'LAUNCHWISE_TRACES names no folder with logs'
command -v python3 >/dev/null || skip 'no python3 (Debian: python3)'
exec python3 "$here/standby_traces.py" "$BIN/spare-plan" "$LAUNCHWISE_TRACES"
