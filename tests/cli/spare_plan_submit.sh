#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# spare-plan ... -- sbatch ARGS: the submitters here print their arguments and the variable.
# shellcheck disable=SC2016,SC2086,SC2317  # $1 belongs to the inner shell; the lists are split
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
unset LAUNCHWISE_N_NODE
mkdir "$TMP/bin"
for name in sbatch salloc qsub bsub; do
    {
        echo '#!/bin/sh'
        echo 'printf "%s" "${0##*/}"; for word; do printf " [%s]" "$word"; done; echo'
        echo 'echo "LAUNCHWISE_N_NODE=$LAUNCHWISE_N_NODE"'
        echo 'echo "stdin: $(cat)"'
        echo 'exit ${FAKE_STATUS:-0}'
    } >"$TMP/bin/$name"
    chmod +x "$TMP/bin/$name"
done
PATH=$TMP/bin:$PATH
export PATH
printf '#!/bin/sh\n#SBATCH -t 10\nsleep 1\n' >"$TMP/job.sh"
# 3 spares for 100 nodes
PLAN='-n 100 --p-abn 0.005 --alpha 10 --t-bench 0.1 --t-cmpt 10 --t-comm 5'
plan() { "$BIN/spare-plan" "$@"; }
says() {
    stdout_is "$1
LAUNCHWISE_N_NODE=100
stdin: "
}

# --- the request
ok 'sbatch is asked for nodes and spares' plan $PLAN -- sbatch -t 10 "$TMP/job.sh" a 'b c'
says "sbatch [-N] [103] [-t] [10] [$TMP/job.sh] [a] [b c]"
stderr_has 'sbatch is asked for 103 nodes, 3 of them spare'
ok 'salloc too, quietly' plan -q $PLAN -- salloc ./prog
says 'salloc [-N] [103] [./prog]'
stderr_empty
ok 'a submitter named by its path' plan $PLAN -- "$TMP/bin/sbatch" job.sh
stdout_has '\[-N\] \[103\] \[job.sh\]'
ok 'bsub by -nnodes' plan $PLAN -- bsub -q normal ./job
says 'bsub [-nnodes] [103] [-q] [normal] [./job]'
ok 'qsub by -l select, and -v since it passes on no environment' plan $PLAN -- qsub job.sh
says 'qsub [-l] [select=103] [-v] [LAUNCHWISE_N_NODE=100] [job.sh]'
ok 'qsub -V passes on everything already' plan $PLAN -- qsub -V job.sh
says 'qsub [-l] [select=103] [-V] [job.sh]'
ok "a user's -v list is left alone" plan $PLAN -- qsub -v A=1 job.sh
says 'qsub [-l] [select=103] [-v] [A=1] [job.sh]'
stderr_has 'does not get LAUNCHWISE_N_NODE'
echo 'echo hello' >"$TMP/stdin"
INPUT=$TMP/stdin
ok 'standard input is the submitter'\''s' plan $PLAN -- sbatch
stdout_has 'stdin: echo hello'
INPUT=
FAKE_STATUS=7
export FAKE_STATUS
status 7 'the exit status is the submitter'\''s' plan $PLAN -- sbatch job.sh
unset FAKE_STATUS
ok 'options after -- are the submitter'\''s' plan $PLAN -- sbatch --json --help job.sh
says 'sbatch [-N] [103] [--json] [--help] [job.sh]'
ok 'a second -- is passed on' plan $PLAN -- sbatch job.sh -- -n
says 'sbatch [-N] [103] [job.sh] [--] [-n]'
ok '-o keeps the plan beside the submission' plan $PLAN --json -o "$TMP/plan.json" -- sbatch job.sh
says 'sbatch [-N] [103] [job.sh]'
check 'the file holds it' grep -q '"n_spare": 3,' "$TMP/plan.json"
fails 2 'without -o --json has nowhere to go' plan $PLAN --json -- sbatch job.sh
fails 2 'nor has --curve -' plan $PLAN --curve - -o "$TMP/k" -- sbatch job.sh
ok 'says when it is not worth it' \
    plan -n 100 --p-abn 0 --alpha 10 --t-bench 1 --t-cmpt 10 -- sbatch job.sh
says 'sbatch [-N] [100] [job.sh]'
stderr_has 'not worth it'

