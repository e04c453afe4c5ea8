#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The programs that benchrun starts on hosts, by themselves.
# shellcheck disable=SC2016,SC2317  # $1 belongs to the inner shell; lib.sh calls our functions
. "$(dirname "$0")/lib.sh"
PROGRAMS=$BIN/../libexec/launchwise
RANK=$PROGRAMS/rank
unset OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK SLURM_PROCID

# says KIND FIELDS...: a record of that form, whatever its check
says() { stdout_has "^@launchwise:k9 [0-9a-f]\{8\} $1\$"; }
no_process_has() { ! pgrep -f "$1" >/dev/null; }
gone() {
    for _ in $(seq 100); do
        no_process_has "$1" && return 0
        sleep 0.1
    done
    return 1
}

ok 'compute tells warm-up and runs' "$PROGRAMS/compute" --size 64 --repeats 2 --runs 2 --threads 2
stdout_has '^warm [0-9.e-]*$'
stdout_has '^time 0 [0-9.e-]* ok$'
stdout_has '^time 1 [0-9.e-]* ok$'
ok 'compute finds a wrong result' "$PROGRAMS/compute" --size 64 --repeats 2 --runs 2 --spoil
stdout_has '^time 0 [0-9.e-]* ok$'
stdout_has '^time 1 [0-9.e-]* wrong$'
ok 'memory tells warm-up and runs' "$PROGRAMS/memory" --array-bytes 1000000 --runs 1 --threads 2
stdout_has '^time 0 [0-9.e-]* ok$'
fails 2 'an unknown argument is refused' "$PROGRAMS/compute" --fast
fails 2 'a number that is none is refused' "$PROGRAMS/memory" --runs many

ok 'a rank says hello, its times, and the end' "$RANK" --nonce k9 --rank 3 --size 8 \
    --step bench 0 5 compute --size 64 --runs 2
says 'hello 3 8 [^ ]* [^ ]* [0-9]* .*'
says 'warm 3 0 [0-9.e-]*'
says 'time 3 0 1 [0-9.e-]* ok - - -'
says 'end 3 3'
OMPI_COMM_WORLD_RANK=5 OMPI_COMM_WORLD_SIZE=6 ok 'it takes its number from the launcher' \
    "$RANK" --nonce k9
says 'hello 5 6 [^ ]* [^ ]* .*'
ok 'it says when it has none' "$RANK" --nonce k9
says 'hello - - [^ ]* [^ ]* .*'
ok 'a failed command is a record, not a failed rank' "$RANK" --nonce k9 --rank 0 \
    --step command 0 3 sh -c 'exit 4' --step command 1 1 nosuch_command --step command 2 1 true
says 'fail 0 0 failed - - sh ended with status 4'
says 'fail 0 1 failed - - cannot run nosuch_command: No such file or directory'
says 'time 0 2 0 [0-9.e-]* ok - - -'
ok 'a command that is killed is told by its signal' "$RANK" --nonce k9 --rank 0 \
    --step command 0 3 sh -c 'kill -KILL $$'
says 'fail 0 0 failed - - sh was ended by signal 9 (Killed)'
ok 'a command writes to stderr only' "$RANK" --nonce k9 --rank 0 --step command 0 2 echo mine
check 'stdout lacks it' sh -c "! grep -q mine $OUT"
stderr_has '^mine$'
ok 'a rank is bound to its core' "$RANK" --nonce k9 --rank 0 --local 0 --bind core \
    --step command 0 3 sh -c 'nproc >&2'
stderr_has '^1$'
ok 'a core that is not there is a failure of the rank' "$RANK" --nonce k9 --rank 0 \
    --local 100000 --bind core --step command 0 1 true
says 'fail 0 0 failed - - this host has only .*'
ok 'it gives signs of life' "$RANK" --nonce k9 --rank 0 --alive 1 --step command 0 2 sleep 2.5
says 'alive 0'

mark=98$$
ok 'nothing of a command is left' "$RANK" --nonce k9 --rank 0 \
    --step command 0 3 sh -c "setsid sleep $mark & true"
check 'also not in another session' no_process_has "^sleep $mark"
status 137 'a rank that is too old ends with all it started' "$RANK" --nonce k9 --rank 0 \
    --deadline 1 --step command 0 2 sleep "$mark"
check 'the command too' gone "^sleep $mark"
orphan() {
    sh -c '"$@" & until pgrep -f "^sleep '"$mark"'"; do sleep 0.1; done; kill -KILL $$' - \
        "$RANK" --nonce k9 --rank 0 --step command 0 3 sh -c "setsid sleep $mark & sleep $mark"
}
status 137 'the launcher dies' orphan
check 'and the rank with all it started' gone "sleep $mark"
fails 2 'a person is told who starts it' "$RANK"
stderr_has 'benchrun starts this program'
finish
