#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# spare-plan fit, and a plan --from times.
#
# spare_two_blocks.csv: 5 hosts, n4 at 1.9 and 2.1 s (median 2), the others at 0.5 s, elapsed 3.5 s;
# then 5 hosts, n9 unreachable, elapsed 5.5 s. So p = 2/10, alpha = 2 / 0.5 = 4, t_bench = 0.5 s,
# t_fix = median(3, 5) = 4 s; scipy.stats.beta gives the interval 0.0252107 to 0.556095.
# shellcheck disable=SC2016,SC2086,SC2317  # $1 belongs to the inner shell; the lists are split
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
TWO=$DATA/spare_two_blocks.csv
HEALTHY=$DATA/spare_healthy.csv
JOB='-n 100 --t-cmpt 10 --t-comm 5'
plan() { "$BIN/spare-plan" "$@"; }

# --- fit
ok 'fit tells the parameters and the hosts' plan fit "$TWO"
stdout_has '^p_abn  *0.2, 95 % interval 0.0252107 to 0.556095$'
stdout_has '^alpha_abn  *4$'
stdout_has '^t_bench  *0.5 s$'
stdout_has '^t_fix  *4 s$'
stdout_has '^nodes  *10: 1 abnormal, 1 unusable, in 2 blocks$'
stdout_has 'spare_two_blocks.csv:1  5 nodes, abnormal: n4$'
stdout_has 'spare_two_blocks.csv:18  5 nodes, unusable: n9$'
stderr_empty
ok 'fit --json has the keys of the contract' plan fit "$TWO" --json
for key in p_abn p_abn_95 alpha_abn t_bench nodes abnormal unusable blocks; do
    stdout_has "\"$key\":"
done
stdout_has '"p_abn": 0.2,'
stdout_has '"alpha_abn": 4.0,'
INPUT=$TWO
# Wall times are those of the slowest; only computing tells that n4 is at a quarter of the speed.
{
    echo '# launchwise-times: 1'
    echo 'host,rank,run,bench,seconds,status,compute_seconds,mpi_seconds'
    for n in 1 2 3 4; do
        [ "$n" = 4 ] && computing=8 || computing=2
        echo "n$n,$n,0,app,9,ok,$computing,$((9 - computing))"
    done
    echo '# complete: rows=4 elapsed=11'
} >"$TMP/split.csv"
ok 'a synchronised program is fitted by what its ranks computed' plan fit "$TMP/split.csv" --json
check 'p, alpha, t_bench' python3 -c 'import json, sys
a = json.load(open(sys.argv[1]))
assert (a["p_abn"], a["alpha_abn"], a["t_bench"]) == (0.25, 4, 2), a' "$OUT"
ok 'reads a table from standard input' plan fit -
stdout_has '^alpha_abn  *4$'
INPUT=
ok 'pools several tables' plan fit "$TWO" "$HEALTHY" --json
stderr_has '2 of 3 blocks were measured with other parameters than the last one and are skipped; -v'
stdout_has '"nodes": 4,'
check 'and does not name them' test "$(grep -c spare_two_blocks "$ERR")" -eq 0
ok '-v names the blocks skipped' plan fit -v "$TWO" "$HEALTHY"
stderr_has 'spare_two_blocks.csv:1: measured with other parameters than the last block, skipped'
stdout_has '^t_fix  *unknown, no block tells its elapsed time$'
ok 'without an abnormal node alpha is unknown' plan fit "$HEALTHY" --json
stdout_has '"alpha_abn": null,'
ok '-o and -q belong to fit too' plan fit -q "$TWO" -o "$TMP/fit.txt"
stdout_is ''
check 'the file holds the fit' grep -q '^alpha_abn  *4$' "$TMP/fit.txt"
fails 2 'options of a plan mean nothing to fit' plan fit "$TWO" --t-bench 5
stderr_has 'fit does not take --t-bench'
fails 2 'fit submits nothing' plan fit "$TWO" -- sbatch x
stderr_has 'fit submits nothing'
fails 2 'an empty file name' plan fit "$TWO" -o ''
stderr_has '-o: an empty file name'
printf 'host,rank,run,bench,seconds,status\nn1,0,0,compute,1,ok\n' >"$TMP/one.csv"
ok 'one node is no nodes' plan fit "$TMP/one.csv"
stdout_has 'one.csv:1  1 node$'

# --- several benchmarks
sed 's/compute/memory/' "$HEALTHY" >"$TMP/memory.csv"
ok 'of several benchmarks compute is taken, and told' plan fit "$HEALTHY" "$TMP/memory.csv" --json
stdout_has '"bench": "compute",'
stderr_has 'several benchmarks (compute, memory), compute is taken; --bench chooses another'
sed 's/compute/network/' "$HEALTHY" >"$TMP/network.csv"
fails 1 'without compute they need a choice' plan fit "$TMP/network.csv" "$TMP/memory.csv"
stderr_has 'several benchmarks (memory, network), choose one with --bench'
ok 'or --otherwise' plan $JOB --from "$TMP/network.csv" "$TMP/memory.csv" --otherwise 4
stdout_is 4
fails 2 'an empty name is no choice' plan fit "$HEALTHY" --bench ''
stderr_has 'bench is empty'
ok '--bench chooses' plan fit "$HEALTHY" "$TMP/memory.csv" --bench memory --json
stdout_has '"bench": "memory",'
stdout_has '"nodes": 4,'
fails 1 'a benchmark that no table has' plan fit "$HEALTHY" --bench network
stderr_has 'network'

