#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every launcher over several hosts: MPICH's mpiexec and ssh on plain hosts; srun, mpirun and mpiexec
# in jobs of Slurm; an MPI program as the benchmark under each; mpisel gives nodes back, and chooses by
# switches.
# shellcheck disable=SC2015,SC2016
# shellcheck source=/dev/null
. "$(dirname -- "$0")/lib.sh"
need_tools benchrun mpisel
need Slurm slurmctld:slurmctld slurmd:slurmd srun:slurm-client munged:munge
need "this test" mpiexec.mpich:mpich mpicc.mpich:libmpich-dev mpicc.openmpi:libopenmpi-dev
WHO=$USER_NAME

in_work() { as "$WHO" timeout 100 sh -c 'cd work && exec "$@"' - "$@"; }
# mpiexec is MPICH's here, whatever the machine's is.
with_mpich() { in_work env PATH="$WORK/bin:$STATE/bin:/usr/bin:/bin" "$@"; }
in_job() { in_work salloc -Q -w 'n[1-3]' -N 3 --ntasks-per-node=1 "$@"; }

make_work() {
    WORK=$(home "$WHO")/work
    mkdir -p "$WORK/bin"
    printf '#!/bin/sh\nexec mpiexec.mpich "$@"\n' >"$WORK/bin/mpiexec"
    chmod +x "$WORK/bin/mpiexec"
    local kind
    for kind in mpich openmpi; do
        mpicc.$kind -o "$WORK/app-$kind" "$SRC/tests/cli/split/mpi.c" || return 1
    done
    printf '%s\n' host,rank,run,bench,seconds,status n1,0,0,compute,3,ok n2,1,0,compute,1,ok \
        n3,2,0,compute,2,ok n4,3,0,compute,1,ok >"$WORK/table.csv"
}

# measured_by LAUNCHER HOST... : the table is of this launcher, whole, and these hosts are ok
measured_by() {
    grep -qx "# launcher: $1" "$WORK/times.csv" && is_complete "$WORK/times.csv" &&
        all_ok "$WORK/times.csv" "${@:2}" || { cat "$WORK/times.csv"; return 1; }
}

# is_split RANKS : so many rows of the table agree with what the program has said of itself
is_split() {
    awk -f "$SRC/tests/cli/split/agrees.awk" -v ranks="$1" -v status=ok "$WORK/own" "$WORK/times.csv" ||
        { cat "$WORK/own" "$WORK/times.csv"; return 1; }
}

# The program is a job of one rank on every host: an error that tells what helps, and no table.
is_misfit() {
    local got=0
    rm -f "$WORK/none.csv"
    in_job env SLURM_MPI_TYPE="$1" PATH="$WORK/bin:$STATE/bin:/usr/bin:/bin" \
        benchrun -q --launcher "$2" -o none.csv -- "./app-$3" >"$WORK/said" 2>&1 || got=$?
    [[ $got == 1 && ! -e $WORK/none.csv ]] &&
        grep -q "do not fit together: the launcher .* has started 3 ranks, .* a job of one rank.*$4" "$WORK/said" ||
        { echo "status $got"; cat "$WORK/said"; return 1; }
}

on_plain_hosts() {
    local launcher
    check "MPICH's mpiexec measures over ssh" \
        with_mpich benchrun -q --launcher mpiexec --hosts 'n[1-4]' --runs 2 -o times.csv
    check "the table is whole" measured_by MPICH n1 n2 n3 n4
    check "an MPI program of MPICH is measured" \
        with_mpich benchrun -q --launcher mpiexec --hosts 'n[1-4]' -o times.csv -- ./app-mpich
    check "computing and MPI are told apart on all hosts" is_split 4
    check "ssh alone measures" in_work benchrun -q --launcher ssh --hosts 'n[1-4]' --runs 2 -o times.csv
    check "the table is whole" measured_by ssh n1 n2 n3 n4
    check "unplug n3" cl unplug n3
    for launcher in MPICH ssh; do
        check "$launcher: a host that is cut off costs only its own rows" with_mpich benchrun -q \
            --launcher "${launcher/MPICH/mpiexec}" --hosts 'n[1-4]' --budget 9s --runs 2 -o times.csv
        check "$launcher: it is in the table" measured_by $launcher n1 n2 n4
        check "$launcher: as such" status_is "$WORK/times.csv" n3 'timeout|unreachable'
    done
    check "heal n3" cl heal n3
}

