#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# spare-plan as a filter: one integer, or one sentence and nothing on stdout.
#
# The figures are those of JP2023183342A's examples (100 nodes, p = 0.005, 10 times slower, ...: 3
# spares, 1609.97 node-seconds, 0.318927 of as-is) and of tests/data/spare_vectors.json.
# shellcheck disable=SC2016,SC2086,SC2317  # $1 belongs to the inner shell; the lists are split
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
KINDS='--p-abn 0.005 --alpha 10'
TIMES='--t-bench 0.1 --t-cmpt 10 --t-comm 5'
plan() { "$BIN/spare-plan" "$@"; }

# --- the answer
ok 'prints the number of spares' plan -n 100 $KINDS $TIMES
stdout_is 3
stderr_empty
ok 'an example with half of the time spent communicating' \
    plan -n 100 --p-abn 0.026 --alpha 3.53 --t-bench 0.0167 --t-cmpt 50 --t-comm 50
stdout_is 7
ok 'a curve with two minima, the first at 0' \
    plan -n 1000 --p-abn 0.1 --alpha 5 --t-bench 0.1 --t-cmpt 100 --t-comm 10
stdout_is 147
ok 'ten million nodes' plan -n 10000000 --p-abn 1e-6 $TIMES --alpha 3
ok 'durations in every notation' \
    plan -n 100 $KINDS --t-bench 100ms --t-cmpt 00:10 --t-comm 0-00:00:05
stdout_is 3
# 12.5 s x 0.8 = 10 s of computing, no communication; 0.5 x 20 s the same.
ok 'the computing time by itself' plan -n 100 $KINDS --t-bench 0.1 --t-cmpt 10 --json
sed '/walltime\|compute_share/d' "$OUT" >"$TMP/by_time"
ok 'wall time counts by 0.8' plan -n 100 $KINDS --t-bench 0.1 --walltime 12.5s --json
sed '/walltime\|compute_share/d' "$OUT" >"$TMP/by_wall"
check 'both give the same plan' cmp "$TMP/by_time" "$TMP/by_wall"
ok '--compute-share replaces 0.8' \
    plan -n 100 $KINDS --t-bench 0.1 --walltime 20s --compute-share 0.5 --json
sed '/walltime\|compute_share/d' "$OUT" >"$TMP/by_wall"
check 'and gives the same plan' cmp "$TMP/by_time" "$TMP/by_wall"
# F / (A + F) = 1h / 200h = 0.005
ok 'p from the two intervals' \
    plan -n 100 --abnormal-interval 199h --failure-interval 1h --alpha 10 $TIMES --json
stdout_has '"p_abn": 0.005,'
stdout_has '"n_spare": 3,'
ok '--max-nodes bounds nodes and spares' plan -n 100 $KINDS $TIMES --max-nodes 102
stdout_is 2
fails 2 'an empty file name' plan -n 100 $KINDS $TIMES -o ''
stderr_has '-o: an empty file name'
fails 2 'one file for the answer and the curve' \
    plan -n 100 $KINDS $TIMES -o "$TMP/same" --curve "$TMP/./same"
stderr_has '-o and --curve name the same file'
fails 2 'or for the answer and the picture' \
    plan -n 100 $KINDS $TIMES -o "$TMP/same.svg" --plot "$TMP/same.svg"
stderr_has '-o and --plot name the same file'
fails 2 'what is missing is named as in the help' plan -n 100 --p-abn 0.1 --alpha 2 --t-cmpt 1
stderr_has 'missing: --t-bench D '
ok '-o writes the answer to a file' plan -n 100 $KINDS $TIMES -o "$TMP/k"
stdout_is ''
check 'the file holds it' test "$(cat "$TMP/k")" = 3
ok 'the last of a repeated option counts' plan -n 1 -n 100 $KINDS $TIMES
stdout_is 3

# --- --json
ok '--json prints one object' plan -n 100 $KINDS $TIMES --json
stdout_has '"n_node": 100,'
stdout_has '"n_spare": 3,'
stdout_has '"n_total": 103,'
stdout_has '"expected_cost": 1609.966926212812'
stdout_has '"expected_time": 15.6307468564350'
stdout_has '"as_is_cost": 5048.06607158344'
stdout_has '"ratio": 0.318927467149376'
stdout_has '"p_excludable": 0.998135520336229'
stdout_has '"worth_it": true,'
stdout_has '"other_minimum": null,'
ok 'the other minimum is an integer' \
    plan -n 1000 --p-abn 0.1 --alpha 5 --t-bench 0.1 --t-cmpt 100 --t-comm 10 --json
