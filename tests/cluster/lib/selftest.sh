# shellcheck shell=bash disable=SC2015,SC2153
# SPDX-License-Identifier: BSD-3-Clause
# Proves the cluster itself, on a state folder of its own.
set -u
shopt -s nullglob
LIB=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
export LAUNCHWISE_CLUSTER_STATE=/run/launchwise-selftest.$$
for part in state slow checks; do
    # shellcheck source=/dev/null
    . "$LIB/$part.sh"
done
OTHER=$STATE-other
TMP=$(mktemp -d) || exit 1
# shellcheck disable=SC2317
clean_up() {
    cl down
    LAUNCHWISE_CLUSTER_STATE=$OTHER cl down
    rm -rf "$TMP"
}

# A fixed amount of computing; prints the host and the microseconds it took.
mkdir "$TMP/bin"
cat >"$TMP/bin/loop" <<'CODE'
#!/bin/bash
start=${EPOCHREALTIME/[.,]/}
for ((i = 0; i < 120000; i++)); do :; done
echo "$(hostname) $((${EPOCHREALTIME/[.,]/} - start))"
CODE
chmod -R a+rX "$TMP"
chmod a+x "$TMP/bin/loop"

ssh_works() { prints "$2" timeout 10 "$CLUSTER" login "${@:3}" ssh "$1" hostname; }
ssh_fails() { refused timeout "${2:-4}" "$CLUSTER" login ssh -o ConnectTimeout=3 "$1" true 2>/dev/null; }
state_is() { cl status | grep -q "^$1 [^ ]* $2 "; }

mpirun_works() {                     # mpirun_works [--user] : two ranks on every host
    local got
    got=$(timeout 30 "$CLUSTER" login "$@" mpirun --hostfile "$STATE/hostfile" hostname \
        2>"$TMP/mpirun") || { cat "$TMP/mpirun"; return 1; }
    [[ $(sort <<<"$got" | uniq -c | tr -s ' \n' ' ') == ' 2 n1 2 n2 2 n3 2 n4 ' ]] ||
        { echo "$got"; return 1; }
}

# by_which : the factor by which n2 takes longer than the median of the others, all busy at once
by_which() {
    local host
    for host in n1 n2 n3 n4; do cl exec --user "$host" loop & done >"$TMP/times"
    wait
    awk '$1 == "n2" { slow = $2 } $1 != "n2" { print $2 } END { print "slow", slow }' "$TMP/times" |
        sort -n | awk '
            $1 == "slow" { slow = $2; next } { other[++n] = $1 }
            END { if (n != 3 || !slow) { print "no times"; exit 1 }
                  printf "%.2f\n", slow / other[2] }'
}

# ratio LOW HIGH : the median of three such factors. The expected factor and half or double of it:
# a shared machine's speed varies from second to second.
ratio() {
    local factors
    factors=$(by_which && by_which && by_which) || { echo "$factors"; return 1; }
    sort -n <<<"$factors" | awk -v low="$1" -v high="$2" '
        NR == 2 { printf "%.2f", $1; exit !(low <= $1 && $1 <= high) }'
}

reaches_port() { timeout 3 "$CLUSTER" login bash -c "exec 3<>/dev/tcp/$1/22"; }
no_such_host() { refused cl login getent hosts n9 && ends 255 timeout 5 "$CLUSTER" login ssh n9 true 2>/dev/null; }

nothing_left() {
    local left=("$1"* /sys/fs/cgroup/{cpu,cpu\,cpuacct,unified}/launchwise-cluster:"${1//\//-}"*
        /sys/fs/cgroup/launchwise-cluster:"${1//\//-}"*)
    # shellcheck disable=SC2062
    mapfile -t -O "${#left[@]}" left < <(
        grep -lzxF --file=- /proc/[0-9]*/cmdline 2>/dev/null <<<"launchwise-cluster:$1")
    ((${#left[@]} == 0)) || { echo "left: ${left[*]}"; return 1; }
}

two_at_once() {
    LAUNCHWISE_CLUSTER_STATE=$OTHER cl up --hosts 2 && ssh_works n2 n2 &&
        LAUNCHWISE_CLUSTER_STATE=$OTHER ssh_works n2 n2 && LAUNCHWISE_CLUSTER_STATE=$OTHER cl down &&
        nothing_left "$OTHER" && ssh_works n2 n2
}

# 'up' killed at any moment, and 'down' after it
interrupted() {
    local delay
    for delay in 0.02 0.05 0.1 0.15 0.2 0.3; do
        timeout -s KILL "$delay" "$CLUSTER" up --hosts 4
        cl down && nothing_left "$STATE" || { echo "after $delay s"; return 1; }
    done 2>/dev/null
}

by_way() {
    check "up, slowing by $1" cl up --slow-by "$1" --programs "$TMP"
    check "$1: mpirun as the user runs two ranks on every host" mpirun_works --user
    check "$1: n2 at 40 %" cl slow n2 40
    check "$1: n2 takes 2.5 times as long" ratio 1.6 4
    check "$1: heal n2" cl heal n2
    check "$1: all are equal again" ratio 0.6 1.6
}

faults() {
    check "hang n3" cl hang n3
    check "a hung host accepts connections and then says nothing" reaches_port n3
    check "ssh to a hung host waits" ssh_fails n3 2
    check "status tells it" state_is n3 hung
    check "heal n3" cl heal n3
    check "n3 is back" ssh_works n3 n3
    check "unplug n3" cl unplug n3
    check "an unplugged host does not answer" ssh_fails n3
    check "what runs on it goes on" prints n3 cl exec n3 hostname
    check "heal n3" cl heal n3
    check "n3 is back" ssh_works n3 n3
    check "kill n4" cl kill n4
    check "a killed host does not answer" ssh_fails n4
    check "nothing can be run on it" refused cl exec n4 true
    check "heal n4" cl heal n4
    check "n4 is back" ssh_works n4 n4
}

main() {
    need_machine
    trap clean_up EXIT
    trap 'exit 130' INT TERM
    local way ways=()
    for way in cpu.max cfs; do
        lock
        if choose_way_works "$way"; then ways+=("$way"); fi
    done
    echo "ways of slowing on this machine: ${ways[*]} signal"
    for way in "${ways[@]}"; do
        by_way "$way"
        check "down" cl down
    done
    by_way signal
    check "root logs in to n1" ssh_works n1 n1
    check "the user goes on from host to host" prints n2 cl login --user ssh n1 ssh n2 hostname
    check "the user is nobody else" prints lwuser cl login --user ssh n1 id -un
    check "mpirun as root" mpirun_works
    check "no way out of the cluster" refused cl exec n1 ip route get 192.0.2.1
    check "a name that is not in the cluster is not there at all" no_such_host
    faults
    check "a second cluster does not disturb the first" two_at_once
    check "down" cl down
    check "down again" cl down
    check "nothing is left" nothing_left "$STATE"
    check "nothing is left of an 'up' that was killed" interrupted
    finish
}

choose_way_works() {
    local works=1
    try_quota "$1" && works=0
    remove_budgets
    rmdir "$STATE"
    return $works
}

main
