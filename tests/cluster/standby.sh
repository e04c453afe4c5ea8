#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# spare-plan standby apply on Slurm's power saving: hosts are really taken down and booted while jobs
# run. FULL=1 replays a stream of some minutes with all nodes on, all idle ones off, and N kept on, and
# compares energy and slowdown with each other and with the simulation of the same stream.
# shellcheck disable=SC2015,SC2016
# shellcheck source=/dev/null
. "$(dirname -- "$0")/lib.sh"
need_tools spare-plan
need Slurm slurmctld:slurmctld slurmd:slurmd srun:slurm-client munged:munge
need "this test" python3:python3
TMP=$(mktemp -d) || exit 1
P0=0.8

# The stream: at SECONDS a job of NODES runs for SECONDS. Of every beginning of it, 80 % of the jobs
# want at most 2 nodes, and less than 80 % are content with 1.
short_stream='0 2 5
7 1 6
12 2 4'
full_stream='0 2 12
6 1 18
20 2 10
36 2 14
42 1 8
58 2 12
72 4 10
86 2 16
94 1 8
108 2 8'
stream=$(times "$short_stream" "$full_stream")

slurm() { as root "$@"; }
on_off() { slurm sinfo -N -h -o '%N|%T'; }

# step KEEP [OPTION...] : one step, as a timer would do it; at once, since the test has no minutes
step() {
    slurm spare-plan standby apply --way slurm-owner --slurm-conf "$STATE/slurm/etc/slurm.conf" \
        --ledger "$STATE/ledger" --keep "$1" --hold 0 --min-up 0 --idle-timeout 0 --rate 1000 --yes "${@:2}"
}

# settles KEEP SECONDS : so many nodes are idle and all others off, whoever has to boot for that
settles() {
    local end=$((SECONDS + $2))
    until step "$1" >"$TMP/step" 2>&1 && [[ $(on_off | grep -c '|idle$') == "$1" ]] &&
        [[ $(on_off | grep -c '|idle~$') == $((HOSTS - $1)) ]]; do
        ((SECONDS < end)) || { on_off; cat "$TMP/step"; return 1; }
        sleep 0.5
    done
}

hosts_off() { cl status | grep -c ' killed '; }

# submits : the jobs of the stream at their times
submits() {
    local start=${EPOCHREALTIME/[.,]/} at nodes run wait
    while read -r at nodes run; do
        wait=$((start + at * 1000000 - ${EPOCHREALTIME/[.,]/}))
        ((wait <= 0)) || sleep "$(printf '%d.%06d' $((wait / 1000000)) $((wait % 1000000)))"
        slurm sbatch -Q --exclusive -N "$nodes" -o /dev/null --wrap "sleep $run" </dev/null || return 1
    done <<<"$stream"
}

jobs_done() { [[ $(wc -l <"$STATE/log/jobcomp") == "$1" ]]; }

# replays POLICY KEEP : the stream, with a step each second unless KEEP is all; its jobs and figures
# are POLICY.jobs and POLICY.figures
replays() {
    local policy=$1 keep=$2 before all submitting
    before=$(wc -l <"$STATE/log/jobcomp")
    all=$((before + $(wc -l <<<"$stream")))
    local end=$((SECONDS + $(times 150 500)))
    submits >"$TMP/submits" 2>&1 &
    submitting=$!
    until jobs_done "$all"; do
        [[ $keep == all ]] || step "$keep" >>"$TMP/$policy.steps" 2>&1
        ((SECONDS < end)) || { slurm squeue; on_off; cat "$TMP/submits"; return 1; }
        sleep 0.7
    done
    wait $submitting || return 1
    tail -n +$((before + 1)) "$STATE/log/jobcomp" >"$TMP/$policy.jobs"
    eventually 20 settled_power "$keep" || return 1
    python3 "$HERE/lib/standby_figures.py" "$TMP/$policy.jobs" "$STATE/log/power" "$HOSTS" \
        "$TMP/$policy.held" >"$TMP/$policy.figures"
}
# What goes off after the last job tells how long that takes.
settled_power() { [[ $1 == all ]] || { step "$1" >/dev/null 2>&1 && ! on_off | grep -q '%$'; }; }

figure() { awk -v name="$2" '$1 == name { print $2 }' "$TMP/$1.figures"; }

# simulated POLICY KEY : a figure of the simulation of the jobs as they held their nodes, with the delays
# of that run
simulated() {
    local boot; boot=$(figure "$1" boot)
    "$BIN/spare-plan" standby simulate "$TMP/$1.held" -q --nodes "$HOSTS" --p0 $P0 --policy "$1" \
        --boot "${boot:-0}" --shutdown "$SHUTDOWN" --queue startable --json |
        python3 -c 'import json, sys; print(json.load(sys.stdin)[0][sys.argv[1]])' "$2"
}

