#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# benchrun with 200 hosts of 8 ranks, of which two hosts say nothing and one is slow: nothing is lost,
# and mpisel and the fit find what there is. The launcher is simulated (many_ranks.cpp).
# bench/benchrun_scale.sh is the same with 10,000 hosts of 64 ranks.
# shellcheck disable=SC2317  # lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
[ -x "$BIN/many_ranks" ] || skip "$BIN/many_ranks is not built"
mkdir "$TMP/bin"
ln -s "$BIN/many_ranks" "$TMP/bin/mpirun"
PATH=$TMP/bin:$PATH
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 MANY_SILENT=100 MANY_SLOW=200 MANY_LOG=$TMP/told
export PATH OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM MANY_SILENT MANY_SLOW MANY_LOG
seq -f 'n%.0f slots=8' 1 200 >"$TMP/hosts"
measure() {
    "$BIN/benchrun" --hostfile "$TMP/hosts" --per slot --history none -o "$TMP/times.csv" "$@"
}
rows() { grep -c "$1" "$TMP/times.csv"; }

ok 'measures all that speak' measure --runs 2 --budget 9s
check 'all times that were told are rows' test "$(rows ',ok,')" = "$(cat "$TMP/told")"
check 'two of each of 198 hosts with 8 ranks' test "$(rows ',ok,')" = 3168
check 'once each' test "$(grep ',ok,' "$TMP/times.csv" | cut -d, -f1-3 | sort -u | wc -l)" = 3168
check 'the silent ones are rows too' test "$(grep ',timeout,' "$TMP/times.csv" | cut -d, -f1,2 | tr '\n' ' ')" = 'n50, n150, '
stderr_has 'warning: n50: timeout'
stderr_has 'warning: n150: timeout'
ok 'mpisel leaves out the silent ones and the slow one' \
    "$BIN/mpisel" -n 197 --format slurm-nodelist "$TMP/times.csv"
stdout_is 'n[1-6,8-49,51-149,151-200]'
ok 'so does the fit' "$BIN/spare-plan" fit "$TMP/times.csv" --json
stdout_has '"abnormal": *1,'
stdout_has '"unusable": *2'
rm "$TMP/told"
MANY_STUCK=1
export MANY_STUCK
ok 'a launcher that two silent hosts keep from all the others is started again without them' \
    measure --runs 1 --timeout 1s --budget 18s
check 'nothing is lost' test "$(rows ',ok,')" = 1584
finish
