# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# How a host is made slow. Every host has the same budget of CPU time, so that a host at 60 % is
# slow whatever the others do, and no host gains from an idle neighbour. Three ways, in order:
#
#   cpu.max   quota of the unified hierarchy      budget: 80 % of the cores, shared equally
#   cfs       cpu.cfs_quota_us of cgroup v1       the same
#   signal    no cgroup: the hosts take turns     see lib/node.sh, take_turns
#
# A way counts only when it was tried for real. The quotas add up to less than the machine, and the
# hosts have the highest weight: else load from outside, not the quota, would set everybody's speed.

GROUP=${MARK//\//-}
SHORTEST_QUOTA_US=1000               # the kernel refuses less

# budget_root WAY : the folder in which WAY's groups are made
budget_root() {
    local d
    case $1 in
        cpu.max)
            for d in /sys/fs/cgroup /sys/fs/cgroup/unified; do
                grep -qsw cpu "$d/cgroup.controllers" && { echo "$d"; return 0; }
            done ;;
        cfs)
            for d in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct; do
                [[ -e $d/cpu.cfs_quota_us ]] && { echo "$d"; return 0; }
            done ;;
    esac
    return 1
}

# put VALUE FILE : true when the kernel took it
put() { echo "$1" 2>/dev/null >"$2"; }

# try_quota WAY : make the cluster's group and prove that a process can be put under a quota
try_quota() {
    local way=$1 root group works=1
    root=$(budget_root "$way") || return 1
    group=$root/$GROUP
    if [[ $way == cpu.max ]] && ! grep -qw cpu "$root/cgroup.subtree_control"; then
        put +cpu "$root/cgroup.subtree_control" || return 1
        : >"$STATE/enabled-cpu"
    fi
    mkdir -p "$group" 2>/dev/null || return 1
    if [[ $way == cpu.max ]]; then
        put +cpu "$group/cgroup.subtree_control" && put 10000 "$group/cpu.weight"
    else
        put 262144 "$group/cpu.shares"
    fi && mkdir "$group/try" 2>/dev/null &&
        write_quota "$way" "$group/try" 10000 5000 && bash -c 'echo $$ >"$1"' - "$group/try/cgroup.procs" \
        2>/dev/null && works=0
    within 2 remove_group "$group/try"
    ((works == 0)) || rmdir "$group" 2>/dev/null
    return $works
}

remove_group() { rmdir "$1" 2>/dev/null || [[ ! -d $1 ]]; }

# choose_way WANTED|auto : sets SLOW_BY
choose_way() {
    local way
    for way in cpu.max cfs; do
        [[ $1 == auto || $1 == "$way" ]] || continue
        if try_quota "$way"; then SLOW_BY=$way; return 0; fi
    done
    [[ $1 == auto || $1 == signal ]] || { remove_all; skip "this machine cannot slow a host by $1"; }
    SLOW_BY=signal
}

write_quota() {                      # WAY FOLDER PERIOD QUOTA, in microseconds
    if [[ $1 == cpu.max ]]; then
        put "$4 $3" "$2/cpu.max"
    else
        put -1 "$2/cpu.cfs_quota_us" && put "$3" "$2/cpu.cfs_period_us" &&
            put "$4" "$2/cpu.cfs_quota_us"
    fi
}

# set_speed HOST PERCENT : at once, and for every later process of the host
set_speed() {
    local period=10000 quota
    mkdir -p "$STATE/nodes/$1"
    echo "$2" >"$STATE/nodes/$1/percent"
    [[ $SLOW_BY != signal ]] || return 0        # the host's first process reads the file
    local group; group=$(budget_root "$SLOW_BY")/$GROUP/$1
    mkdir -p "$group" || return 1
    quota=$((period * BUDGET * $2 / 10000))
    while ((quota < SHORTEST_QUOTA_US && period < 500000)); do
        ((period *= 2, quota *= 2))
    done
    write_quota "$SLOW_BY" "$group" "$period" $((quota < SHORTEST_QUOTA_US ? SHORTEST_QUOTA_US : quota))
}

# join_budget NODE : this very process counts as one of the host's from now on
join_budget() {
    [[ $SLOW_BY != signal && $1 != login ]] || return 0
    put "$BASHPID" "$(budget_root "$SLOW_BY")/$GROUP/$1/cgroup.procs"
}

remove_budgets() {
    local way root group rc=0
    for way in cpu.max cfs; do
        root=$(budget_root "$way") || continue
        for group in "$root/$GROUP"/*/ "$root/$GROUP"; do
            [[ ! -d $group ]] || within 5 remove_group "$group" || rc=1
        done
        [[ $way == cfs || ! -e $STATE/enabled-cpu ]] || put -cpu "$root/cgroup.subtree_control"
    done
    return $rc
}
