#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# benchrun with the real launchers on this host alone.
# shellcheck disable=SC2317  # lib.sh calls our functions
. "$(dirname "$0")/lib.sh"
command -v mpirun.openmpi >/dev/null || skip 'Open MPI is not installed (openmpi-bin)'
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
unset SLURM_JOB_ID PBS_NODEFILE LSB_DJOB_HOSTFILE LSB_MCPU_HOSTS LSB_HOSTS PE_HOSTFILE FLUX_JOB_ID
# The mpirun of this test is Open MPI's, whatever the alternatives say.
mkdir "$TMP/bin"
ln -s "$(command -v mpirun.openmpi)" "$TMP/bin/mpirun"
PATH=$TMP/bin:$PATH
export PATH
BENCHRUN=$BIN/benchrun

rows_are() {
    grep -v -e '^#' -e '^host,' "$OUT" | cut -d, -f1-4,6 | sort >"$TMP/rows"
    if [ "$(cat "$TMP/rows")" = "$1" ]; then pass_; else fail_ "rows are: $(cat "$TMP/rows")"; fi
}
no_process_has() { ! pgrep -f "$1" >/dev/null; }

ok 'measures this host' "$BENCHRUN" --runs 2
rows_are "$(uname -n),0,0,compute,ok
$(uname -n),0,1,compute,ok"
stdout_has '^# launcher: Open MPI$'
stderr_empty
ok 'writes hosts as they are spelled' "$BENCHRUN" --hosts localhost --runs 1
rows_are 'localhost,0,0,compute,ok'
ok 'binds a rank to each core' "$BENCHRUN" --hosts localhost --per core --runs 1
stdout_has '^localhost,0,0,compute,'
ok 'takes the times of a command on each slot' "$BENCHRUN" --hosts localhost,localhost -- true
rows_are 'localhost,0,0,true,ok
localhost,1,0,true,ok'
ok 'launches a command anew for each run' \
    "$BENCHRUN" --hosts localhost --runs 2 --warmup 1 -- sh -c 'echo told >&2'
rows_are 'localhost,0,0,sh,ok
localhost,0,1,sh,ok'
check 'it ran three times' test "$(grep -c told "$ERR")" = 3
ok 'a command cannot forge times' \
    "$BENCHRUN" --hosts localhost -- echo '@launchwise:0 00000000 time 0 0 0 1e-9 ok'
check 'the output of the command is talk' grep -q '1e-9' "$ERR"
check 'and not in the table' sh -c "! grep -q '1e-9,ok' $OUT"
status 1 'a command that fails everywhere is no measurement' \
    "$BENCHRUN" --hosts localhost -- sh -c 'exit 3'
rows_are 'localhost,0,0,sh,failed'
stderr_has 'sh ended with status 3'
status 1 'a command that is not there neither' "$BENCHRUN" --hosts localhost -- nosuch_command
stderr_has 'cannot run nosuch_command: No such file or directory'
ok 'a host that does not exist does not take the table with it' \
    "$BENCHRUN" --hosts localhost,nosuch.invalid --runs 1
rows_are 'localhost,0,0,compute,ok
nosuch.invalid,,0,compute,unreachable'
ok 'needs no launcher at all' "$BENCHRUN" --launcher local --runs 1
stdout_has '^# launcher: local$'

mark=99$$
status 1 'the budget ends a command that does not end' \
    "$BENCHRUN" --hosts localhost --budget 2 -- sh -c "setsid sleep $mark & sleep $mark"
rows_are 'localhost,0,0,sh,timeout'
check 'nothing of it is left' no_process_has "sleep $mark"

killed() {
    "$BENCHRUN" --hosts localhost,localhost -o "$TMP/cut.csv" -- \
        sh -c "setsid sleep $mark & sleep $mark" &
    pid=$!
    until pgrep -f "^sleep $mark" >/dev/null; do sleep 0.1; done
    kill "-$1" "$pid"
    wait "$pid"
}
# A launcher needs a moment after SIGKILL of benchrun; no test waits longer than this.
gone() {
    for _ in $(seq 100); do
        no_process_has "sleep $mark" && no_process_has "$TMP/cut.csv" && return 0
        sleep 0.2
    done
    return 1
}
for signal in INT TERM KILL; do
    case $signal in INT) want=130 ;; TERM) want=143 ;; KILL) want=137 ;; esac
    status "$want" "SIG$signal ends it" killed "$signal"
    check "nothing is left after SIG$signal" gone
    check 'there is no table' test ! -e "$TMP/cut.csv"
