#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# How the time of an MPI program is split into computing and MPI: by the probe alone, then by benchrun
# with real programs. Computing and messages are sleeps of known length, so that only being late adds
# to a time; 0.25 s are left for it.
# shellcheck disable=SC2317  # lib.sh calls our functions
. "$(dirname "$0")/lib.sh"
COUNT=$BIN/count_calls
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
unset LD_PRELOAD ASAN_OPTIONS SLURM_JOB_ID PBS_NODEFILE LSB_DJOB_HOSTFILE LSB_MCPU_HOSTS LSB_HOSTS \
    PE_HOSTFILE FLUX_JOB_ID
cd "$TMP" || exit 1

about() { # SECONDS WANT
    awk -v got="$1" -v want="$2" 'BEGIN { exit !(got >= want - 0.001 && got <= want + 0.25) }'
}
# split SENTENCE STATUS COMPUTING MPI COMMAND...
split() {
    CASE=$1 want_status=$2 computing=$3 mpi=$4
    shift 4
    "$COUNT" --time measured "$@" </dev/null >"$OUT" 2>"$ERR"
    got=$?
    read -r got_computing got_mpi <measured
    if [ "$got" -ne "$want_status" ]; then
        fail_ "exit status $got, want $want_status"
    elif ! about "$got_computing" "$computing" || ! about "$got_mpi" "$mpi"; then
        fail_ "split is $(cat measured), want $computing and $mpi"
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
split 'computing and MPI, without what is before MPI_Init and after MPI_Finalize' 7 0.2 0.3 ./program plain
split 'calls that MPI makes itself do not count twice' 7 0 0.2 ./program nested
split 'MPI_Pcontrol marks what is measured' 7 0.2 0.3 ./program marked
split 'also in Fortran' 7 0.1 0.2 ./program fortran
split 'a program that only ends it is measured up to there' 7 0.1 0 ./program stopped
split 'a call that longjmp leaves is over' 7 0.3 0.1 ./program jumps
split 'the thread that initialised MPI counts, not one that waits for messages' \
    7 0.4 0.1 ./program listener
split 'threads that do all the MPI stand for their process' 7 0.1 0.3 ./program workers
split 'children are no ranks' 7 0.2 0 ./program forks
split 'MPI_Abort loses nothing' 9 0.2 0.1 ./program aborts
split 'nor does a signal' 137 0.1 0.2 ./program killed
split 'a script around the program does not matter' 7 0 0.2 sh -c './program nested'
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
measure() { "$BIN/benchrun" --history none "$@"; }
row() { grep "^localhost,$1,0,[^,]*,[^,]*,$2," "$OUT" | cut -d, -f7-8 | tr , ' '; }
rows_are_split() { # STATUS
    CASE="$CASE: ranks are split"
    read -r computing0 mpi0 <<ROW0
$(row 0 "$1")
ROW0
    read -r computing1 mpi1 <<ROW1
$(row 1 "$1")
ROW1
    # Rank 0 may come late to where rank 1 is.
    if about "$computing0" 0.3 && about "$mpi0" 0.45 && about "$computing1" 0.9 && about "$mpi1" 0; then
        pass_
    else
        fail_ "want 0.3 0.6 and 0.9 0, got: $(cat "$OUT")"
    fi
}
sed 's/use mpi/use mpi_f08/; s/, ierr)/)/; s/(ierr)/()/' "$SRC/tests/cli/split/mpi.f90" >mpi08.f90
cp "$SRC/tests/cli/split"/mpi.* .
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
ok 'a program without MPI' measure --launcher local -- true
stdout_has ',ok,,,'
stderr_has 'no MPI calls were seen .*: the table has the wall time alone'
finish
