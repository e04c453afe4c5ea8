#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpisel as a filter: which hosts, in which form, and what is refused.
#
# Node times of mpisel_five.csv (slowest rank of a run; its runs in order), allocation order:
#   n3 1 1 1    n1 1.1 4 1.1    n2 1.2 1.2 1.2    n5 timeout    n4 2 2 2
# Medians 1, 1.1, 1.2, 2; means 1, 2.0667, 1.2, 2; slowest 1, 4, 1.2, 2. Median host time 1.15.
# shellcheck disable=SC2016,SC2317  # $1 belongs to the inner shell; lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
FIVE=$DATA/mpisel_five.csv
select_() { "$BIN/mpisel" "$@"; }

# --- which hosts
ok 'chooses the fastest by the median, in allocation order' select_ -n 3 "$FIVE"
stdout_is 'n3 slots=2
n1 slots=2
n2 slots=2'
stderr_empty
ok 'by the mean a single slow run counts' select_ -n 2 "$FIVE" --by mean
stdout_is 'n3 slots=2
n2 slots=2'
ok 'by the slowest run it counts most' select_ -n 3 "$FIVE" --by slowest
stdout_is 'n3 slots=2
n2 slots=2
n4 slots=2'
ok 'ties keep the order of the table' select_ -n 3 "$DATA/mpisel_tied.csv"
stdout_is 'd slots=1
a slots=1
c slots=1'
ok 'excluded hosts are never chosen' select_ -n 2 "$FIVE" --exclude 'n[3,7]'
stdout_is 'n1 slots=2
n2 slots=2'
stderr_empty
ok 'an excluded host that is not there is told with -v' \
    select_ -v -n 2 "$FIVE" --exclude stranger --exclude n3
stderr_has 'stranger'
ok 'a list of bare numbers is a host list' select_ -n 1 "$FIVE" --exclude '[1-3]'
ok 'hosts above the ratio are left out' select_ -n 3 "$FIVE" --max-ratio 1.05
stdout_is 'n3 slots=2
n1 slots=2
n2 slots=2'
fails 3 'a ratio that leaves too few is told' select_ -n 4 "$FIVE" --max-ratio 1.05
stderr_has 'asked for 4 hosts, 3 usable: 1 timeout, 1 above --max-ratio 1.05'
fails 3 'more hosts than usable is told with the reasons' select_ -n 5 --exclude n1 "$FIVE"
stderr_has 'mpisel: error: asked for 5 hosts, 3 usable: 1 excluded, 1 timeout'
ok 'the worse benchmark decides, a host without one of them is out' \
    select_ -n 1 "$DATA/mpisel_two_benches.csv"
stdout_is 'c slots=1'
ok 'runs of several blocks count together, the last allocation gives the slots' \
    select_ -n 1 "$DATA/mpisel_two_blocks.csv"
stdout_is 'b slots=4'

# --- how many
ok 'the count comes from LAUNCHWISE_N_NODE' env LAUNCHWISE_N_NODE=1 "$BIN/mpisel" "$FIVE"
stdout_is 'n3 slots=2'
ok '-n wins over LAUNCHWISE_N_NODE' env LAUNCHWISE_N_NODE=1 "$BIN/mpisel" -n 2 "$FIVE"
stdout_is 'n3 slots=2
n1 slots=2'
fails 2 'without either there is no answer' select_ "$FIVE"
stderr_has '-n N.*LAUNCHWISE_N_NODE'
fails 2 'a LAUNCHWISE_N_NODE that is no count' env LAUNCHWISE_N_NODE=two "$BIN/mpisel" "$FIVE"
stderr_has 'LAUNCHWISE_N_NODE'
fails 2 'no hosts at all' select_ -n 0 "$FIVE"
fails 2 'a count below zero' select_ -n -1 "$FIVE"

# --- forms
ok 'mpich form' select_ -n 2 "$FIVE" --format mpich
stdout_is 'n3:2
n1:2'
ok 'intel form' select_ -n 2 "$FIVE" --format intel --slots 7
stdout_is 'n3:7
n1:7'
ok 'rankfile, ranks host by host' select_ -n 2 "$FIVE" --format rankfile
stdout_is 'rank 0=n3 slot=0
rank 1=n3 slot=1
rank 2=n1 slot=0
rank 3=n1 slot=1'
ok 'slurm-hostfile, a line a rank' select_ -n 2 "$FIVE" --format slurm-hostfile
stdout_is 'n3
n3
n1
n1'
ok 'slurm-nodelist on one line' select_ -n 3 "$FIVE" --format slurm-nodelist
stdout_is 'n[3,1-2]'
ok 'plain names' select_ -n 2 "$FIVE" --format plain
stdout_is 'n3
n1'
printf 'n3\n' >"$TMP/want"
check 'the last line ends with a newline' sh -c '"$1" -n 1 "$2" --format plain | cmp - "$3"' \
    sh "$BIN/mpisel" "$FIVE" "$TMP/want"