in_slurm() {
    local launcher program type
    while read -r launcher type program; do
        rm -f "$WORK/own"
        check "Slurm: $launcher runs $program ($type)" in_job \
            env SLURM_MPI_TYPE="$type" PATH="$WORK/bin:$STATE/bin:/usr/bin:/bin" \
            benchrun -q --launcher "$launcher" -o times.csv -- "./app-$program"
        check "computing and MPI are told apart on all hosts" is_split 3
    done <<'END'
srun pmix openmpi
srun pmi2 mpich
mpirun none openmpi
mpiexec none mpich
END
    check "srun without the --mpi that the program needs" is_misfit none srun mpich 'SLURM_MPI_TYPE.*pmi2'
    check "mpirun of Open MPI with a program of MPICH" is_misfit none mpirun mpich 'first in PATH'
}

# gives_back LAUNCHER : job 1 holds all hosts, job 2 waits for n3. Of n2 and n4, which are fastest,
# and n1, which has the script, job 1 goes on; job 2 runs before job 1 has ended.
gives_back() {
    rm -f "$WORK"/{said,first,second,err,left}
    cat >"$WORK/job.sh" <<END
#!/bin/sh
until squeue -h -t PD -n second -o %i | grep -q .; do sleep 0.1; done
mpisel -n 2 table.csv --give-back --yes -- $1 hostname >first 2>err
i=0
until [ -e second ] || [ \$((i += 1)) -gt 300 ]; do sleep 0.1; done
squeue -h -j \$SLURM_JOB_ID -o '%T %N' >left
ls slurm_job* >>left 2>/dev/null
mpisel -n 2 table.csv -- srun hostname >again 2>>err
mpisel -n 2 table.csv -- mpirun hostname >>again 2>>err
END
    in_work sbatch -w 'n[1-4]' -N 4 --ntasks-per-node=2 -o said job.sh &&
        in_work sbatch -J second -w n3 -N 1 -o said.2 --wrap 'hostname >second' &&
        eventually 60 no_jobs || return 1
    [[ $(sort "$WORK/first" | uniq -c | tr -s ' \n' ' ') == ' 2 n2 2 n4 ' && $(<"$WORK/second") == n3 &&
        $(<"$WORK/left") == 'RUNNING n[1-2,4]' &&
        $(sort "$WORK/again" | uniq -c | tr -s ' \n' ' ') == ' 4 n2 4 n4 ' ]] &&
        grep -q 'gave back 1 node (n3)' "$WORK/err" && grep -q 'n1 stays in the job' "$WORK/err" ||
        { tail -n 5 "$WORK"/{said,first,second,left,again,err}; return 1; }
}
no_jobs() { [[ -z $(as root squeue -h) ]]; }

# Slurm does not resize a task by the array's id, which the last one has, while another runs.
last_task_gives_back() {
    rm -f "$WORK"/{begun,told,left,err}
    cat >"$WORK/array.sh" <<'END'
#!/bin/sh
i=0
[ $SLURM_JOB_ID = $SLURM_ARRAY_JOB_ID ] || touch begun
until [ -e begun ] && { [ -e told ] || [ $SLURM_JOB_ID = $SLURM_ARRAY_JOB_ID ]; } || [ $((i += 1)) -gt 300 ]
do sleep 0.1; done
[ $SLURM_JOB_ID = $SLURM_ARRAY_JOB_ID ] || exit
mpisel -n 1 table.csv --give-back --yes -- srun hostname >first 2>err
squeue -h -j $SLURM_ARRAY_JOB_ID -o '%K %N' | sort >left
touch told
END
    in_work sbatch --array=0-1 -w 'n[2-3]' -N 2 --ntasks-per-node=1 -o said.%a array.sh >"$WORK/said" &&
        eventually 60 no_jobs && [[ $(<"$WORK/first") == n2 && $(<"$WORK/left") == $'0 n[2-3]\n1 n2' ]] ||
        { tail -n 5 "$WORK"/{said*,first,left,err}; return 1; }
}

