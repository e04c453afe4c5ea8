#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a run writes about itself: table, job log, JSON, trace, timeline, picture.
# shellcheck disable=SC2016,SC2317  # variables belong to the tasks; lib.sh calls our functions
# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/lib.sh"
run() { "$BIN/cosched_exec" "$@"; }
python() { python3 -c "$@"; }
cd "$TMP" || exit 1
command -v python3 >/dev/null || skip 'python3 is not installed'

# --- the table
ok 'a table at the end on standard error' run -c 'sleep 0.2' -c 'exit 0'
stdout_is ''
stderr_has '^task  *alone  *took slowdown  *run  *measure  *exit$'
stderr_has '^1  .* 0$'
stderr_has '^makespan '
stderr_has 'probing cost '
check 'of at most 80 columns' sh -c '! grep -q ".\{81\}" "$1"' sh "$ERR"
ok 'none with -q' run -q -c true
stderr_empty
ok 'of -q and -v the last one holds' run -v -q -c true
stderr_empty
ok 'whichever it is' run -q -v -c 'sleep 0.3'
stderr_has 'debug: 0.000 s: 1 running: '
stderr_has '^makespan '
ok 'decisions with -v' run -v -c 'sleep 0.3'
stderr_has 'debug: 0.000 s: 1 running: '

# --- the job log, compared with GNU parallel's
printf 'true\nexit 3\nkill -9 $$\necho hello\n' >tasks
status 3 'a job log' run -q -s seq tasks --joblog ours
# Seq, Host, Send, Receive, Exitval, Signal, Command
stable() { cut -f 1,2,5-9 "$1"; }
check 'has no time before 2020' awk -F '\t' 'NR > 1 && $3 < 1577836800 { exit 1 }' ours
if command -v parallel >/dev/null; then
    parallel -j 1 --will-cite --joblog theirs <tasks >/dev/null 2>&1
    # Receive counts the output as the task wrote it in both.
    check 'that is like that of GNU parallel' \
        sh -c 'cut -f 1,2,5-9 ours >a; cut -f 1,2,5-9 theirs >b; diff a b'
    check 'to the spacing of times' test \
        "$(sed -n 2p ours | cut -f 4 | wc -c)" = "$(sed -n 2p theirs | cut -f 4 | wc -c)"
fi

# --- JSON, trace, timeline
status 3 'all at once' run -q tasks --json j.json --trace t.jsonl --timeline t.json
check 'the JSON tells each task' python '
import json
run = json.load(open("j.json"))
assert run["strategy"] == "auto" and run["status"] == 3 and run["interrupted"] == 0
assert [t["status"] for t in run["tasks"]] == [0, 3, 137, 0]
assert [t["name"] for t in run["tasks"]] == ["1", "2", "3", "4"]
assert run["makespan"] > 0
for t in run["tasks"]:
    assert t["end"] >= t["start"] and 0 <= t["share_run"] <= 1'
check 'each line of the trace is JSON, in the order of time' python '
import json
events = [json.loads(line) for line in open("t.jsonl")]
times = [e["time"] for e in events]
kinds = {e["event"] for e in events}
assert {"start", "end", "decision"} <= kinds <= {"start", "end", "decision", "observation", "note"}
assert all(e["reason"] for e in events if e["event"] == "decision")
assert sorted(e["task"] for e in events if e["event"] == "end") == ["1", "2", "3", "4"]'
check 'the timeline is a Chrome trace' python '
import json
events = json.load(open("t.json"))["traceEvents"]
assert events
for e in events:
    assert e["ph"] in "MXCi" and "pid" in e and "name" in e
    if e["ph"] == "X": assert e["dur"] > 0 and e["ts"] >= 0 and e["name"] in ("running", "paused")
rows = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
assert rows == {1: "1", 2: "2", 3: "3", 4: "4"}'
ok 'JSON to standard output' run -q --json - -c true
check 'alone' python 'import json, sys; json.load(open(sys.argv[1]))' "$OUT"
trace_to_pipe() { run -q --trace /dev/stdout -c 'sleep 0.2' | head -n 1; }
ok 'a trace into a pipe whose reader goes away' trace_to_pipe
stdout_has '"event":"decision"'
printf 'old\n' >j.json
fails 2 'files from before survive a wrong command line' run --json j.json -s none -c true
check 'as they were' grep -qx old j.json
printf 'odd \377 name\n' >odd
status 127 'text that is no UTF-8 is still JSON' run -q odd --json j.json --trace t.jsonl
check 'with a mark for the odd byte' python 'import json; json.load(open("j.json"))'
set -- *.tmp
check 'nothing is left beside the files' test ! -e "$1"

