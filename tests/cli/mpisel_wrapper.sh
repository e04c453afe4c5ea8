#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpisel before a launcher, with launchers that only say what they were given.
# shellcheck disable=SC2016,SC2317  # $1 belongs to the inner shell; lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
FIVE=$DATA/mpisel_five.csv
FAKES=$TMP/fakes
mkdir "$FAKES"
# fake NAME VERSION : a launcher that prints its arguments, the file after its hostfile option and
# its standard input, and ends with status 7
fake() {
    cat >"$FAKES/$1" <<END
#!/bin/sh
if [ "\$1" = --version ]; then echo '$2'; exit 0; fi
echo "started \$*"
case \$1 in
    --hostfile | --rankfile | -f | -machinefile) cat "\$2" ;;
esac
echo "tasks \${SLURM_NTASKS-unset}"
cat
exit 7
END
    chmod +x "$FAKES/$1"
}
fake mpirun 'mpirun (Open MPI) 4.1.4'
fake mpiexec 'HYDRA build details:'
fake srun 'slurm 22.05.8'
mkdir "$FAKES/intel" "$FAKES/odd"
fake intel/mpirun 'Intel(R) MPI Library for Linux* OS, Version 2021.9'
fake odd/mpirun 'mpirun: a launcher of our own'
PATH=$FAKES:$PATH
select_() { "$BIN/mpisel" "$@"; }
in_job() { env SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n[1-5]' 'SLURM_TASKS_PER_NODE=2(x5)' "$@"; }
line() { stdout_has "^$1\$"; }

echo 'said on stdin' >"$TMP/input"
INPUT=$TMP/input
status 7 'mpirun gets a hostfile, its arguments, stdin; its status is ours' \
    select_ -n 2 "$FIVE" -- mpirun -n 4 ./app --json -o x
line 'started --hostfile /proc/self/fd/[0-9]* -n 4 ./app --json -o x'
line 'n3 slots=2'
line 'n1 slots=2'
line 'said on stdin'
stderr_empty
unset INPUT
status 7 'every part of an Open MPI command gets it' select_ -n 1 "$FIVE" -- mpirun ./a : ./b
line 'started --hostfile \(/proc/self/fd/[0-9]*\) ./a : --hostfile \1 ./b'
status 7 'Open MPI takes a rankfile too' select_ -n 1 "$FIVE" --format rankfile -- mpirun ./a
line 'started --rankfile /proc/self/fd/[0-9]* ./a'
line 'rank 1=n3 slot=1'
status 7 'MPICH gets its own form' select_ -n 2 "$FIVE" -- mpiexec -n 4 ./app
line 'started -f /proc/self/fd/[0-9]* -n 4 ./app'
line 'n1:2'
status 7 'Intel MPI gets a machinefile' select_ -n 2 "$FIVE" -- "$FAKES/intel/mpirun" ./app
line 'started -machinefile /proc/self/fd/[0-9]* ./app'
line 'n1:2'
status 7 'srun gets the count and the list' select_ -n 3 "$FIVE" -- srun -n 6 ./app
line 'started -N 3 -w n\[3,1-2\] -n 6 ./app'
line 'tasks unset'
status 7 'srun inherits the tasks of the chosen hosts only' \
    in_job SLURM_NTASKS=10 "$BIN/mpisel" -n 3 "$FIVE" -- srun ./app
line 'started -N 3 -w n\[1-3\] ./app'
line 'tasks 6'
status 7 'a node count of srun that fits' select_ -n 3 "$FIVE" -- srun -N 3 ./app
status 7 'the count comes from LAUNCHWISE_N_NODE' \
    env LAUNCHWISE_N_NODE=1 "$BIN/mpisel" "$FIVE" -- srun ./app
line 'started -N 1 -w n3 ./app'
status 7 '-o keeps the hostfile' select_ -n 1 "$FIVE" -o "$TMP/kept" -- mpirun ./app
line "started --hostfile $TMP/kept ./app"
check 'as a file' grep -qx 'n3 slots=2' "$TMP/kept"
check 'no hostfile is left behind' sh -c 'cd "$1" && test "$(echo *)" = "$2"' sh "$TMP" \
    'check.log fakes input kept stderr stdout'
status 7 '--explain goes before the launcher starts' \
    select_ -n 1 "$FIVE" --explain -- mpirun ./app
stderr_has '^n5  *-  *-  timeout$'
status 7 'an order that the launcher will not keep is told' \
    select_ -n 2 "$FIVE" --order speed -- mpirun ./app
stderr_has 'warning: .*order'

# --- wrong command lines: nothing starts
fails 2 'mpirun has its hosts already' select_ -n 1 "$FIVE" --otherwise all -- mpirun --host a ./app
stderr_has 'error: --host '
fails 2 'also in a later part' select_ -n 1 "$FIVE" -- mpirun ./a : -H a ./b
stderr_has 'error: -H '
fails 2 'also glued' select_ -n 1 "$FIVE" -- mpirun --hostfile=h ./app
stderr_has 'error: --hostfile=h '
fails 2 'mpiexec has its hosts already' select_ -n 1 "$FIVE" -- mpiexec -f h ./app
stderr_has 'error: -f '
fails 2 'srun has its hosts already' select_ -n 1 "$FIVE" -- srun -wn1 ./app
stderr_has 'error: -wn1 '
fails 2 'srun excludes hosts already' select_ -n 1 "$FIVE" -- srun -x n1 ./app
stderr_has 'error: -x '
fails 2 'srun asks for more nodes' select_ -n 1 "$FIVE" -- srun -N 2 ./app
stderr_has 'error: -N '
status 7 'options of the program are its own' select_ -n 1 "$FIVE" -- mpirun ./app --host a -f b
fails 2 'no launcher after --' select_ -n 1 "$FIVE" --
fails 2 'a program that is no launcher' select_ -n 1 "$FIVE" -- ./app
stderr_has 'app.*no launcher'
fails 2 'a table on standard input, which is the launchers' select_ -n 1 -- mpirun ./app
stderr_has 'TIMES'
fails 2 'also when it is named' select_ -n 1 - -- mpirun ./app
fails 2 'JSON on the standard output of the launcher' select_ -n 1 "$FIVE" --json -- mpirun ./app
fails 2 'a hostfile on the standard output of the launcher' select_ -n 1 "$FIVE" -o - -- mpirun ./app
fails 2 'a form that the launcher does not read' \
    select_ -n 1 "$FIVE" --format mpich --otherwise all -- mpirun ./app
# The answer may go to a pipe that no reader of the launcher would ever see the end of.
mkfifo "$TMP/fifo"
ln -s /dev/stdout "$TMP/link"
for path in /dev/stdout /dev/stderr /dev/fd/1 /proc/self/fd/2 /dev/null "$TMP/fifo" "$TMP/link" "$TMP"; do
    fails 2 "a hostfile that is no file: $path" \
        select_ -n 1 "$FIVE" -o "$path" --otherwise all -- mpirun ./app
    stderr_has "error: -o $path: .*regular file"
done
check 'the link is still there' test -L "$TMP/link"
rm "$TMP/fifo" "$TMP/link"
fails 2 'a hostfile without a name' select_ -n 1 "$FIVE" -o '' --otherwise all -- mpirun ./app
stderr_has '-o: an empty file name'
fails 2 'no count' select_ "$FIVE" -- mpirun ./app
stderr_has 'LAUNCHWISE_N_NODE'
fails 2 'a count that is none' env LAUNCHWISE_N_NODE=two "$BIN/mpisel" "$FIVE" -- mpirun ./app
fails 2 'a bad -n, whatever else is said' select_ -n two "$FIVE" --otherwise all -- mpirun ./app
fails 2 'hosts in the command are told without a count too' \
    select_ "$FIVE" --otherwise all -- mpirun --host a ./app
stderr_has 'error: --host '
fails 2 'another way out than all' select_ -n 1 "$FIVE" --otherwise none -- mpirun ./app

# --- no selection possible
fails 3 'too few hosts: nothing starts' select_ -n 5 "$FIVE" -- mpirun ./app
stderr_has 'asked for 5 hosts, 4 usable: 1 timeout'
fails 3 'no table: nothing starts' select_ -n 1 "$TMP/none.csv" -- mpirun ./app
fails 3 'an incomplete table: nothing starts' \
    select_ -n 1 "$DATA/mpisel_incomplete.csv" -- mpirun ./app
fails 3 'a launcher that nobody knows: it does not start' \
    select_ -n 1 "$FIVE" -- "$FAKES/odd/mpirun" ./app
unchanged() { # SENTENCE ARGS... : runs with --otherwise all and a warning
    sentence=$1
    shift
    status 7 "$sentence: runs unchanged" select_ "$@"
    line 'started -n 10 ./app'
    stderr_has 'warning: .*runs on all hosts'
}
unchanged 'too few hosts' -n 5 "$FIVE" --otherwise all -- mpirun -n 10 ./app
unchanged 'no table' -n 5 "$TMP/none.csv" --otherwise all -- mpirun -n 10 ./app
unchanged 'an incomplete table' \
    -n 1 "$DATA/mpisel_incomplete.csv" --otherwise all -- mpirun -n 10 ./app
unchanged 'a launcher that nobody knows' \
    -n 1 "$FIVE" --otherwise all -- "$FAKES/odd/mpirun" -n 10 ./app
unchanged 'a hostfile that cannot be written' \
    -n 1 "$FIVE" -o "$TMP/none/h" --otherwise all -- mpirun -n 10 ./app
check 'and no hosts are given' sh -c '! grep -q hostfile "$1"' sh "$OUT"
status 7 'srun unchanged keeps the tasks of the job' \
    in_job SLURM_NTASKS=10 "$BIN/mpisel" -n 9 "$FIVE" --otherwise all -- srun ./app
line 'started ./app'
line 'tasks 10'
unchanged 'no count' "$FIVE" --otherwise all -- mpirun -n 10 ./app
stderr_has 'LAUNCHWISE_N_NODE'
for count in '' two 0 -3 1.5; do
    CASE="a count that is '$count'"
    LAUNCHWISE_N_NODE=$count
    export LAUNCHWISE_N_NODE
    unchanged "a count that is '$count'" "$FIVE" --otherwise all -- mpirun -n 10 ./app
    stderr_has 'LAUNCHWISE_N_NODE'
done
unset LAUNCHWISE_N_NODE

# --- no launcher: one sentence, and none that says that it runs
one_error() {
    stderr_has "error: cannot run $1: "
    check 'in one sentence' sh -c 'test "$(wc -l <"$1")" -eq 1' sh "$ERR"
}
for count in 1 9; do
    fails 3 'a launcher that is not there' \
        select_ -n $count "$FIVE" --otherwise all -- /nowhere/mpirun ./app
    one_error /nowhere/mpirun
    fails 3 'an srun that is not there' \
        select_ -n $count "$FIVE" --otherwise all -- /nowhere/srun ./app
    one_error /nowhere/srun
done
: >"$FAKES/odd/srun"
fails 3 'an srun that is no program' select_ -n 1 "$FIVE" -- "$FAKES/odd/srun" ./app
one_error "$FAKES/odd/srun"
fails 3 'a launcher that is not in PATH' env PATH=/nowhere "$BIN/mpisel" -n 9 "$FIVE" \
    --otherwise all -- mpirun ./app
one_error mpirun
finish
