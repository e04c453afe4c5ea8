#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Task files, and what tasks get and give: commands, folders, environment, output.
# shellcheck disable=SC2016,SC2317  # variables belong to the tasks; lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
run() { "$BIN/cosched_exec" "$@"; }
# sorted SENTENCE-COMMAND...: stdout in a fixed order, as tasks run at the same time
sorted() { run "$@" | sort; }
cd "$TMP" || exit 1
mkdir sub

# --- plain
printf '# two tasks\n\necho one\r\n  echo "t w o" | cat\n' >tasks
ok 'a plain task file is a shell command a line' sorted -q tasks
stdout_is '1: one
2: t w o'
stderr_empty
INPUT=tasks
ok 'standard input holds tasks too' sorted -q -
stdout_is '1: one
2: t w o'
unset INPUT
ok 'commands come before those of a file' sorted -q tasks -c 'echo first'
stdout_is '1: first
2: one
3: t w o'
ok 'TOML is not guessed' run --dry-run tasks
cp tasks plain.toml
fails 2 'nor is plain text' run plain.toml
stderr_has 'plain.toml:3: '
cp tasks tasks.TXT
ok 'a name without .toml is plain' run --dry-run tasks.TXT
stdout_is '1	echo one
2	echo "t w o" | cat'

# --- TOML
cat >t.toml <<'TOML'
[[task]]
name = "array"
command = ["printf", "%s|", "a b", "$HOME", "*"]
[[task]]
name = "shell"
command = "echo $VALUE $(basename $PWD)"
env = { VALUE = "it's", NUMBER = 4 }
dir = "sub"
threads = 2
pausable = false
[[task]]
command = "echo out; echo err >&2"
stdout = "both"
stderr = "both"
[[task]]
command = "echo apart"
dir = "sub"
stdout = "apart"
TOML
ok 'a TOML task file' sorted -q t.toml
stdout_is 'array: a b|$HOME|*|
shell: it'"'"'s sub'
check 'both streams in one file' test "$(sort both | tr '\n' ' ')" = 'err out '
check "a file in the task's folder" grep -qx apart sub/apart
INPUT=t.toml
ok 'TOML on standard input needs to be said' sorted -q --toml -
stdout_has '^array: '
unset INPUT
ok 'a dry run tells what would be run' run --dry-run t.toml
stdout_is "array	printf '%s|' 'a b' '\$HOME' '*'
shell	echo \$VALUE \$(basename \$PWD)
	dir sub
	threads 2
	env NUMBER=4
	env VALUE=it's
	not pausable
3	echo out; echo err >&2
	stdout both
	stderr both
4	echo apart
	dir sub
	stdout apart"
cat >lines.toml <<'TOML'
[[task]]
command = """
echo 'a\\b'
echo c"""
env = { TEXT = "x\ny" }
progress = { file = "state", match = "t=([0-9]+)" }
TOML
ok 'on one line each, whatever holds newlines' run --dry-run lines.toml -c 'echo 1
echo 2'
stdout_is "1	\$'echo 1\\necho 2'
2	\$'echo \\'a\\\\b\\'\\necho c'
	env \$'TEXT=x\\ny'
	progress file state match t=([0-9]+)"
rm -f started
ok 'and runs nothing' run --dry-run -c 'touch started'
check 'at all' test ! -e started
fails 2 'a dry run refuses what a run would' run --dry-run -s nothing -c true

# wrong LINE-AND-PATTERN TOML-TEXT
wrong() {
    printf '%b' "$2" >wrong.toml
    fails 2 "refused: $1" run wrong.toml
    stderr_has "cosched_exec: error: $1"
    check 'nothing is started' test ! -e started
}
GOOD='[[task]]\ncommand = "touch started"\n'
wrong 'wrong.toml:3: unknown key .colour.' "${GOOD}colour = 1\n"
wrong 'wrong.toml:3: .after. is not in this version' "${GOOD}after = \"a\"\n"
wrong 'wrong.toml:4: a task without a command' "${GOOD}\n[[task]]\nname = \"x\"\n"
wrong "wrong.toml:4: the name 'a' is that of another" \
    "${GOOD}name = \"a\"\n[[task]]\ncommand = \"b\"\nname = \"a\"\n"
