#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# benchrun with an mpirun that shows every fault at will (tests/fakes/mpirun).
# shellcheck disable=SC2317  # lib.sh calls our functions
. "$(dirname "$0")/lib.sh"
PATH=$SRC/tests/fakes:$PATH
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PATH OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
unset SLURM_JOB_ID PBS_NODEFILE LSB_DJOB_HOSTFILE LSB_MCPU_HOSTS LSB_HOSTS PE_HOSTFILE FLUX_JOB_ID
BENCHRUN=$BIN/benchrun
HISTORY=$XDG_DATA_HOME/launchwise

# rows: the rows alone, sorted, as host,rank,run,bench,status
rows() { grep -v -e '^#' -e '^host,' "$1" | cut -d, -f1-4,6 | sort; }
rows_are() {
    rows "$OUT" >"$TMP/rows"
    if [ "$(cat "$TMP/rows")" = "$1" ]; then pass_; else fail_ "rows are: $(cat "$TMP/rows")"; fi
}

ok 'measures all hosts' "$BENCHRUN" --hosts 'n[1-3]' --runs 1
rows_are 'n1,0,0,compute,ok
n2,1,0,compute,ok
n3,2,0,compute,ok'
stdout_has '^# launchwise-times: 1$'
stdout_has '^# allocation: n1,n2,n3$'
stdout_has '^# complete: rows=3 elapsed='
stderr_empty
check 'a complete table goes to the history' test "$(find "$HISTORY" -name '*.csv' | wc -l)" = 1

ok 'keeps out of the history when told so' "$BENCHRUN" --hosts 'n[1-3]' --history none
check 'no table was added' test "$(find "$HISTORY" -name '*.csv' | wc -l)" = 1
ok 'takes another folder for the history' "$BENCHRUN" --hosts n1 --history "$TMP/mine"
check 'the table is there' test "$(find "$TMP/mine" -name '*.csv' | wc -l)" = 1
ok 'a history that cannot be written is a warning' "$BENCHRUN" --hosts n1 --history /dev/null/x
stderr_has 'warning'

ok 'runs each benchmark R times' "$BENCHRUN" --hosts n1 -b compute -b memory --runs 2
rows_are 'n1,0,0,compute,ok
n1,0,0,memory,ok
n1,0,1,compute,ok
n1,0,1,memory,ok'

# Repeating until it is known.
runs_of() { rows "$OUT" | grep -c "^$1,"; }
ok 'even hosts are settled with one launch' "$BENCHRUN" --hosts 'n[1-3]'
check 'of twelve runs' test "$(runs_of n2)" = 12
stderr_has 'info: settled after 12 runs: 0 of 3 hosts more than 5 % slower than the others, each told with 99.9 % confidence'
FAKE_SLOW=n2 ok 'a slow host is found' "$BENCHRUN" --hosts 'n[1-4]'
check 'by two launches' test "$(runs_of n1) $(runs_of n2)" = '24 24'
check 'whose runs are numbered on' test "$(rows "$OUT" | grep '^n2,' | cut -d, -f3 | sort -nu | tail -1)" = 23
stderr_has 'warning: n2: slow: 1.200 times the median of the others, between 1.200 and 1.200 after 24 runs'
stderr_has 'info: settled after 24 runs: 1 of 4 hosts'
FAKE_SLOW=n2 ok 'what is slow can be told' "$BENCHRUN" --hosts 'n[1-4]' --tolerance 0.25
check 'one launch is enough' test "$(runs_of n2)" = 12
stdout_has '^# tolerance: 0.25$'
stderr_has '0 of 4 hosts more than 25 % slower'
FAKE_OLD='n1 n3' ok 'hosts are compared with those of their hardware' "$BENCHRUN" --hosts 'n[1-4]'
stdout_has '^n1,0,0,compute,0.5,ok,4 x Old$'
stdout_has '^n1,0,1,compute,0.5,ok,$'
stdout_has '^n2,1,0,compute,0.25,ok,8 x New$'
stderr_has 'info: settled after 12 runs: 0 of 4 hosts'
FAKE_OLD=n3 ok 'one that has no like is compared with none' "$BENCHRUN" --hosts 'n[1-4]'
stderr_has '0 of 4 hosts .*; compared with none, the only one of its hardware: n3'
cp "$OUT" "$TMP/kinds.csv"
ok 'mpisel shows why' "$BIN/mpisel" -n 3 "$TMP/kinds.csv" --explain
stderr_has '^n3 .* alone *4 x Old  slower than the 3 kept$'
FAKE_SLOW='n1 n3' ok 'the fastest are settled' "$BENCHRUN" --hosts 'n[1-4]' --settle 2
check 'with one launch' test "$(runs_of n1)" = 12
stderr_has 'info: the 2 fastest of 4 hosts are settled after 12 runs: each is faster than any other, with 99 % confidence'
FAKE_SLOW=n3 ok 'a boundary between equal hosts is settled when none matters' \
    "$BENCHRUN" --hosts 'n[1-3]' --settle 1
