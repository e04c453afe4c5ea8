#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# spare_plan_curve.sh [RUNS]: how much CPU time spare-plan needs for n = 1,000,000 compared with a
# vectorised numpy/scipy script. BIN names the folder of a release build. Exit 77: something is
# missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BIN:=$here/../build/release/bin}"
runs=${1:-7}
if [ ! -x "$BIN/spare-plan" ]; then
    echo "SKIP: no $BIN/spare-plan, build it first or set BIN" >&2
    exit 77
fi
# The system's interpreter has Debian's python3-scipy; another python3 may come first in PATH.
for python in "${PYTHON:-}" /usr/bin/python3 python3; do
    if [ -n "$python" ] && "$python" -c 'import scipy.stats' 2>/dev/null; then
        exec "$python" "$here/spare_plan_curve.py" "$BIN/spare-plan" "$runs"
    fi
done
echo 'SKIP: no python3 with scipy (Debian: python3-scipy)' >&2
exit 77
