#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# spare-plan standby apply: the plan is carried out, and no crash leaves it half done.
# shellcheck disable=SC2016,SC2317,SC2154  # the fakes' own variables; lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/cli/fake_cluster.sh
. "$(dirname "$0")/fake_cluster.sh"

# --- Slurm: idle, idle~ (off), idle# (boots), idle% (goes off), drained, mixed
fake sinfo <<'END'
printf '{"nodes": ['
comma=
for file in nodes/*; do
    read -r state <"$file"
    flags=
    case $state in
    *'~') flags='"POWERED_DOWN"' ;;
    *'#') flags='"POWERING_UP"' ;;
    *'%') flags='"POWERING_DOWN"' ;;
    drained) flags='"DRAIN"' state=idle ;;
    esac
    printf '%s{"name": "%s", "state": "%s", "state_flags": [%s], "boot_time": 1000, "last_busy": 2000}' \
        "$comma" "${file#nodes/}" "${state%[~#%]}" "$flags"
    comma=,
done
echo ']}'
END
fake squeue <<'END'
cat jobs
END
: >"$CLUSTER/jobs"
fake scontrol <<'END'
case "$1 $2" in
--version*) cat version ;;
show*)
    echo 'SuspendProgram          = /sbin/off'
    echo 'ResumeProgram           = /sbin/on'
    echo "SuspendTime             = $(cat suspend_time)"
    echo "SuspendExcNodes         = $(cat exc_nodes)" ;;
reconfigure*) sed -n 's/^SuspendExcNodes=//p' fragment >exc_nodes ;;
'update SuspendExcNodes='*) echo "${2#*=}" >exc_nodes ;;
'update nodename='*)
    case $3 in state=power_up) to='idle#' ;; *) to='idle%' ;; esac
    for item in $(echo "${2#*=n}" | tr -d '[]n' | tr , ' '); do
        for i in $(seq "${item%-*}" "${item#*-}"); do echo "$to" >"nodes/n$i"; done
    done ;;
esac
END
echo 'slurm-wlm 22.05.8' >"$CLUSTER/version"
echo '1000000 sec' >"$CLUSTER/suspend_time"
echo '(null)' >"$CLUSTER/exc_nodes"
# What becomes of what boots and of what goes off.
settle() {
    for file in "$CLUSTER"/nodes/*; do
        case $(cat "$file") in 'idle#') echo idle ;; 'idle%') echo 'idle~' ;; *) cat "$file" ;; esac >"$TMP/one"
        cp "$TMP/one" "$file"
    done
}

apply() { "$BIN/spare-plan" standby apply --path "$BINS" --ledger "$TMP/ledger" "$@"; }
owner() { apply --way slurm-owner "$@"; }
advisor() { apply --way slurm-advisor "$@"; }

nodes idle idle idle idle 'idle~' drained
ok 'without --yes it only tells' owner --keep 2
stdout_has '^would do: scontrol update nodename=n\[1-2\] state=power_down$'
stdout_has '^nothing was done: --yes does it$'
states_are 'idle idle idle idle idle~ drained'
check 'and writes no ledger' test ! -e "$TMP/ledger"
ok 'with --yes it does it' owner --keep 2 --yes
states_are 'idle% idle% idle idle idle~ drained'
check 'and notes it' grep -qE '^[0-9.]+ off n2$' "$TMP/ledger"
ok 'once' owner --keep 2 --yes
stdout_has '^nothing to do$'
settle
ok 'what is missing is woken, what was off longest first' owner --keep 3 --yes
stdout_has '^done: scontrol update nodename=n5 state=power_up$'
settle
states_are 'idle~ idle~ idle idle idle drained'
ok 'what came up is noted' owner --keep 3 --yes
check 'so' grep -qE '^[0-9.]+ up n5$' "$TMP/ledger"
nodes 'idle~' 'idle~' 'idle~' 'idle~'
ok 'no more than --max-change at once' owner --keep 4 --max-change 3 --yes
states_are 'idle# idle# idle# idle~'
ok 'and no more than --rate a minute' owner --keep 4 --rate 3 --yes
states_are 'idle# idle# idle# idle~'
stdout_has '^1 more to change, but no more than 0 at once$'
nodes idle idle idle idle
ok 'a smaller N waits for --hold' owner --keep 4 --yes
ok 'so' owner --keep 1 --yes
states_are 'idle idle idle idle'
ok 'which may be short' owner --keep 1 --hold 0 --yes
states_are 'idle% idle% idle% idle'
nodes 'idle~' 'idle~' 'idle~'
ok 'a node that does not come up' owner --keep 1 --yes
echo 'idle~' >"$CLUSTER/nodes/n1"
ok 'is told, and another one woken' owner --keep 1 --boot-limit 0 --yes
stderr_has 'n1 was woken and has not come up within 0 s: another one takes its place'
states_are 'idle~ idle# idle~'
ok 'it is the last to be woken again' owner --keep 2 --yes
states_are 'idle~ idle# idle#'

# --- the advisor: before 23.02 a file that slurm.conf includes, later an order; from 24.05 the count
#     includes nodes in use
nodes idle idle mixed 'idle~' 'idle~'
fails 2 'without a file this Slurm cannot be told' advisor --keep 2
stderr_has '23.02 can.*fragment'
ok 'it can be told by a file' advisor --keep 3 --fragment "$CLUSTER/fragment" --yes
check 'so' grep -qx 'SuspendExcNodes=n\[1-5\]:3' "$CLUSTER/fragment"
check 'which Slurm reads' grep -qx 'n\[1-5\]:3' "$CLUSTER/exc_nodes"
check 'before nodes are woken' sh -c "grep -nE 'reconfigure|power_up' $CLUSTER/log | head -n 1 | grep -q reconfigure"
states_are 'idle idle mixed idle# idle~'
kill_at 0 never
: >"$CLUSTER/log"
ok 'it is not told twice' advisor --keep 3 --fragment "$CLUSTER/fragment" --yes
log_lacks 'scontrol (reconfigure|update)'
ok 'what is too much is left to Slurm' advisor --keep 1 --hold 0 --fragment "$CLUSTER/fragment" --yes
check 'so' grep -qx 'n\[1-5\]:1' "$CLUSTER/exc_nodes"
log_lacks 'scontrol update .*power_down'
echo 'slurm 23.11.4' >"$CLUSTER/version"
ok '23.11 takes an order' advisor --keep 2 --hold 0 --yes
log_has 'scontrol update SuspendExcNodes=n\[1-5\]:2'
echo 'slurm 24.05.1' >"$CLUSTER/version"
ok '24.05 counts the one in use, too' advisor --keep 2 --hold 0 --yes
log_has 'scontrol update SuspendExcNodes=n\[1-5\]:3'
echo INFINITE >"$CLUSTER/suspend_time"
fails 1 'a Slurm that switches nothing off is told' owner --keep 2
stderr_has 'SuspendTime in slurm.conf switches power saving off'
echo '1000000 sec' >"$CLUSTER/suspend_time"

# --- OpenPBS with commands of the site: free; offline (out of use); down; down,offline (off)
fake pbsnodes <<'END'
case $1 in
-a)
    printf '{"nodes": {'
    comma=
    for file in nodes/*; do
        printf '%s"%s": {"state": "%s", "last_used_time": 2000}' "$comma" "${file#nodes/}" "$(cat "$file")"
        comma=,
    done
    echo '}}' ;;
-o) echo offline >"nodes/$2" ;;
-r) echo free >"nodes/$2" ;;
esac
END
fake qstat <<'END'
echo '{"pbs_server": "head"}'
END
fake poweroff <<'END'
[ ! -e "fails_$1" ] || exit 1
echo down,offline >"nodes/$1"
END
fake poweron <<'END'
[ "$(cat "nodes/$1")" != down,offline ] || echo offline >"nodes/$1"
END
site() {
    apply --scheduler pbs --way commands --on 'poweron {host}' --up 'pbsnodes -r {host}' \
        --off 'pbsnodes -o {host} -C standby' --off 'poweroff {host}' "$@"
}
nodes free free free down
ok 'a node goes out of use, then off' site --keep 1 --yes
states_are 'down,offline down,offline free down'
check 'in this order' test "$(grep -E 'n1' "$CLUSTER/log" | tr '\n' ';')" = 'pbsnodes -o n1 -C standby;poweroff n1;'
ok 'it is woken, nothing else that is down' site --keep 3 --yes
states_are 'offline offline free down'
ok 'and put to use when it is up' site --keep 3 --yes
states_are 'free free free down'
touch "$CLUSTER/fails_n1"
status 1 'an order that fails is told, the others are given' site --keep 1 --hold 0 --min-up 0 --yes
stderr_has 'warning: poweroff n1 ended with status 1'
stdout_has '^failed: poweroff n1$'
states_are 'offline free down,offline down'
rm "$CLUSTER/fails_n1"
ok 'and given again the next time' site --keep 1 --hold 0 --min-up 0 --yes
states_are 'down,offline free down,offline down'

# --- killed at every command, before and after it takes effect; runs that follow end as if it were not
# crash NAME WANTED MAKE RUN... : MAKE prepares the nodes
crash() {
    name=$1 wanted=$2 make=$3
    shift 3
    $make
    "$@" >/dev/null 2>&1
    last=$(calls) at=0 wrong=
    while [ "$at" -lt "$last" ]; do
        at=$((at + 1))
        for when in before after; do
            $make
            kill_at $at $when
            "$@" >/dev/null 2>&1 && wrong="$wrong [$at $when was not killed]"
            kill_at 0 never
            for again in 1 2; do
                $between
                "$@" >"$TMP/again" 2>&1 || wrong="$wrong [$at $when: $(cat "$TMP/again")]"
            done
            $between
            [ "$(states)" = "$wanted " ] || wrong="$wrong [$at $when: $(states)after run $again]"
        done
    done
    CASE="$name, killed at each of $last commands"
    if [ "$last" -ge 4 ] && [ -z "$wrong" ]; then pass_; else fail_ "$wrong"; fi
}
four_on() { nodes idle idle idle idle 'idle~'; }
three_off() { nodes idle 'idle~' 'idle~' 'idle~'; rm -f "$CLUSTER/fragment"; echo '(null)' >"$CLUSTER/exc_nodes"; }
free_nodes() { nodes free free free; }
pbs_off() { free_nodes; site --keep 1 --yes >"$TMP/off" 2>&1; kill_at 0 never; }
between=settle
crash 'switching off by Slurm' 'idle~ idle~ idle idle idle~' four_on owner --keep 2 --yes
crash 'waking by Slurm' 'idle idle idle idle~' three_off owner --keep 3 --yes
echo 'slurm-wlm 22.05.8' >"$CLUSTER/version"
crash 'waking and telling Slurm' 'idle idle idle idle~' three_off advisor --keep 3 --yes \
    --fragment "$CLUSTER/fragment"
between=:
crash 'switching off by commands' 'down,offline down,offline free' free_nodes site --keep 1 --yes
crash 'waking by commands' 'free free free' pbs_off site --keep 3 --yes

# --- the ledger
nodes idle idle
printf '# launchwise-ledger: 1\n100 up n1\n200 stop' >"$TMP/ledger"
ok 'a torn last line is cut off' owner --keep 2 --yes
check 'and what follows is whole' sh -c "! grep -q '200 stop' $TMP/ledger && grep -q 'keep 2' $TMP/ledger"
echo 'other text' >"$TMP/ledger"
fails 1 'what is no ledger stays as it is' owner --keep 2 --yes
stderr_has "$TMP/ledger:1: no ledger"
printf 'a note without its newline' >"$TMP/ledger"
fails 1 'not even of one line without its end' owner --keep 2 --yes
check 'is anything cut off' grep -qx 'a note without its newline' "$TMP/ledger"
fails 1 'a device is no ledger, though it may be endless' \
    timeout 10 "$BIN/spare-plan" standby apply --ledger /dev/zero --way slurm-owner --path "$BINS" --keep 2
stderr_has '/dev/zero: no ledger, since it is no regular file'
fails 1 'a ledger that cannot be' "$BIN/spare-plan" standby apply --ledger /proc/none/ledger --yes \
    --way slurm-owner --path "$BINS" --keep 2
stderr_has 'cannot make /proc/none: No such file or directory; --ledger names another place'
nodes idle idle
check 'two runs at once are refused' sh -c "
    exec 9>>'$TMP/ledger.lock' && flock 9 &&
    '$BIN/spare-plan' standby apply --path '$BINS' --ledger '$TMP/ledger' --way slurm-owner --keep 1 --yes 2>'$TMP/busy'
    [ \$? = 1 ] && grep -q 'another spare-plan standby apply is at work' '$TMP/busy'"
states_are 'idle idle'
{
    echo '# launchwise-ledger: 1'
    seq 1 40000 | sed 's/.*/& waking n&/'
    echo '50000 off n7'
} >"$TMP/ledger"
seq 1 30000 | sed 's/.*/6& up n1/' >>"$TMP/ledger"
ok 'a large ledger is written anew' owner --keep 2 --yes
check 'with the last deed of each node' grep -qx '50000.000 off n7' "$TMP/ledger"
check 'and no more' sh -c "[ \$(grep -c ' n1\$' $TMP/ledger) = 1 ]"