stderr_has 'the 1 fastest of 3 hosts are settled after 12 runs: one that is left out may be faster by 0 % at most'
FAKE_LATE=n3 ok 'what was measured when time is up is a result' \
    "$BENCHRUN" --hosts 'n[1-3]' --budget 1.5
check 'of three runs' test "$(runs_of n1) $(runs_of n3)" = '12 3'
check 'without waiting for more' awk -F= "/^# complete/ { exit !(\$3 < 4) }" "$OUT"
stderr_has 'info: not settled after 12 runs, all that the budget allows'
FAKE_LATE=n3 ok 'but not where the number of runs was asked for' \
    "$BENCHRUN" --hosts 'n[1-3]' --budget 1.5 --runs 4
stderr_has 'warning: n3: timeout: no result within the budget of 1.5 s'
# They take the same time always, so nothing but the tolerance hides a slow one.
ok 'the self-test tells what can be found' "$BENCHRUN" --hosts 'n[1-3]' --self-test
stdout_has '^hosts   3, 96 times each in 8 blocks$'
stdout_has '^noise   0 %$'
stdout_has '^found   99 % of the hosts that take 1.05[01] times as long as the others (95.2 % of their speed)'
stdout_has '^blamed  0 of 3000 healthy hosts: less than 0.1 % of them'
check 'alone' test "$(wc -l <"$OUT")" = 4
stderr_has 'info: settled after 96 runs: 0 of 3 hosts'
ok 'its answer goes to a file' "$BENCHRUN" --hosts 'n[1-2]' --self-test --tolerance 0.1 -o "$TMP/found"
check 'by the tolerance' grep -q '^found .* take 1.10[01] times' "$TMP/found"
fails 2 'it needs hosts to compare' "$BENCHRUN" --hosts n1 --self-test
stderr_has 'self-test compares hosts'
fails 2 'and measures as long as it needs' "$BENCHRUN" --hosts 'n[1-2]' --self-test --runs 3
stderr_has 'leave out --runs'
FAKE_OLD=n3 status 1 'without two alike it has no answer' "$BENCHRUN" --hosts 'n[2-3]' --self-test
stderr_has 'error: --self-test: no two hosts of a hardware'
FAKE_LATE=n2 status 1 'nor after too few runs' "$BENCHRUN" --hosts 'n[1-2]' --self-test --budget 1.5
stderr_has 'longer --budget'
fails 2 'a number of runs contradicts it' "$BENCHRUN" --hosts n1 --settle 1 --runs 3
stderr_has 'leave out --runs'
fails 2 'no tolerance is refused' "$BENCHRUN" --hosts n1 --tolerance 0

ok 'writes to a file' "$BENCHRUN" --hosts n1 -o "$TMP/t.csv"
check 'nothing on stdout' test ! -s "$OUT"
check 'the table is in the file' grep -q '^# complete: rows=3 ' "$TMP/t.csv"

# Faults. A timeout of 1 s is long for programs that do nothing.
FAKE_GONE=n2 ok 'a host whose name does not resolve is found at once' \
    "$BENCHRUN" --hosts 'n[1-3]' --runs 1 --timeout 20
rows_are 'n1,0,0,compute,ok
n2,,0,compute,unreachable
n3,1,0,compute,ok'
stderr_has 'warning: n2: unreachable: ssh: Could not resolve hostname n2'
check 'it took less than the timeout' \
    awk -F= "/^# complete/ { exit !(\$3 < 15) }" "$OUT"

FAKE_HANG=n3 ok 'a host that hangs from the start does not take the table with it' \
    "$BENCHRUN" --hosts 'n[1-4]' --runs 1 --timeout 1 --budget 6
rows_are 'n1,0,0,compute,ok
n2,1,0,compute,ok
n3,,0,compute,timeout
n4,2,0,compute,ok'
stderr_has 'warning: n3: timeout'

