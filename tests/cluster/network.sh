#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# benchrun -b network over real launchers tells a slow host from a slow link: a host whose own link is
# limited (tbf), and a pair of which one direction is limited (htb with a u32 filter), in bandwidth or
# in the delay of small packets. mpisel leaves out that host, or one of the two.
# shellcheck disable=SC2015,SC2153
# shellcheck source=/dev/null
. "$(dirname -- "$0")/lib.sh"
need_tools benchrun mpisel
need "this test" tc:iproute2
HOSTS_HERE=5

in_net() { nsenter -t "$(pid_of "$1")" -n -- "${@:2}"; }

# limit_host HOST : its link, in the direction to it, as it ends in the switch
limit_host() { in_net login tc qdisc add dev "$1" root tbf rate 400mbit burst 32k latency 100ms; }
free_host() { in_net login tc qdisc del dev "$1" root; }

# limit_pair FROM TO "rate RATE ..." MATCH... : what FROM sends to TO and MATCH says
limit_pair() {
    local from=$1 to=$NETWORK.${2#n} rate=$3
    # shellcheck disable=SC2086
    in_net "$from" tc qdisc add dev eth0 root handle 1: htb default 0 &&
        in_net "$from" tc class add dev eth0 parent 1: classid 1:1 htb $rate burst 1600 \
            cburst 1600 quantum 1600 &&
        in_net "$from" tc filter add dev eth0 parent 1: protocol ip u32 match ip dst "$to/32" \
            "${@:4}" flowid 1:1
}
free_pair() { in_net "$1" tc qdisc del dev eth0 root; }

# measures RUNS OPTION... : 24 are two blocks, enough to blame
measures() {
    as "$USER_NAME" timeout 100 benchrun --hostfile "$STATE/hostfile" --runs "$1" -o work/times.csv "${@:2}" \
        2>"$STATE/said" && cat "$STATE/said"
}
table() { echo "$(home "$USER_NAME")/work/times.csv"; }

says() { grep -q "$1" "$STATE/said" || { cat "$STATE/said"; return 1; }; }
says_not() { ! grep "$1" "$STATE/said"; }

explains() { as "$USER_NAME" mpisel -n "$1" --format plain --explain work/times.csv 2>"$STATE/said" >"$STATE/chosen"; }
leaves_out() { prints "$(all_others "$@")" cat "$STATE/chosen"; }

# has_pairs RUNS HOST... : a row for each pair and run in both benchmarks, from both sides
has_pairs() {
    local a b bench got runs=$1
    shift
    for a; do for b; do for bench in latency exchange; do
        [[ $a != "$b" ]] || continue
        got=$(grep -c "^$a,[0-9]*,[0-9]*,network-$bench,[0-9.e-]*,ok,$b," "$(table)")
        [[ $got == "$runs" ]] || { echo "$a and $b, $bench: $got rows"; return 1; }
    done; done; done
}

even_network() {
    check "an even network is measured" measures 24 -b network
    check "each host meets each other once a run" has_pairs 24 n1 n2 n3 n4 n5
    check "no link is blamed" says_not 'link is slow'
}

slow_host() {
    check "n4's link is limited" limit_host n4
    check "it is measured${*:+ with $*}" measures 24 -b network "$@"
    check "benchrun calls n4 slow" says '^benchrun: warning: n4: slow:'
    check "and no link" says_not 'link is slow'
    check "mpisel explains" explains 4
    check "n4 is slow with all its partners" says '^n4: slow with all its partners.*: network-exchange takes'
    check "n4 is left out" leaves_out n4
    check "the limit is lifted" free_host n4
}

# slow_pair WHAT BENCH RATE MATCH...
slow_pair() {
    local what=$1 bench=$2 rate=$3
    shift 3
    check "$what from n2 to n5 is limited" limit_pair n2 n5 "$rate" "$@"
    check "it is measured" measures 24 -b network
    check "benchrun calls the link of n2 and n5 slow" \
        says "^benchrun: warning: n2 - n5: the link is slow: network-$bench takes"
    check "and no host" says_not ': slow:'
    check "and no other link" says_not 'warning: n[^ ]* - n[^5 ]*:.*link is slow'
    check "mpisel explains" explains 4
    check "it says that it is the link" says '^n2 - n5: the link is slow.*is left out for it$'
    check "one of the two is left out" one_of_two n2 n5
    check "mpisel has to keep both of all five, and warns" explains 5
    check "it says so" says 'n2 and n5 are both chosen'
    check "the limit is lifted" free_pair n2
}
one_of_two() { leaves_out "$1" >/dev/null || leaves_out "$2"; }

hung_host() {
    check "hang n3" cl hang n3
    check "a host that hangs does not take the table with it" measures 2 -b network --timeout 3s --budget 18s
    check "only n3 is not ok" status_is "$(table)" n3 'timeout|unreachable'
    check "the others have met" has_pairs 2 n1 n2 n4 n5
    check "heal n3" cl heal n3
}

mpich() {
    # shellcheck disable=SC2016
    as "$USER_NAME" sh -c 'mkdir -p bin && printf "%s\n" "#!/bin/sh" "exec mpiexec.hydra \"\$@\"" >bin/mpiexec && chmod +x bin/mpiexec'
    as "$USER_NAME" env PATH="$(home "$USER_NAME")/bin:$BIN:/usr/bin:/bin:/usr/sbin:/sbin" timeout 100 benchrun \
        --launcher mpiexec --hostfile "$STATE/hostfile" --runs 24 -b network -o work/times.csv 2>"$STATE/said" &&
        grep -q '^# launcher: MPICH$' "$(table)"
}
with_mpich() {
    check "the exchange from n2 to n5 is limited" limit_pair n2 n5 "rate 400mbit"
    check "it is measured by the same program with MPICH's mpiexec" mpich
    check "each host meets each other once a run" has_pairs 24 n1 n2 n3 n4 n5
    check "the link is found" says '^benchrun: warning: n2 - n5: the link is slow: network-exchange takes'
    check "the limit is lifted" free_pair n2
}

start $HOSTS_HERE
even_network
slow_host
slow_pair "the exchange" exchange "rate 400mbit"
# Packets of less than 256 bytes count 1600 bytes more, so that each waits about 1 ms for the one before.
slow_pair "the delay of small messages" latency "rate 12mbit overhead 1600" match u16 0x0000 0xff00 at 2
hung_host
if [[ ${FULL:-0} == 1 ]]; then
    slow_host -b compute
    if command -v mpiexec.hydra >/dev/null; then with_mpich; fi
fi
check "nothing is left running" quiet 20
finish