done

cat >"$TMP/mpi.c" <<'C'
#include <mpi.h>
int main(int argc, char** argv) {
  int rank = 0, sum = 0, size = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return size == 2 && sum == 1 ? 0 : 9;
}
C
if command -v mpicc.openmpi >/dev/null && mpicc.openmpi -o "$TMP/mpi" "$TMP/mpi.c"; then
    ok 'runs an MPI program as one job' "$BENCHRUN" --hosts localhost,localhost -- "$TMP/mpi"
    rows_are 'localhost,0,0,mpi,ok
localhost,1,0,mpi,ok'
fi
NETWORK=$BIN/../libexec/launchwise/network
# all_meet LAUNCHER... : three ranks, two runs; each rank meets both others in each run. The launcher's
# status does not count: it is not 0 when a rank could not end its MPI.
all_meet() {
    "$@" "$NETWORK" --runs 2 --message-bytes 50000 >"$TMP/met"
    [ "$(grep -c '^warm ' "$TMP/met")$(grep -c '^done$' "$TMP/met")" = 33 ] || return 1
    for run in 0 1; do
        for peer in 0 1 2; do
            for part in 0 1; do
                [ "$(grep -c "^time $run [0-9.e-]* ok $peer $part\$" "$TMP/met")" = 2 ] || return 1
            done
        done
    done
}
check 'network: all ranks meet in each run' all_meet mpirun -np 3 --oversubscribe
alone() { "$NETWORK" --runs 1 >"$OUT"; }
status 1 'network: a rank alone has no partner' alone
stdout_has '^fail one host alone has no network'
# MPICH with an MPI_Finalize that never returns
endless() {
    mkdir -p "$TMP/endless"
    printf '%s\n' '#include <unistd.h>' 'int MPI_Finalize(void) { for (;;) pause(); }' >"$TMP/endless.c"
    cc -shared -fPIC -o "$TMP/endless/libmpi.so.12" "$TMP/endless.c" -Wl,--no-as-needed \
        "$(ldconfig -p | sed -n 's/.*libmpich.so.12 .*=> //p' | head -n 1)" &&
        all_meet mpiexec.hydra -n 3 env LD_LIBRARY_PATH="$TMP/endless"
}
misfit() { mpirun -np 2 --oversubscribe env -u OMPI_COMM_WORLD_SIZE PMI_RANK=1 PMI_SIZE=9 "$NETWORK"; }
if command -v mpiexec.hydra >/dev/null; then
    check 'network: the same program with MPICH' all_meet mpiexec.hydra -n 3
    check 'network: ends where MPI does not' endless
    misfit >"$OUT" 2>&1
    CASE='network: launcher and library that do not fit' && stdout_has 'do not fit together: rank 0 of'
fi
status 2 'network: takes one rank a host' \
    "$BENCHRUN" -b network --hosts localhost,nosuch.invalid --per core
stderr_has 'leave out --per'
status 2 'network: needs an MPI launcher' \
    "$BENCHRUN" -b network --hosts localhost,nosuch.invalid --launcher ssh
stderr_has 'needs mpirun, mpiexec or srun: ranks started by ssh are not one MPI job'
status 1 'network: needs two hosts' "$BENCHRUN" -b network --hosts localhost
stderr_has 'needs two or more'
ok 'network: is left out for one host' "$BENCHRUN" -b compute -b network --runs 1 --hosts localhost
rows_are 'localhost,0,0,compute,ok'
stderr_has 'network is left out'
if command -v mpiexec.hydra >/dev/null; then
    printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v mpiexec.hydra)" >"$TMP/bin/mpiexec"
    chmod +x "$TMP/bin/mpiexec"
    ok 'works with MPICH' "$BENCHRUN" --launcher mpiexec --hosts localhost,localhost -- true
    stdout_has '^# launcher: MPICH$'
    rows_are 'localhost,0,0,true,ok
localhost,1,0,true,ok'
fi
finish
