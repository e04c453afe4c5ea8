#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# cosched_exec's contract: what is refused before anything starts, exit statuses, interrupts.
# shellcheck disable=SC2016,SC2317  # $$ belongs to the tasks; lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
run() { "$BIN/cosched_exec" "$@"; }
cd "$TMP" || exit 1

# --- refused, and nothing is started: each of these would leave a file `started`
refused() {
    SENTENCE=$1 PATTERN=$2
    shift 2
    fails 2 "$SENTENCE" run "$@"
    stderr_has "^cosched_exec: error: .*$PATTERN"
    check "$SENTENCE: in one sentence" test "$(wc -l <"$ERR")" -eq 1
    check "$SENTENCE: nothing is started" test ! -e started
}
START='touch started'
refused 'no tasks' 'no tasks: give'
refused 'an empty task file' 'holds no tasks' /dev/null
printf '# only a comment\n\n' >comments
refused 'a task file of comments' 'comments holds no tasks' comments
refused 'an empty command' 'empty command' -c "$START" -c ' '
refused 'a task file that is not there' 'cannot read nowhere' -c "$START" nowhere
refused '--toml without a task file' '--toml: give a TASKFILE' -c "$START" --toml
refused 'two task files' 'not expected: comments' comments comments
refused 'a folder as a task file' 'cannot read /tmp' -c "$START" /tmp
refused 'an unknown strategy' "strategy: 'fast' is none of" -c "$START" -s fast
refused 'an unknown measure' 'speed: ' -c "$START" --speed psi
refused 'an unknown way to pause' 'pause: ' -c "$START" --pause never
refused 'an unknown halt' 'halt: ' -c "$START" --halt soon
refused 'a negative interval' "interval: '-3'" -c "$START" --interval -3
refused 'an interval of nothing' 'interval must be' -c "$START" --interval 0
refused 'a theta above 1' 'theta' -c "$START" --theta 1.5
refused 'a negative theta' 'theta' -c "$START" --theta -0.1
refused 'a theta that is no number' 'theta' -c "$START" --theta nan
refused 'no jobs' 'jobs' -c "$START" -j 0
refused 'no window' 'window' -c "$START" --window 0
refused 'processing units that are not here' 'processing unit 65000' -c "$START" --cores 0,65000
refused 'a list of cores that is none' 'cores' -c "$START" --cores 0-
refused 'memory, which comes later' 'not in this version' -c "$START" --memory 1G
refused 'results, which come later' 'not in this version' -c "$START" --results dir
refused 'retries, which come later' 'not in this version' -c "$START" --retries 2
refused 'a command after --' 'give it with -c' -c "$START" -- true
refused 'an unknown option' 'nope' -c "$START" --nope
for option in --joblog --json --trace --timeline --plot; do
    refused "$option into a folder that is not there" "$option: cannot write .*nowhere" \
        -c "$START" $option "$TMP/nowhere/file.svg"
done
refused 'a picture of another kind' 'svg' -c "$START" --plot run.pdf

# --- statuses
ok 'all tasks that end with 0 are 0' run -c true -c 'exit 0'
status 3 'else the status of the failed task that comes first in the list' \
    run -c 'sleep 0.3; exit 3' -c 'exit 4' -c true
status 143 'a signal is 128 and its number' run -c 'kill -TERM $$'
status 127 'a command that is not found is 127' run -c /nonexistent/program
status 126 'one that cannot be run is 126' run -c "$TMP"
status 2 'the status 2 of a task is its own' run -c 'exit 2' --joblog log
check 'as the job log tells' grep -q '^1	.*	2	0	exit 2$' log
status 125 'so is its 125' run -c 'exit 125' --joblog log
check 'as the job log tells too' grep -q '^1	.*	125	0	exit 125$' log
status 125 'a job log that cannot be written is our own failure' run -c true --joblog /dev/full
stderr_has 'error: --joblog: cannot write /dev/full'

