# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What every lint needs: $SRC, the source tree; complain SENTENCE; need PROGRAM PACKAGE; finish.
set -u
: "${SRC:=$(cd "$(dirname "$0")/../.." && pwd)}"
cd "$SRC" || exit 1
LC_ALL=C.UTF-8
export LC_ALL
TMP=$(mktemp -d "${TMPDIR:-/tmp}/launchwise-lint.XXXXXX") || exit 1
trap 'rm -rf "$TMP"' EXIT
trap 'exit 130' INT TERM
: >"$TMP/complaints"

need() {
    command -v "$1" >/dev/null 2>&1 && return
    echo "SKIP: $1 is not installed (package $2)"
    exit 77
}
complain() { echo "$*" | tee -a "$TMP/complaints"; }
# finish SENTENCE: what holds when nobody complained
finish() {
    count=$(wc -l <"$TMP/complaints")
    if [ "$count" -eq 0 ]; then
        echo "$*"
        exit 0
    fi
    echo "complaints: $count"
    exit 1
}
# our_files NAME-PATTERN...: of the folders that hold what we wrote, sorted
our_files() {
    for pattern; do
        find src share tests bench -type f -name "$pattern" 2>/dev/null
    done | sort
}
