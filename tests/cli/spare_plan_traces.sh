#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# spare-plan standby on real logs of the archive of parallel workloads, which LAUNCHWISE_TRACES names
# the folder of. What is expected was worked out apart, with a few lines of Python.
# shellcheck disable=SC2317  # lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
standby() { "$BIN/spare-plan" standby "$@"; }
[ -d "${LAUNCHWISE_TRACES:-}" ] || skip 'LAUNCHWISE_TRACES names no folder with logs'

# log FILE NODES N80 N85 N90 JOBS
log() {
    file=$LAUNCHWISE_TRACES/$1
    [ -f "$file" ] || { echo "no $file"; return; }
    for pair in "0.8 $3" "0.85 $4" "0.9 $5"; do
        ok "N of $1 at ${pair% *}" standby "$file" --nodes "$2" --p0 "${pair% *}"
        stdout_is "${pair#* }"
    done
    ok "all jobs of $1 are simulated" standby simulate "$file" --nodes "$2" --policy all-on --json
    stdout_has "\"jobs\": $6,"
}
log OSC-Clust-2000-3.1-cln.swf.gz 178 2 4 6 36097
log KTH-SP2-1996-2.1-cln.swf.gz 100 9 15 16 28475
log NASA-iPSC-1993-3.1-cln.swf.gz 128 32 32 32 18239
[ "$PASSED" -gt 0 ] || skip 'none of the logs is there'
finish