stdout_has '"other_minimum": 0,'
# 3 spares of 103 nodes; t_fix = 2 s adds 103 x 2 node-seconds at the same k.
ok '--t-fix is paid by all nodes' plan -n 100 $KINDS $TIMES --t-fix 2s --max-nodes 103 --json
stdout_has '"t_fix": 2.0,'
ok '--give-back is told' plan -n 100 $KINDS $TIMES --give-back --json
stdout_has '"give_back": true,'
if command -v python3 >/dev/null 2>&1; then
    check 'it is JSON with every key of the contract' python3 -c '
import json, sys
d = json.load(open(sys.argv[1]))
keys = """n_node n_spare n_total expected_cost expected_time as_is_cost ratio p_excludable worth_it
flat_range other_minimum parameters""".split()
assert all(k in d for k in keys), d.keys()
lo, hi = d["flat_range"]
assert lo <= d["n_spare"] <= hi' "$OUT"
fi

# --- --explain
ok '--explain leaves stdout as it is' plan -n 100 $KINDS $TIMES --explain
stdout_is 3
stderr_has 'Ask for 103 nodes: 100 for the application and 3 spares'
stderr_has '68.1 % less than as is'
stderr_has '3 to 5 spares cost within 1 % of the least'
stderr_has 'wait longer in the queue'
ok 'says when it is not worth it' plan -n 100 --p-abn 0 --alpha 10 $TIMES --explain
stdout_is 0
stderr_has 'Not worth it'
ok 'says when the optimum is at the end of the range' \
    plan -n 101 --p-abn 0.45 --alpha 9.6 --t-bench 0.11 --t-cmpt 5.3 --explain
stdout_is 101
stderr_has 'at the end of the range'
stderr_has 'or beyond it'
ok 'says when --max-nodes is the limit' plan -n 100 $KINDS $TIMES --max-nodes 102 --explain
stderr_has '--max-nodes is the limit'
ok 'says which share of the wall time it assumes' \
    plan -n 100 $KINDS --t-bench 0.1 --walltime 1h --explain
stderr_has '0.8 of the wall time of 1h00m, assumed'
ok 'says what the other minimum is' \
    plan -n 1000 --p-abn 0.1 --alpha 5 --t-bench 0.1 --t-cmpt 100 --t-comm 10 --explain
stderr_has 'another minimum, at no spares'
ok 'says when that is the end of the range' \
    plan -n 1000000 --p-abn 0.5 --alpha 50 --t-bench 0.1 --t-cmpt 100 --explain
stdout_is 0
stderr_has 'another minimum, at 1000000 spares: .*the end of the range'

# --- --curve, --plot, --slowdowns
ok '--curve writes the whole range' plan -n 100 $KINDS $TIMES --curve "$TMP/curve.csv"
stdout_is 3
check 'a header and 101 rows' test "$(wc -l <"$TMP/curve.csv")" -eq 102
check 'the header names the columns' \
    test "$(head -n 1 "$TMP/curve.csv")" = 'n_spare,expected_cost,expected_time,p_excludable'
check 'row 3 holds the plan' grep -q '^3,1609.966926212812[0-9]*,15.6307468564350[0-9]*,0.998135520336229$' \
    "$TMP/curve.csv"
check 'the least cost is in row 3' sh -c \
    'tail -n +2 "$1" | sort -t, -g -k2,2 | head -n 1 | grep -q ^3,' sh "$TMP/curve.csv"
ok '--curve covers no more than --max-nodes allows' \
    plan -n 100 $KINDS $TIMES --max-nodes 110 --curve "$TMP/short.csv"
check 'k = 0..10' test "$(wc -l <"$TMP/short.csv")" -eq 12
fails 2 'the curve and the answer are not mixed' plan -n 100 $KINDS $TIMES --curve -
ok '--curve - goes to stdout when the answer does not' \
    plan -n 2 $KINDS $TIMES --curve - -o "$TMP/k"
stdout_has '^n_spare,expected_cost'
if command -v gnuplot >/dev/null 2>&1; then
    ok '--plot draws an svg' plan -n 100 $KINDS $TIMES --plot "$TMP/curve.svg"
    stdout_is 3
    check 'it is svg with the answer in it' grep -q '3 spares' "$TMP/curve.svg"
    ok '--plot draws a png' plan -n 1 --p-abn 0.3 --alpha 50 $TIMES --plot "$TMP/curve.png"
    check 'it is png' grep -q PNG "$TMP/curve.png"