wrong "wrong.toml:3: the name '1' is that of another task too: a task without a name is called by its place" \
    "${GOOD}[[task]]\ncommand = \"b\"\nname = \"1\"\n"
wrong "wrong.toml:3: env: 'A' must be a string or a whole number; put other values in quotes" \
    "${GOOD}env = { A = 1.5 }\n"
wrong 'wrong.toml:3: ' "${GOOD}threads = [\n"
wrong 'wrong.toml:1: unknown key' 'tasks = 3\n'
wrong "wrong.toml:3: task 2: cannot run 'no-such-program': No such file" \
    "${GOOD}[[task]]\ncommand = [\"no-such-program\"]\n"
wrong "wrong.toml:3: task 2: cannot run './sub': Permission denied" "${GOOD}[[task]]\ncommand = [\"./sub\"]\n"
wrong "wrong.toml:1: task 1: there is no folder 'away'" "${GOOD}dir = \"away\"\n"
wrong "wrong.toml:1: task 1: cannot write 'away/x': No such file" "${GOOD}stdout = \"away/x\"\n"
wrong "wrong.toml:1: task 1: 'sub' is a folder" "${GOOD}stdout = \"sub\"\n"
wrong "wrong.toml:4: task 2: 'o' is also that of task 1" \
    "${GOOD}stdout = \"o\"\n[[task]]\ncommand = \"b\"\nstdout = \"o\"\n"
check 'no output file is made then' test ! -e o
printf '#!/bin/sh\necho mine\n' >sub/mine
chmod +x sub/mine
cat >paths.toml <<'TOML'
[[task]]
command = ["./mine"]
dir = "sub"
[[task]]
command = ["mine"]
dir = "sub"
env = { PATH = ".:/usr/bin:/bin" }
TOML
ok "programs are looked up from the task's folder and in its PATH" sorted -q paths.toml
stdout_is '1: mine
2: mine'

# --- streams
ok 'standard error of tasks goes there' run -q -c 'echo oops >&2'
stdout_is ''
stderr_has '^1: oops$'
ok 'a last line without an end gets one' run -q -c 'printf abc'
printf '1: abc\n' >want
check 'and its prefix' cmp "$OUT" want
INPUT=tasks
ok 'standard input of a task is empty' run -q -c 'cat; echo end'
stdout_is '1: end'
unset INPUT
long() {
    run -q -c 'for i in 1 2 3; do head -c 100000 /dev/zero | tr "\0" x; echo; done' \
        -c 'for i in 1 2 3; do head -c 100000 /dev/zero | tr "\0" y; echo; done' |
        awk 'length == 100003 && (/^1: x*$/ || /^2: y*$/)' | wc -l
}
ok 'long lines are never torn' long
stdout_is 6
torn() {
    run -v -s pf --interval 0.05 -c 'head -c 200000 /dev/zero | tr "\0" x >&2; echo >&2; sleep 0.5' \
        -c 'sleep 0.5' 2>&1 | { sleep 1 && awk '/^1: x+$/ && length == 200003 { ++x } END { print x }'; }
}
ok 'nor by lines of ours, when the reader is late' torn
stdout_is 1
if [ -w /dev/full ]; then
    full() { run "$@" >/dev/full; }
    status 125 'output of a task that cannot be written is a failure of ours' full -q -c 'echo hi'
    stderr_has 'cannot write the output of tasks to standard output: No space left on device'
    status 3 "unless a task's own status tells of one" full -q -c 'echo hi; exit 3'
    full() { run "$@" 2>/dev/full; }
    status 125 'on standard error too' full -q -c 'echo hi >&2'
fi
printf 'true\n' >both.txt
ln -sf both.txt other.txt
for option in joblog json trace timeline; do
    status 2 "--$option does not replace the list of tasks" run both.txt --$option ./other.txt
    stderr_has "^cosched_exec: error: --$option: .* is also that of the list of tasks: give each a file of its own\$"