ok 'the fastest first' select_ -n 3 "$FIVE" --by mean --order speed --format rankfile --slots 1
stdout_is 'rank 0=n3 slot=0
rank 1=n2 slot=0
rank 2=n4 slot=0'
stderr_empty
ok 'a form that does not keep that order is told' select_ -n 2 "$FIVE" --order speed
stderr_has 'warning: .*rankfile'
fails 2 'an unknown form' select_ -n 2 "$FIVE" --format torque
stderr_has 'torque'
fails 2 'an unknown order' select_ -n 2 "$FIVE" --order backwards
fails 2 'an unknown way of averaging' select_ -n 2 "$FIVE" --by mode

# --- where from, where to
INPUT=$FIVE
ok 'standard input is the default' select_ -n 1
stdout_is 'n3 slots=2'
ok 'and can be named' select_ -n 1 -
stdout_is 'n3 slots=2'
unset INPUT
ok 'the answer goes to a file' select_ -n 1 "$FIVE" -o "$TMP/hosts"
stdout_is ''
check 'which holds it' grep -qx 'n3 slots=2' "$TMP/hosts"
fails 3 'a file from before survives a failure' select_ -n 9 "$FIVE" -o "$TMP/hosts"
check 'as it was' grep -qx 'n3 slots=2' "$TMP/hosts"
set -- "$TMP"/hosts*
check 'with nothing beside it' test $# -eq 1
fails 1 'a full device' select_ -n 1 "$FIVE" -o /dev/full
stderr_has '/dev/full'
check 'a full standard output is an error' \
    sh -c '"$1" -n 1 "$2" >/dev/full 2>/dev/null; test $? -eq 1' sh "$BIN/mpisel" "$FIVE"
check 'a closed standard output is an error' \
    sh -c '"$1" -n 1 "$2" >&- 2>/dev/null; test $? -eq 1' sh "$BIN/mpisel" "$FIVE"
fails 2 'a file without a name' select_ -n 1 "$FIVE" -o ''
stderr_has 'error: -o: an empty file name'
fails 1 'a folder that is not there' select_ -n 1 "$FIVE" -o "$TMP/none/hosts"
fails 1 'a table that is not there' select_ -n 1 "$TMP/none.csv"
stderr_has 'none.csv'

# --- tables that are refused
fails 1 'a table that benchrun did not finish' select_ -n 1 "$DATA/mpisel_incomplete.csv"
stderr_has 'mpisel_incomplete.csv:1: .*measure again'
: >"$TMP/empty.csv"
fails 1 'an empty table' select_ -n 1 "$TMP/empty.csv"
stderr_has 'empty.csv'
echo 'host,rank,run,bench,seconds,status' >"$TMP/header.csv"
fails 1 'a table without rows' select_ -n 1 "$TMP/header.csv"
bad() { # SENTENCE ROW
    { echo 'host,rank,run,bench,seconds,status' && echo 'a,0,0,b,1,ok' && printf '%s\n' "$2"; } \
        >"$TMP/bad.csv"
    fails 1 "$1" select_ -n 1 "$TMP/bad.csv"
    stderr_has 'bad.csv:3: '
}
bad 'seconds that are no number' 'a,1,0,b,fast,ok'
bad 'seconds below zero' 'a,1,0,b,-1,ok'
bad 'seconds that are not finite' 'a,1,0,b,inf,ok'
bad 'a status that is not known' 'a,1,0,b,1,great'
bad 'a line with too few fields' 'a,1,0'
bad 'a host that is an option' '--help,1,0,b,1,ok'
bad 'a host that is shell text' '$(reboot),1,0,b,1,ok'
bad 'a host that is a path' '../x,1,0,b,1,ok'
bad 'a host of 300 bytes' "$(printf '%300s' '' | tr ' ' a),1,0,b,1,ok"
bad 'a host that is empty' ',1,0,b,1,ok'
echo 'host,rank,run,seconds,status' >"$TMP/column.csv"
fails 1 'a table that lacks a column' select_ -n 1 "$TMP/column.csv"
stderr_has 'column.csv:1: .*bench'
# cured SENTENCE : the command that the message names makes the table readable
cured() {
    check "$1" sh -c 'cd "$1" && sh -c "$(sed "s/.*with //;s/\$/ odd.csv/" "$2")"' sh "$TMP" "$ERR"
    ok "$1" select_ -n 1 "$TMP/odd.csv"
    stdout_is 'a slots=1'
}
printf '\357\273\277host,rank,run,bench,seconds,status\na,0,0,b,1,ok\n' >"$TMP/odd.csv"
fails 1 'a byte order mark' select_ -n 1 "$TMP/odd.csv"
stderr_has 'odd.csv:1: a byte order mark'
cured 'can be removed as told'
printf ' host, rank ,run,bench, seconds,status \na, 0 ,0,b, 1,ok \n' >"$TMP/odd.csv"
fails 1 'blanks in the header' select_ -n 1 "$TMP/odd.csv"
stderr_has 'odd.csv:1: blanks beside the column name host'
cured 'can be removed as told'