# --- pausing shows
paused='python3 -c "
import time
end = time.process_time() + 1.2
while time.process_time() < end: pass"'
ok 'two busy tasks by pf' run -q -s pf --interval 100ms -c "$paused" -c "$paused" \
    --timeline t.json --json j.json

# --- the picture
if command -v gnuplot >/dev/null; then
    ok 'a picture' run -q -c 'sleep 0.3' --plot p.svg --trace t.jsonl
    check 'is SVG' grep -q '<svg' p.svg
    for label in 'tasks running' 'combination speed' 'fairness J' 'speed / alone'; do
        check "with $label" grep -q "$label" p.svg
    done
    check 'and the strategy' grep -q '1 task by auto in ' p.svg
    ok 'a picture of a task that was gone at once' run -q -c true --plot p.png
    check 'is PNG' sh -c 'head -c 4 p.png | grep -q PNG'
    mkdir no-gnuplot
    for program in sh touch; do ln -s "$(command -v $program)" no-gnuplot/; done
    fails 2 'without gnuplot a picture is refused' env PATH="$TMP/no-gnuplot" "$BIN/cosched_exec" \
        -c 'touch started' --plot p.svg --joblog after
    stderr_has 'gnuplot-nox'
    check 'and nothing is started' test ! -e started
fi

# --- a crash: what the trace had stays
"$BIN/cosched_exec" -c 'echo $$ >begun; sleep 60' --trace cut --json cut.json >"$OUT" 2>"$ERR" &
tool=$!
traced() { [ -s begun ] && grep -q '"event":"start"' cut.*.tmp; }
for _ in $(seq 500); do traced 2>"$TMP/traced" && break; sleep 0.02; done
crashed() {
    kill -KILL "$(pgrep -P "$tool")"
    wait "$tool"
}
crashed
check 'a supervisor that is killed is our own failure' test $? -eq 125
check 'its trace stays as FILE.partial' grep -q '"event":"start"' cut.partial
stderr_has 'cut.partial'
check 'half a JSON does not' test ! -e cut.json
check 'its task is gone' sh -c '! kill -0 "$(cat begun)"'
set -- *.tmp
check 'and no other file is left' test ! -e "$1"
rm -f begun cut.partial
"$BIN/cosched_exec" -q -s seq -c 'exit 3' -c 'echo $$ >begun; sleep 60' -c true \
    --trace cut --json cut.json --joblog cut.log --timeline cut.time 2>"$ERR" &
tool=$!
for _ in $(seq 500); do traced 2>"$TMP/traced" && break; sleep 0.02; done
supervisor=$(pgrep -P "$tool")
kill -KILL "$tool"
wait "$tool" 2>"$TMP/killed"
for _ in $(seq 500); do kill -0 "$supervisor" 2>"$TMP/gone" || break; sleep 0.02; done
set -- *.tmp
check 'nor when the keeping process is killed' test ! -e "$1"
check 'where the trace stays too' grep -q '"event":"start"' cut.partial
check 'and it is told' grep -q 'error: the keeping process is gone' "$ERR"
check 'the job log has what has ended and what was ended' awk -F '\t' '
    NR == 2 { first = $1 == 1 && $7 == 3 && $8 == 0 }
    NR == 3 { second = $1 == 2 && $8 > 0 }
    END { exit !(NR == 3 && first && second) }' cut.log
check 'so has the JSON' python '
import json
run = json.load(open("cut.json"))
assert run["status"] == 125 and run["interrupted"] == 0 and run["optimum"] is None
assert run["failure"].startswith("the keeping process is gone")
assert [t["state"] for t in run["tasks"]] == ["ended", "stopped", "not run"]'
check 'the timeline is whole' python 'import json; json.load(open("cut.time"))'

# --- a reader of standard error who sleeps
cat >sleeper.py <<'END'
import fcntl, os, signal, subprocess, sys, time
def until(what, seconds=30):
    limit = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < limit, "too long"
        time.sleep(0.02)
read, write = os.pipe()
fcntl.fcntl(write, 1031, 4096)  # F_SETPIPE_SZ
os.write(write, b"x" * 4096)
run = subprocess.Popen([sys.argv[1], "-v", "-c", ": >up; exec sleep 60"],
                       stderr=write, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
try:
    until(lambda: os.path.exists("up"))
    run.send_signal(signal.SIGINT)
    alive = lambda: subprocess.run(["pgrep", "-x", "-P", sup, "sleep"], stdout=subprocess.DEVNULL)
    sup = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, text=True).stdout.strip()
    until(lambda: not sup or alive().returncode != 0)
    until(lambda: run.poll() is not None or run.send_signal(signal.SIGINT))
    assert run.returncode == 130, run.returncode
finally:
    run.kill()
END
check 'who does not read does not keep us from ending' python3 sleeper.py "$BIN/cosched_exec"
finish
