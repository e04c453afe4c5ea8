#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# slow_links.sh [PAIR_RUNS]: simulated benchruns of -b network on 8, 64 and 1000 hosts: how often a host
# that is 20 % slow and a link that is 50 % slow are found and told apart, and healthy ones blamed,
# against a fixed ratio to the median on the same draws (default 2,000,000 pair-runs a line, 2 min).
# BUILD: a configured release build. Target: >= 95 % found, at most 1 % of the benchruns blame a link.
set -eu
SRC=$(cd "$(dirname "$0")/.." && pwd)
: "${BUILD:=$SRC/build/release}"
[ -f "$BUILD/CMakeCache.txt" ] || (cd "$SRC" && cmake --preset release) >&2
cmake --build "$BUILD" --target slow_links >&2
exec "$BUILD/bin/slow_links" "$@"
