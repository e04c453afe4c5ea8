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
missing() { echo "not shown, missing: $*"; }

# Libraries and programs of plain C, with functions that are called as MPI's are.
cat >fake.c <<'C'
#include <stdarg.h>
#include <stdio.h>
double MPI_Send(int a, double b, long c, double d, char e, float f, long g, double h, int i,
                double j, long k, double l, short m, double n, void *o, double p, double q) {
  return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k +
         12 * l + 13 * m + 14 * n + 15 * (o != 0) + 16 * p + 17 * q;
}
struct wide { double x[7]; };
struct wide MPI_Recv(double x) {  // returned through a hidden pointer
  struct wide w = {{x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6}};
  return w;
}
double MPI_Bcast(int count, ...) {
  va_list list;
  double sum = 0;
  va_start(list, count);
  for (int i = 0; i < count; i++) sum += va_arg(list, double);
  va_end(list);
  return sum;
}
int MPI_Barrier(void) { return 0; }
int MPI_Test(void) { return 0; }
C
cat >fake.h <<'C'
double MPI_Send(int, double, long, double, char, float, long, double, int, double, long, double,
                short, double, void *, double, double);
struct wide { double x[7]; };
struct wide MPI_Recv(double);
double MPI_Bcast(int, ...);
int MPI_Barrier(void);
int MPI_Test(void);
C
cat >calls.c <<'C'
#include <errno.h>
#include <stdio.h>
#include "fake.h"
int main(void) {
  for (int i = 0; i < 2; i++) {
    errno = 33;
    printf("%.17g\n", MPI_Send(1, 2.5, -3, 4.25, 5, 6.5f, 1L << 40, 8, -9, 10, 11, 12.125, 13, 14,
                               &errno, 16, 17));
    struct wide w = MPI_Recv(1.5);
    printf("%g %g %d\n", w.x[0], w.x[6], errno);
    printf("%g\n", MPI_Bcast(10, 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.));
    MPI_Test();
  }
  return 7;
}
C
cat >many.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fake.h"
static long calls;
static void *work(void *p) {
  for (long i = 0; i < calls; i++) MPI_Barrier();
  return p;
}
static void threads(long n, int together) {
  pthread_t t[64];
  for (long i = 0; i < n; i++) {
    if (pthread_create(&t[i % 64], 0, work, 0)) exit(3);
    if (!together) pthread_join(t[i % 64], 0);
  }
  for (long i = 0; together && i < n; i++) pthread_join(t[i], 0);
}
int main(int argc, char **argv) {  // kind number calls
  long n = argc > 3 ? atol(argv[2]) : 0;
  calls = argc > 3 ? atol(argv[3]) : 0;
  if (argv[1][0] == 't') threads(n, 1);
  if (argv[1][0] == 's') threads(n, 0);
  if (argv[1][0] == 'f') {  // children that do not exec, of a process that has called as well
    work(0);
    for (long i = 0; i < n; i++)
      if (fork() == 0) {
        work(0);
        _exit(0);
      }
    work(0);
    while (wait(0) > 0) {
    }
  }
  return 0;
}
C
cat >throw.cpp <<'C'
#include <cstdio>
#include <csetjmp>
#include <stdexcept>
extern "C" int MPI_Wait(int how);
std::jmp_buf back;
int main() {
  for (int i = 0; i < 3; i++) {
    try {
      MPI_Wait(0);
    } catch (const std::runtime_error &e) {
      std::puts(e.what());
    }
    if (setjmp(back) == 0) MPI_Wait(1); else std::puts("jumped");
  }
}
C
cat >throw_lib.cpp <<'C'
#include <csetjmp>
#include <stdexcept>
extern std::jmp_buf back;
extern "C" int MPI_Wait(int how) {
  if (how == 0) throw std::runtime_error("thrown");
  std::longjmp(back, 1);
}
C
cat >ask.c <<'C'
// Not an MPI program: it only asks whether it is one.
#include <dlfcn.h>
#include <stdio.h>
__attribute__((weak)) int MPI_Init(int *, char ***);
__attribute__((weak)) int MPI_Barrier(void);
__attribute__((weak)) void GOMP_barrier(void);
int (*volatile kept)(int *, char ***) = MPI_Init;
int main(void) {
  const char *names[] = {"MPI_Init", "MPI_Barrier", "mpi_init_", "GOMP_parallel", "__kmpc_barrier"};
  for (int i = 0; i < 5; i++) printf("%s %d\n", names[i], dlsym(RTLD_DEFAULT, names[i]) != 0);
  printf("weak %d %d %d %d\n", MPI_Init != 0, MPI_Barrier != 0, GOMP_barrier != 0, kept != 0);
  puts(dlerror() ? "error" : "no error");
  if (MPI_Barrier) MPI_Barrier();
  return 0;
}
C
cat >late.c <<'C'
// Opens its MPI late and for itself, as Python does.
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
  for (int round = 0; round < 3; round++) {
    void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
    if (!plugin) return puts(dlerror()), 1;
    int (*run)(void) = (int (*)(void))dlsym(plugin, "run");
    printf("%d\n", run());
    dlclose(plugin);
  }
  return argc + (argv == 0) - 1;
}
C
cat >plugin.c <<'C'
#include "fake.h"
int run(void) {
  for (int i = 0; i < 10; i++) MPI_Barrier();
  return (int)MPI_Bcast(2, 1., 2.);
}
C
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
cat >other.c <<'C'
#include <unistd.h>
__attribute__((constructor)) static void f(void) { if (write(1, "other\n", 6) != 6) _exit(9); }
C
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
cat >mpi.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
  int rank = 0, size = 0, flag = 0;
  long sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (long i = 0; i < 1000; i++) {
    long mine = rank + i, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    sum += all;
    for (int polls = 0; polls < 10; polls++)
      MPI_Iprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  }
  if (rank == 0) printf("%ld of %d\n", sum, size);
  MPI_Finalize();
  return 0;
}
C
cat >mpi.f90 <<'F'
program p
  use mpi
  integer :: rank, i, ierr, total, mine
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  do i = 1, 1000
    mine = rank + i
    call MPI_Allreduce(mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  end do
  if (rank == 0) print *, total
  call MPI_Finalize(ierr)
end program
F
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
cat >omp.c <<'C'
#include <omp.h>
#include <stdio.h>
int main(void) {
  int most = 0;
#pragma omp parallel num_threads(2)
  for (int i = 0; i < 1000; i++) {
#pragma omp barrier
    if (omp_get_num_threads() > most) most = omp_get_num_threads();
  }
  printf("%d\n", most);
  return 0;
}
C
for compiler in gcc clang-14; do
    if $compiler -O1 -fopenmp -o omp_$compiler omp.c >build.log 2>&1; then
        counted "$compiler: OpenMP: 1,000 barriers of 2 threads in one region" 2001 ./omp_$compiler
        stdout_has '^2$'
    else
        missing "$compiler -fopenmp"
    fi
done
finish
