#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The probe in real programs: what it counts, and that they do not notice.
# shellcheck disable=SC2317  # lib.sh calls our functions
. "$(dirname "$0")/lib.sh"
COUNT=$BIN/count_calls
PROBE=$(dirname "$BIN")/libexec/launchwise/liblaunchwise_probe.so
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe
unset LD_PRELOAD ASAN_OPTIONS
chmod 755 "$TMP"
cd "$TMP" || exit 1

is_wanted() { # COUNT WANT
    case $2 in
    *..*) [ "$1" -ge "${2%%..*}" ] && [ "$1" -le "${2##*..}" ] ;;
    *) [ "$1" = "$2" ] ;;
    esac
}
# counted SENTENCE WANT COMMAND... : WANT calls (a number, LEAST..MOST or "not loaded"), and stdout,
# stderr and the exit status are those without the probe.
counted() {
    CASE=$1 want=$2
    shift 2
    "$@" </dev/null >plain.out 2>plain.err
    plain=$?
    "$COUNT" count "$@" >"$OUT" 2>"$ERR"
    got=$?
    if [ "$got" -ne "$plain" ]; then
        fail_ "exit status $got, without the probe $plain"
    elif ! cmp -s plain.out "$OUT" || ! cmp -s plain.err "$ERR"; then
        fail_ "prints something else than without the probe: $(cat plain.out plain.err)"
    elif ! is_wanted "$(cat count)" "$want"; then
        fail_ "counted $(cat count), want $want"
    else
        pass_
    fi
}

