#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpisel before the real launchers of Open MPI and MPICH, on this host. The other host of the table
# does not exist: a launcher that got it as well would fail.
# shellcheck disable=SC2016,SC2317  # $1 belongs to the inner shell; lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
unset LAUNCHWISE_N_NODE
for name in $(env | sed -n 's/^\(SLURM_[A-Z_]*\|PBS_[A-Z_]*\|LSB_[A-Z_]*\|FLUX_[A-Z_]*\|PE_HOSTFILE\)=.*/\1/p'); do
    unset "$name"
done
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
select_() { "$BIN/mpisel" "$@"; }
line() { stdout_has "^$1\$"; }
TIMES=$TMP/times.csv
cat >"$TIMES" <<END
# launchwise-times: 1
# allocation: no-such-host:2,localhost:2
host,rank,run,bench,seconds,status
no-such-host,0,0,compute,2,ok
localhost,1,0,compute,1,ok
# complete: rows=2 elapsed=3
END
echo 'said on stdin' >"$TMP/input"
INPUT=$TMP/input
TESTED=0

open_mpi() { # MPIRUN
    status 0 "$1 runs a rank on each slot of the chosen host" \
        select_ -n 1 "$TIMES" -- "$1" sh -c 'echo "rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE"'
    line 'rank 0 of 2'
    line 'rank 1 of 2'
    stderr_empty
    status 0 "$1 gives rank 0 our standard input" select_ -n 1 "$TIMES" -- "$1" -n 1 cat
    line 'said on stdin'
    status 5 "$1 ends with the status of its program" \
        select_ -n 1 "$TIMES" -- "$1" -n 1 sh -c 'exit 5'
    status 0 "$1 runs two programs" \
        select_ -n 1 "$TIMES" -- "$1" -n 1 echo first : -n 1 echo second
    line first
    line second
    status 0 "$1 reads a rankfile" \
        select_ -n 1 "$TIMES" --slots 1 --format rankfile -- "$1" -n 1 echo ranked
    line ranked
    status 0 "$1 reads a hostfile that stays" \
        select_ -n 1 "$TIMES" -o "$TMP/kept" -- "$1" -n 2 echo kept
    line kept
    check 'which is there' grep -qx 'localhost slots=2' "$TMP/kept"
}

# MPICH fails when it cannot write its standard input to a program that has ended: only cat gets some.
mpich() { # MPIEXEC
    INPUT=/dev/null
    status 0 "$1 runs on the chosen host" \
        select_ -n 1 "$TIMES" -- "$1" -n 2 sh -c 'echo "rank $PMI_RANK of $PMI_SIZE"'
    line 'rank 0 of 2'
    line 'rank 1 of 2'
    INPUT=$TMP/input
    status 0 "$1 gives rank 0 our standard input" select_ -n 1 "$TIMES" -- "$1" -n 1 cat
    line 'said on stdin'
    INPUT=/dev/null
    status 5 "$1 ends with the status of its program" \
        select_ -n 1 "$TIMES" -- "$1" -n 1 sh -c 'exit 5'
    status 0 "$1 runs two programs" \
        select_ -n 1 "$TIMES" -- "$1" -n 1 echo first : -n 1 echo second
    line first
    line second
}

try() { # FUNCTION PROGRAM
    if command -v "$2" >/dev/null; then
        "$1" "$2"
        TESTED=$((TESTED + 1))
    else
        echo "SKIP: $2 is not installed"
    fi
}
try open_mpi mpirun.openmpi
try mpich mpiexec.mpich
[ "$TESTED" -gt 0 ] || skip 'no launcher is installed'
rm -f "$TMP/kept"
check 'nothing is left behind' sh -c 'cd "$1" && test "$(echo *)" = "$2"' sh "$TMP" \
    'check.log input stderr stdout times.csv'
finish
