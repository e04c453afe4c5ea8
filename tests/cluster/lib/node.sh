# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# The first process of a node: node.sh MARK STATE NAME, started inside the node's namespaces. On a
# host it is process 1, so it adopts orphans, and everything on the host ends when it does.
set -u

now_us() { echo "${EPOCHREALTIME/[.,]/}"; }

# Waits without starting a process.
pause_until() {                      # TIME in microseconds of the clock
    local left
    while ((left = $1 - ${EPOCHREALTIME/[.,]/}, left > 0)); do
        printf -v left '%d.%06d' $((left / 1000000)) $((left % 1000000))
        read -r -t "$left" -u 7
    done
}

# The node's own /run, with the state folder in it: no socket of the machine's services is seen.
own_run() {
    exec 8<"$STATE"
    mount -t tmpfs -o mode=755 tmpfs /run && mkdir -p "$STATE" /run/sshd &&
        mount --no-canonicalize --bind /proc/self/fd/8 "$STATE"
    local rc=$?
    exec 8<&-
    return $rc
}

mounts() {
    own_run || return 1
    [[ $NAME == login ]] || mount -t proc proc /proc || return 1
    mount -t tmpfs -o mode=1777 tmpfs /dev/shm || return 1
    echo "$NAME" >"$STATE/nodes/$NAME/hostname"
    [[ ! -e /etc/hostname ]] || mount --bind "$STATE/nodes/$NAME/hostname" /etc/hostname || return 1
    local file
    for file in passwd group shadow nsswitch.conf hosts; do
        [[ ! -e /etc/$file ]] || mount --bind "$STATE/etc/$file" "/etc/$file" || return 1
    done
}

# Stops what computes on this host, and notes it in STOPPED. Left out, since they take no time worth
# counting: sshd, whose part that guards a login is killed by its sandbox when it is continued (the
# system call restart_syscall is not allowed there), and launchers, which pass every SIGCONT on.
stop_all() {
    local folder first
    STOPPED=()
    for folder in /proc/[0-9]*; do
        first=
        read -r -d '' first <"$folder/cmdline"
        case $folder:${first##*/} in
            /proc/1:* | *:sshd:* | *:orted | *:mpirun* | *:mpiexec* | *:hydra_* | *:srun) ;;
            *) STOPPED+=("${folder#/proc/}") ;;
        esac
    done
    ((${#STOPPED[@]} == 0)) || kill -STOP "${STOPPED[@]}"
}

# Without quotas the hosts take turns: time is cut into slots, in each of which as many hosts run as
# the cores can hold, the others are stopped. A host at P % gives up its slot early. The clock is the
# machine's, so nobody has to tell anybody whose turn it is, and a host's share of time depends
# neither on its own load nor on the others'. Slots of 20 ms: shorter ones drown in the delays of a
# busy machine, longer ones make every message wait.
take_turns() {
    local abreast=$((CORES / SLOTS)) slot=20000 turns start percent STOPPED=()
    ((abreast >= 1)) || abreast=1
    turns=$(((HOSTS + abreast - 1) / abreast))
    local period=$((turns * slot)) mine=$(((${NAME#n} - 1) % turns * slot))
    while :; do
        read -r percent <"$STATE/nodes/$NAME/percent" || percent=100
        start=${EPOCHREALTIME/[.,]/}
        start=$(((start - mine) / period * period + period + mine))
        pause_until "$start"
        ((${#STOPPED[@]} == 0)) || kill -CONT "${STOPPED[@]}"
        pause_until $((start + slot * percent * 9 / 1000))
        stop_all
    done 2>/dev/null
}

main() {
    STATE=$2 NAME=$3
    local outer priority=0
    read -r outer _ </proc/self/stat         # our number on the machine
    trap '' HUP INT TERM QUIT
    # shellcheck source=/dev/null
    . "$STATE/config"
    exec 7<> <(:)                            # a pipe from which nothing ever comes
    hostname "$NAME" && mounts && ip link set lo up || exit 1
    echo 1 2>/dev/null >/proc/sys/net/ipv6/conf/all/disable_ipv6
    if [[ $NAME == login ]]; then
        ip link add eth0 address 02:00:0a:63:00:fe type bridge || exit 1
    fi
    echo "$outer" >"$STATE/nodes/$NAME/pid.new"
    mv "$STATE/nodes/$NAME/pid.new" "$STATE/nodes/$NAME/pid"
    until [[ $(</proc/net/dev) == *eth0:* ]]; do pause_until $(($(now_us) + 10000)); done
    ip addr add "$ADDRESS/24" dev eth0 && ip link set eth0 up || exit 1
    if [[ $NAME != login ]]; then
        [[ $SLOW_BY != signal ]] || priority=-20
        nice -n "$priority" "$(PATH=$PATH:/usr/sbin command -v sshd)" -f "$STATE/etc/sshd_config" \
            -E "$STATE/log/$NAME.sshd" || exit 1
    fi
    : >"$STATE/nodes/$NAME/ready"
    if [[ $NAME != login && $SLOW_BY == signal ]]; then
        chrt --fifo --pid 1 $$ 2>/dev/null || renice -n -20 -p $$ >/dev/null
        take_turns
    fi
    while :; do pause_until $(($(now_us) + 500000)); done       # bash reaps between two waits
}

main "$@"
exit