# Libraries and programs of plain C, with functions that are called as MPI's are.
cp "$SRC/tests/cli/calls"/* .
build() {
    cc -O1 -shared -fPIC -o libfake.so fake.c &&
        c++ -O1 -shared -fPIC -o libthrow.so throw_lib.cpp &&
        cc -O1 -o calls calls.c ./libfake.so && cc -O1 -fno-plt -no-pie -o calls_no_plt calls.c ./libfake.so &&
        cc -O1 -o many many.c ./libfake.so -lpthread &&
        c++ -O1 -rdynamic -o throw throw.cpp ./libthrow.so &&
        cc -O1 -o ask ask.c && cc -O1 -fno-plt -Wl,-z,now -o ask_now ask.c &&
        cc -O1 -o ask_fake ask.c -Wl,--no-as-needed ./libfake.so &&
        cc -O1 -o late late.c && cc -O1 -shared -fPIC -o plugin.so plugin.c ./libfake.so &&
        cc -O1 -static -o calls_static calls.c fake.c
}
if ! build >build.log 2>&1; then
    cat build.log
    skip 'no C and C++ compiler'
fi

counted 'all arguments and results pass through; MPI_Test is not counted' 6 ./calls
counted 'whatever way the compiler calls' 6 ./calls_no_plt
counted 'exceptions and longjmp pass through' 6 ./throw
counted 'all threads are counted' 8000 ./many threads 8 1000
counted 'children that do not exec are counted, each in a place of its own' 1040000 \
    ./many fork 50 20000
counted 'more threads than places, one after another' 20000 ./many sequence 20000 1
counted 'an MPI that is opened late and for one library is counted' 33 ./late
counted 'several processes of a script are counted' 12 sh -c './calls; exec ./calls'
counted 'a program that could call, but does not' 0 ./many none
counted 'a program without such calls' 'not loaded' ls /
counted 'a statically linked program just has no count' 'not loaded' ./calls_static
for program in ask ask_now; do
    counted "$program: a program that asks for MPI does not find it in the probe" 'not loaded' ./$program
    stdout_has '^weak 0 0 0 0$'
    stdout_has '^MPI_Init 0$'
done
counted 'a program that asks for MPI finds the real one' 1 ./ask_fake
stdout_has '^weak 0 1 0 0$'
stdout_has '^MPI_Barrier 1$'

# What the user preloads stays.
cc -shared -fPIC -o other.so other.c
keeps() { LD_PRELOAD=$TMP/other.so "$COUNT" count ./calls; }
status 7 'the inherited LD_PRELOAD is added to' keeps
stdout_has '^other$'
check 'and counted' test "$(cat count)" = 6
if echo 'int main(void) { return 0; }' >asan.c && cc -fsanitize=address -o asan asan.c 2>/dev/null; then
    counted 'a program with an address sanitizer starts' 'not loaded' ./asan
fi

# Memory that is not what the environment says.
head -c 2000000 /dev/zero >precious
cp precious precious.copy
token=00000000000000000000000000000000
for where in nonsense "$TMP/precious,$token" "$TMP/precious,12" ',' "/nowhere,$token" "$TMP,$token" \
    "/dev/null,$token" "$TMP/precious"; do
    with() { LD_PRELOAD=$PROBE LAUNCHWISE_CALLS=$where ./calls; }
    status 7 "runs with LAUNCHWISE_CALLS=$where" with
    stderr_empty
done
check 'no file is written to' cmp precious precious.copy
none() { env -u LAUNCHWISE_CALLS LD_PRELOAD="$PROBE" ./calls; }
status 7 'runs without LAUNCHWISE_CALLS' none
stderr_empty
counted 'no descriptor is left open' 'not loaded' sh -c 'ls -l /proc/self/fd | grep memfd'
check 'nothing is left in /dev/shm' sh -c '! ls /dev/shm | grep -i launchwise'

# As an unprivileged user, and setuid.
if [ "$(id -u)" = 0 ]; then
    as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
    mkdir -m 777 for_nobody
    # shellcheck disable=SC2086
    plain_user() { $as_nobody "$COUNT" for_nobody/count ./calls; }
    if $as_nobody test -x "$COUNT" -a -r "$PROBE" 2>/dev/null; then
        status 7 'an unprivileged user has counts as well' plain_user
        check 'and the right ones' test "$(cat for_nobody/count)" = 6
        cp calls calls_setuid
        chmod 4755 calls_setuid
        # shellcheck disable=SC2086
        setuid() { $as_nobody "$COUNT" for_nobody/count ./calls_setuid; }
        status 7 'a setuid program runs as without' setuid
        check 'and has no count' test "$(cat for_nobody/count)" = 'not loaded'
    else
        missing 'a build folder that other users can read'
    fi
fi

# Real MPI, two ranks each, and real OpenMP.
sed 's/use mpi/use mpi_f08/; s/, ierr)/)/; s/(ierr)/()/' mpi.f90 >mpi08.f90
for kind in openmpi mpich; do
    case $kind in openmpi) launch=mpirun.openmpi ;; mpich) launch=mpiexec.mpich ;; esac
    if mpicc.$kind -o c_$kind mpi.c >build.log 2>&1; then
        counted "$kind: two ranks with 1,000 calls, MPI_Init and MPI_Finalize" 2004 \
            "$launch" -n 2 ./c_$kind
        stdout_has '^1000000 of 2$'
    else
        missing "mpicc.$kind"
    fi
    # MPICH's Fortran functions call C functions of its own, most of which are counted as well.
    case $kind in openmpi) each=2004 ;; mpich) each=2004..4008 ;; esac
    if mpif90.$kind -o f_$kind mpi.f90 >build.log 2>&1; then
        counted "$kind: the same in Fortran" "$each" "$launch" -n 2 ./f_$kind
    else
        missing "mpif90.$kind"
    fi
    if mpif90.$kind -o f08_$kind mpi08.f90 >build.log 2>&1; then
        counted "$kind: the same in Fortran 2008" "$each" "$launch" -n 2 ./f08_$kind
    else
        missing "mpif90.$kind with mpi_f08"
    fi
done
for compiler in gcc clang-14; do
    if $compiler -O1 -fopenmp -o omp_$compiler omp.c >build.log 2>&1; then
        counted "$compiler: OpenMP: 1,000 barriers of 2 threads in one region" 2001 ./omp_$compiler
        stdout_has '^2$'
    else
        missing "$compiler -fopenmp"
    fi
done
finish
