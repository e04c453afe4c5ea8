#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# app_selection.sh [RUNS]: real MPI programs as their own benchmark: LAMMPS (C++) and Elk (Fortran) of
# Debian's packages, on 6 simulated hosts (tests/cluster), one of them at 70 % of its speed. benchrun
# measures the program on all 6; then it runs on 5 of them, the first 5 as they come (the slow one
# among them) and those that mpisel chooses, in turn, RUNS times each (default 7). Printed are wall
# times of the whole mpirun and their ratio, beside what the table predicted:
#
#     launch + start + a 6/5 t_cmpt + t_comm
#
# launch: mpirun of true on 5 hosts; start: what a rank of the table takes outside of the measured
# part; t_cmpt and t_comm: as spare-plan --app-profile takes them from the table; a: the slow host's
# ratio by computing as mpisel tells it, 1 for the chosen hosts; 6/5: what 6 ranks computed, 5 have to
# (at most: what every rank computes alike, such as the start of Elk, stays).
# BIN: folder of our programs. Targets: the slow host is found; the ratio is within 10 % of the
# predicted one. Exit status 77: something is missing, root for example.
SRC=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/cluster/lib.sh
. "$SRC/tests/cluster/lib.sh"
runs=${1:-7}
SLOW=n2 WANTED=5 missed=0 shown=0
need_tools benchrun mpisel spare-plan
command -v python3 >/dev/null || skip "python3 is missing"

user() { as "$USER_NAME" env -C work "$@"; }

# json FILE EXPRESSION : of the object d
json() { python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$@"; }
ratio_of_slow() { json "$1" "[h['ratio'] for h in d['hosts'] if h['host'] == '$SLOW'][0]"; }

# seconds FILE COMMAND... : adds the wall time of the command to FILE
seconds() {
    local begin=$EPOCHREALTIME
    user "${@:2}" >"$TMP/out" 2>&1 || { cat "$TMP/out"; exit 1; }
    awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.3f\n", b - a }' >>"$1"
}
median() { sort -g "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# row NAME FILE PREDICTED
row() {
    sort -g "$2" | awk -v name="$1" -v predicted="$3" '{ v[NR] = $1 } END {
        printf "  %-22s %9.2f %9.2f %9.2f %10.2f\n", name, v[1], v[int((NR + 1) / 2)], v[NR], predicted }'
}

# measure COMMAND... : table.csv; what it tells in computing.json, wall.json and plan.json
measure() {
    user benchrun --hostfile "$STATE/hostfile" --runs 3 --budget 10m -q -o table.csv -- "$@" \
        2>"$TMP/out" || { cat "$TMP/out"; exit 1; }
    cut -d, -f1-6 "$WORK/table.csv" >"$WORK/wall.csv"
    user mpisel -n $WANTED --json wall.csv >"$TMP/wall.json" &&
        user mpisel -n $WANTED --json table.csv >"$TMP/computing.json" || exit 1
    a=$(ratio_of_slow "$TMP/computing.json")
    # The nodes and the benchmark are of no interest here.
    user spare-plan -n $WANTED --p-abn 0 --alpha 2 --t-bench 0 --app-profile table.csv --json \
        >"$TMP/plan.json" || exit 1
    t_cmpt=$(json "$TMP/plan.json" "d['parameters']['t_cmpt']")
    t_comm=$(json "$TMP/plan.json" "d['parameters']['t_comm']")
    awk -F, '$6 == "ok" { print $5 - $7 - $8 }' "$WORK/table.csv" >"$TMP/start"
}

# predicted RATIO : seconds with a slowest host of this ratio
predicted() {
    awk -v a="$1" -v hosts="$HOSTS" -v wanted=$WANTED -v t_cmpt="$t_cmpt" -v t_comm="$t_comm" \
        -v launch="$(median "$TMP/launch")" -v start="$(median "$TMP/start")" 'BEGIN {
            printf "%.3f\n", launch + start + a * hosts / wanted * t_cmpt + t_comm }'
}

# show TITLE COMMAND...
show() {
    local title=$1 i with without
    shift
    measure "$@"
    echo "$title"
    printf '  %s takes %.3f times as long as the median host by wall time, %.3f by computing\n' \
        $SLOW "$(ratio_of_slow "$TMP/wall.json")" "$a"
    if [[ $(user mpisel -n $WANTED --format plain table.csv) == "$(all_others $SLOW)" ]]; then
        echo "  found: mpisel leaves out $SLOW"
    else
        echo "  MISSED: mpisel does not leave out $SLOW"
        missed=1
    fi
    rm -f "$TMP/launch" "$TMP/with" "$TMP/without"
    for ((i = 0; i < runs; ++i)); do
        seconds "$TMP/launch" mpisel -n $WANTED table.csv -- mpirun true
        seconds "$TMP/with" mpirun --hostfile as-they-come "$@"
        seconds "$TMP/without" mpisel -n $WANTED table.csv -- mpirun "$@"
    done
    with=$(predicted "$a") without=$(predicted 1)
    paste "$TMP/with" "$TMP/without" | awk '{ print $1 / $2 }' >"$TMP/ratio"
    printf '  %-22s %9s %9s %9s %10s\n' '' min median max predicted
    row "s as they come" "$TMP/with" "$with"
    row "s as chosen" "$TMP/without" "$without"
    row ratio "$TMP/ratio" "$(awk "BEGIN { print $with / $without }")"
    awk -v measured="$(median "$TMP/ratio")" -v with="$with" -v without="$without" 'BEGIN {
        off = measured / (with / without) - 1
        met = off <= 0.1 && off >= -0.1
        printf "  measured against predicted ratio: %+.1f %%, target within 10 %%: %s\n", 100 * off,
            met ? "met" : "MISSED"
        exit !met }' || missed=1
    shown=$((shown + 1))
}

# has PROGRAM PACKAGE
has() {
    command -v "$1" >/dev/null && return
    echo "not shown, missing: $1 (package $2)"
    return 1
}

start 6 --slots 1
TMP=$(mktemp -d "${TMPDIR:-/tmp}/launchwise-bench.XXXXXX")
trap 'cl down; rm -rf "$TMP"' EXIT
cl slow $SLOW 70 || exit 1
WORK=$(home "$USER_NAME")/work
install -m 644 "$SRC"/bench/programs/inputs/{slab,elk}.in "$WORK"
head -n $WANTED "$STATE/hostfile" >"$WORK/as-they-come"
chmod a+r "$WORK/as-they-come"
if has lmp lammps; then show LAMMPS lmp -in slab.in -var steps 12 -log none; fi
if has elk-lapw elk-lapw; then
    show 'Elk, a Fortran program' env OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 elk-lapw
fi
((shown)) || exit 77
exit $missed
