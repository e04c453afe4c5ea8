#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# slow_hosts.sh [HOST_RUNS [plain|skewed|blocks [PERCENT]]]: simulated benchruns on 4, 8 and 96 hosts
# with noise of 1, 2 and 3 % (or PERCENT alone): how often a host at 90 % of its speed is found and a
# healthy one blamed, against fixed ratios to the median on the same draws (default 1,000,000 host-runs
# a line, 5 min). BUILD: a configured release build. Target: >= 95 % found, <= 1e-3 blamed.
set -eu
# shellcheck source=bench/built.sh
. "$(dirname "$0")/built.sh"
run_built slow_hosts "$@"
