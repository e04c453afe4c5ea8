#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# benchrun -- APP over 4 hosts, one of them at 70 % of its speed: the ranks wait for it, so that all
# walls are alike, and only what they computed tells which host it is.
# shellcheck disable=SC2015,SC2153
# shellcheck source=/dev/null
. "$(dirname -- "$0")/lib.sh"
need_tools benchrun mpisel
command -v mpicc.openmpi >/dev/null || skip "the program needs mpicc.openmpi (package libopenmpi-dev)"

measured() {                         # the table app.csv, what the program says in app.err
    as "$USER_NAME" benchrun --hostfile "$STATE/hostfile" --runs "$(times 3 20)" --budget 5m \
        -o work/app.csv -- ./work/stencil 40 8192 2>"$WORK/app.err" ||
        { cat "$WORK/app.err"; return 1; }
}

# ratio COLUMN : the slow host's mean to that of the others
ratio() {
    awk -F, -v column="$1" -v slow="$SLOW" '
        $6 == "ok" { which = $1 == slow; sum[which] += $column; ++rows[which] }
        END { printf "%.3f", sum[1] / rows[1] / (sum[0] / rows[0]) }' "$WORK/app.csv"
}

# agreement : computing by the table to what the program has measured itself, its mean over the ranks
agreement() {
    sed -n 's/^wall .* computing \([0-9.]*\) ranks.*/\1/p' "$WORK/app.err" |
        awk -F, -v hosts="$HOSTS" '
            NF == 1 { own += hosts * $1 } $6 == "ok" { measured += $7 }
            END { printf "%.3f", measured / own }' - "$WORK/app.csv"
}

# is_within LOW HIGH COMMAND... : the number that it prints
is_within() {
    local got; got=$("${@:3}")
    echo "$got"
    awk -v got="$got" -v low="$1" -v high="$2" 'BEGIN { exit !(got >= low && got <= high) }' ||
        { echo "want $1 to $2"; cat "$WORK/app.csv"; return 1; }
}

chosen() { as "$USER_NAME" mpisel -n $((HOSTS - 1)) --format plain work/app.csv; }

# Rank 1 calls MPI_Abort, on whatever host it is.
gives_up() {
    ends 1 as "$USER_NAME" timeout 100 benchrun --hostfile "$STATE/hostfile" -o work/abort.csv \
        -- ./work/rounds abort 2>"$WORK/abort.err" &&
        grep -q 'rank 1 has failed on 3 hosts in turn' "$WORK/abort.err" &&
        prints 3 grep -c '^own 1 ' "$(home "$USER_NAME")/aborts" && is_complete "$WORK/abort.csv"
}

SLOW=n2
start 4 --slots 1
WORK=$(home "$USER_NAME")/work
check "the program is built" mpicc.openmpi -O2 -o "$WORK/stencil" "$SRC/share/examples/stencil.c" -lm
check "$SLOW at 70 %" cl slow "$SLOW" 70
check "the program is measured" measured
check "by wall time $SLOW is like the others" is_within 0.95 1.05 ratio 5
# 1 / 0.7 = 1.43; what else runs on the machine may change a tenth.
check "by computing it takes 1.43 times as long" is_within 1.28 1.58 ratio 7
check "computing is what the program itself calls so" is_within 0.9 1.1 agreement
check "mpisel leaves it out" prints "$(all_others "$SLOW")" chosen
check "so are the rounds of split/mpi.c" mpicc.openmpi -o "$WORK/rounds" "$SRC/tests/cli/split/mpi.c"
check "a program that aborts everywhere is not launched for ever" gives_up
check "nothing is left running" quiet 10
finish