# --- a plan from times
ok 'a plan from a table' plan $JOB --from "$TWO" --json
stdout_has '"p_abn": 0.2,'
stdout_has '"alpha_abn": 4.0,'
stdout_has '"t_bench": 0.5,'
stdout_has '"t_fix": 4.0,'
plan $JOB --p-abn 0.2 --alpha 4 --t-bench 0.5 --t-fix 4 >"$TMP/by_hand"
ok 'is the plan with the same numbers by hand' plan $JOB --from "$TWO"
stdout_is "$(cat "$TMP/by_hand")"
ok 'an option given by hand wins' \
    plan $JOB --from "$TWO" --p-abn 0.005 --alpha 10 --t-bench 0.1 --t-fix 0
stdout_is 3
ok '--explain tells the interval of p' plan $JOB --from "$TWO" --explain
stderr_has '95 % interval 0.02521 to 0.5561'

# --- no abnormal node: 1 - 0.025^(1/4) = 0.602365
ok 'without an abnormal node the answer is 0, with a warning' plan $JOB --from "$HEALTHY"
stdout_is 0
stderr_has 'no abnormal node among the 4 .* upper limit (95 %) is 0.6024'
stderr_has 'give --alpha'
plan $JOB --p-abn 0.60236 --alpha 10 --t-bench 0.1 >"$TMP/limit"
ok 'with --alpha the answer at the limit is told' plan $JOB --from "$HEALTHY" --alpha 10
stdout_is 0
stderr_has "where the answer is $(cat "$TMP/limit")\$"

# --- the history
fails 1 'no history yet' plan $JOB --from
stderr_has "no history $XDG_DATA_HOME/launchwise yet, run benchrun"
fails 1 'fit without a history' plan fit
stderr_has 'run benchrun in a job once, or name tables$'
: >"$TMP/empty.csv"
fails 1 'fit of an empty table' plan fit "$TMP/empty.csv"
stderr_has 'run benchrun in a job once, or name tables$'
mkdir -p "$XDG_DATA_HOME/launchwise"
fails 1 'an empty history' plan $JOB --from
stderr_has 'no complete block of times'
sed -n 18,100p "$TWO" >"$XDG_DATA_HOME/launchwise/20260102T000000Z-102-2.csv"
sed '$d' "$TWO" >"$XDG_DATA_HOME/launchwise/20260103T000000Z-103-3.csv"
echo 'not a table' >"$XDG_DATA_HOME/launchwise/20260104T000000Z-104-4.csv"
ok 'damaged and incomplete tables are named and skipped' plan fit
stderr_has '20260103T000000Z-103-3.csv:18: .*skipped'
stderr_has '20260104T000000Z-104-4.csv.*skipped'
stdout_has '^alpha_abn  *4$'
stdout_has 'in 2 blocks$'
ok '--from without a path is the history' plan --from $JOB
stdout_is "$(cat "$TMP/by_hand")"
ok 'so is the word history where nothing is called that' \
    sh -c 'cd "$1" && shift && exec "$@"' sh "$TMP" "$BIN/spare-plan" $JOB --from history
stdout_is "$(cat "$TMP/by_hand")"
ok 'a folder named by hand' plan $JOB --from "$XDG_DATA_HOME/launchwise"
stdout_is "$(cat "$TMP/by_hand")"

# --- tables that cannot be used
fails 1 'a table that is not there' plan $JOB --from "$TMP/none.csv"
stderr_has "$TMP/none.csv"
printf 'host,rank,run,bench,seconds,status\nn1,0,0,compute,fast,ok\n' >"$TMP/bad.csv"
fails 1 'a malformed row' plan $JOB --from "$TMP/bad.csv"
stderr_has 'bad.csv:2:'
printf 'host,rank,run,bench,seconds\n' >"$TMP/short.csv"
fails 1 'a missing column' plan $JOB --from "$TMP/short.csv"
stderr_has 'short.csv:1:.*status'
sed '$d' "$TWO" | sed -n '18,$p' >"$TMP/incomplete.csv"
fails 1 'an incomplete table is no evidence' plan $JOB --from "$TMP/incomplete.csv"
printf 'host,rank,run,bench,seconds,status\nn1,,0,compute,,timeout\nn2,0,0,compute,1,ok\n' \
    >"$TMP/lost.csv"
fails 1 'lost hosts alone do not tell how slow an abnormal one is' plan $JOB --from "$TMP/lost.csv"
stderr_has 'give --alpha'
ok 'so --otherwise applies' plan $JOB --from "$TMP/lost.csv" --otherwise 4
stdout_is 4
ok 'with --alpha they do' plan $JOB --from "$TMP/lost.csv" --alpha 3
fails 2 'what tables cannot tell is missing all the same' plan --from "$TWO"
stderr_has 'missing: -n N .*; --t-cmpt D'
finish
