#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# benchrun is killed with INT, TERM and KILL at random moments: nothing is left on any host, and no
# table that looks complete. SEED repeats a run.
# shellcheck disable=SC2015
# shellcheck source=/dev/null
. "$(dirname -- "$0")/lib.sh"
need_tools benchrun

SEED=${SEED:-$((RANDOM * 32768 + RANDOM))}
RANDOM=$SEED
echo "SEED=$SEED"

run() {
    become "$1" setsid env --default-signal benchrun --hostfile "$STATE/hostfile" --runs 3 -q \
        -o work/times.csv
}

# no_table FOLDER SIGNAL : whatever is there does not look complete
no_table() {
    local file names=()
    for file in "$1"/* "$1"/.[!.]*; do
        names+=("${file##*/}")
        ! is_complete "$file" || { echo "$file looks complete"; return 1; }
    done
    [[ $2 == KILL || ${#names[@]} == 0 || ${names[*]} == times.csv.partial ]] ||
        { echo "left: ${names[*]}"; return 1; }
}

# killed WHO SIGNAL MILLISECONDS
killed() {
    local who=$1 signal=$2 work pid rc
    work=$(home "$who")/work
    rm -rf "$work"
    as "$who" mkdir work
    run "$who" &
    pid=$!
    sleep "$(printf '%d.%03d' $(($3 / 1000)) $(($3 % 1000)))"
    # INT as Ctrl-C does it: to the whole group
    [[ $signal != INT ]] || pid=-$pid
    kill -"$signal" -- "$pid" 2>/dev/null
    pid=${pid#-}
    wait "$pid" 2>/dev/null
    rc=$?
    quiet 15 || return 1
    if [[ $rc == 0 ]]; then
        is_complete "$work/times.csv" && echo "had ended already"
    else
        no_table "$work" "$signal"
    fi
}

start 4
begin=${EPOCHREALTIME/[.,]/}
check "a whole run, to know how long it takes" run "$USER_NAME"
length=$(((${EPOCHREALTIME/[.,]/} - begin) / 1000))
signals=(INT TERM KILL)
users=("$USER_NAME" root)
for ((i = 0; i < $(times 5 50); i++)); do
    signal=${signals[i % 3]} who=${users[i % 2]} moment=$((RANDOM * length / 32768))
    check "$((i + 1)): $who, $signal after $moment of $length ms" killed "$who" "$signal" "$moment"
done
check "after all that benchrun still works" run "$USER_NAME"
check "nothing is left running" quiet 10
finish