# --- a recorded state
echo '{"launchwise_cluster": 1, "time": 1000000, "nodes": [{"name": "n1", "state": "idle"}]}' >"$TMP/old.json"
old() { owner --state "$TMP/old.json" --keep 0 --idle-timeout 0 "$@"; }
nodes idle idle
fails 1 'nothing is switched by a state of long ago' old --yes
stderr_has 'the state is of another time, [0-9]*d[0-9]*h from now: record it anew, or leave out --yes'
states_are 'idle idle'
ok 'what would be done then is told' old
stdout_has '^would do: scontrol update nodename=n1 state=power_down$'

# --- the command line
fails 2 'a way is needed' apply --keep 2
stderr_has 'way is missing: slurm-advisor, slurm-owner or commands'
fails 2 'one that there is' apply --keep 2 --way best
fails 2 'commands name the host' apply --keep 2 --way commands --on 'on {host}' --off 'off n1'
stderr_has 'off wants a command that names {host}'
fails 2 'both ways' apply --keep 2 --way commands --on 'on {host}'
stderr_has 'wants --off, and --on or --wake-on-lan'
fails 2 'commands go with their way' owner --keep 2 --on 'on {host}'
echo 'n1 02:00:0a:63:00' >"$TMP/macs"
fails 1 'a MAC that is none' apply --keep 2 --way commands --off 'off {host}' --wake-on-lan "$TMP/macs"
stderr_has "$TMP/macs:1: '02:00:0a:63:00' is not a MAC address"
finish