done
status 2 'nor one view another' run -c true --joblog a.log --json ./a.log
status 2 'no cores are no cores' run -c true --cores ''
printf '[[task]]\ncommand = "true"\nstdout = "x.log"\n[[task]]\ncommand = "true"\nstdout = "./x.log"\n' >same.toml
status 2 'a file by two names is one' run same.toml
stderr_has 'is also that of task 1: give each a file of its own'
status 2 'a task does not write into a view' run same.toml --joblog x.log
check 'the list of tasks is as it was' test "$(cat both.txt)" = true
unread() { run -q -c 'echo hi; sleep 0.2' | true; }
ok 'a reader who leaves wants no more' unread
stderr_empty
endless() { run -q --joblog endless.log -c yes -c 'sleep 0.3' | head -3 >/dev/null; }
ok 'a task that writes for ever ends when its reader leaves' endless
check 'by SIGPIPE, and it alone' test "$(tail -n +2 endless.log | cut -f 7,8 | sort | tr '\n\t' ' :')" = '0:0 141:0 '

# --- files of tasks that fail after the start
mkdir gone
cat >gone.toml <<'TOML'
[[task]]
command = "rmdir gone; echo first"
[[task]]
command = "echo second"
stdout = "gone/o"
[[task]]
command = "echo third"
TOML
status 126 'a folder that is gone fails the task whose file was to be there' \
    run -s seq gone.toml -j 1 --joblog gone.log
stdout_is '1: first
3: third'
stderr_has 'warning: task 2: cannot open gone/o: No such file or directory$'
check 'as the job log tells' test "$(cut -f 1,7 gone.log | tr '\n\t' ' :')" = 'Seq:Exitval 1:0 2:126 3:0 '
if [ -w /dev/full ]; then
    cat >full.toml <<'TOML'
[[task]]
name = "shown"
command = "echo a; echo b"
progress = "lines"
stdout = "/dev/full"
[[task]]
command = "sleep 0.3; echo done"
TOML
    status 126 'a full disk fails the task whose output is lost' run full.toml --joblog full.log
    stdout_is '2: done'
    stderr_has 'warning: task shown: cannot write /dev/full: No space left on device$'
    check 'and no other' test "$(sort full.log | cut -f 1,7 | tr '\n\t' ' :')" = \
        '1:126 2:0 Seq:Exitval '
fi

# --- progress that is looked for where there is none
cat >blind.toml <<'TOML'
[[task]]
command = "echo step 5"
progress = { match = "Step ([0-9]+)" }
[[task]]
command = "true"
progress = { file = "no such" }
[[task]]
command = "printf 'Step 5\n'"
progress = { match = "Step ([0-9]+)" }
TOML
ok 'a pattern that never matches is told, with or without --speed' run blind.toml
stderr_has "warning: task 1: no number was found by 'Step (\[0-9\]+)' in its output$"
stderr_has 'warning: task 2: no number was found in no such$'
check 'of those tasks alone' sh -c '! grep "task 3:" "$1"' sh "$ERR"
ok 'also where progress was asked for' run --speed progress blind.toml
stderr_has "warning: task 1: no number was found by"

# --- streams that the caller has closed
closed() { run -q -c 'echo hi' "$@" >&-; }
status 125 'a closed standard output cannot be written' closed --joblog J
stderr_has 'cannot write the output of tasks to standard output'
check 'and no file of ours takes its place' sh -c '! grep -q "1: hi" J && grep -q "^1.*echo hi$" J'
closed() { run -c 'echo hi >&2' "$@" 2>&-; }
ok 'on a closed standard error nothing is said' closed --trace T
check 'into the trace neither' sh -c 'test -s T && ! grep -qv "^{" T'
closed() { run -q -c 'cat; echo hi' "$@" <&-; }
ok 'a closed standard input does no harm' closed --joblog J
stdout_is '1: hi'
finish
