#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The keeper or the supervisor of cosched_exec is killed at random moments: within a second nothing
# of the run is alive or frozen, processes that have left their tasks included.
# shellcheck disable=SC2317  # lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
: "${SEED:=$$}"
: "${FULL:=0}"
times=20
[ "$FULL" = 1 ] && times=200
echo "SEED=$SEED, $times times for each user and method"
chmod 755 "$TMP"
cp "$BIN/cosched_exec" "$TMP"  # where another user can run it
cat >"$TMP/tasks" <<'END'
setsid sh -c 'sleep MARK & (sleep MARK &) & exit'; sleep MARK
(setsid env -i sleep MARK &); : MARK; while :; do :; done
: MARK; while :; do sh -c 'exit 0'; done
trap '' TERM HUP INT; : MARK; while :; do :; done
END

as() {
    if [ "$1" = unprivileged ]; then
        shift
        exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
    fi
    shift
    exec "$@"
}
# A zombie that nobody has reaped yet is no living process.
living() { grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status"; }
rest_of_run() {
    living "$keeper" || living "$supervisor" || pgrep -f "$mark" >/dev/null ||
        find /sys/fs/cgroup -maxdepth 5 -name "launchwise-$keeper" 2>/dev/null | grep -q .
}
gone_within_a_second() {
    limit=$(($(date +%s%N) + 1000000000))
    while rest_of_run; do
        [ "$(date +%s%N)" -lt $limit ] || return 1
        sleep 0.02
    done
}
# crash USER PAUSE VICTIM SECONDS
crash() {
    mark=77$((SEED % 10000))$number
    sed "s/MARK/$mark/g" "$TMP/tasks" >"$TMP/tasks.$mark"
    as "$1" "$TMP/cosched_exec" -q -s pf --interval 0.05 --pause "$2" "$TMP/tasks.$mark" \
        >"$TMP/crash.out" 2>"$TMP/crash.err" &
    keeper=$!
    supervisor=
    for _ in $(seq 500); do
        # It leads a process group of its own.
        supervisor=$(ps -o pid=,pgid= --ppid "$keeper" | awk '$1 == $2 { print $1; exit }')
        [ -n "$supervisor" ] && break
        sleep 0.01
    done
    sleep "$4"
    if [ "$3" = keeper ]; then kill -KILL "$keeper"; else kill -KILL "$supervisor"; fi
    CASE="killing the $3 after $4 s ends all ($1, $2)"
    if gone_within_a_second; then pass_; else
        fail_ 'something lives after a second'
        pgrep -af "$mark" | sed 's/^/    alive: /'
        pkill -KILL -f "$mark"
    fi
    wait "$keeper"
    got=$?
    want=125
    [ "$3" = keeper ] && want=137
    if [ $got = $want ]; then pass_; else fail_ "the exit status is $got, want $want"; fi
    [ "$3" = keeper ] || if grep -q 'ended by signal 9' "$TMP/crash.err"; then pass_; else
        fail_ 'no sentence about it'
    fi
}
number=0
all_for() {
    for pause in signal auto freezer; do
        for victim in keeper supervisor; do
            count=$((times / 6 + 1))
            for _ in $(seq $count); do
                number=$((number + 1))
                crash "$1" $pause $victim "$(awk -v seed="$SEED$number" \
                    'BEGIN { srand(seed); printf "%.3f", rand() * 0.8 }')" 2>/dev/null
            done
        done
    done
}
all_for own
if [ "$(id -u)" = 0 ]; then
    all_for unprivileged
else
    echo 'SKIPPED: not root, so only as this user'
fi
finish
