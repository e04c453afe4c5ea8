#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cosched_decision.sh [DECISIONS]: CPU time of one decision of cosched_exec with 10, 12 and 24 classes
# of tasks (default 100 decisions of each strategy). BUILD: a configured release build. Target: medians
# under 1 ms and 10 ms.
set -eu
# shellcheck source=bench/built.sh
. "$(dirname "$0")/built.sh"
run_built cosched_decision "$@"
