#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# spare-plan standby simulate HISTORY: what policies cost.
# shellcheck disable=SC2317  # lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
simulate() { "$BIN/spare-plan" standby simulate "$@"; }

# One job of two nodes for 100 s, a boot of 30 s: 260 node-seconds and 1.3 times as long when it
# finds no node on.
echo '1 0 -1 100 2 -1 -1 2 -1 -1 1 1 1 -1 1 -1 -1 -1' >"$TMP/one.swf"
one() { simulate "$TMP/one.swf" --nodes 4 --boot 30 --shutdown 10 "$@"; }

ok 'a table has a line for each policy' one
check 'five of them below the header, and a note' test "$(wc -l <"$OUT")" -eq 7
stdout_has '^\* no other one is better'
stdout_has '^redundant .*[0-9]$'
stdout_has '^all-off .* \*$'
stdout_has '^all-on .* 100\.0%  *1\.00  *0\.0s'
stdout_has '^all-off .* 65\.0%  *1\.30  *30\.0s  *100\.00%'
stderr_empty
ok 'JSON is a list in the order asked for' one --json --policy redundant,all-off
for want in '"policy": "redundant"' '"policy": "all-off"' '"energy": 260.0' '"energy": 520.0' \
    '"mean_bounded_slowdown": 1.3' '"mean_wait": 30.0' '"wakes": 3' '"shuts": 0' \
    '"delayed_by_boot": 1' '"end": 130.0' '"jobs": 1' '"skipped": 0' '"rejected": 0' \
    '"kwh": null'; do
    stdout_has "$want"
done
sed -n 3p "$OUT" >"$TMP/third"
check 'redundant comes first' grep -q redundant "$TMP/third"
ok 'watts give kWh' one --policy all-on --watts-on 360 --json
stdout_has '"kwh": 0.04'
ok 'all nodes on in the beginning' one --start on --policy all-off --json
stdout_has '"mean_wait": 0.0'
for setting in '--backfill easy' '--queue startable' '--idle-timeout 1m' '--p0 0.8' \
    '--window-jobs 5' '--window 1d'; do
    # shellcheck disable=SC2086
    ok "$setting is taken" one $setting
done

{
    cat "$TMP/one.swf"
    echo '2 5 -1 -1 2 -1 -1 2 -1 -1 1 1 1 -1 1 -1 -1 -1'
    echo '3 6 -1 100 5 -1 -1 5 -1 -1 1 1 1 -1 1 -1 -1 -1'
} >"$TMP/three.swf"
ok 'what is skipped and what is rejected is counted' \
    simulate "$TMP/three.swf" --nodes 4 --json --policy all-on
stdout_has '"jobs": 1'
stdout_has '"skipped": 1'
stdout_has '"rejected": 1'
stderr_has 'three.swf: 1 line skipped, no run time (line 2)'
stderr_has 'three.swf: 1 line rejected, wider than the machine (line 3)'

# --- sweeps: the ends, and 9 shares for each of three policies; 1, 2 and 3 of 4 nodes
ok 'a sweep over the share' one --sweep p0
check '29 runs' test "$(grep -c % "$OUT")" -eq 29
ok 'a sweep over the share with one policy' one --sweep p0 --policy redundant --json
check '11 runs' test "$(grep -c '"policy"' "$OUT")" -eq 11
stdout_has '"p0": 0.98'
ok 'a sweep over nodes' one --sweep nodes
check '5 runs' test "$(grep -c % "$OUT")" -eq 5
stdout_has '^fixed  *3 '
if command -v gnuplot >/dev/null; then
    ok '--plot draws' one --sweep nodes --plot "$TMP/plot.svg"
    check 'the best compromises are in the picture' grep -q 'best compromises' "$TMP/plot.svg"
fi

bad() { title=$1; shift; fails 2 "$title is a wrong command line" one "$@"; }
bad 'a policy that is none' --policy all-on,nope
stderr_has "'nope' is none of all-on, all-off, redundant, hybrid, burst"
bad 'a sweep over something else' --sweep boot
stderr_has "'boot' is none of p0, nodes"
bad 'a picture of no known kind' --plot x.pdf
bad 'an empty policy' --policy all-on,
bad 'another backfill' --backfill conservative
stderr_has "'conservative' is none of none, easy"
bad 'watts of a node that is off alone' --watts-off 5
stderr_has 'need --watts-on'
bad 'negative watts' --watts-on -5
bad 'watts that no node has' --watts-on 1e300
bad 'a policy in a sweep over nodes' --sweep nodes --policy burst
stderr_has 'whatever the policy: leave out --policy'
bad 'a share in a sweep over shares' --sweep p0 --p0 0.8
stderr_has 'leave out --p0'
bad 'a negative boot' --boot -5
fails 2 'without the nodes of the machine' simulate "$TMP/one.swf"
stderr_has 'give the nodes of the machine with --nodes'
fails 2 'simulate behind options' "$BIN/spare-plan" standby --p0 0.8 simulate "$TMP/one.swf"
echo '1 0 0 0 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1' >"$TMP/instant.swf"
fails 1 'jobs that take no time' simulate "$TMP/instant.swf" --nodes 4 --plot "$TMP/instant.svg"
stderr_has 'instant.swf: no time passes from its first submit to its last end'
fails 1 'only jobs that are wider than the machine' simulate "$TMP/one.swf" --nodes 1
stderr_has 'has no job to go by.*wider than the machine'
finish