# near POLICY PERCENT : its energy is as simulated
near() {
    local live wanted
    live=$(figure "$1" energy)
    wanted=$(simulated "$1" energy) || return 1
    awk -v live="$live" -v wanted="$wanted" -v most="$2" \
        'BEGIN { off = 100 * (live - wanted) / wanted; printf "%d node-seconds, simulated %d: %+.1f %%", live, wanted, off
                 exit !(off <= most && off >= -most) }'
}

less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }' || { echo "$1, $2"; return 1; }; }

table() {
    printf '%-10s %14s %9s %8s %6s %10s %10s\n' policy energy slowdown delayed wakes simulated slowdown
    local policy
    for policy in all-on all-off redundant; do
        printf '%-10s %8d %4d%% %9s %8s %6s %10.0f %10.3f\n' $policy "$(figure $policy energy)" \
            $((100 * $(figure $policy energy) / $(figure all-on energy))) "$(figure $policy slowdown)" \
            "$(figure $policy delayed)" "$(figure $policy wakes)" "$(simulated $policy energy)" \
            "$(simulated $policy mean_bounded_slowdown)"
    done
}

# comes_up_late : a host that is broken does not boot; another one takes its place
comes_up_late() {
    : >"$STATE/nodes/n1/broken"
    sed -i '/ n1$/d' "$STATE/ledger"                 # off longest: the first to be woken
    local end=$((SECONDS + 40)) said=$TMP/late
    : >"$said"
    until grep -q 'n1 was woken and has not come up' "$said" && [[ $(on_off | grep -c '|idle$') == 1 ]]; do
        step 1 --boot-limit 6s >>"$said" 2>&1
        ((SECONDS < end)) || { on_off; tail -n 20 "$said"; return 1; }
        sleep 0.5
    done
    rm "$STATE/nodes/n1/broken"
}

# advises : Slurm is told how many idle nodes to leave on, and what is missing is woken
advises() {
    slurm spare-plan standby apply --way slurm-advisor --slurm-conf "$STATE/slurm/etc/slurm.conf" \
        --ledger "$STATE/ledger" --keep 2 --hold 0 --fragment "$STATE/slurm/etc/standby.conf" --yes &&
        eventually 20 told && eventually 60 two_idle
}
told() { slurm scontrol show config | grep -q "^SuspendExcNodes *= n\\[1-$HOSTS\\]:2$"; }
two_idle() { [[ $(on_off | grep -c '|idle$') == 2 ]]; }

start "$(times 4 6)"
trap 'cl down; rm -rf "$TMP"' EXIT
check "slurm-up with power saving" cl slurm-up --power 3,1 SuspendTime=100000 ResumeTimeout=60 \
    SlurmctldParameters=power_save_interval=1,power_save_min_interval=1
if [[ ${FULL:-0} == 1 ]]; then
    check "all on: the stream runs" replays all-on all
    check "the hosts go off, all of them" settles 0 60
    check "that is true of the hosts themselves" prints "$HOSTS" hosts_off
    check "all off: the stream runs" replays all-off 0
    SHUTDOWN=$(figure all-off shutdown)
fi
check "one is idle, the others are off" settles 1 60
check "that is true of the hosts themselves" prints $((HOSTS - 1)) hosts_off
check "N kept on: the stream runs" replays redundant 2
check "N of what Slurm noted of it is 2" prints 2 "$BIN/spare-plan" standby "$TMP/redundant.jobs" --p0 $P0 -q
check "hosts were woken" less 0 "$(figure redundant wakes)"
check "it took less than all on" less "$(figure redundant energy)" $((HOSTS * $(figure redundant end)))
if [[ ${FULL:-0} == 1 ]]; then
    echo "as measured: boot $(figure all-off boot) s all off, $(figure redundant boot) s with N kept on;" \
        "shutdown $SHUTDOWN s"
    table
    for policy in all-on all-off redundant; do
        check "$policy: energy within 10 % of the simulation" near $policy 10
    done
    check "energy: all-off < redundant" less "$(figure all-off energy)" "$(figure redundant energy)"
    check "energy: redundant < all-on" less "$(figure redundant energy)" "$(figure all-on energy)"
    check "all off" settles 0 60
    check "a host that does not come up is told, and another one woken" comes_up_late
fi
check "Slurm is advised" advises
check "slurm-down" cl slurm-down
finish