# --- halt
status 5 'without --halt all others run' run -j 1 -s seq -c 'exit 5' -c 'touch after'
check 'after a failure' test -e after
rm -f after
status 5 'soon starts no more' run -j 1 -s seq --halt soon,fail=1 -c 'exit 5' -c 'touch after'
check 'tasks' test ! -e after
stderr_has '2 tasks: 0 ok, 1 failed, 1 not run'
status 5 'now ends the others, whose status does not count' \
    run --halt now,fail=1 -c 'sleep 60' -c 'sleep 0.2; exit 5'

# --- seq, -j
ok 'seq runs one after another in the order of the list' \
    run -q -s seq -c 'echo a >>order; sleep 0.2; echo b >>order' -c 'echo c >>order'
check 'not together' test "$(tr -d '\n' <order)" = abc
one() { echo "touch here.$1; ls here.* | wc -l >>counts; sleep 0.3; rm here.$1"; }
ok 'no more than -j are started' run -q -j 2 -s par \
    -c "$(one 1)" -c "$(one 2)" -c "$(one 3)" -c "$(one 4)"
check 'at a time' sh -c 'test "$(sort -n counts | tail -n 1)" -eq 2 && test "$(wc -l <counts)" -eq 4'

# --- interrupts
wait_for() { # CONDITION... : up to 10 s
    for _ in $(seq 500); do
        "$@" 2>/dev/null && return
        sleep 0.02
    done
    return 1
}
interrupted() { # SIGNAL
    rm -f begun log json
    # A shell has commands in the background ignore SIGINT.
    env --default-signal=INT "$BIN/cosched_exec" --joblog log --json json --trace trace \
        -c 'trap "exit 9" TERM; echo $$ >begun; while :; do sleep 0.05; done' \
        -c 'while :; do :; done' >"$OUT" 2>"$ERR" &
    tool=$!
    wait_for test -s begun
    kill "-$1" "$tool"
    wait "$tool"
}
for signal in INT TERM HUP; do
    case $signal in INT) number=2 ;; TERM) number=15 ;; HUP) number=1 ;; esac
    status $((128 + number)) "SIG$signal ends all" interrupted "$signal"
    stderr_has "warning: interrupted by SIG$signal"
    check 'the job log tells what was' test "$(wc -l <log)" -eq 3
    check 'so does the JSON' grep -q "\"interrupted\": $number" json
    check 'nothing is left' sh -c '! kill -0 "$(cat begun)"'
done

# --- simulate
TABLE='{"p":[2,1],"f":[[0,0],[1,0],[0,1],[0.8,0.8]]}'
echo "$TABLE" >table
# By hand: alone 3 s; together 1/0.8 s until the second ends, then 1 s of the first is left.
ok 'simulate prints JSON' run simulate table --json
stdout_has '^{"optimum":2.25,"strategies":{"seq":3.0,"par":2.25,"fcs":2.25,"pe":2.25,"pf":2.2'
INPUT=table
ok 'from standard input too, as a table for people' run simulate -
stdout_has '^seq  *3 '
unset INPUT
ok 'with another slice' run simulate table --slice 500ms --json
fails 2 'a table that is not there' run simulate nowhere
stderr_has 'cannot read nowhere'
echo '{"p":[1]' >broken
fails 2 'a broken table' run simulate broken
stderr_has 'broken'
fails 2 'no table' run simulate
fails 2 'a slice of nothing' run simulate table --slice 0
fails 2 'a slice that would take for ever' run simulate table --slice 0.001ms
stderr_has 'slice'
fails 2 'an option of a run' run simulate table -s par
stderr_has 'simulate does not take --strategy'

# --- doctor
ok 'the doctor tries everything' run --doctor
for way in progress calls ips ipc cputime freezer signal group session; do
    stdout_has "^  $way  *\\(works\\|no\\)  *."
done
stdout_has '^  signal  *works'
stdout_has '^  cputime  *works'
stderr_empty
if [ -w /dev/full ]; then
    full() { run "$@" >/dev/full; }
    status 1 'an answer of the doctor that cannot be written is an error' full --doctor
    stderr_has '^cosched_exec: error: cannot write to standard output$'
    check 'told once' test "$(wc -l <"$ERR")" -eq 1
fi
finish
