#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# benchrun && mpisel over 4 and 8 hosts, one of them at 60 % of its speed: it is left out every time.
# shellcheck disable=SC2015,SC2153
# shellcheck source=/dev/null
. "$(dirname -- "$0")/lib.sh"
need_tools benchrun mpisel

# leaves_out WHO SLOW [OPTION...] : the whole chain once, benchrun with these options
leaves_out() {
    local who=$1 slow=$2 got
    as "$who" benchrun --hostfile "$STATE/hostfile" -q -o work/times.csv "${@:3}" || { echo "benchrun: $?"; return 1; }
    got=$(as "$who" mpisel -n $((HOSTS - 1)) --format plain work/times.csv) || { echo "mpisel: $?"; return 1; }
    [[ $got == "$(all_others "$slow")" ]] ||
        { echo "chosen: $got"; cat "$(home "$who")/work/times.csv"; return 1; }
}

launches() {                         # launches WHO SLOW : and mpirun really starts there
    local got
    got=$(as "$1" mpisel -n $((HOSTS - 1)) --slots 1 work/times.csv -- mpirun hostname) || return 1
    [[ $(sort <<<"$got") == "$(all_others "$2" | sort)" ]] || { echo "ran on: $got"; return 1; }
}

# over HOSTS SLOW WAY WHO REPETITIONS [WHO REPETITIONS]
over() {
    local hosts=$1 slow=$2 way=$3 who repetitions i
    shift 3
    if [[ $way == auto ]]; then start "$hosts"; else start "$hosts" --slow-by "$way"; fi
    check "$slow of $hosts at 60 %" cl slow "$slow" 60
    while (($# > 0)); do
        who=$1 repetitions=$2
        shift 2
        for ((i = 1; i <= repetitions; i++)); do
            check "$who, $hosts hosts, $way, $i: $slow is left out" leaves_out "$who" "$slow" --runs 3
        done
        check "$who: mpirun runs on the others" launches "$who" "$slow"
    done
    # Without quotas, or on more hosts than cores, settling takes most of a minute.
    [[ $hosts-$way != 4-auto ]] ||
        check "$who: so it is with as many repetitions as it takes" leaves_out "$who" "$slow"
    check "nothing is left running" quiet 10
    cl down
}

over 4 n2 auto root "$(times 1 20)" "$USER_NAME" "$(times 3 20)"
over 8 n5 auto "$USER_NAME" "$(times 3 20)" root "$(times 1 20)"
over 4 n3 signal "$USER_NAME" "$(times 1 5)"
finish
