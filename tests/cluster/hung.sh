#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A host that hangs, from the start or in the middle, does not take the table with it.
# shellcheck disable=SC2015,SC2046
# shellcheck source=/dev/null
. "$(dirname -- "$0")/lib.sh"
need_tools benchrun mpisel

# measured WHO STATUS [OPTION...] : benchrun over all hosts ends so
measured() {
    ends "$2" as "$1" timeout 100 benchrun --hostfile "$STATE/hostfile" --timeout 3s \
        -o work/times.csv "${@:3}"
}

# has_culprit WHO HOST STATUSES
has_culprit() {
    local table; table=$(home "$1")/work/times.csv
    is_complete "$table" && status_is "$table" "$2" "$3" &&
        all_ok "$table" $(all_others "$2") || { cat "$table"; return 1; }
}

chosen() { prints "$(all_others "$2")" as "$1" mpisel -n 3 --format plain work/times.csv; }

# from_the_start WHO [OPTION...]
from_the_start() {
    check "hang n3" cl hang n3
    check "$1: benchrun ends well" measured "$1" 0 "${@:2}"
    check "$1: the table is complete, only n3 is not ok" has_culprit "$1" n3 'timeout|unreachable'
    check "$1: mpisel takes the others" chosen "$1" n3
    check "heal n3" cl heal n3
    check "nothing is left running" quiet 20
}

# freezes WHO OPTION... : n3, slower than the others, is frozen when the first row has come
freezes() {
    local who=$1 rc out pid
    out=$(home "$who")/work/stream.csv
    : >"$out"
    as "$who" timeout 100 benchrun --hostfile "$STATE/hostfile" --timeout 3s \
        "${@:2}" >"$out" 2>"$out.err" &
    pid=$!
    eventually 60 grep -q '^n[0-9]*,' "$out" && cl hang n3
    wait "$pid"; rc=$?
    cp "$out" "$(home "$who")/work/times.csv"
    ((rc == 0)) || { echo "exit $rc"; cat "$out" "$out.err"; return 1; }
}

names_culprit() { grep -q "$2" "$(home "$1")/work/stream.csv.err"; }

in_the_middle() {
    check "n3 at 25 %" cl slow n3 25
    check "$1: benchrun ends well although n3 freezes in the middle" freezes "$1"
    check "$1: the table is complete, only n3 is not ok" has_culprit "$1" n3 $'(ok\n)?(timeout|unreachable)'
    check "$1: stderr names n3" names_culprit "$1" n3
    check "heal n3" cl heal n3
    check "nothing is left running" quiet 20
}

with_a_command() {
    check "$1: so it is with a command of the user's" freezes "$1" --runs 4 -- sleep 1
    check "$1: n3 has the rows of its good runs, and a bad one" has_culprit "$1" n3 $'(ok\n)?(timeout|unreachable)'
    check "heal n3" cl heal n3
    check "nothing is left running" quiet 20
}

start 4
from_the_start "$USER_NAME"
check "hang n3" cl hang n3
check "root: --strict tells it by status 3" measured root 3 --strict --runs 3
check "heal n3" cl heal n3
check "nothing is left running" quiet 20
in_the_middle "$USER_NAME"
with_a_command "$USER_NAME"
from_the_start root --runs 3
if [[ ${FULL:-0} == 1 ]]; then in_the_middle root; fi
finish
