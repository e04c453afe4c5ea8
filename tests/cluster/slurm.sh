#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Under Slurm: the job script of the README, submitted through spare-plan, and every launcher that
# mpisel wraps.
# shellcheck disable=SC2015,SC2016
# shellcheck source=/dev/null
. "$(dirname -- "$0")/lib.sh"
need_tools benchrun mpisel spare-plan
need Slurm slurmctld:slurmctld slurmd:slurmd srun:slurm-client munged:munge
need "this test" mpiexec.hydra:mpich
SLOW=n2

# Our own job script, or the README's with hostname in place of the application
job_script() {
    local example=$SRC/share/examples/job.sh
    if [[ -e $example ]]; then
        cat "$example"
    else
        printf '%s\n' '#!/bin/sh' \
            'benchrun -o times.csv && mpisel times.csv --otherwise all -- mpirun ./app'
    fi
}

make_work() {                        # make_work WHO : the job and an application
    local work; work=$(home "$1")/work
    job_script >"$work/job.sh"
    printf '%s\n' '#!/bin/sh' 'echo "app on $(hostname)"' >"$work/app"
    chmod a+rx "$work/job.sh" "$work/app"
}

# in_work WHO COMMAND...
in_work() { as "$1" timeout 120 sh -c 'cd work && exec "$@"' - "${@:2}"; }

plan=(-n 3 --p-abn 0.2 --alpha 8 --t-bench 10 --t-cmpt 2h --t-comm 10m --max-nodes 6)

submits() {
    local said
    said=$(in_work "$1" spare-plan "${plan[@]}" -q -- sbatch --ntasks-per-node=2 -o job.out job.sh) ||
        return 1
    # sbatch -W looks rarely
    eventually 120 no_jobs && [[ $said == 'Submitted batch job '* ]]
}
no_jobs() { [[ -z $(as root squeue -h) ]]; }

# The application ran on three hosts of the job's, the slow one left out, all others in their order.
ran_without_slow() {
    local got spare work; work=$(home "$1")/work
    spare=$(as "$1" spare-plan "${plan[@]}" -q) || return 1
    ((spare >= 1)) || { echo "the plan asks for $spare spare nodes"; return 1; }
    got=$(grep '^app on' "$work/job.out" | sort | uniq -c | tr -s ' \n' ' ')
    [[ $got =~ ^(\ 2\ app\ on\ n[0-9]){3}\ $ && $got != *" $SLOW "* ]] || { echo "ran on: $got"; cat "$work/job.out"; return 1; }
}

saw_all() {                          # the whole allocation of 3 + k was measured
    local k; k=$(as "$1" spare-plan "${plan[@]}" -q)
    local got; got=$(grep '^n' "$(home "$1")/work/times.csv" | cut -d, -f1 | sort -u | wc -l)
    [[ $got == $((3 + k)) ]] || { echo "measured $got hosts, asked for 3 + $k"; return 1; }
}

# wraps WHO EXPECTED LAUNCHER... : in an allocation of n1..n4, on the three that are not slow
wraps() {
    local who=$1 expected=$2 got
    shift 2
    got=$(in_work "$who" salloc -Q -w 'n[1-4]' -N 4 --ntasks-per-node=2 \
        mpisel -n 3 wrap.csv -- "$@") || return 1
    got=$(sort <<<"$got" | uniq -c | tr -s ' \n' ' ')
    [[ $got == "$expected" ]] || { echo "ran on: $got"; return 1; }
}

# survives WHO LAUNCHER : n3 hangs when the job has begun, and only n3 is not ok
survives() {
    local who=$1 work; work=$(home "$1")/work
    rm -f "$work"/{go,hung.csv,hung.out}
    printf '%s\n' '#!/bin/sh' 'touch begun; until [ -e go ]; do sleep 0.1; done' \
        "benchrun -q --runs 3 --launcher $2 --timeout 4s -o hung.csv && touch done" >"$work/hung.sh"
    in_work "$who" sbatch -w 'n[1-4]' -N 4 --ntasks-per-node=2 -o hung.out hung.sh >"$work/said" &&
        eventually 20 test -e "$work/begun" && cl hang n3 || return 1
    touch "$work/go"
    eventually 100 test -e "$work/done"
    cl heal n3 && eventually 60 no_jobs
    rm -f "$work"/{begun,done}
    is_complete "$work/hung.csv" && status_is "$work/hung.csv" n3 'timeout|unreachable' &&
        all_ok "$work/hung.csv" n1 n2 n4 || { cat "$work"/hung.{out,csv}; return 1; }
}

start 6
# A host that hangs for a minute is none that Slurm gives up.
check "slurm-up" cl slurm-up SlurmdTimeout=300
check "$SLOW at 60 %" cl slow "$SLOW" 60
for who in "$USER_NAME" $(times '' root); do
    make_work "$who"
    check "$who: spare-plan submits the job script" submits "$who"
    check "$who: all nodes asked for were measured" saw_all "$who"
    check "$who: the application ran on three hosts, $SLOW left out" ran_without_slow "$who"
    check "$who: benchrun in an interactive allocation" in_work "$who" salloc -Q -w 'n[1-4]' -N 4 \
        --ntasks-per-node=2 benchrun -q --runs 3 -o wrap.csv
    both=' 2 n1 2 n3 2 n4 '
    check "$who: wraps mpirun" wraps "$who" "$both" mpirun hostname
    check "$who: wraps srun" wraps "$who" "$both" srun hostname
    check "$who: wraps MPICH's mpiexec" wraps "$who" "$both" mpiexec.hydra -n 6 hostname
    check "$who: srun as benchrun's launcher" in_work "$who" salloc -Q -w 'n[1-4]' -N 4 \
        --ntasks-per-node=2 benchrun -q --runs 3 --launcher srun -o srun.csv
    check "$who: it measured all" all_ok "$(home "$who")/work/srun.csv" n1 n2 n3 n4
    for launcher in mpirun srun; do
        check "$who: $launcher in a job with a hung host" survives "$who" "$launcher"
    done
done
check "slurm-down" cl slurm-down
check "nothing is left running" quiet 15
finish
