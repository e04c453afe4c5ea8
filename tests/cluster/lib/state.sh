# shellcheck shell=bash disable=SC2015,SC2034,SC2153  # A && B || die; names shared by the parts
# SPDX-License-Identifier: BSD-3-Clause
# The state folder, the lock on it, what the machine must have, and how to fail.

STATE=${LAUNCHWISE_CLUSTER_STATE:-/run/launchwise-cluster}
[[ $STATE == /* ]] || { echo "cluster: LAUNCHWISE_CLUSTER_STATE must start with /" >&2; exit 2; }
while [[ $STATE == */ ]]; do STATE=${STATE%/}; done
MARK=launchwise-cluster:$STATE       # an argument of the first process of every node
USER_NAME=lwuser                     # the unprivileged user; exists inside the cluster only
NETWORK=10.99.0                      # a /24 that exists inside the cluster only
LOGIN_ADDRESS=$NETWORK.254
MAX_HOSTS=64

say() { printf 'cluster: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }
usage_error() { say "$@"; say "run 'cluster help' for the commands"; exit 2; }
skip() { echo "SKIP: $*"; exit 77; }

# need PURPOSE COMMAND:PACKAGE... : skip, naming the packages, where a command is missing.
need() {
    local purpose=$1 pair
    local -A packages=()
    shift
    PATH=$PATH:/usr/sbin:/sbin
    for pair; do
        command -v "${pair%%:*}" >/dev/null || packages[${pair#*:}]=1
    done
    ((${#packages[@]} == 0)) ||
        skip "$purpose needs packages that are not installed: apt-get install ${!packages[*]}"
}

need_machine() {
    ((EUID == 0)) || skip "a cluster of simulated hosts can be made by root only"
    need "a cluster of simulated hosts" ip:iproute2 sshd:openssh-server ssh:openssh-client \
        unshare:util-linux nsenter:util-linux setpriv:util-linux mount:mount hostname:hostname \
        find:findutils mpirun:openmpi-bin
    unshare --net --pid --mount --uts --ipc --fork true 2>/dev/null ||
        skip "this machine does not let root make namespaces"
}

# The lock is on the folder itself, so nothing else is left behind. Held until the command ends.
lock() {
    local tries
    for ((tries = 0; tries < 600; tries++)); do
        mkdir -p -- "$STATE" && exec 9<"$STATE" || die "cannot make $STATE"
        flock -w 120 9 || die "another command holds the lock on $STATE"
        [[ /dev/fd/9 -ef $STATE ]] && return 0
    done
    die "cannot lock $STATE"
}

load() {
    [[ -e $STATE/up ]] || die "there is no cluster in $STATE; run: cluster up"
    # shellcheck source=/dev/null
    . "$STATE/config"
    [[ $(readlink /proc/self/ns/net) != "$(netns_of login)" ]] ||
        die "run this on the machine, not on a node of the cluster"
}

# check_host NAME : or end with a sentence
check_host() {
    [[ ${1:-} =~ ^n([1-9][0-9]?)$ ]] && ((BASH_REMATCH[1] <= HOSTS)) ||
        usage_error "there is no host '${1:-}'; the hosts are n1 to n$HOSTS"
}

all_hosts() {
    local i
    for ((i = 1; i <= HOSTS; i++)); do echo "n$i"; done
}

pid_of() { cat "$STATE/nodes/$1/pid" 2>/dev/null; }
netns_of() { readlink "/proc/$(pid_of "$1")/ns/net"; }
has() { [[ -e $STATE/nodes/$1/$2 ]]; }

# alive NODE : its first process is there, and is not another one with the same number
alive() {
    local pid
    pid=$(pid_of "$1") && [[ $pid ]] &&
        grep -qzxF -- "$MARK" "/proc/$pid/cmdline" 2>/dev/null
}

# within SECONDS COMMAND... : true as soon as COMMAND is
within() {
    local end=$((${EPOCHREALTIME/[.,]/} + $1 * 1000000))
    shift
    until "$@"; do
        ((${EPOCHREALTIME/[.,]/} < end)) || return 1
        sleep 0.02
    done
}