FAKE_FREEZE=n1 ok 'a host that freezes later does not either' \
    "$BENCHRUN" --hosts 'n[1-3]' --runs 1 --timeout 1 --budget 6
rows_are 'n1,0,0,compute,timeout
n2,1,0,compute,ok
n3,2,0,compute,ok'

FAKE_HANG='n1 n4' FAKE_GONE=n2 ok 'three bad hosts of two kinds are all found' \
    "$BENCHRUN" --hosts 'n[1-5]' --runs 1 --timeout 1 --budget 6
rows_are 'n1,,0,compute,timeout
n2,,0,compute,unreachable
n3,0,0,compute,ok
n4,,0,compute,timeout
n5,1,0,compute,ok'

FAKE_HANG=n3 status 3 '--strict is exit 3 when some host is not ok' \
    "$BENCHRUN" --hosts 'n[1-4]' --runs 1 --timeout 1 --budget 6 --strict
stdout_has '^# complete: rows=4 '

FAKE_HANG='n1 n2' status 1 'no host ok is exit 1, and the table says why' \
    "$BENCHRUN" --hosts 'n[1-2]' --runs 1 --timeout 1 --budget 6
rows_are 'n1,,0,compute,timeout
n2,,0,compute,timeout'
stderr_has 'no host is ok'

FAKE_HANG='n1 n2 n3' status 1 'the budget ends it all' \
    "$BENCHRUN" --hosts 'n[1-3]' --timeout 100 --budget 1
stdout_has '^# complete: rows=3 '

# A command that aborts ends all ranks: which host is bad shows without it.
FAKE_ABORT='n2 n4' ok 'hosts on which a command aborts are left out, one after the other' \
    "$BENCHRUN" --hosts 'n[1-5]' -- app
rows_are 'n1,0,0,app,ok
n2,1,0,app,failed
n3,1,0,app,ok
n4,2,0,app,failed
n5,2,0,app,ok'
FAKE_ABORT=1 FAKE_LOG=$TMP/aborts status 1 'a command that aborts in the same rank everywhere is at fault itself' \
    "$BENCHRUN" --hosts 'n[1-6]' -- app
stderr_has 'n1: failed: not measured: rank 1 has failed on 3 hosts in turn, so it is the command that fails'
check 'after three launches' test "$(grep -c hostfile "$TMP/aborts")" -eq 3

FAKE_BAD=n2 ok 'a wrong result is no time' "$BENCHRUN" --hosts 'n[1-2]' --runs 1
rows_are 'n1,0,0,compute,ok
n2,1,0,compute,wrong'
stderr_has 'warning: n2: wrong'
check 'the row has no seconds' grep -q '^n2,1,0,compute,,wrong,' "$OUT"

echo 1 >"$TMP/early"
FAKE_EARLY=$TMP/early ok 'a launcher that stumbles once is started again' \
    "$BENCHRUN" --hosts 'n[1-2]' --runs 1
rows_are 'n1,0,0,compute,ok
n2,1,0,compute,ok'
echo 100 >"$TMP/early"
FAKE_EARLY=$TMP/early status 1 'a launcher that always stumbles is given up' \
    "$BENCHRUN" --hosts 'n[1-2]' --runs 1
rows_are 'n1,,0,compute,failed
n2,,0,compute,failed'
stderr_has 'the fabric hiccuped'

: >"$TMP/torn"
FAKE_TORN=$TMP/torn ok 'a host whose record was lost is measured again' \
    "$BENCHRUN" --hosts 'n[1-2]' --runs 1
rows_are 'n1,0,0,compute,ok
n2,1,0,compute,ok'

FAKE_RANK=zero status 1 'every rank 0: launcher and benchmark do not fit' \
    "$BENCHRUN" --hosts 'n[1-3]'
stderr_has 'launcher and benchmark do not fit together'
check 'what came before does not look complete' sh -c "! grep -q '^# complete' $OUT"
FAKE_RANK=none fails 1 'ranks without numbers do not fit either' "$BENCHRUN" --hosts 'n[1-3]'
stderr_has 'launcher and benchmark do not fit together'

FAKE_SAY='@launchwise:0123456789abcdef 00000000 time 0 0 0 0.001 ok' \
    ok 'a forged record is text' "$BENCHRUN" --hosts n1 --runs 1
check 'the forged time is not in the table' grep -q '^n1,0,0,compute,0.25,ok,' "$OUT"