fi
fails 2 'a picture that is a command' plan -n 100 $KINDS $TIMES --plot '|cat.svg'
fails 2 'a picture of no known kind' plan -n 100 $KINDS $TIMES --plot x.pdf
printf '# two kinds\n1 199\n10\n' >"$TMP/ratios"
ok '--slowdowns with two ratios is the model of two kinds' \
    plan -n 100 --slowdowns "$TMP/ratios" $TIMES --json
stdout_has '"n_spare": 3,'
stdout_has '"expected_cost": 1609.9669262128'
printf '1\n1\nfast\n' >"$TMP/bad"
fails 1 'a ratio that is none' plan -n 100 --slowdowns "$TMP/bad" $TIMES
stderr_has "bad:3: the ratio is 'fast', want a number above 0"
fails 1 'a file of ratios that is not there' plan -n 100 --slowdowns "$TMP/none" $TIMES
stderr_has "$TMP/none"
fails 2 'ratios and kinds exclude each other' plan -n 9 --slowdowns "$TMP/ratios" $KINDS $TIMES

# --- --app-profile: three hosts, two runs, n3 slow
# Node times by computing 2, 2.5 and 4.25 s, median 2.5; n3 waits for nobody and is in MPI for 1 and
# 0.5 s, median 0.75. 20 times that: 50 and 15 s.
APP=$DATA/spare_app.csv
NODES='-n 100 --p-abn 0.026 --alpha 3.53 --t-bench 0.0167'
ok 'the times of the application as measured' plan $NODES --app-profile "$APP" --json
stdout_has '"t_cmpt": 2.5,$'
stdout_has '"t_comm": 0.75,$'
stdout_has '"bench": "app",$'
stdout_has '"hosts": 3,$'
stdout_has '"runs": 2,$'
plan $NODES --t-cmpt 50 --t-comm 15 >"$TMP/by_hand"
ok '--scale is for a run that is longer than the measured one' \
    plan $NODES --app-profile "$APP" --scale 20 --explain
stdout_is "$(cat "$TMP/by_hand")"
stderr_has '50 s computing and 15 s that .* (20 times what .*spare_app.csv tells of app: 2 runs on 3 hosts)'
ok '--json tells the scaled times and the scale' \
    plan $NODES --app-profile "$APP" --scale 20 --json
stdout_has '^    "t_cmpt": 50.0,$'
stdout_has '^    "t_comm": 15.0,$'
stdout_has '"scale": 20.0$'
ok 'without a profile it is null' plan $NODES $TIMES --json
stdout_has '"app_profile": null,$'
INPUT=$APP
ok 'the profile comes from standard input' plan $NODES --app-profile - --scale 20 --explain
stdout_is "$(cat "$TMP/by_hand")"
stderr_has '20 times what standard input tells'
fails 2 'which has one table only' plan -n 9 --app-profile - --from -
stderr_has 'exclude each other'
INPUT=
for option in '--t-cmpt 1' '--t-comm 1' '--walltime 1h' '--compute-share 0.5'; do
    fails 2 "--app-profile and $option are too much" plan $NODES --app-profile "$APP" $option
    stderr_has "--app-profile and ${option% *} exclude each other"
done
fails 2 '--scale without a profile' plan $NODES $TIMES --scale 2
stderr_has '--scale needs --app-profile'
fails 2 'a scale of nothing' plan $NODES --app-profile "$APP" --scale 0
stderr_has '--scale is 0, want a number above 0'
fails 1 'a table without computing times' plan $NODES --app-profile "$DATA/mpisel_five.csv"
stderr_has "mpisel_five.csv does not tell computing from MPI, as 'benchrun -- APP' does"
stderr_has 'give --t-cmpt and --t-comm, or --walltime, instead'
ok 'so --otherwise applies' plan $NODES --app-profile "$DATA/mpisel_five.csv" --otherwise 4
stdout_is 4
sed '$d' "$APP" >"$TMP/cut.csv"
fails 1 'a table that benchrun did not finish' plan $NODES --app-profile "$TMP/cut.csv"
stderr_has "cut.csv:1: .* lacks its '# complete' line"
fails 1 'a profile that is not there' plan $NODES --app-profile "$TMP/none.csv"
stderr_has "$TMP/none.csv"

# --- what is missing
fails 2 'everything is missing' plan
for word in '-n N' '--p-abn' '--alpha' '--t-bench' '--t-cmpt' '--from TIMES' '--walltime' \
    '--app-profile TABLE'; do
    stderr_has "missing: .*$word"
done
fails 2 'only the ratio is missing' plan -n 100 --p-abn 0.1 $TIMES
stderr_has 'missing: --alpha A (or --from TIMES)$'
fails 2 'one interval alone' plan -n 100 --abnormal-interval 9h --alpha 10 $TIMES
stderr_has 'needed both'