# --- inside a job
ok 'only hosts of the job are chosen, in its order' \
    env SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n[1-4]' 'SLURM_TASKS_PER_NODE=2(x4)' \
    "$BIN/mpisel" -n 2 "$FIVE"
stdout_is 'n1 slots=2
n3 slots=2'
fails 3 'a table of another job does not do' \
    env SLURM_JOB_ID=7 SLURM_JOB_NODELIST='m[1-4]' 'SLURM_TASKS_PER_NODE=2(x4)' \
    "$BIN/mpisel" -n 2 "$FIVE"
stderr_has 'asked for 2 hosts, 0 usable: 5 not in this allocation'
fails 3 'other spellings are pointed at' \
    env SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n1.site,n2.site' 'SLURM_TASKS_PER_NODE=2(x2)' \
    "$BIN/mpisel" -n 2 "$FIVE"
stderr_has 'the table says n1, this job .* says n1.site'
ok 'slots above those of the job are told' \
    env SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n[1-4]' 'SLURM_TASKS_PER_NODE=2(x4)' \
    "$BIN/mpisel" -n 2 "$FIVE" --slots 9
stderr_has 'warning: n1 has 2 slots .* gets 9'
ok 'a table by hand gets the slots of the job' \
    env SLURM_JOB_ID=7 SLURM_JOB_NODELIST='a,b,c,d' 'SLURM_TASKS_PER_NODE=3(x4)' \
    "$BIN/mpisel" -n 2 "$DATA/mpisel_tied.csv"
stdout_is 'a slots=3
b slots=3'
cat >"$TMP/labels.csv" <<END
host,rank,run,bench,seconds,status
worker.1,0,0,compute,1,ok
worker.2,1,0,compute,1,ok
END
fails 1 'hosts that Open MPI takes for one' select_ -n 2 "$TMP/labels.csv"
stderr_has 'worker.1 and worker.2'
ok 'are two for the others' select_ -n 2 "$TMP/labels.csv" --format mpich

# --- talk
ok '--explain leaves stdout as it is' select_ -n 2 "$FIVE" --explain
stdout_is 'n3 slots=2
n1 slots=2'
stderr_has '^n4  *2.000  *1.739  slower than the 2 kept$'
stderr_has '^n5  *-  *-  timeout$'
fails 3 '--explain also tells a failure' select_ -n 5 "$FIVE" --explain
stderr_has '^n3  *1.000  *0.870  usable$'
ok '--json tells every host' select_ -n 2 "$FIVE" --json
check 'as one object' python3 -c 'import json,sys
a = json.load(open(sys.argv[1]))
assert a["n"] == 2 and a["selected"] == ["n3", "n1"], a
assert [h["host"] for h in a["hosts"]] == ["n3", "n1", "n2", "n5", "n4"]
assert [h["reason"] for h in a["hosts"]][3] == "timeout"
assert a["hosts"][1]["slots"] == 2 and abs(a["hosts"][0]["ratio"] - 1 / 1.15) < 1e-12' "$OUT"
stderr_empty
{
    echo 'host,rank,run,bench,seconds,status'
    for run in $(seq 0 23); do
        printf '%s,0,%s,b,%s,ok\n' a "$run" 1.$((run % 3)) b "$run" 1.$((run % 3)) \
            c "$run" 2.$((run % 3))
    done
} >"$TMP/steady.csv"
ok '--explain tells how sure it is' select_ -n 2 "$TMP/steady.csv" --explain --format plain
stderr_has '^c .*  slow  slower than the 2 kept$'
stderr_has '^the choice is settled after 24 runs: each is faster than any other, with 99 % confid'
sed 's/^host/# tolerance: 1.2\n&/' "$TMP/steady.csv" >"$TMP/tolerant.csv"
ok 'by the tolerance of the table' select_ -n 2 "$TMP/tolerant.csv" --explain --format plain
stderr_has '^c .*  even  slower than the 2 kept$'
cat >"$TMP/split.csv" <<'CSV'
host,rank,run,bench,seconds,status,compute_seconds,mpi_seconds
n1,0,0,app,3.9,ok,1.9,2
n2,1,0,app,3.9,ok,3.8,0.1
n3,2,0,app,3.9,ok,2,1.9
CSV
ok 'hosts of a synchronised program are told apart by computing' \
    select_ -n 2 "$TMP/split.csv" --explain --format plain
