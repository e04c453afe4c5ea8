#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How well each measure of cosched_exec tells how much programs slow each other down.

    speed_sources.py [--only SET]... [--sources LIST]
    speed_sources.py --report RESULTS.csv

Each program alone, then pairs and threes of them, run by cosched_exec -s par --speed SOURCE --trace
for a few seconds in which none of them ends. Predicted slowdown: the rate alone by the trace, over
that in the set. True slowdown: the same of the steps that the program itself has done, which
cosched_exec is not shown. Each run is appended to the results file; what is there already is not run
again. BIN names the folder of a release build.
"""
import argparse
import csv
import json
import os
import re
import sys
import time

import cosched_programs as programs
from cosched_run import (Running, default_bin, end_like_a_tool, memory_group, need_cosched_exec,
                         read_environment, work_folder)
from speed_sources_table import SOURCES, report

SETS = [
    "triad+triad", "triad+chase", "dg1+dg1", "dg1+lmp1", "slp+slp", "slp+dg1", "fsy+slp", "fsy+fsy",
    "xz+lmp1", "jacp+jacp", "jacp+dg1", "scan+scan",
    "jac+dg1", "jac+slp", "jac+jac", "dg2+dg1", "dg2+jac", "mpi+slp", "mpi+dg1", "mpi+mpi",
    "lmp2+xz", "lmp2+lmp2", "gmx2+slp", "gmx2+gmx2", "gmx2+jac", "lmp2+gmx2", "mpi+fsy",
    "dg1+dg1+dg1", "triad+chase+lmp1", "slp+slp+dg1", "slp+slp+slp", "xz+lmp1+slp", "jacp+dg1+dg1",
    "scan+scan+dg1",
    "jac+dg1+slp", "mpi+dg1+xz", "lmp2+slp+slp", "gmx2+lmp1+fsy", "dg2+slp+triad",
]
COUNTERS = ["ips", "ipc"]
SETTLE = 2.0  # s after the start, launchers included
COLUMNS = ["set", "source", "place", "program", "measure", "rate", "spins", "steps", "cpu", "share",
           "load"]
TASK = "LAUNCHWISE_BENCH_TASK"
ENDLESS = {"xz": 60000}  # KiB; steps of the others
STEPS = 10**8


class Task:
    """One program of a set: how it is started, and how its own steps are seen."""

    def __init__(self, place, name, folder):
        self.place, self.name = place, name
        self.out = os.path.join(folder, f"{place}-{name}")
        self.program = programs.PROGRAMS[name]
        self.steps = ENDLESS.get(name, STEPS)
        programs.clear(self.out)
        programs.prepare(name, self.steps, self.out)
        self.seen = []  # (time, steps) at each change

    def toml(self):
        own = ""
        if self.program.ours:
            own = f" --lines {self.program.lines} --position {self.out}.position"
        text = self.program.text(self.steps, self.out, own)
        progress = ""
        if self.name != "xz":
            text = text[: text.index(">")]
            progress = 'progress = "lines"\n' if self.program.ours else "progress = { match = '%s' }\n"
        if self.name == "gmx2":
            text += "-v -stepout 5 2>&1"
            progress %= r"step (\d+)"
        elif self.name.startswith("lmp"):
            progress %= r"^ +(\d+) "
        return (f"[[task]]\nname = '{self.place}'\ncommand = '''{text}'''\n{progress}"
                f"env = {{ {TASK} = '{self.place}' }}\n")

    def position(self):
        """Its steps so far; None before the first."""
        try:
            if self.name == "xz":
                return os.path.getsize(self.out + ".xz") or None
            path, pattern = {"lmp1": (".log", r"^ +(\d+) .*\n"), "lmp2": (".log", r"^ +(\d+) .*\n"),
                             "gmx2": (".log", r"Step +Time\n +(\d+) .*\n")}.get(
                                 self.name, (".position", r"^(\d+)\n"))
            with open(self.out + path, "rb") as file:
                file.seek(max(0, os.fstat(file.fileno()).st_size - 4096))
                found = re.findall(pattern, file.read().decode("ascii", "replace"), re.M)
            return int(found[-1]) if found else None
        except FileNotFoundError:
            return None

    def look(self, now):
        steps = self.position()
        if steps is not None and (not self.seen or steps != self.seen[-1][1]):
            self.seen.append((now, steps))

    def speed(self, start):
        """Steps a second from the first change after the start to the last one."""
        inside = [one for one in self.seen if one[0] >= start]
        if len(inside) < 3 or inside[-1][0] - inside[0][0] < 1:
            return None
        return (inside[-1][1] - inside[0][1]) / (inside[-1][0] - inside[0][0])


def thread_times(running):
    """By task: seconds that its living threads ran and waited for a processor."""
    total = {}
    for pid in running.processes():
        place = read_environment(pid).get(TASK)
        if place is None:
            continue
        run, wait = total.get(place, (0, 0))
        try:
            for thread in os.listdir(f"/proc/{pid}/task"):
                words = programs.read(f"/proc/{pid}/task/{thread}/schedstat").split()
                run, wait = run + int(words[0]) / 1e9, wait + int(words[1]) / 1e9
        except (FileNotFoundError, ProcessLookupError):
            continue
        total[place] = (run, wait)
    return total


def run_set(names, source, options, folder, group):
    """A row for each task of the set."""
    tasks = [Task(place, name, folder) for place, name in enumerate(names)]
    path, trace, log = (os.path.join(folder, name) for name in ("tasks.toml", "trace", "log"))
    with open(path, "w", encoding="ascii") as file:
        file.write("".join(task.toml() for task in tasks))
    load = os.getloadavg()[0]
    argv = [options.program, "-s", "par", "--speed", source, "--interval",
            "1", "--trace", trace, path]
    running = Running(argv, folder, log, group=group)
    try:
        before, after = watch(running, tasks, options.seconds)
    finally:
        running.end()
    if after is None:
        print(f"{'+'.join(names)} {source}: ended too early\n{programs.read(log)[-2000:]}",
              file=sys.stderr)
        return []
    observed = observations(trace, len(tasks), SETTLE, SETTLE + options.seconds)
    rows = []
    for task in tasks:
        measure, rate, spins = observed.get(str(task.place), ("none", None, False))
        run, wait = (b - a for a, b in zip(before.get(str(task.place), (0, 0)),
                                           after.get(str(task.place), (0, 0))))
        rows.append({"set": "+".join(names), "source": source, "place": task.place,
                     "program": task.name, "measure": measure, "rate": number(rate),
                     "spins": int(spins), "steps": number(task.speed(running.start + SETTLE)),
                     "cpu": number(run / options.seconds),
                     "share": number(run / (run + wait) if run + wait > 0 else None),
                     "load": f"{load:.2f}"})
    return rows


def watch(running, tasks, seconds):
    """Looks at the tasks' own steps until it is time; thread times at both ends, None: it ended."""
    before, now = None, running.start
    while now < running.start + SETTLE + seconds:
        if running.process.poll() is not None:
            return before, None
        for task in tasks:
            task.look(now)
        if before is None and now >= running.start + SETTLE:
            before = thread_times(running)
        time.sleep(0.02)
        now = time.monotonic()
    return before, thread_times(running)