# --- what is wrong: option, value, what was expected, in one sentence
bad() {
    sentence=$1
    shift
    fails 2 "$sentence" "$BIN/spare-plan" "$@"
    check 'one line says so' test "$(wc -l <"$ERR")" -eq 1
}
bad 'p above 1' -n 100 --p-abn 1.5 --alpha 10 $TIMES
stderr_has '--p-abn is 1.5, want a chance from 0 to 1'
bad 'p below 0' -n 100 --p-abn -0.1 --alpha 10 $TIMES
bad 'p is not a number' -n 100 --p-abn nan --alpha 10 $TIMES
bad 'alpha is 1' -n 100 --p-abn 0.1 --alpha 1 $TIMES
stderr_has '--alpha is 1, want a ratio above 1'
bad 'alpha is infinite' -n 100 --p-abn 0.1 --alpha inf $TIMES
bad 'a negative time' -n 100 $KINDS --t-bench -1 --t-cmpt 10
stderr_has '--t-bench'
bad 'an infinite time' -n 100 $KINDS --t-bench inf --t-cmpt 10
bad 'no computing time' -n 100 $KINDS --t-bench 1 --t-cmpt 0
bad 'no nodes' -n 0 $KINDS $TIMES
stderr_has "'0' is not a whole number from 1 to 10000000"
bad 'more than ten million nodes' -n 10000001 $KINDS $TIMES
bad 'half a node' -n 1.5 $KINDS $TIMES
bad 'fewer nodes at most than the application needs' -n 100 $KINDS $TIMES --max-nodes 99
bad 'two computing times' -n 100 $KINDS $TIMES --walltime 1h
stderr_has '--t-cmpt and --walltime exclude each other'
bad 'two ways to p' -n 100 $KINDS $TIMES --abnormal-interval 9h --failure-interval 1h
bad 'abnormalities as frequent as failures' \
    -n 100 --alpha 2 $TIMES --abnormal-interval 1h --failure-interval 1h
stderr_has 'must be longer'
bad 'a share of more than all' -n 100 $KINDS --t-bench 1 --walltime 1h --compute-share 1.2
bad 'a share of nothing given' -n 100 $KINDS $TIMES --compute-share 0.5
bad 'a bare number for the wall time' -n 100 $KINDS --t-bench 1 --walltime 60
stderr_has '60 is minutes in Slurm: write 60m or 60s'
bad 'an unknown option' -n 100 $KINDS $TIMES --nope
bad 'a word too many' -n 100 $KINDS $TIMES nope
bad 'a benchmark without tables' -n 100 $KINDS $TIMES --bench compute
bad 'standby behind options of a plan' -n 100 $KINDS $TIMES standby
stderr_has 'standby is the first word'
fails 1 'costs beyond all numbers' plan -n 100 --p-abn 0.5 --alpha 1e300 --t-bench 1 --t-cmpt 1e200
stderr_has 'beyond the range of numbers'

# --- the outside
ok '--help tells every option' plan --help
for word in -n --p-abn --alpha --t-bench --t-cmpt --t-comm --t-fix --from --bench \
    --abnormal-interval --failure-interval --walltime --compute-share --app-profile --scale --give-back \
    --max-nodes --slowdowns --explain --json --curve --plot --otherwise -o --version -v -q fit; do
    stdout_has "$word"
done
ok '--version tells the name' plan --version
stdout_has '^spare-plan [0-9]'
if [ -e /dev/full ]; then
    status 1 'a full disk is an error' sh -c '"$@" >/dev/full' sh "$BIN/spare-plan" -n 100 $KINDS $TIMES
    stderr_has 'No space left'
    fails 1 'a curve that cannot be written, and no answer then' \
        plan -n 100 $KINDS $TIMES --curve /dev/full
fi
fails 1 'a folder that is not there' plan -n 100 $KINDS $TIMES --curve "$TMP/no/curve.csv"
# Ends by the signal, with or without the whole file, never with a part or a temporary one.
timeout -s INT 0.2 "$BIN/spare-plan" -n 3000000 --p-abn 0.3 --alpha 2 $TIMES \
    --curve "$TMP/stopped.csv" >"$OUT" 2>"$ERR"
check 'an interrupted curve is whole or not there' \
    sh -c '[ ! -e "$1" ] || [ "$(wc -l <"$1")" -eq 3000002 ]' sh "$TMP/stopped.csv"
check 'nothing is left behind' test -z "$(find "$TMP" -name '*.tmp')"
finish
