#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# benchrun and mpisel in the jobs of PBS, LSF, SGE and Flux: the variables and files that these
# document, and an mpirun and a flux that are not real.
# shellcheck disable=SC2317  # lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
FAKES=$TMP/fakes
mkdir "$FAKES"
PATH=$SRC/tests/fakes:$FAKES:$PATH
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PATH OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM
unset JOB_ID
A=$DATA/allocations

pbs() {
    env PBS_ENVIRONMENT=PBS_BATCH PBS_JOBID=1234.server PBS_O_HOST=login PBS_NODENUM=0 \
        PBS_NODEFILE="$A/pbs_nodefile" "$@"
}
lsf() { # The batch node comes first and runs the script only.
    env LSB_JOBID=567 LSB_DJOB_NUMPROC=6 LSB_DJOB_HOSTFILE="$A/lsf_hostfile" \
        LSB_MCPU_HOSTS='batch3 1 a01n01 2 a01n02 3 ' \
        LSB_HOSTS='batch3 a01n01 a01n01 a01n02 a01n02 a01n02' "$@"
}
lsf_without_file() { lsf env -u LSB_DJOB_HOSTFILE "$@"; }
lsf_with_names() { lsf env -u LSB_DJOB_HOSTFILE -u LSB_MCPU_HOSTS "$@"; }
sge() { env JOB_ID=89 NHOSTS=2 NSLOTS=6 QUEUE=all.q PE=mpi PE_HOSTFILE="$A/sge_hostfile" "$@"; }
cat >"$FAKES/flux" <<'END'
#!/bin/sh
case $* in
    'hostlist local') [ -n "${FLUX_JOB_ID:-}" ] && echo 'corona[171-172,9]' ;;
    'getattr hostlist') [ -z "${FLUX_JOB_ID:-}" ] && echo 'corona[171-172,9]' ;;
    *) false ;;
esac
END
chmod +x "$FAKES/flux"
flux_batch() { env FLUX_ENCLOSING_ID=f2Yzq FLUX_URI=local:///run/flux/local "$@"; }

# measures SCHEDULER JOB ALLOCATION FIRST : benchrun over the job; then mpisel -n 1 takes its first
# host, since all are equally fast
measures() {
    ok "benchrun measures the hosts of $1" "$1" "$BIN/benchrun" --runs 1 --history none -o "$TMP/$1.csv"
    check 'its job is told' grep -qx "# job: $2" "$TMP/$1.csv"
    check 'and its hosts and slots' grep -qx "# allocation: $3" "$TMP/$1.csv"
    ok 'mpisel chooses among them' "$1" "$BIN/mpisel" -n 1 "$TMP/$1.csv"
    stdout_is "$4"
    stderr_empty
}

measures pbs 1234.server n0012.cluster:3,n0007.cluster:2 'n0012.cluster slots=3'
for way in lsf lsf_without_file lsf_with_names; do
    measures $way 567 batch3:1,a01n01:2,a01n02:3 'batch3 slots=1'
done
ok 'the batch node of LSF can be left out' \
    lsf "$BIN/mpisel" -n 1 --exclude batch3 "$TMP/lsf.csv"
stdout_is 'a01n01 slots=2'
ok 'also when measuring' lsf "$BIN/benchrun" --hosts a01n01,a01n02 --runs 1 --history none
stdout_has '^# allocation: a01n01:2,a01n02:3$'
measures sge 89 node05:3,node02:3 'node05 slots=3'
measures flux_batch f2Yzq corona171,corona172,corona9 'corona171 slots=1'
FLUX_JOB_ID=f9R
export FLUX_JOB_ID
measures flux_batch f9R corona171,corona172,corona9 'corona171 slots=1'
finish
