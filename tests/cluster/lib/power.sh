#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What switches hosts on and off for Slurm's power saving: power.sh MARK STATE BOOT SHUTDOWN power.
# Reads "on HOST" and "off HOST" from the FIFO of the state folder; a host that is switched on boots
# after BOOT seconds, one that is switched off is without power SHUTDOWN seconds later. The log has a
# line for each: TIME order-on|up|order-off|down HOST. Not a program that slurmctld starts itself, so
# that nothing of slurmctld's network, signals or end reaches the hosts.
set -u
STATE=$2 BOOT=$3 SHUTDOWN=$4
CLUSTER=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../cluster
export LAUNCHWISE_CLUSTER_STATE=$STATE
trap '' HUP INT QUIT

note() { echo "$EPOCHREALTIME $1 $2" >>"$STATE/log/power"; }
is_on() { [[ ! -e $STATE/nodes/$1/killed ]]; }

switch_on() {
    ! is_on "$1" || return 0             # asked twice, or never off
    [[ ! -e $STATE/nodes/$1/broken ]] || return 0
    note order-on "$1"
    sleep "$BOOT"
    "$CLUSTER" heal "$1" && note up "$1"
}

switch_off() {
    is_on "$1" || return 0
    note order-off "$1"
    sleep "$SHUTDOWN"
    "$CLUSTER" kill "$1" && note down "$1"
}

: >>"$STATE/log/power"
exec 3<>"$STATE/slurm/power"
while read -r verb host <&3; do
    case $verb in
        on) switch_on "$host" & ;;
        off) switch_off "$host" & ;;
    esac
done
exit
