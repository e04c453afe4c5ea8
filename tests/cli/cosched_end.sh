#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How a run of cosched_exec ends: Ctrl-C once and twice, tasks that ignore SIGTERM, processes that
# tasks leave behind, failed tasks; and how it is stopped and goes on.
# shellcheck disable=SC2317  # lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
chmod 755 "$TMP"
cp "$BIN/cosched_exec" "$TMP"  # where another user can run it
mkdir -m 1777 "$TMP/shared"
cd "$TMP/shared" || exit 1
USERS=own
if [ "$(id -u)" = 0 ]; then USERS='own unprivileged'; else
    echo 'SKIPPED: not root, so only as this user'
fi

# start ARGS... : cosched_exec of $USER_NOW in the background, with signals as a terminal has them.
start() {
    set -- env --default-signal=INT,QUIT ${IGNORED:+--ignore-signal="$IGNORED"} "$TMP/cosched_exec" -q "$@"
    if [ "$USER_NOW" = unprivileged ]; then
        set -- setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    fi
    "$@" >"$OUT" 2>"$ERR" &
    run=$!
}
# within SECONDS COMMAND... : waits until it holds
within() {
    limit=$(($(date +%s%N) + $1 * 1000000000))
    shift
    until "$@"; do
        [ "$(date +%s%N)" -lt $limit ] || return 1
        sleep 0.02
    done
}
there() { for file; do [ -e "$file" ] || return 1; done; }
nothing_of() { ! pgrep -f "$1" >/dev/null; }
state_is() { [ "$(ps -o stat= -p "$1" | cut -c 1)" = "$2" ]; }
ended_with() {
    CASE=$2
    within 60 is_over || kill -KILL "$run"
    wait "$run"
    got=$?
    if [ $got -eq "$1" ]; then pass_; else fail_ "exit status $got, want $1"; fi
}
is_over() { ! kill -0 "$run" 2>/dev/null || state_is "$run" Z; }
seconds_since() { echo $((($(date +%s%N) - $1) / 1000000000)); }
fresh() {
    mark=88$$$((number = number + 1))
    rm -f ./*
}
run=
trap 'kill -TERM $run 2>/dev/null; cleanup' EXIT
number=0 IGNORED=

for USER_NOW in $USERS; do
    for pause in signal auto; do
        what="($USER_NOW, $pause)"
        # Tasks that say that they were asked; with pf some of them are paused at any time.
        fresh
        polite="trap 'touch term-N; exit 0' TERM; touch up-N; : $mark; while :; do :; done"
        start -s seq --pause $pause -c "$(echo "$polite" | sed s/-N/-1/g)"
        check "a task is up $what" within 20 there up-1
        kill -INT "$run"
        ended_with 130 "an interrupt ends the run with 130 $what"
        check "the task was asked to end $what" there term-1
        check "nothing is left $what" nothing_of "$mark"

        fresh
        start -s pf --interval 0.1 --pause $pause -c "$(echo "$polite" | sed s/-N/-1/g)" \
            -c "$(echo "$polite" | sed s/-N/-2/g)" -c "$(echo "$polite" | sed s/-N/-3/g)"
        check "three tasks are up $what" within 20 there up-1 up-2 up-3
        kill -TERM "$run"
        ended_with 143 "a SIGTERM ends the run with 143 $what"
        check "the paused ones were asked too $what" there term-1 term-2 term-3
        check "nothing is left $what" nothing_of "$mark"

        fresh
        stubborn="trap '' TERM INT HUP; touch up-N; : $mark; while :; do :; done"
        start -s par --pause $pause -c "$(echo "$stubborn" | sed s/-N/-1/g)" -c 'sleep 0.1'
        check "a task that ignores SIGTERM is up $what" within 20 there up-1
        began=$(date +%s%N)
        kill -INT "$run"
        check "it lives on for now $what" pgrep -f "$mark"
        sleep 0.5
        kill -INT "$run"
        ended_with 130 "a second interrupt ends it $what"
        check "at once, not after the grace of 5 s $what" test "$(seconds_since "$began")" -lt 4
        check "nothing is left $what" nothing_of "$mark"
    done
    pause=auto what="($USER_NOW)"

    fresh
    start -s par -c "$(echo "$stubborn" | sed s/-N/-1/g)"
    check "a task that ignores SIGTERM is up $what" within 20 there up-1
    began=$(date +%s%N)
    kill -INT "$run"
    ended_with 130 "after a grace it is ended $what"
    check "which lasts 5 s $what" test "$(seconds_since "$began")" -ge 4
    check "nothing is left $what" nothing_of "$mark"

    fresh
    start -s par -c "touch up-1; : $mark; kill -STOP \$\$"
    check "a task stops itself $what" within 20 sh -c "ps -o stat= -p \$(pgrep -f '^/bin/sh -c touch up-1; : $mark') | grep -q '^T'"
    began=$(date +%s%N)
    kill -INT "$run"
    ended_with 130 "an interrupt ends also a task that has stopped itself $what"
    check "at once, not after the grace of 5 s $what" test "$(seconds_since "$began")" -lt 4
    check "nothing is left $what" nothing_of "$mark"

    fresh
    yes "ulimit -Sn; sleep 0.2" | head -n 20 >list
    CASE="with few descriptors it runs fewer tasks at once $what"
    if prlimit --nofile=64:64 "$TMP/cosched_exec" -q -s par -j 20 list >"$OUT" 2>"$ERR"; then pass_; else
        fail_ "exit status $?"
    fi
    check "all of them run $what" test "$(grep -c ': 64$' "$OUT")" = 20
    CASE="tasks get the limit of descriptors that we were started with $what"
    if prlimit --nofile=64: "$TMP/cosched_exec" -q -s par -j 20 list >"$OUT" 2>"$ERR"; then pass_; else
        fail_ "exit status $?"
    fi
    check "each of them $what" test "$(grep -c ': 64$' "$OUT")" = 20

    fresh
    mkfifo slow
    sh -c 'exec 3<slow; while [ ! -e seen ]; do sleep 0.05; done; exec cat <&3' >got &
    reader=$!
    env --default-signal=INT,QUIT "$TMP/cosched_exec" -q -s par --halt now,fail=1 \
        -c 'seq 60000; touch up-1; sleep 0.3; exit 5' >slow 2>"$ERR" &
    run=$!
    check "a task has failed whose output nobody reads $what" within 20 there up-1
    sleep 7
    ticks=$(awk '{ print $14 + $15 }' /proc/"$(pgrep -P "$run")"/stat)
    touch seen
    ended_with 5 "it waits for the reader $what"
    check "without using the processor: $ticks of 700 ticks $what" test "$ticks" -lt 150
    wait "$reader"
    check "all of the output came $what" test "$(wc -l <got)" = 60000

    # As nohup and & in a script start it.
    fresh
    IGNORED=INT,QUIT,HUP,TSTP
    start -s par -c 'touch up-1; while [ ! -e go ]; do sleep 0.01; done; echo done'
    check "a task is up $what" within 20 there up-1
    for signal in INT QUIT HUP TSTP; do kill -$signal "$run"; done
    touch go
    ended_with 0 "signals that were ignored at the start stay ignored $what"
    stdout_has '^1: done$'

    fresh
    IGNORED=INT,TERM
    start -s par -c "touch up-1; : $mark; while :; do :; done"
    check "a task is up $what" within 20 there up-1
    kill -INT "$run"
    kill -TERM "$run"
    ended_with 143 "SIGTERM ends it also where it was ignored at the start $what"
    check "nothing is left $what" nothing_of "$mark"

    fresh
    IGNORED=CHLD
    start -s par -c 'exit 3'
    IGNORED=
    ended_with 3 "where ends of children were ignored it runs like anywhere $what"

    fresh
    start -s par -c "setsid env -i sleep $mark & (trap '' TERM; touch up-1; sleep $mark; :) &
        while [ ! -e up-1 ]; do sleep 0.01; done; echo first" \
        -c "while [ ! -e up-1 ] || pgrep -f '^sleep $mark' >/dev/null; do sleep 0.05; done; echo second"
    ended_with 0 "what a task leaves behind is ended while others run $what"
    stdout_has '^1: first$'
    stdout_has '^2: second$'

    fresh
    start -s par --halt now,fail=1 -c "touch up-1; : $mark; while :; do :; done" \
        -c 'while [ ! -e up-1 ]; do sleep 0.01; done; exit 7'
    ended_with 7 "with --halt now a failed task ends the others, its status counts $what"
    check "nothing is left $what" nothing_of "$mark"

    fresh
    start -s par -c "touch up-1; : $mark; while [ ! -e go ]; do :; done; echo done"
    check "a task is up $what" within 20 there up-1
    task=$(pgrep -f "^/bin/sh -c touch up-1; : $mark")
    kill -TSTP "$run"
    check "a stop stops the run $what" within 20 state_is "$run" T
    check "and its task $what" sh -c "ps -o stat= -p $task | grep -q '^T' ||
        grep -q 'frozen 1' /sys/fs/cgroup/*/launchwise-$run/1/cgroup.events ||
        grep -q 'frozen 1' /sys/fs/cgroup/launchwise-$run/1/cgroup.events"
    touch go
    kill -CONT "$run"
    ended_with 0 "then it goes on to its end $what"
    stdout_has '^1: done$'
done
finish