# Placement
FAKE_LOG=$TMP/log
export FAKE_LOG
printf 'n1 slots=3\nn2 slots=2\n' >"$TMP/hosts"
ok 'reads a hostfile' "$BENCHRUN" --hostfile "$TMP/hosts" --runs 1
stdout_has '^# allocation: n1:3,n2:2$'
check 'threads are the same on all hosts' grep -q -e '--threads 2 ' "$TMP/log"
SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n[1-3]' SLURM_TASKS_PER_NODE='2(x3)' \
    SLURM_JOB_CPUS_PER_NODE='8(x3)' ok 'finds the allocation of Slurm' "$BENCHRUN" --runs 1
stdout_has '^# job: 7$'
stdout_has '^# allocation: n1:2,n2:2,n3:2$'
check 'threads are the allocated cores' grep -q -e '--threads 8 ' "$TMP/log"
SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n[1-3]' \
    fails 2 'a host outside of the allocation is refused' "$BENCHRUN" --hosts n9
stderr_has 'n9 is not in the allocation'
unset FAKE_LOG

# Command lines
fails 2 'two sources of hosts are refused' "$BENCHRUN" --hosts n1 --hostfile "$TMP/hosts"
fails 2 'an unknown benchmark is refused' "$BENCHRUN" -b nosuch
stderr_has 'compute, memory'
fails 2 'a launcher as command is refused' "$BENCHRUN" -- mpirun -np 2 ./app
stderr_has 'leave out the launcher, benchrun starts it'
fails 2 'a missing command is refused' "$BENCHRUN" --
fails 2 'a benchmark beside a command is refused' "$BENCHRUN" -b compute -- ./app
fails 2 'no runs are refused' "$BENCHRUN" --runs 0
fails 2 'an unknown launcher is refused' "$BENCHRUN" --launcher bproc
fails 1 'srun outside of Slurm is refused' "$BENCHRUN" --launcher srun
fails 1 'a missing folder is said before anything is run' "$BENCHRUN" --hosts n1 -o /nonexistent/t
fails 2 'a host name that is an option is refused' "$BENCHRUN" --hosts=-oProxyCommand=x
fails 2 'shell text as a host name is refused' "$BENCHRUN" --hosts 'a;reboot'
ok 'lists the benchmarks' "$BENCHRUN" --list
stdout_has '^compute'
stdout_has '^memory'
ok 'has help' "$BENCHRUN" --help
if [ -w /dev/full ]; then
    full() { "$BENCHRUN" --hosts n1 --runs 1 >/dev/full; }
    status 1 'a table that cannot be written is an error' full
fi

# Signals
interrupt() {
    FAKE_FREEZE=n2 "$BENCHRUN" --hosts 'n[1-2]' --runs 1 -o "$TMP/cut.csv" &
    pid=$!
    tries=0
    until grep -qs '^n1,' "$TMP"/cut.csv.* || [ "$tries" -eq 300 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    kill "-$1" "$pid"
    wait "$pid"
}
for signal in TERM HUP; do
    case $signal in TERM) want=143 ;; HUP) want=129 ;; esac
    rm -f "$TMP"/cut.csv*
    status "$want" "SIG$signal ends it and keeps what there was" interrupt "$signal"
    stderr_has "$TMP/cut.csv.partial"
    check 'the first host is in it' grep -q '^n1,0,0,compute,0.25,ok' "$TMP/cut.csv.partial"
    check 'it does not look complete' sh -c "! grep -q complete $TMP/cut.csv.partial"
    check 'there is no other table' test ! -e "$TMP/cut.csv"
done
interrupt_early() {
    FAKE_FREEZE=n1 "$BENCHRUN" --hosts n1 --runs 1 -o "$TMP/early.csv" &
    pid=$!
    tries=0
    until ls "$TMP"/early.csv.* >"$TMP/seen" 2>&1 || [ "$tries" -eq 300 ]; do
        tries=$((tries + 1))
        sleep 0.1
    done
    kill -TERM "$pid"
    wait "$pid"
}
status 143 'SIGTERM before the first row' interrupt_early
check 'leaves no file' sh -c "! ls $TMP/early.csv*"

# What the history is spared
status 1 'a command that fails everywhere' "$BENCHRUN" --launcher local --history "$TMP/spared" -- false
check 'is not remembered' test ! -e "$TMP/spared"
for bad in -x 'a;b' '' 'n[1-2'; do
    fails 2 "no host list: '$bad'" "$BENCHRUN" --hosts="$bad"
done
finish
