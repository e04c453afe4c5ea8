#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Hosts that are not there: dead, cut off, or with a name that does not resolve.
# shellcheck disable=SC2015
# shellcheck source=/dev/null
. "$(dirname -- "$0")/lib.sh"
need_tools benchrun mpisel

# measured STATUS HOSTLIST [OPTION...]
measured() {
    ends "$1" as "$USER_NAME" timeout 100 benchrun --hosts "$2" --timeout 3s \
        -o work/times.csv "${@:3}" 2>"$ERR"
}
table() { echo "$(home "$USER_NAME")/work/times.csv"; }
only_bad() {                         # only_bad HOST... : these are unreachable or timed out
    local host others
    mapfile -t others < <(all_others "$@")
    is_complete "$(table)" && all_ok "$(table)" "${others[@]}" || { cat "$(table)"; return 1; }
    for host; do
        status_is "$(table)" "$host" 'unreachable|timeout' && grep -q "$host" "$ERR" || return 1
    done
}

start 4
ERR=$STATE/log/stderr
check "kill n2" cl kill n2
check "a dead host costs only its own rows" measured 0 n1,n2,n3,n4
check "it is in the table and named" only_bad n2
check "unplug n4" cl unplug n4
check "so does one that is cut off" measured 0 n1,n2,n3,n4 --runs 3
check "both are in the table and named" only_bad n2 n4
check "--strict tells it by status 3" measured 3 n1,n2,n3,n4 --runs 3 --strict
check "heal n2" cl heal n2
check "heal n4" cl heal n4
check "healed hosts are measured again" measured 0 n1,n2,n3,n4 --runs 3
check "all are ok" only_bad
check "a name that does not resolve" measured 0 n1,n2,n9,n3,n4 --runs 3
check "it is in the table and named" only_bad n9
check "no host at all: status 1" measured 1 n8,n9
check "nothing is left running" quiet 20
finish