# --- node counts that are there already
taken() {
    option=$1
    shift
    fails 2 "$option is there already: $*" plan $PLAN -- "$@"
    stderr_has "$option is among the arguments of $1 already"
}
taken -N sbatch -N 4 job.sh
taken -N sbatch -N4 job.sh
taken -N salloc -p batch -t 10 -N 4-8 ./prog
taken --nodes sbatch --nodes=4 job.sh
taken --nodes sbatch --exclusive --nodes 4 job.sh
taken '-l select' qsub -l select=4:ncpus=8 job.sh
taken '-l select' qsub -lselect=4 job.sh
taken '-l select' qsub -l walltime=10:00,select=4 job.sh
taken '-l nodes' qsub -l nodes=4:ppn=2 job.sh
taken '-n' bsub -n 4 ./job
taken '-nnodes' bsub -nnodes 4 ./job
ok "a script's own -N is no node count" plan $PLAN -- sbatch -p batch job.sh -N 5
says 'sbatch [-N] [103] [-p] [batch] [job.sh] [-N] [5]'
ok 'other options that begin alike are none' \
    plan $PLAN -- sbatch -n 400 --nodelist=n[1-3] --no-requeue --ntasks-per-node=4 job.sh
says 'sbatch [-N] [103] [-n] [400] [--nodelist=n[1-3]] [--no-requeue] [--ntasks-per-node=4] [job.sh]'
ok 'other resources of -l are none' plan $PLAN -- qsub -V -l walltime=10:00 job.sh
says 'qsub [-l] [select=103] [-V] [-l] [walltime=10:00] [job.sh]'

# --- what the script says
printf '#!/bin/sh\n#SBATCH -t 10\n#SBATCH --nodes=4\n#SBATCH --export=NONE\n' >"$TMP/nodes.sh"
ok 'a node count in the script is overridden, and told' plan $PLAN -- sbatch "$TMP/nodes.sh"
says "sbatch [-N] [103] [$TMP/nodes.sh]"
stderr_has "nodes.sh:3: --nodes asks for nodes too, the 103 of the command line win"
stderr_has '--export keeps LAUNCHWISE_N_NODE from the job'
printf '#!/bin/sh\n#PBS -v A=1\n' >"$TMP/pbs.sh"
ok "the script's own -v list is not overridden" plan $PLAN -- qsub "$TMP/pbs.sh"
says "qsub [-l] [select=103] [$TMP/pbs.sh]"
stderr_has 'does not get LAUNCHWISE_N_NODE'
fails_not() { if grep -q -e "$1" "$ERR"; then fail_ "stderr has: $1"; else pass_; fi; }
ok '--export=ALL passes it on' plan $PLAN -- sbatch --export=ALL,A=1 job.sh
fails_not 'keeps'

# --- what cannot be submitted
fails 2 'no command after --' plan $PLAN --
stderr_has 'no command after --'
fails 2 'a command that submits nothing' plan $PLAN -- mpirun ./app
stderr_has 'mpirun after -- is no command that submits jobs'
fails 2 'nothing is submitted without a plan' plan -n 100 -- sbatch job.sh
rm "$TMP/bin/bsub"
fails 1 'a submitter that is not installed' \
    env PATH="$TMP/bin" "$BIN/spare-plan" $PLAN -- bsub ./job
stderr_has 'cannot run bsub'

# --- --otherwise
fails 1 'no history, nothing is submitted' plan -n 100 --from --t-cmpt 1h -- sbatch job.sh
stderr_has 'no history'
ok '--otherwise gives the spares then' \
    plan -n 100 --from --t-cmpt 1h --otherwise 2 -- sbatch job.sh
says 'sbatch [-N] [102] [job.sh]'
stderr_has 'no history .*--otherwise says 2 spares'
ok 'without a submitter too' plan -n 100 --from --t-cmpt 1h --otherwise 2
stdout_is 2
ok 'within --max-nodes' plan -n 100 --from --t-cmpt 1h --otherwise 9 --max-nodes 104 --json
stdout_has '"n_total": 104,'
stderr_has 'otherwise says 9 spares but --max-nodes 104 leaves 4, so 4 are taken'
stdout_has '"expected_cost": null,'
ok 'it does not replace a plan' plan $PLAN --otherwise 9
stdout_is 3
fails 2 'nor a missing parameter' plan -n 100 --from --otherwise 9 -- sbatch job.sh
finish
