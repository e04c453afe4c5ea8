#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How the time of an MPI program is split into computing and MPI: by the probe alone, then by benchrun
# with real programs. In the first part computing and messages are sleeps of known length; being late
# only adds to them, and no more than the whole program was late. In the second part the program takes
# its own time.
# shellcheck disable=SC2317  # lib.sh calls our functions
. "$(dirname "$0")/lib.sh"
COUNT=$BIN/count_calls
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
unset LD_PRELOAD ASAN_OPTIONS SLURM_JOB_ID PBS_NODEFILE LSB_DJOB_HOSTFILE LSB_MCPU_HOSTS LSB_HOSTS \
    PE_HOSTFILE FLUX_JOB_ID
cd "$TMP" || exit 1

# is_split GOT_COMPUTING GOT_MPI COMPUTING MPI LATE
is_split() {
    awk -v c="$1" -v m="$2" -v computing="$3" -v mpi="$4" -v late="$5" 'BEGIN {
        exit !(c >= computing - 0.001 && m >= mpi - 0.001 && c + m <= computing + mpi + late + 0.001) }'
}
# split SENTENCE STATUS ALL COMPUTING MPI COMMAND...   ALL: what the command sleeps altogether
split() {
    CASE=$1 want_status=$2 all=$3 computing=$4 mpi=$5
    shift 5
    start=$(date +%s.%N)
    "$COUNT" --time measured "$@" </dev/null >"$OUT" 2>"$ERR"
    got=$?
    late=$(date +%s.%N | awk -v start="$start" -v all="$all" '{ print $1 - start - all }')
    read -r got_computing got_mpi <measured
    if [ "$got" -ne "$want_status" ]; then
        fail_ "exit status $got, want $want_status"
    elif ! is_split "$got_computing" "$got_mpi" "$computing" "$mpi" "$late"; then
        fail_ "split is $(cat measured), want $computing and $mpi; late by $late"
    else
        pass_
    fi
}

