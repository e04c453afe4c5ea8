#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cosched_decision.sh [DECISIONS]: CPU time of one decision of cosched_exec with 10, 12 and 24 classes
# of tasks (default 100 decisions of each strategy). BUILD: a configured release build. Target: medians
# under 1 ms and 10 ms.
set -eu
SRC=$(cd "$(dirname "$0")/.." && pwd)
: "${BUILD:=$SRC/build/release}"
[ -f "$BUILD/CMakeCache.txt" ] || (cd "$SRC" && cmake --preset release) >&2
cmake --build "$BUILD" --target cosched_decision >&2
exec "$BUILD/bin/cosched_decision" "$@"