def observations(trace, count, start, end):
    """By task name: measure, mean rate and spinning in the whole set between these times."""
    sums = {}
    if not os.path.exists(trace):
        return {}
    for line in programs.read(trace).splitlines():
        try:
            event = json.loads(line)
        except ValueError:
            continue  # the last line of a trace that was cut off
        if event.get("event") != "observation" or len(event["ran"]) != count:
            continue
        if event["time"] - event["seconds"] < start or event["time"] > end + 0.3:
            continue
        for speed in event["speeds"]:
            if speed["rate"] is None:
                continue
            one = sums.setdefault((speed["task"], speed["measure"]), [0, 0, False])
            one[0] += speed["rate"] * event["seconds"]
            one[1] += event["seconds"]
            one[2] |= speed["spins"]
    longest = {}
    for (task, measure), (amount, seconds, spins) in sums.items():
        if task not in longest or seconds > longest[task][3]:
            longest[task] = (measure, amount / seconds, spins, seconds)
    return {task: one[:3] for task, one in longest.items()}


def number(value):
    return "" if value is None else f"{value:.6g}"


def read_rows(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="ascii", newline="") as file:
        reader = csv.DictReader(file)
        if reader.fieldnames != COLUMNS:
            sys.exit(f"{path}: not a file of results of this script")
        return list(reader)


