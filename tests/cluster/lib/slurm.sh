# shellcheck shell=bash disable=SC2015,SC2034,SC2153  # A && B || die; names shared by the parts
# SPDX-License-Identifier: BSD-3-Clause
# Slurm on the same hosts: munged and slurmctld on the login node, a slurmd on every host.

# daemon NODE NAME COMMAND... : in the background, its number noted
daemon() {
    local node=$1 name=$2
    shift 2
    (cd / && enter "$node" root setsid "$@") </dev/null >>"$STATE/log/$name" 2>&1 9<&- &
    echo "$! $node" >"$STATE/slurm/daemons/$name"
}

start_slurmd() {
    local host
    for host; do
        mkdir -p "$STATE/slurm/spool/$host"
        daemon "$host" "$host.slurmd" slurmd -D -b -N "$host"
    done
}

slurm_conf() {
    local s=$STATE/slurm hosts
    hosts="n[1-$HOSTS]"
    ((HOSTS > 1)) || hosts=n1
    cat <<CONF
ClusterName=launchwise
SlurmctldHost=login
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$s/munge/socket
StateSaveLocation=$s/ctld
SlurmdSpoolDir=$s/spool/%n
SlurmctldPidFile=$s/ctld/pid
SlurmdPidFile=$s/spool/%n/pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$STATE/log/jobcomp
MailProg=/bin/true
TmpFS=/dev/shm
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SlurmdTimeout=15
InactiveLimit=0
KillWait=3
SchedulerParameters=batch_sched_delay=0,bf_interval=2,sched_interval=2
NodeName=$hosts CPUs=$SLOTS State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
}

# The part of slurm.conf for power saving. What standby.conf says can be changed while Slurm runs.
power_conf() {                       # power_conf SHUTDOWN
    local s=$STATE/slurm
    cat <<CONF
SuspendProgram=$s/etc/off
ResumeProgram=$s/etc/on
SuspendTime=5
SuspendTimeout=$(($1 + 1))
ResumeTimeout=30
SuspendRate=0
ResumeRate=0
Include $s/etc/standby.conf
CONF
}

# start_power BOOT SHUTDOWN : the programs that Slurm calls, and what does as they say
start_power() {
    local s=$STATE/slurm verb
    for verb in on off; do
        printf '%s\n' '#!/bin/sh' "for host in \$(SLURM_CONF=$s/etc/slurm.conf scontrol show hostnames \"\$1\"); do" \
            "    echo \"$verb \$host\"" "done >$s/power" >"$s/etc/$verb"
        chmod 755 "$s/etc/$verb"
    done
    echo '# SuspendExcNodes goes here' >"$s/etc/standby.conf"
    mkfifo "$s/power"
    (cd / && exec setsid bash "$LIB/power.sh" "$MARK" "$STATE" "$1" "$2" power) </dev/null \
        >>"$STATE/log/power.err" 2>&1 9<&- &
}

# The hosts have power again, and what switched them is gone.
stop_power() {
    local host
    [[ -e $STATE/slurm/power ]] || return 0
    end_all first_processes_named power
    for host in $(all_hosts); do
        has "$host" killed || continue
        on_switch ip link del "$host" 2>/dev/null
        boot "$host"
    done
}

# settings_last KEY=VALUE... : a key given by hand replaces ours, which Slurm would not accept twice
settings_last() {
    local own setting
    own=$(cat)
    for setting; do
        own=$(grep -vi "^${setting%%=*}=" <<<"$own")
    done
    printf '%s\n' "$own" "$@"
}

idle_hosts() { (enter login root sinfo -h -N -t idle -o %N) 2>/dev/null | sort -u; }

all_idle() {
    local host waiting=("$@") idle
    idle=$(idle_hosts)
    for host in "${waiting[@]}"; do grep -qxF "$host" <<<"$idle" || return 1; done
}

cmd_slurm_up() {
    load
    local setting hosts=() host power=() settings=() switches=()
    while [[ ${1:-} == --power ]]; do
        [[ ${2:-} =~ ^[0-9]+,[0-9]+$ ]] || usage_error "slurm-up: --power takes BOOT,SHUTDOWN in seconds"
        power=("${2%,*}" "${2#*,}")
        shift 2
    done
    for setting; do
        [[ $setting =~ ^[A-Za-z]+= ]] || usage_error "slurm-up: '$setting' is not KEY=VALUE"
        if [[ $setting == SwitchName=* ]]; then switches+=("$setting"); else settings+=("$setting"); fi
    done
    ((${#switches[@]} == 0)) || settings+=(TopologyPlugin=topology/tree)
    need Slurm slurmctld:slurmctld slurmd:slurmd srun:slurm-client munged:munge
    lock
    [[ ! -e $STATE/slurm/up ]] || die "Slurm is up already; run: cluster slurm-down"
    for host in $(all_hosts); do
        [[ $(host_state "$host") != up ]] || hosts+=("$host")
    done
    local s=$STATE/slurm
    mkdir -p "$s"/{etc,munge,ctld,spool,daemons}
    (umask 077; head -c 1024 /dev/urandom >"$s/munge/key")
    { slurm_conf; ((${#power[@]} == 0)) || power_conf "${power[1]}"; } | settings_last "${settings[@]}" >"$s/etc/slurm.conf"
    ((${#switches[@]} == 0)) || printf '%s\n' "${switches[@]}" >"$s/etc/topology.conf"
    ((${#power[@]} == 0)) || start_power "${power[@]}"
    : >"$STATE/log/jobcomp"
    daemon login munged munged --foreground --force --key-file="$s/munge/key" \
        --socket="$s/munge/socket" --pid-file="$s/munge/pid" --log-file="$STATE/log/munge" \
        --seed-file="$s/munge/seed"
    within 10 test -S "$s/munge/socket" || die "munged does not start; see $STATE/log/munged"
    daemon login slurmctld slurmctld -D
    start_slurmd "${hosts[@]}"
    : >"$s/up"
    within 40 all_idle "${hosts[@]}" || die "not all hosts join Slurm; see $STATE/log"
    say "slurm up: ${#hosts[@]} hosts"
}

no_jobs() { [[ -z $( (enter login root squeue -h) 2>/dev/null) ]]; }

cmd_slurm_down() {
    load
    lock
    [[ -e $STATE/slurm/up ]] || return 0
    (enter login root scancel --user=root,"$USER_NAME") 2>/dev/null
    within 15 no_jobs || say "some jobs do not end; their hosts may be hung"
    local note pid node
    for note in "$STATE"/slurm/daemons/{*.slurmd,slurmctld,munged}; do
        [[ -e $note ]] || continue
        read -r pid node <"$note"
        [[ $(readlink "/proc/$pid/ns/net") != "$(netns_of "$node")" ]] || kill -KILL "$pid"
    done 2>/dev/null
    stop_power
    rm -rf "$STATE/slurm"
}