# By default it is only said, and the answer is as without.
says_how() {
    local got
    got=$(in_work salloc -Q -w 'n[1-4]' -N 4 --ntasks-per-node=2 sh -c \
        'mpisel -n 2 table.csv --give-back 2>err; squeue -h -j $SLURM_JOB_ID -o %N')
    [[ $got == $'n2 slots=2\nn4 slots=2\nn[1-4]' ]] &&
        grep -qF "2 nodes (n[1,3]) can be given back (--yes does it): scontrol update JobId=" "$WORK/err" ||
        { echo "$got"; cat "$WORK/err"; return 1; }
}

# The shell of salloc is on no node of the job, so n1 goes too; the script of Slurm's is named.
gives_and_goes_on() {
    local got
    got=$(in_work salloc -Q -w 'n[1-4]' -N 4 --ntasks-per-node=2 sh -c \
        'mpisel -n 2 table.csv --give-back --yes 2>err >hosts; squeue -h -j $SLURM_JOB_ID -o %N
        mpirun --hostfile hosts hostname | sort
        eval "$(sed -n "s/.*without hosts: //p" err)"; srun hostname | sort; mpirun hostname | sort')
    [[ $got == "$(printf '%s\n' 'n[2,4]' n{2,2,4,4} n{2,2,4,4} n{2,2,4,4})" ]] ||
        { echo "$got"; cat "$WORK/err"; return 1; }
}

# n1 and n2 are the fastest by less than the noise, each at another switch.
compacts() {
    local got
    awk 'BEGIN { print "host,rank,run,bench,seconds,status"
        for (run = 0; run < 24; run++) for (i = 1; i <= 4; i++)
            printf "n%d,%d,%d,compute,%.6f,ok\n", i, i - 1, run, 1 + (i > 2) / 1000 + (run * 7 + i * 5) % 24 / 480 }' \
        >"$WORK/even.csv"
    got=$(in_work salloc -Q -w 'n[1-4]' -N 4 --ntasks-per-node=1 \
        mpisel -n 2 even.csv --compact --explain -- srun hostname 2>"$WORK/told")
    [[ $(sort <<<"$got" | tr '\n' ' ') =~ ^(n1 n3 |n2 n4 )$ ]] &&
        grep -q '; 1 switch between them, 3 without --compact$' "$WORK/told" ||
        { echo "$got"; cat "$WORK/told"; return 1; }
}

# A site that does not let jobs shrink: the job goes on with what it has.
forbidden() {
    sed -i 's/^SchedulerParameters=.*/&,disable_job_shrink/' "$STATE/slurm/etc/slurm.conf"
    as root scontrol reconfigure || return 1
    local got
    got=$(in_work salloc -Q -w 'n[1-4]' -N 4 --ntasks-per-node=2 sh -c \
        'mpisel -n 2 table.csv --give-back --yes -- srun hostname 2>err; squeue -h -j $SLURM_JOB_ID -o %N')
    [[ $(sort <<<"$got" | tr '\n' ' ') == 'n2 n2 n4 n4 n[1-4] ' ]] &&
        grep -q "warning: no node is given back, the job keeps what it has: scontrol update" "$WORK/err" ||
        { echo "$got"; cat "$WORK/err"; return 1; }
}

start 4
make_work || { echo "cannot make the programs"; exit 1; }
on_plain_hosts
check "slurm-up" cl slurm-up 'SwitchName=a Nodes=n[1,3]' 'SwitchName=b Nodes=n[2,4]' \
    'SwitchName=top Switches=a,b'
in_slurm
check "--compact takes the hosts of one switch" compacts
check "mpisel says how nodes are given back" says_how
for launcher in mpirun srun mpiexec.mpich; do
    check "$launcher runs after --give-back --yes; the node goes to a job that waits" gives_back $launcher
done
check "the last task of a job array gives its node back, no other one" last_task_gives_back
check "the shell of an interactive job goes on too" gives_and_goes_on
check "where Slurm does not shrink jobs all goes on" forbidden
check "slurm-down" cl slurm-down
check "nothing is left running" quiet 15
finish