def append(path, rows):
    new = not os.path.exists(path)
    with open(path, "a", encoding="ascii", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerows(rows)


def counters_work(options):
    with work_folder() as folder:
        rows = run_set(["dg1"], "ips", argparse.Namespace(program=options.program, seconds=2), folder, None)
    return any(row["measure"] == "ips" for row in rows)


def measure(options):
    wanted = options.only or SETS
    alone = [name for one in wanted for name in one.split("+")]
    done = {(row["set"], row["source"]) for row in read_rows(options.results)}
    sources = options.sources
    if set(sources) & set(COUNTERS) and not counters_work(options):
        print("SKIP: ips and ipc, there are no hardware counters here", file=sys.stderr)
        sources = [name for name in sources if name not in COUNTERS]
    good = True
    for one in list(dict.fromkeys(alone + wanted)):
        for source in sources:
            if (one, source) not in done:
                good &= measured(one, source, options)
    return good


def measured(one, source, options):
    names = one.split("+")
    limited = any(programs.PROGRAMS[name].memory_limited for name in names)
    with work_folder() as folder, memory_group(programs.MEMORY_LIMIT, limited) as group:
        if limited and group is None:
            print(f"SKIP: {one} needs a memory cgroup", file=sys.stderr)
            return True
        rows = run_set(names, source, options, folder, group)
    append(options.results, rows)
    for row in rows:
        print(f"{one} {source}: {row['program']} by {row['measure']} {row['rate'] or '-'}/s, steps "
              f"{row['steps'] or '-'}/s, CPU {row['cpu']}", flush=True)
    return bool(rows)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0],
                                     epilog="sets: " + " ".join(SETS))
    add = parser.add_argument
    add("--only", action="append", metavar="SET", help="programs joined by +; may be repeated")
    add("--sources", type=lambda text: text.split(","), default=SOURCES, metavar="LIST",
        help="of " + ",".join(SOURCES) + " (all)")
    add("--seconds", type=float, default=5, help="measured time of each run (5)")
    add("--bin", default=default_bin(), help="folder of cosched_exec (BIN, else build/release/bin)")
    add("--results", default="speed_sources.csv", metavar="FILE",
        help="where to append (speed_sources.csv)")
    add("--report", metavar="FILE", help="print the table of this file and run nothing")
    add("--details", action="store_true", help="each program of each set too")
    options = parser.parse_args()
    if set(options.sources) - set(SOURCES):
        parser.error("--sources: some of " + ",".join(SOURCES))
    unknown = {name for one in options.only or [] for name in one.split("+")}
    if unknown - set(programs.PROGRAMS):
        parser.error("--only: programs are " + " ".join(programs.PROGRAMS))
    if options.seconds < 2:
        parser.error("--seconds: 2 or more")
    if options.report and not os.path.exists(options.report):
        parser.error(f"--report: there is no {options.report}")
    return options


def main():
    options = arguments()
    if options.report:
        report(read_rows(options.report), options.details)
        return 0
    options.program = need_cosched_exec(options.bin)
    programs.build()
    good = measure(options)
    report(read_rows(options.results), options.details)
    return 0 if good else 1


if __name__ == "__main__":
    end_like_a_tool(main)
