#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpisel --give-back, with commands of the schedulers that only say what they were given. The real
# Slurm: tests/cluster/launchers.sh.
# shellcheck disable=SC2016,SC2317  # $1 belongs to the inner shell; lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
FIVE=$DATA/mpisel_five.csv # n3 and n1 are the fastest, then n2 and n4; n5 timed out
FAKES=$TMP/fakes
mkdir "$FAKES"
fake() { # NAME : a command whose script comes on standard input
    { echo '#!/bin/sh'; cat; } >"$FAKES/$1"
    chmod +x "$FAKES/$1"
}
fake squeue <<'END'
[ -z "${FAIL_SQUEUE:-}" ] || { echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1; }
echo "${HELD:-n[1-5]}|${BATCH:-n2}"
END
fake scontrol <<END
echo "\$*" >>"$TMP/did"
[ -z "\${FAIL_SCONTROL:-}" ] || { echo 'Requested operation not supported on this system' >&2; exit 1; }
touch slurm_job_7_resize.sh slurm_job_7_resize.csh
echo 'To reset Slurm environment variables, execute'
END
fake pbs_release_nodes <<END
echo "\$*" >>"$TMP/did"
END
fake mpirun <<'END'
[ "${1:-}" = --version ] && { echo 'mpirun (Open MPI) 4.1.4'; exit 0; }
echo "nodes $SLURM_JOB_NODELIST $SLURM_NODELIST $SLURM_NNODES $SLURM_JOB_NUM_NODES"
echo "tasks $SLURM_TASKS_PER_NODE $SLURM_NTASKS"
END
PATH=$FAKES:$PATH
mkdir "$TMP/work"
cd "$TMP/work" || exit 1
select_() { rm -f "$TMP/did"; "$BIN/mpisel" -n 2 "$FIVE" "$@"; }
slurm() {
    env SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n[1-5]' SLURM_NODELIST='n[1-5]' SLURM_NNODES=5 \
        SLURM_JOB_NUM_NODES=5 'SLURM_TASKS_PER_NODE=2(x4),1' SLURM_NTASKS=9 "$BIN/mpisel" -n 2 "$FIVE" "$@"
}
forget() { rm -f "$TMP/did" slurm_job_*; }
did() { check "$1" grep -qxF -e "$2" "$TMP/did"; }
did_nothing() { check 'nothing is done' test ! -e "$TMP/did"; }
ANSWER='n1 slots=2
n3 slots=2'

ok 'the command is said, not done' slurm --give-back
stdout_is "$ANSWER"
stderr_has "info: n2 stays in the job although it is not chosen: the job's script runs there"
stderr_has "info: 2 nodes (n\[4-5\]) can be given back (--yes does it): scontrol update JobId=7 'NodeList=n\[1-3\]'\$"
did_nothing
ok 'with --yes it is done' slurm --give-back --yes
stdout_is "$ANSWER"
did 'what stays is told to Slurm' 'update JobId=7 NodeList=n[1-3]'
stderr_has 'info: gave back 2 nodes (n\[4-5\])$'
stderr_has "without hosts: . ./slurm_job_7_resize.sh; export SLURM_TASKS_PER_NODE='2(x3)'\$"
check 'the script that it names is there' test -e slurm_job_7_resize.sh
forget
BATCH=login ok 'in an interactive job the script runs on no node of it' slurm --give-back --yes
did 'so only the chosen ones stay' 'update JobId=7 NodeList=n[1,3]'
forget
ok 'a launcher sees the smaller job' slurm --give-back --yes -- mpirun ./app
stdout_is 'nodes n[1-3] n[1-3] 3 3
tasks 2(x3) 4'
check 'and no script is left' test "$(echo slurm_job_*)" = 'slurm_job_*'
forget
HELD='n[1-3]' ok 'what is given back already is not given again' slurm --give-back --yes -- mpirun ./app
stdout_has '^nodes n\[1-3\] '
stderr_has 'info: there is no node to give back'
did_nothing
ok 'without --yes a launcher sees the job as it is' slurm --give-back -- mpirun ./app
stdout_has '^nodes n\[1-5\] n\[1-5\] 5 5$'
did_nothing

# The last task of an array has the array's id, by which Slurm resizes no task.
task() { SLURM_ARRAY_JOB_ID=$1 SLURM_ARRAY_TASK_ID=2 slurm --give-back --yes; }
ok 'a task of an array whose id is the array'"'"'s' task 7
did 'is told from the others' 'update JobId=7_2 NodeList=n[1-3]'
forget
ok 'a task with an id of its own' task 5
did 'needs nothing else' 'update JobId=7 NodeList=n[1-3]'
forget

# --- nothing that is in the way ends the job
for form in '' '-- mpirun ./app'; do
    # shellcheck disable=SC2086
    FAIL_SCONTROL=1 ok "a site that does not let jobs shrink ($form)" slurm --give-back --yes $form
    stderr_has 'Requested operation not supported'
    stderr_has "warning: no node is given back, the job keeps what it has: scontrol update JobId=7 'NodeList=n\[1-3\]' ended with status 1"
    # shellcheck disable=SC2086
    FAIL_SQUEUE=1 ok "Slurm does not answer ($form)" slurm --give-back --yes $form
    stderr_has 'warning: no node is given back.*squeue'
done
stdout_has '^nodes n\[1-5\] n\[1-5\] 5 5$'
forget
none() { env PATH=/nowhere SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n[1-5]' "$BIN/mpisel" -n 2 "$FIVE" "$@"; }
ok 'Slurm is not in PATH' none --give-back --yes
stderr_has 'warning: no node is given back.*cannot run squeue'
fails 3 'nothing is given back where no hosts can be chosen' \
    slurm -n 5 --give-back --yes
did_nothing
full() { slurm --give-back --yes >/dev/full; }
if [ -w /dev/full ]; then
    status 1 'nor where the answer cannot be written' full
    did_nothing
fi

# --- other schedulers
printf '%s\n' n2 n2 n1 n3 n5 >"$TMP/nodefile"
pbs() { env PBS_JOBID=8.server PBS_NODEFILE="$TMP/nodefile" "$BIN/mpisel" -n 2 "$FIVE" "$@"; }
ok 'PBS: the command is said' pbs --give-back
stderr_has "info: n2 stays in the job"
stderr_has 'info: 1 node (n5) can be given back (--yes does it): pbs_release_nodes -j 8.server n5$'
did_nothing
ok 'PBS: with --yes it is done' pbs --give-back --yes
did 'what goes is told to PBS' '-j 8.server n5'
forget
nameless() { env PBS_NODEFILE="$TMP/nodefile" "$BIN/mpisel" -n 2 "$FIVE" "$@"; }
ok 'PBS: without an id' nameless --give-back --yes
stderr_has 'warning: no node is given back, .*PBS_JOBID is not set, so it is not known which job'
did_nothing
lsf() { env LSB_JOBID=9 LSB_MCPU_HOSTS='n1 1 n2 1 n3 1 ' "$BIN/mpisel" -n 2 "$FIVE" "$@"; }
ok 'LSF: the job goes on' lsf --give-back --yes
stderr_has 'warning: no node is given back, .*no way to give nodes of LSF back'
fails 2 'outside of a job there is nothing to give back' select_ --give-back
stderr_has 'error: --give-back: this is not the job'
fails 2 'also before a launcher' select_ --give-back --yes --otherwise all -- mpirun ./app
fails 2 '--yes alone' slurm --yes
stderr_has 'error: --yes is for --give-back'
finish
