#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# standby_history.sh [RUNS]: spare-plan standby on histories of 1,000,000 jobs in four formats against
# mawk. BIN names the folder of a release build. Exit 77: something is missing.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${BIN:=$here/../build/release/bin}"
runs=${1:-5}
skip() { echo "SKIP: $*" >&2; exit 77; }
[ -x "$BIN/spare-plan" ] || skip "no $BIN/spare-plan, build it first or set BIN"
command -v mawk >/dev/null || skip 'no mawk (Debian: mawk)'
command -v python3 >/dev/null || skip 'no python3 (Debian: python3)'
LC_ALL=C TZ=UTC
export LC_ALL TZ
folder=$(mktemp -d "${TMPDIR:-/tmp}/launchwise-bench.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
for format in swf sacct jobcomp pbs-accounting; do
    mawk -v jobs=1000000 -v format=$format -f "$here/standby_history_generate.awk" \
        >"$folder/$format" || exit 1
done
gzip -c "$folder/swf" >"$folder/swf.gz"
python3 "$here/standby_history.py" "$BIN/spare-plan" "$folder" "$runs"