cp "$SRC/tests/cli/split"/* .
build() {
    cc -O1 -shared -fPIC -o libfake.so fake.c &&
        cc -O1 -rdynamic -o program program.c ./libfake.so -lpthread &&
        cc -O1 -static -o static program.c fake.c -lpthread
}
if ! build >build.log 2>&1; then
    cat build.log
    skip 'no C compiler'
fi
split 'computing and MPI, without what is before MPI_Init and after MPI_Finalize' 7 0.8 0.2 0.3 ./program plain
split 'calls that MPI makes itself do not count twice' 7 0.5 0 0.2 ./program nested
split 'MPI_Pcontrol marks what is measured' 7 1.2 0.2 0.3 ./program marked
split 'also in Fortran' 7 0.7 0.1 0.2 ./program fortran
split 'a program that only ends it is measured up to there' 7 0.6 0.1 0 ./program stopped
split 'a call that longjmp leaves is over' 7 0.7 0.3 0.1 ./program jumps
split 'the thread that initialised MPI counts, not one that waits for messages' \
    7 0.8 0.4 0.1 ./program listener
split 'threads that do all the MPI stand for their process' 7 0.7 0.1 0.3 ./program workers
split 'children are no ranks' 7 0.5 0.2 0 ./program forks
split 'MPI_Abort loses nothing' 9 0.45 0.2 0.1 ./program aborts
split 'nor does a signal' 137 0.45 0.1 0.2 ./program killed
split 'a script around the program does not matter' 7 0.5 0 0.2 sh -c './program nested'
for command in 'true' './static nested'; do
    # shellcheck disable=SC2086
    "$COUNT" --time measured $command
    check "of $command nothing is known" grep -q '^not known$' measured
done
# Whatever is passed and returned, as in cosched_calls.sh.
cp "$SRC/tests/cli/calls"/* .
cc -O1 -shared -fPIC -o libfake.so fake.c && c++ -O1 -shared -fPIC -o libthrow.so throw_lib.cpp
cc -O1 -o calls calls.c ./libfake.so && c++ -O1 -rdynamic -o throw throw.cpp ./libthrow.so
for program in calls throw; do
    "./$program" >plain.out
    "$COUNT" --time measured "./$program" >timed.out
    check "arguments, results and exceptions pass through a timed call: $program" \
        cmp plain.out timed.out
done

# Ranks that wait for rank 1.
measure() {
    : >own
    "$BIN/benchrun" --history none "$@"
}
rows_are_split() { # STATUS
    check "$CASE: ranks are split" awk -f agrees.awk -v ranks=2 -v status="$1" own "$ERR" "$OUT"
}
sed 's/use mpi/use mpi_f08/; s/, ierr)/)/; s/(ierr)/()/' "$SRC/tests/cli/split/mpi.f90" >mpi08.f90
cp "$SRC/tests/cli/split"/* .
mkdir bin
for kind in openmpi mpich; do
    case $kind in openmpi) name=mpirun ;; mpich) name=mpiexec ;; esac
    launcher=$(command -v "$name.$kind") || { missing "$name.$kind"; continue; }
    # In a script: the launchers find their parts by the name that they have.
    printf '#!/bin/sh\nexec %s "$@"\n' "$launcher" >"bin/$name"
    chmod +x "bin/$name"
    for source in mpi.c mpi.f90 mpi08.f90; do
        case $source in *.c) compiler=mpicc.$kind ;; *) compiler=mpif90.$kind ;; esac
        program=$kind-${source%.*}-${source#*.}
        if ! "$compiler" -o "$program" "$source" >build.log 2>&1; then
            missing "$compiler $source"
            continue
        fi
        PATH=$TMP/bin:$PATH ok "$kind, $source" \
            measure --launcher "$name" --hosts localhost,localhost -- "./$program"
        rows_are_split ok
        [ "$source" = mpi.c ] || continue
        # MPICH's launcher ends itself and all ranks at once.
        [ "$kind" = openmpi ] || continue
        PATH=$TMP/bin:$PATH status 1 "$kind: MPI_Abort" \
            measure --launcher "$name" --hosts localhost,localhost -- "./$program" abort
        rows_are_split failed
        check 'it is not tried again' test "$(wc -l <aborts)" -eq 1
    done
done
# A program of another MPI than the launcher's is so many jobs of one rank.
cat >alone.c <<'END'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc > 1) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Finalize();
  return 0;
}
END
run_on() { # LAUNCHER'S-KIND HOSTS COMMAND...
    kind=$1 hosts=$2
    shift 2
    PATH=$TMP/bin.$kind:$PATH measure --launcher mpirun --hosts "$hosts" -- "$@"
}
for kind in openmpi mpich; do
    case $kind in
        openmpi) name=mpirun other=mpich uses='MPICH or' ;;
        mpich) name=mpiexec other=openmpi uses='Open MPI' ;;
    esac
    launcher=$(command -v "$name.$kind") || { missing "$name.$kind"; continue; }
    mkdir "bin.$kind"
    printf '#!/bin/sh\nexec %s "$@"\n' "$launcher" >"bin.$kind/mpirun"
    chmod +x "bin.$kind/mpirun"
    # The linker copies Open MPI's handles into a program at a fixed place.
    for mpi in "$kind" "$other"; do
        "mpicc.$mpi" -no-pie -fno-pie -o "c-$mpi" alone.c >build.log 2>&1 || missing "mpicc.$mpi"
    done
    cp "$other-mpi-f90" "fortran-$other" || missing "mpif90.$other"
    for program in "c-$other" "fortran-$other"; do
        [ -x "$program" ] || continue
        fails 1 "$program under the launcher of $kind" \
            run_on "$kind" localhost,localhost "./$program"
        stderr_has 'do not fit together: .* has started 2 ranks, but .* a job of one rank'
        stderr_has "uses $uses.*: put the mpirun or mpiexec of that MPI first in PATH"
    done
    if [ ! -x "c-$other" ] || [ ! -x "c-$kind" ]; then continue; fi
    fails 1 "c-$other under the launcher of $kind, also when it fails by that" \
        run_on "$kind" localhost,localhost "./c-$other" abort
    stderr_has 'do not fit together: .* a job of one rank'
    ok "c-$other under the launcher of $kind: on one rank there is nothing to say" \
        run_on "$kind" localhost "./c-$other"
    ok "$kind: a script may run a tool of $other as well" \
        run_on "$kind" localhost,localhost sh -c "./c-$other && ./c-$kind"
done
if [ -x c-openmpi ]; then
    ok 'without a launcher it may be meant that ranks are jobs of their own' \
        measure --launcher local --hosts localhost,localhost -- ./c-openmpi
    stderr_has 'every rank was an MPI job of its own (launcher local)'
fi
ok 'a program without MPI' measure --launcher local -- true
stdout_has ',ok,,,'
stderr_has 'no MPI calls were seen .*: the table has the wall time alone'
finish