stdout_is 'n1
n3'
stderr_has '^host  *app computing \[s\]  *ratio'
stderr_has '^n2  *3.800  *1.900  slower than the 2 kept$'
ok 'and --json says so' select_ -n 2 "$TMP/split.csv" --json
stdout_has '"app": "compute_seconds"'
sed 's/,1.9,2$/,,/' "$TMP/split.csv" >"$TMP/mixed.csv"
ok 'where a row is not split all count by wall time' \
    select_ -n 2 "$TMP/mixed.csv" --format plain
stdout_is 'n1
n2'
stderr_has 'app: some rows lack compute_seconds'
ok 'help' select_ --help
for option in -n --by --order --exclude --max-ratio --slots --format -o --explain --json --otherwise; do
    stdout_has "$option"
done
for format in openmpi mpich intel rankfile slurm-hostfile slurm-nodelist plain; do
    stdout_has "$format"
done
check 'no line of it is wider than 100 columns' sh -c '! grep -q "^.\{101\}" "$1"' sh "$OUT"
ok 'version' select_ --version
fails 2 'an option that is not there' select_ -n 2 "$FIVE" --nope
stderr_has 'nope'
fails 2 'a bad --exclude' select_ -n 2 "$FIVE" --exclude 'n[1'
stderr_has 'exclude'
fails 2 'a ratio that is no number' select_ -n 2 "$FIVE" --max-ratio fast
fails 2 'a ratio of zero' select_ -n 2 "$FIVE" --max-ratio 0
fails 2 '--otherwise without a launcher' select_ -n 2 "$FIVE" --otherwise all
# pairs N SLOW FACTOR : all pairs of n1..nN take 1 s, those that the awk condition SLOW holds for FACTOR
pairs() {
    awk -v n="$1" -v factor="$3" 'BEGIN {
        print "host,rank,run,bench,seconds,status,peer"
        for (run = 0; run < 24; run++) for (a = 1; a <= n; a++) for (b = 1; b <= n; b++)
            if (a != b) printf "n%d,%d,%d,net,%g,ok,n%d\n", a, a - 1, run, ('"$2"') ? factor : 1, b
    }'
}
pairs 6 'a * b == 6 && a + b == 5' 3 >"$TMP/link.csv"
ok 'one host of a slow link is left out' "$BIN/mpisel" -n 5 --format plain --explain "$TMP/link.csv"
stdout_is 'n1
n2
n4
n5
n6'
stderr_has '^n3 .* slow link to n2$'
stderr_has '^n2 - n3: the link is slow: net takes 2.* times what the two hosts account for, between .* and .* after 24 runs; n3 is left out for it$'
ok 'with none to spare both are kept, with a warning' "$BIN/mpisel" -n 6 --format plain "$TMP/link.csv"
stderr_has 'n2 and n3 are both chosen, although the link between them is slow'
pairs 6 'a == 3 || b == 3' 3 >"$TMP/host.csv"
ok 'a slow host is no slow link' "$BIN/mpisel" -n 4 --format plain --explain "$TMP/host.csv"
check 'it is left out' sh -c "! grep -q n3 $OUT"
stderr_has '^n3: slow with all its partners, so the host or its own link: net takes 2.* times the median'
check 'no link is blamed' sh -c "! grep -q 'link is slow' $ERR"
finish
