#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Hosts of two kinds of hardware, told by their /proc/cpuinfo: each is compared with its own kind.
# shellcheck disable=SC2015
# shellcheck source=/dev/null
. "$(dirname -- "$0")/lib.sh"
need_tools benchrun mpisel

ERR=$LAUNCHWISE_CLUSTER_STATE/log/stderr
older() {                            # older HOST : it has a processor of another model
    cl exec "$1" mount --bind "$STATE/old_cpuinfo" /proc/cpuinfo
}
measured() {
    as "$USER_NAME" timeout 100 benchrun --launcher "$1" --hosts n1,n2,n3,n4 --runs 24 \
        -o work/times.csv 2>"$ERR"
}
table() { echo "$(home "$USER_NAME")/work/times.csv"; }
tells() { grep -q -- "$1" "$ERR" || { cat "$ERR"; return 1; }; }

start 4
printf 'processor\t: 0\nmodel name\t: Old Processor, 2.0 GHz\n' >"$STATE/old_cpuinfo"
for host in n3 n4; do
    check "$host is older" older "$host"
    check "and slower" cl slow "$host" 60
done
check "all are measured" measured ssh
check "the table tells the models" grep -q '^n3,.*,ok,[0-9]* x Old Processor  2.0 GHz$' "$(table)"
check "once a host" [ "$(grep -c ' x Old Processor' "$(table)")" = 2 ]
check "the older ones are even" refused grep "slow:" "$ERR"
check "n4 is slower yet" cl slow n4 40
check "so it is measured" measured mpirun
check "it is slow among its like" tells 'n4: slow: .* the median of the others of its hardware'
check "it alone" [ "$(grep -c 'slow:' "$ERR")" = 1 ]
explained() { as "$USER_NAME" mpisel -n 2 --explain --format plain work/times.csv 2>"$ERR"; }
check "mpisel explains it" explained
check "by the hardware" tells '^n4 .*  slow  .*Old Processor'
check "n3 is not slow" tells '^n3 .*  \(even\|undecided\)  .*Old Processor'
check "nothing is left running" quiet 10
finish
