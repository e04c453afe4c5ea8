#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# spare-plan standby plan: which nodes to wake and to switch off now.
# shellcheck disable=SC2317  # lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
STATE=$DATA/cluster_state
plan() { "$BIN/spare-plan" standby plan "$@"; }
up() {                               # when n1, n2, n6 and n7 are idle
    plan --state "$STATE/slurm_2205_sinfo_up.json" --state "$STATE/slurm_2205_squeue_up.json" \
        --time 1796145742 "$@"
}

# --- recorded states
ok 'two of four idle nodes go off, those on longest, with the reason' up --keep 2
stdout_is '6 on, 2 in use, 0 asked for by waiting jobs: 4 free, 2 to keep
off  n1: on for 17m12s, idle for 16m40s
off  n7: on for 17m11s, idle for 16m40s'
stderr_empty
ok 'none when they have just booted' up --keep 2 --min-up 1h
stdout_has '^stay n1: on for 17m12s, less than --min-up 1h00m$'
stdout_has '^nothing to do$'
ok 'none when they are needed' up --keep 4
stdout_is '6 on, 2 in use, 0 asked for by waiting jobs: 4 free, 4 to keep
nothing to do'
ok 'more than there are is told' up --keep 6
stdout_has '^2 more to wake, but no node is off$'
ok 'the same as JSON' up --keep 2 --json
stdout_has '"n_free": 4,'
stdout_has '"node": "n7",'
ok 'only the nodes that it is about' up --keep 0 --hosts 'n[6-8]'
stdout_has '^2 on, 0 in use'
ok 'no more than --max-change at once' up --keep 0 --max-change 1
stdout_has '^3 more to change, but no more than 1 at once$'
ok 'text tells no idle time, so nothing goes off' \
    plan --keep 1 --state "$STATE/slurm_2205_sinfo_up.txt"
stdout_has '^stay n1: idle for an unknown time'
ok 'unless that is ignored' plan --keep 3 --state "$STATE/slurm_2205_sinfo_up.txt" --idle-timeout 0
stdout_has '^off  n1: on for an unknown time, idle for an unknown time$'
ok 'OpenPBS' plan --keep 2 --state "$STATE/pbs_nodes_by_hand.json" \
    --state "$STATE/pbs_jobs_by_hand.json"
stdout_has '^2 more to wake, but no node is off$'
printf '# launchwise-ledger: 1\n1796140000 off n3\n1796141000 keep 2\n' >"$TMP/ledger"
ok 'where a down node is off when the ledger says so' plan --keep 2 --ledger "$TMP/ledger" \
    --state "$STATE/pbs_nodes_by_hand.json" --state "$STATE/pbs_jobs_by_hand.json"
stdout_has '^wake n3: off for 1h07m$'
printf '# launchwise-ledger: 1\n1796145000 keep 4\n1796145700 keep 1\n' >"$TMP/ledger"
ok 'a larger N of the last half hour holds' up --keep 1 --ledger "$TMP/ledger"
stdout_has 'and 4 at most within --hold'
stdout_has '^nothing to do$'
ok 'or of what --hold says' up --keep 1 --ledger "$TMP/ledger" --hold 10s
stdout_has '^off  n7'
INPUT=$STATE/slurm_2205_sinfo_up.json
ok 'a state from standard input' plan --keep 4 --state -
INPUT=

# --- what cannot be
fails 2 'N is needed' plan --state "$STATE/slurm_2205_sinfo_up.json"
stderr_has 'keep is missing: the nodes to keep on, as spare-plan standby HISTORY prints'
fails 2 'N is a number' plan --keep some
fails 2 'a queue rule that is none' up --keep 1 --queue most
stderr_has "queue: 'most' is neither all nor startable"
fails 1 'a host that the scheduler does not know' up --keep 1 --hosts n9
stderr_has "hosts: the scheduler knows no node 'n9'"
ok 'a host that is named twice is one' up --keep 0 --hosts n6,n6
fails 2 'what is no host' up --keep 1 --hosts ./n9
fails 1 'a ledger that was named is there' up --keep 1 --ledger "$TMP/none"
stderr_has "cannot read $TMP/none"
fails 1 'jobs alone are no state' plan --keep 1 --state "$STATE/slurm_2205_squeue_up.json"
stderr_has 'tells of no node'
echo 'n1 idle' >"$TMP/odd"
fails 1 'what is no state' plan --keep 1 --state "$TMP/odd"
stderr_has "$TMP/odd:1: 'n1 idle' is neither JSON nor a line of sinfo"
fails 1 'the same nodes twice' plan --keep 1 --state "$STATE/slurm_2205_sinfo_up.json" \
    --state "$STATE/slurm_2205_sinfo_up.json"
stderr_has "state of node 'n1' is told twice"

# --- asking the scheduler itself, here programs that note how they were called
mkdir "$TMP/bin"
fake() {                             # fake NAME : its body from standard input
    { echo '#!/bin/sh'; cat; } >"$TMP/bin/$1"
    chmod +x "$TMP/bin/$1"
}
fake sinfo <<END
[ "\$1" != --json ] || [ ! -e $TMP/no_json ] || exit 1
case \$1 in
--json) /bin/cat $STATE/slurm_2205_sinfo_up.json ;;
*) /bin/cat $STATE/slurm_2205_sinfo_up.txt ;;
esac
END
fake squeue <<END
/usr/bin/env >$TMP/environment
/bin/cat $STATE/slurm_2205_squeue_up.txt
END
PATH=$TMP:$PATH HIDDEN=1
export HIDDEN
ok 'asks Slurm' plan --keep 2 --path "$TMP/bin" --slurm-conf /etc/other.conf
stdout_has '^6 on, 2 in use'
check 'in an empty environment' sh -c "! grep -q HIDDEN $TMP/environment"
check 'but for the search path' grep -qx "PATH=$TMP/bin" "$TMP/environment"
check 'and the configuration' grep -qx SLURM_CONF=/etc/other.conf "$TMP/environment"
touch "$TMP/no_json"
ok 'without JSON by its text' plan --keep 2 --path "$TMP/bin"
stdout_has '^6 on, 2 in use'
stderr_has 'not known since when nodes are idle'
echo 'exit 3' | fake squeue
fails 1 'a command that fails is named' plan --keep 2 --path "$TMP/bin"
stderr_has 'error: squeue -h .* ended with status 3$'
echo 'exec /bin/sleep 60' | fake squeue
fails 1 'and one that takes too long' plan --keep 2 --path "$TMP/bin" --timeout 200ms
stderr_has 'did not end within --timeout$'
fails 1 'no scheduler' plan --keep 2 --path "$TMP/nothing"
stderr_has 'neither sinfo nor pbsnodes is in the search path: give --path or --state'
fails 2 'a scheduler that is not known' plan --keep 2 --scheduler lsf
fails 1 'a scheduler that is not there' plan --keep 2 --scheduler pbs --path "$TMP/bin"
stderr_has 'cannot run pbsnodes'
finish
