# shellcheck shell=bash disable=SC2015,SC2034,SC2153  # A && B || die; names shared by the parts
# SPDX-License-Identifier: BSD-3-Clause
# Nodes: made, run on, broken, healed, removed.

# ---------------------------------------------------------------- first processes

# spawn NODE : its first process, in namespaces of its own. The login node shares the machine's
# process numbers, so that a signal to `cluster login CMD` is a signal to CMD.
spawn() {
    local node=$1 address=$LOGIN_ADDRESS flags=(--net --mount --uts --ipc --propagation slave)
    if [[ $node != login ]]; then
        flags+=(--pid --fork --kill-child)
        address=$NETWORK.${node#n}
    fi
    mkdir -p "$STATE/nodes/$node"
    rm -f "$STATE/nodes/$node"/{pid,ready}
    (
        cd / && join_budget "$node" || exit 1
        exec env ADDRESS="$address" setsid unshare "${flags[@]}" \
            bash "$LIB/node.sh" "$MARK" "$STATE" "$node"
    ) </dev/null >>"$STATE/log/$node" 2>&1 9<&- &
}

await() { within 60 has "$1" "$2" || die "$1 does not start; see $STATE/log"; }

# The link of a host ends in the login node, where its other end is called like the host.
on_switch() { nsenter -t "$(pid_of login)" -n -- "$@"; }

plug() {
    on_switch ip link add "$1" type veth peer name eth0 \
        address "$(printf '02:00:0a:63:00:%02x' "${1#n}")" netns "$(pid_of "$1")" &&
        on_switch ip link set "$1" master eth0 up || die "cannot connect $1"
}

boot() {
    local host
    for host; do
        rm -f "$STATE/nodes/$host"/{killed,hung,unplugged}
        set_speed "$host" 100 && spawn "$host" || die "cannot start $host"
    done
    for host; do await "$host" pid; plug "$host"; done
    for host; do await "$host" ready; done
}

# The first processes of this cluster, whether or not 'up' lived long enough to note them.
first_processes() {
    # shellcheck disable=SC2062
    grep -lzxF --file=- /proc/[0-9]*/cmdline 2>/dev/null <<<"$MARK" | cut -d/ -f3
}

first_processes_named() {
    local pid
    for pid in $(first_processes); do
        [[ $(tr '\0' '\n' 2>/dev/null <"/proc/$pid/cmdline" | tail -n 1) != "$1" ]] || echo "$pid"
    done
}

# first_processes_of hosts|login
first_processes_of() {
    local pid name
    for pid in $(first_processes); do
        name=$(tr '\0' '\n' 2>/dev/null <"/proc/$pid/cmdline" | tail -n 1)
        if [[ $name == login ]]; then name=login; else name=hosts; fi
        [[ $name != "$1" ]] || echo "$pid"
    done
}

# in_namespace NET : processes with this network, but for the login node's first
in_namespace() {
    local quoted=${1/\[/\\[}
    find /proc/[0-9]*/ns/net -maxdepth 0 -lname "${quoted/\]/\\]}" 2>/dev/null | cut -d/ -f3 |
        grep -vxF -e "$2"
}

# end_all COMMAND... : kill what COMMAND lists until it lists nothing
end_all() {
    local pids tries
    for ((tries = 0; tries < 300; tries++)); do
        pids=$("$@")
        [[ $pids ]] || return 0
        # shellcheck disable=SC2086
        kill -KILL $pids 2>/dev/null
        sleep 0.02
    done
    say "these processes do not end: ${pids//$'\n'/ }"
    return 1
}

# ---------------------------------------------------------------- up and down

whole_number() { [[ $2 =~ ^[1-9][0-9]{0,2}$ ]] && (($2 <= $3)) || usage_error "up: $1 takes 1 to $3"; }

cmd_up() {
    local HOSTS=4 SLOTS=2 way=auto programs=
    while (($# > 0)); do
        (($# > 1)) || usage_error "up: $1 needs a value, or is unknown"
        case $1 in
            --hosts) HOSTS=$2 ;;
            --slots) SLOTS=$2 ;;
            --slow-by) way=$2 ;;
            --programs) programs=$2 ;;
            *) usage_error "up: there is no option '$1'" ;;
        esac
        shift 2
    done
    whole_number --hosts "$HOSTS" "$MAX_HOSTS"
    whole_number --slots "$SLOTS" 99
    [[ $way =~ ^(auto|cpu\.max|cfs|signal)$ ]] ||
        usage_error "up: --slow-by takes cpu.max, cfs or signal"
    [[ -z $programs || -d $programs/bin ]] || usage_error "up: --programs: there is no $programs/bin"
    need_machine
    lock
    [[ ! -e $STATE/up ]] || die "$STATE holds a cluster already; run: cluster down"
    remove_all || die "cannot remove what is left in $STATE"
    build
}

# Copied, since the user may not be able to reach the folder they are in. Unit tests are left out.
copy_programs() {
    find "$programs/bin" -maxdepth 1 -type f -perm -100 ! -name 'unit_*' \
        -exec cp -t "$STATE/bin" {} + || return 1
    [[ ! -d $programs/libexec ]] || cp -RL -- "$programs/libexec" "$STATE/"
}

build() {
    local CORES USER_ID SLOW_BY BUDGET
    CORES=$(nproc)
    USER_ID=$(free_id)
    umask 022
    mkdir -p "$STATE" && exec 9<"$STATE" && : >"$STATE/made-by-cluster" || die "cannot write $STATE"
    mkdir -p "$STATE"/{bin,log,nodes/login}
    chmod 755 "$STATE"
    [[ -z $programs ]] || copy_programs || die "cannot copy $programs"
    choose_way "$way"
    BUDGET=$((CORES * 80 / HOSTS))
    ((BUDGET <= 100 * SLOTS)) || BUDGET=$((100 * SLOTS))
    ((BUDGET >= 1)) || BUDGET=1
    printf '%s\n' "HOSTS=$HOSTS" "SLOTS=$SLOTS" "CORES=$CORES" "USER_ID=$USER_ID" \
        "SLOW_BY=$SLOW_BY" "BUDGET=$BUDGET" >"$STATE/config"
    make_accounts
    spawn login
    await login ready
    local hosts
    mapfile -t hosts < <(all_hosts)
    boot "${hosts[@]}"
    : >"$STATE/up"
    say "up: n1 to n$HOSTS with $SLOTS slots each; slowing by $SLOW_BY"
}

# Hosts first, then what runs on the login node, whose first process guards its namespace's name.
remove_all() {
    local login rc=0
    rm -f "$STATE/up"
    end_all first_processes_of hosts || rc=1
    for login in $(first_processes_of login); do
        local net; net=$(readlink "/proc/$login/ns/net")
        [[ -z $net || $net == "$(readlink /proc/self/ns/net)" ]] ||
            end_all in_namespace "$net" "$login" || rc=1
    done
    end_all first_processes_of login || rc=1
    remove_budgets || rc=1
    if [[ -e $STATE/made-by-cluster ]]; then
        find "$STATE" -mindepth 1 -maxdepth 1 ! -name made-by-cluster -exec rm -rf -- {} + || rc=1
        rm -f "$STATE/made-by-cluster"
    fi
    rmdir -- "$STATE" || rc=1
    return $rc
}

cmd_down() {
    ((EUID == 0)) || die "must be run as root"
    lock
    remove_all || die "something of $STATE is left"
}

host_state() {
    local flag
    for flag in killed hung unplugged; do
        has "$1" "$flag" && { echo "$flag"; return 0; }
    done
    if alive "$1"; then echo up; else echo dead; fi
}

cmd_status() {
    load
    local host
    for host in $(all_hosts); do
        echo "$host $NETWORK.${host#n} $(host_state "$host")" \
            "speed=$(<"$STATE/nodes/$host/percent")% slots=$SLOTS slow-by=$SLOW_BY"
    done
}

# ---------------------------------------------------------------- running commands

# enter NODE USER COMMAND... : becomes COMMAND, with a fresh environment as after a login. On a host
# a parent that is outside waits for it: nsenter itself would stop for good when its child is stopped.
enter() {
    local node=$1 user=$2 pid here=() settings who=() name
    shift 2
    (($# > 0)) || set -- /bin/bash
    pid=$(pid_of "$node")
    mapfile -t settings <"$STATE/home/$user/.ssh/environment"
    [[ -z ${TERM:-} ]] || settings+=("TERM=$TERM")
    [[ $user == root ]] || who=(--reuid "$USER_ID" --regid "$USER_ID" --clear-groups)
    join_budget "$node" || die "cannot join the budget of $node"
    # shellcheck disable=SC2016
    here=(bash -c 'cd -- "$0" 2>/dev/null || cd; exec "$@"' "$PWD" "$@")
    if [[ $node == login ]]; then
        exec nsenter -t "$pid" -m -u -i -n -- setpriv "${who[@]}" --inh-caps=-all -- \
            env -i "${settings[@]}" "${here[@]}" 9<&-
    fi
    # shellcheck disable=SC2016
    exec nsenter -t "$pid" -m -u -i -n -p --no-fork -- bash -c '"$@"; exit $?' "$node" \
        setpriv --pdeathsig KILL -- setpriv "${who[@]}" --inh-caps=-all --pdeathsig KILL -- \
        env -i "${settings[@]}" "${here[@]}" 9<&-
}

cmd_login() {
    local user=root
    [[ ${1:-} != --user ]] || { user=$USER_NAME; shift; }
    load
    alive login || die "the login node is gone; run: cluster down"
    enter login "$user" "$@"
}

cmd_exec() {
    local user=root
    [[ ${1:-} != --user ]] || { user=$USER_NAME; shift; }
    load
    check_host "${1:-}"
    case $(host_state "$1") in
        up | unplugged) ;;
        *) die "$1 is $(host_state "$1")" ;;
    esac
    enter "$1" "$user" "${@:2}"
}

# ---------------------------------------------------------------- faults

fault() {                            # fault HOST : what every fault begins with
    load
    check_host "${1:-}"
    lock
    alive "$1" || die "$1 is $(host_state "$1")"
}

cmd_slow() {
    [[ ${2:-} =~ ^[1-9][0-9]?$|^100$ ]] || usage_error "slow: HOST and PERCENT, 1 to 100"
    fault "$1"
    set_speed "$1" "$2"
}

# Its first process too, so that nobody thaws the others.
cmd_hang() {
    fault "${1:-}"
    kill -STOP "$(pid_of "$1")"
    nsenter -t "$(pid_of "$1")" -p -- bash -c 'kill -STOP -- -1' || die "cannot freeze $1"
    : >"$STATE/nodes/$1/hung"
}

cmd_unplug() {
    fault "${1:-}"
    on_switch ip link set "$1" down || die "cannot unplug $1"
    : >"$STATE/nodes/$1/unplugged"
}

# The network goes first, so that nobody hears of the end.
cmd_kill() {
    fault "${1:-}"
    on_switch ip link del "$1"
    local pid; pid=$(pid_of "$1")
    : >"$STATE/nodes/$1/killed"
    kill -KILL "$pid"
    within 10 gone "$pid" || die "$1 does not end"
    rm -f "$STATE/nodes/$1/pid"
}

gone() { [[ ! -e /proc/$1 ]]; }

cmd_heal() {
    load
    check_host "${1:-}"
    lock
    if ! alive "$1"; then
        on_switch ip link del "$1" 2>/dev/null
        boot "$1"
        [[ ! -e $STATE/slurm/up ]] || start_slurmd "$1"
        return
    fi
    set_speed "$1" 100
    if has "$1" hung; then
        nsenter -t "$(pid_of "$1")" -p -- bash -c 'kill -CONT -- -1'
        kill -CONT "$(pid_of "$1")"
    fi
    on_switch ip link set "$1" up || die "cannot plug $1 in"
    rm -f "$STATE/nodes/$1"/{hung,unplugged}
}
