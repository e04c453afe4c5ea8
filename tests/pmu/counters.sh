#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Hardware counters where they exist: in an emulated arm64 machine (README.md).
# shellcheck disable=SC2016,SC2317  # the machine's sh expands, and lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
MACHINE=$SRC/tests/pmu/machine
BUILD=$(dirname "$BIN")/pmu-arm64

"$MACHINE" setup
case $? in
0) ;;
77) exit 77 ;;
*) echo 'the emulated machine cannot be set up'; exit 1 ;;
esac
if ! "$MACHINE" build "$BUILD" cosched_exec count count_calls; then
    echo 'the project does not build for arm64'
    exit 1
fi
WORK=$TMP/work
mkdir -p "$WORK/libexec/launchwise"
cp -r "$BUILD/bin" "$WORK/"
cp "$BUILD/libexec/launchwise/liblaunchwise_probe.so" "$WORK/libexec/launchwise/"

# machine PMU UID PARANOID SCRIPT: runs the script there; PMU is full, cycles or none.
machine() {
    MACHINE_PMU=$1 MACHINE_UID=$2 MACHINE_PARANOID=$3 "$MACHINE" run "$WORK" sh -c "$4"
}
# between SENTENCE LEAST MOST FORMULA LABEL...: a formula of awk over the numbers of the lines
# "LABEL instructions X cycles Y" of stdout: i["LABEL"], c["LABEL"]
between() {
    CASE=$1
    if awk -v least="$2" -v most="$3" '
        $2 == "instructions" { i[$1] = $3; c[$1] = $5 }
        END { x = '"$4"'; print "    " x > "/dev/stderr"; exit !(x >= least && x <= most) }' \
        "$OUT" 2>"$TMP/value"; then
        pass_
    else
        fail_ "$4 is $(cat "$TMP/value"), want $2 to $3"
    fi
}

# The loops have exactly 2 instructions an iteration; start-up is some 50,000. In this machine each
# instruction takes 2 cycles.
ok 'the machine runs the counters' machine full 0 '' '
    echo one $(count load loop 20000000)
    echo two $(count load loop 40000000)
    echo tree $(count load tree 10000000 3 2)
    echo shared $(hog 6 count load loop 400000000)
    echo starved $(hog --pinned 7 count load loop 200000000)'
between 'a loop of 20 million iterations more is 40 million instructions more' 0.998 1.002 \
    '(i["two"] - i["one"]) / 40e6'
between 'nothing else of note is counted' 1 1.02 'i["one"] / 40e6'
between 'cycles are not mixed up with instructions' 1.9 2.1 'c["one"] / i["one"]'
between 'threads, children and their children are counted: 8 loops' 7.9 8.2 'i["tree"] / 20e6'
between 'counts of shared counters are scaled' 0.95 1.05 'i["shared"] / 800e6'
between 'so are cycles' 1.9 2.1 'c["shared"] / i["shared"]'
stdout_has '^starved instructions [-0] cycles [-0] the hardware counters are taken by others'

# What is missing is told, and the tasks are run.
without='echo one $(count load loop 20000000)
    cosched_exec --speed ipc -c "load loop 300000000 && echo has run" -c "load loop 300000000"'
ok 'a machine with cycles alone' machine cycles 0 '' "$without"
stdout_has '^one instructions - cycles [1-9].* only cycles are counted here'
stdout_has 'has run$'
stderr_has 'warning: .*only cycles are counted here'
ok 'a machine without counters' machine none 0 '' "$without"
stdout_has '^one instructions - cycles - no hardware counters here'
stdout_has 'has run$'
stderr_has 'warning: .*no hardware counters here'
ok 'a user where only root may count' machine full 1000 3 "$without"
stdout_has '^one instructions - cycles - kernel.perf_event_paranoid is 3: '
stdout_has 'has run$'
stderr_has 'warning: .*perf_event_paranoid is 3'
ok 'a user who may count their own processes' machine full 1000 2 '
    echo one $(count load loop 20000000)
    echo tree $(count load tree 10000000 3 2)'
between 'has the same counts' 1 1.02 'i["one"] / 40e6'
between 'also of threads and children' 7.9 8.2 'i["tree"] / 20e6'

# Two tasks on one processor are half as fast together as alone: the best combination has the speed 1,
# whether it is both or one. They have 2.4 and 3.2 s to do.
relative() { # TASK: its speed when both were tried
    grep '"ran":\["1","2"\]' "$OUT" | head -n 1 |
        sed -nE 's/.*"task":"'"$1"'"[^}]*"relative":([0-9.e-]+).*/\1/p'
}
near() { awk -v x="$1" -v least="$2" -v most="$3" 'BEGIN { exit !(x >= least && x <= most) }'; }
for measure in ipc ips; do
    ok "steers two tasks by $measure" machine full 1000 2 "
        cosched_exec --speed $measure -s fcs --interval 0.5s --json /tmp/json --trace /tmp/trace \
            -c 'load loop 600000000' -c 'load loop 400000000; load loop 400000000' || exit
        cat /tmp/json /tmp/trace"
    check 'both are measured so' test "$(grep -c "\"measure\": \"$measure\"" "$OUT")" = 2
    for task in 1 2; do
        check "task $task is seen half as fast: $(relative $task)" near "$(relative $task)" 0.4 0.6
    done
    fastest=$(sed -nE 's/.*"decision".*"reason":"fastest together.*"speed":([0-9.]+).*/\1/p' "$OUT" | head -n 1)
    check "the fastest combination is known: $fastest" near "$fastest" 0.95 1.1
    makespan=$(sed -nE 's/.*"makespan": ([0-9.]+).*/\1/p' "$OUT")
    check "and is done in the time of both: $makespan s" near "$makespan" 5.5 6.2
done

# The probe's stubs are in assembly: those for arm64 run here.
cp "$SRC/tests/cli/calls/"* "$TMP/"
arm64_gcc() { aarch64-linux-gnu-gcc -O1 "$@"; }
if arm64_gcc -shared -fPIC -o "$WORK/libfake.so" "$TMP/fake.c" &&
    (cd "$WORK" && arm64_gcc -o calls "$TMP/calls.c" ./libfake.so &&
        arm64_gcc -o many "$TMP/many.c" ./libfake.so -lpthread &&
        arm64_gcc -o ask "$TMP/ask.c"); then
    ok 'the probe in programs for arm64' machine none 1000 '' '
        cd /work
        ./calls >/tmp/plain
        count_calls /tmp/count ./calls >/tmp/counted; echo status $? calls $(cat /tmp/count)
        cmp /tmp/plain /tmp/counted && echo same
        count_calls /tmp/count ./many threads 4 1000; echo threads $(cat /tmp/count)
        count_calls /tmp/count ./many fork 4 1000; echo children $(cat /tmp/count)
        count_calls /tmp/count ./ask | grep weak'
    stdout_has '^status 7 calls 6$'
    stdout_has '^same$'
    stdout_has '^threads 4000$'
    stdout_has '^children 6000$'
    stdout_has '^weak 0 0 0 0$'
else
    fail_ 'programs for arm64 cannot be compiled'
fi
finish
