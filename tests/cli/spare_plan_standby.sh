#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# spare-plan standby HISTORY: how many nodes to keep on.
# shellcheck disable=SC2317  # lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
standby() { "$BIN/spare-plan" standby "$@"; }

# swf [NODES...]: a trace of jobs of so many nodes, 100 s apart
swf() {
    echo '; MaxNodes: 64 (of the batch partition)'
    n=0
    for nodes; do
        n=$((n + 1))
        echo "$n $((n * 100)) 0 60 $nodes -1 -1 $nodes 120 -1 1 1 1 -1 1 2 -1 -1"
    done
}
swf 1 1 1 1 1 1 2 2 4 32 >"$TMP/ten.swf"

ok 'nine of ten jobs want at most 4 nodes' standby "$TMP/ten.swf"
stdout_is 4
stderr_empty
ok 'eight of ten want 2' standby "$TMP/ten.swf" --p0 0.8
stdout_is 2
ok 'a share between two steps takes the higher one' standby "$TMP/ten.swf" --p0 0.81
stdout_is 4
ok 'all of them want 32' standby "$TMP/ten.swf" --p0 1
stdout_is 32
ok 'the last two jobs alone' standby "$TMP/ten.swf" --window-jobs 2 --p0 0.5
stdout_is 4
ok 'those of the last 100 s are the same two' standby "$TMP/ten.swf" --window 100s --p0 0.5
stdout_is 4
ok 'a window in days' standby "$TMP/ten.swf" --window-days 0.001 --p0 0.5
stdout_is 32
ok 'a window in seconds' standby "$TMP/ten.swf" --window-seconds 100 --p0 0.5
stdout_is 4
ok 'two processors a node' standby "$TMP/ten.swf" --ppn 2 --p0 0.9
stdout_is 2
ok 'a job wider than the machine does not count, and that is told' \
    standby "$TMP/ten.swf" --nodes 31 --p0 1
stdout_is 4
stderr_has 'ten.swf: 1 line rejected, wider than the machine (line 11)'

gzip -c "$TMP/ten.swf" >"$TMP/ten.swf.gz"
ok 'compressed' standby "$TMP/ten.swf.gz"
stdout_is 4
INPUT=$TMP/ten.swf.gz
ok 'from standard input' standby -
stdout_is 4
unset INPUT
ok 'to a file' standby "$TMP/ten.swf" -o "$TMP/answer"
check 'it has the answer' grep -qx 4 "$TMP/answer"
ok 'talk can be asked for in front' "$BIN/spare-plan" -v standby "$TMP/ten.swf"
stdout_is 4

# --- what is told besides
ok '--explain goes to stderr' standby "$TMP/ten.swf" --explain
stdout_is 4
stderr_has '4 nodes served 90 % of the 10 jobs; the step below is 2 for 80 %'
stderr_has 'at other shares: 2 at 80 %, 4 at 85 %, 4 at 90 %'
ok '--json is one object' standby "$TMP/ten.swf" --json --nodes 31
for want in '"n": 4' '"p0": 0.9' '"jobs": 9' '"rejected": 1' '"skipped": 0' '"band_95": \[' \
    '"groups": null'; do
    stdout_has "$want"
done
ok 'partitions have a number each' standby "$TMP/ten.swf" --group-by partition
stdout_is '2 4'
fails 1 'a history that tells no features' standby "$TMP/ten.swf" --group-by feature
stderr_has 'ten.swf tells no feature of its jobs'
if command -v gnuplot >/dev/null; then
    ok '--plot draws' standby "$TMP/ten.swf" --plot "$TMP/plot.svg"
    stdout_is 4
    check 'the answer is in the picture' grep -q 'N = 4' "$TMP/plot.svg"
fi

# --- what schedulers write
for name in sacct jobcomp pbs_accounting qstat_json swf; do
    ok "$name is recognised" standby "$SRC/tests/fuzz/corpus/history/$name" -q
done
{
    echo 'JobIDRaw|Submit|Start|NNodes|AllocNodes|State|ElapsedRaw'
    echo '1|1700000000|1700000100|3|3|COMPLETED|600'
    echo '2|1700000000|None|900|0|CANCELLED by 1000|0'
    echo '3|1700000000|1700000100|2|2|RUNNING|60'
    echo '4|1700000000|1700000100'
} >"$TMP/sacct.txt"
ok 'jobs that never started do not count' standby "$TMP/sacct.txt" --p0 1
stdout_is 3
stderr_has 'info: .*sacct.txt: 1 line skipped, no run time (line 3: it never started)'
stderr_has 'info: .*sacct.txt: 1 job still running, taken with the time so far'
stderr_has 'warning: .*sacct.txt: 1 line skipped, cannot be read (line 5: 3 fields, want 7)'
sed 's/Name=a b=1/Name=a NodeCnt=9000/' "$SRC/tests/fuzz/corpus/history/jobcomp" |
    cat "$SRC/tests/fuzz/corpus/history/jobcomp" - >"$TMP/jobcomp"
ok 'a job whose name says NodeCnt=9000 does not count' standby "$TMP/jobcomp" --p0 1
stdout_is 5
stderr_has 'warning: .*3 lines skipped, a key is there twice as a job.s name could make it'
echo 'JobIDRaw|Submit|State|NNodes' >"$TMP/lacking.txt"
fails 1 'a column that is missing is named' standby "$TMP/lacking.txt"
stderr_has 'lacking.txt:1: the column ElapsedRaw is missing; sacct -o JobIDRaw,Submit'
echo 'JobID|JobName|Partition|Account|AllocCPUS|State|ExitCode' >"$TMP/usual.txt"
fails 1 'what sacct -P prints of itself lacks columns' standby "$TMP/usual.txt"
stderr_has 'usual.txt:1: the column Submit is missing; sacct -o JobIDRaw,Submit'

bad() { title=$1; shift; fails 2 "$title is a wrong command line" standby "$TMP/ten.swf" "$@"; }
bad 'a share of 0' --p0 0
stderr_has '--p0 must be above 0 and at most 1'
bad 'a share in per cent' --p0 90
bad 'two windows' --window 1d --window-jobs 5
stderr_has 'give one of --window-jobs'
bad 'an unknown format' --format nope
stderr_has "'nope' is none of swf"
bad 'no processors a node' --ppn 0
bad 'groups by something else' --group-by user
stderr_has "'user' is neither partition nor feature"
bad 'a picture of no known kind' --plot x.pdf
bad 'a command' -- sbatch job.sh
fails 2 'no history is a wrong command line' standby
stderr_has 'name a HISTORY'

fails 1 'a file that is not there' standby "$TMP/none.swf"
stderr_has 'cannot read .*none.swf: No such file'
: >"$TMP/empty"
fails 1 'an empty file' standby "$TMP/empty"
stderr_has 'empty is empty, want a history of jobs'
fails 1 'a file of another kind' standby "$SRC/README.md"
stderr_has "README.md: not a history in a format that is known here; it begins with '# launchwise'"
head -c 60 "$TMP/ten.swf.gz" >"$TMP/half.gz"
fails 1 'half a compressed file' standby "$TMP/half.gz"
stderr_has 'half.gz: the compressed file ends too early'
echo '; nothing' >"$TMP/none.swf"
fails 1 'a trace without jobs' standby "$TMP/none.swf"
stderr_has 'none.swf has no job to go by'
finish
