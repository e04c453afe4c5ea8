# shellcheck shell=bash disable=SC2015
# SPDX-License-Identifier: BSD-3-Clause
# What the tests on simulated hosts share. BIN: folder of our programs. FULL=1: all repetitions.
set -u
shopt -s nullglob
HERE=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
SRC=${SRC:-$(readlink -f "$HERE/../..")}
BIN=${BIN:-$SRC/build/release/bin}
export LAUNCHWISE_CLUSTER_STATE=/run/launchwise-test.$$
for part in state checks; do
    # shellcheck source=/dev/null
    . "$HERE/lib/$part.sh"
done

times() { if [[ ${FULL:-0} == 1 ]]; then echo "$2"; else echo "$1"; fi; }

# need_tools NAME... : fail when one is not built, skip when the machine lacks something
need_tools() {
    local tool
    need_machine
    for tool; do
        [[ -x $BIN/$tool ]] || { echo "$BIN/$tool is not built"; exit 1; }
    done
}

# start HOSTS [OPTION...] : a cluster, gone when the script ends, however that is
start() {
    trap 'cl down' EXIT
    trap 'exit 130' INT TERM
    cl up --hosts "$1" --programs "$BIN/.." "${@:2}" || exit 1
    HOSTS=$1
    for who in root "$USER_NAME"; do
        # The default history is there, so a broken one would be noticed.
        as "$who" mkdir -p work || exit 1
    done
}

# become root|lwuser COMMAND... : on the login node, in the home of that user; never returns, so in
# the background $! is COMMAND itself
become() {
    local who=$1 user=()
    shift
    [[ $who == root ]] || user=(--user)
    cd "$STATE/home/$who" && exec "$CLUSTER" login "${user[@]}" "$@"
}
as() { (become "$@"); }
home() { echo "$STATE/home/$1"; }

list_hosts() { seq -s, -f 'n%.0f' 1 "$HOSTS"; }

# The processes that make a host are no leftovers, nor is what the checker itself needs.
leftovers() {
    local node net pid line own
    own=$(readlink /proc/self/ns/net)
    for node in login $(all_hosts); do
        net=$(netns_of "$node") || continue
        [[ $net && $net != "$own" ]] || continue
        for pid in $(find /proc/[0-9]*/ns/net -maxdepth 0 -lname "net:\\[${net//[^0-9]/}\\]" 2>/dev/null |
            cut -d/ -f3); do
            line=$(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline")
            case $line in
                '' | *"$MARK"* | sshd:*'[listener]'*) ;;
                *) echo "$node: $pid $line" ;;
            esac
        done
    done
}

# quiet SECONDS : by then nothing of a run is left on any node
quiet() {
    local end=$((SECONDS + $1)) left
    while left=$(leftovers); [[ $left ]]; do
        ((SECONDS < end)) || { echo "still there: $left"; return 1; }
        sleep 0.1
    done
}

is_complete() { grep -q '^# complete:' "$1"; }

# rows FILE HOST : the different statuses in its rows, one a line
statuses() { grep "^$2," "$1" | cut -d, -f6 | sort -u; }

# status_is FILE HOST REGEX : it has rows, and all of this status
status_is() {
    local got
    got=$(statuses "$1" "$2")
    [[ $got =~ ^($3)$ ]] || { echo "status of $2 is '${got//$'\n'/ }'"; return 1; }
}

all_ok() {
    local file=$1 host
    shift
    for host; do status_is "$file" "$host" ok || return 1; done
}

# all_others HOST... : the hosts but these, one a line
all_others() { all_hosts | grep -vxF "$(printf '%s\n' "$@")"; }
