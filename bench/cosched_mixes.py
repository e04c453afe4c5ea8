#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Mixes of real programs under cosched_exec's strategies: the same fixed work one after another
(seq), all at once (par), steered (auto, ...), in turn, and what the targets say about it.

    cosched_mixes.py [--only MIX]... [--repeat N] [--strategies LIST] [--runner xargs]
    cosched_mixes.py --report RESULTS.csv

Each run is appended to the results file; what is there already is not run again, so that a
measurement can be made in parts. A run that takes --stop times as long as seq is ended and counts
as that long. BIN names the folder of a release build.
"""
import argparse
import csv
import os
import sys
from statistics import median

import cosched_programs as programs
from cosched_run import (Running, default_bin, end_like_a_tool, memory_group, need_cosched_exec,
                         work_folder)

MIXES = {
    "A": ["mpi"] * 4,
    "B": ["jac", "dg2"] * 2,
    "C": ["slp"] * 6 + ["fsy"] * 2,
    "D": ["dg1", "lmp1", "xz"] * 2,
    "F": ["scan"] * 3 + ["dg1"] * 3,
    "G": ["lmp2", "gmx2", "mpi", "dg2", "xz", "slp"],
    "H": ["gmx2", "jac", "dg1", "lmp1", "xz", "slp", "slp"],
    "J": ["lmp2", "gmx2"] * 2,
    "K": ["mpi", "gmx2"] + ["slp"] * 4 + ["fsy", "lmp1"],
}
# (numerator, denominator, relation, bound): ratios of the medians.
TARGETS = {
    **{mix: [("par", "auto", ">=", 2.5), ("auto", "seq", "<=", 1.10)] for mix in "ABJ"},
    "C": [("auto", "par", "<=", 1.10)],
    "D": [("auto", "par", "<=", 1.10)],
    "F": [("auto", "par", "<=", 1.00), ("seq", "auto", ">=", 1.5)],
    "G": [("par", "auto", ">=", 1.6), ("auto", "seq", "<=", 1.05)],
    "H": [("par", "auto", ">=", 1.35), ("seq", "auto", ">=", 1.35)],
    "K": [("par", "auto", ">=", 1.2), ("seq", "auto", ">=", 1.45)],
}
BETTER = 1.10  # auto / the better of seq and par, on every mix
STRATEGIES = ["seq", "par", "auto", "fcs", "pe", "pf", "parallel"]
USUAL = {mix: STRATEGIES if mix in "GH" else STRATEGIES[:3] for mix in MIXES}
LIMIT = 10  # a seq that takes so many times the times alone is ended too
COLUMNS = ["mix", "strategy", "repetition", "seconds", "stopped", "load", "runner", "work"]


class Results:
    """The file of results, and what it holds."""

    def __init__(self, path):
        self.path, self.rows = path, []
        if os.path.exists(path):
            with open(path, encoding="ascii", newline="") as file:
                reader = csv.DictReader(file)
                if reader.fieldnames != COLUMNS:
                    sys.exit(f"{path}: not a file of results of this script")
                self.rows = list(reader)

    def add(self, row):
        new = not os.path.exists(self.path)
        with open(self.path, "a", encoding="ascii", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            if new:
                writer.writeheader()
            writer.writerow(row)
        self.rows.append({name: str(value) for name, value in row.items()})

    def of(self, mix, strategy, runner):
        return [row for row in self.rows
                if (row["mix"], row["strategy"], row["runner"]) == (mix, strategy, runner)]

    def seconds(self, mix, strategy, runner):
        return [float(row["seconds"]) for row in self.of(mix, strategy, runner)]

    def check_work(self, mix, work):
        other = {row["work"] for row in self.rows if row["mix"] == mix} - {work}
        if other:
            sys.exit(f"{self.path}: its runs of mix {mix} did other work, since the programs were "
                     "calibrated anew or --seconds differs; name another file with --results")


def command(options, strategy, count):
    """What runs the task lines on its standard input."""
    if strategy == "parallel":
        return ["parallel", "--will-cite"]  # its own default: a job per core
    if options.runner == "xargs":
        jobs = {"seq": 1, "par": count}[strategy]
        return ["xargs", "-d", "\\n", "-n", "1", "-P", str(jobs), "sh", "-c"]
    return [options.program, "-s", strategy, "-"]


class Mix:
    """A mix in its folder: the command lines, one run, and the check of what the run computed."""

    def __init__(self, name, calibration, folder, group):
        self.name, self.folder, self.group = name, folder, group
        self.tasks = [(program, calibration.known[program], os.path.join(folder, f"{i}-{program}"))
                      for i, program in enumerate(MIXES[name])]

    def lines(self):
        return [programs.PROGRAMS[program].text(known["steps"], out)
                for program, known, out in self.tasks]

    def run(self, options, strategy, limit):
        """(seconds, stopped), or None when something failed; that has been said then."""
        for program, known, out in self.tasks:
            programs.clear(out)
            programs.prepare(program, known["steps"], out)
        os.sync()
        log = os.path.join(self.folder, "log")
        running = Running(command(options, strategy, len(self.tasks)), self.folder, log,
                          lines=self.lines(), group=self.group,
                          whole_group=strategy == "parallel" or options.runner == "xargs")
        seconds, status = running.wait(limit)
        if status is None:
            return limit, True
        wrong = [out for program, known, out in self.tasks
                 if programs.result(program, out) != known["result"]]
        if status == 0 and not wrong:
            return seconds, False
        print(f"{self.name} {strategy}: FAILED, status {status}"
              f"{', wrong: ' if wrong else ''}{' '.join(map(os.path.basename, wrong))}\n"
              f"{programs.read(log)[-2000:]}", file=sys.stderr)
        return None


def run_mix(mix, options, results, calibration):
    """All repetitions of a mix; whether all went well."""
    names = MIXES[mix]
    limited = any(programs.PROGRAMS[name].memory_limited for name in names)
    with work_folder() as folder, memory_group(programs.MEMORY_LIMIT, limited) as group:
        if limited and group is None:
            print(f"SKIP: mix {mix} needs a memory cgroup", file=sys.stderr)
            return True
        calibration.need(names)
        work = calibration.work(names)
        results.check_work(mix, work)
        one = Mix(mix, calibration, folder, group)
        return all([repetition(one, i, options, results, work) for i in range(options.repeat)])


def repetition(mix, number, options, results, work):
    """Each strategy once, seq first (it says when to stop the others), the others in turn."""
    wanted = [name for name in options.strategies or USUAL[mix.name] if usable(options, name)]
    first = [name for name in wanted if name == "seq"]
    others = [name for name in wanted if name != "seq"]
    shift = number % len(others) if others else 0
    good = True
    for strategy in first + others[shift:] + others[:shift]:
        runner = runner_of(options, strategy)
        if any(int(row["repetition"]) == number for row in results.of(mix.name, strategy, runner)):
            continue
        alone = sum(known["seconds"] for _, known, _ in mix.tasks)
        seq = results.seconds(mix.name, "seq", options.runner)
        limit = options.stop * (median(seq) if seq else alone)
        if strategy == "seq":
            limit = LIMIT * alone
        load = os.getloadavg()[0]
        done = mix.run(options, strategy, limit)
        if done is None:
            good = False
            continue
        seconds, stopped = done
        results.add({"mix": mix.name, "strategy": strategy, "repetition": number,
                     "seconds": f"{seconds:.3f}", "stopped": int(stopped), "load": f"{load:.2f}",
                     "runner": runner, "work": work})
        print(f"{mix.name} {strategy:9}{number:3d} {seconds:8.2f} s"
              f"{' stopped' if stopped else ''}  load {load:.2f}", flush=True)
    return good


def usable(options, strategy):
    return options.runner != "xargs" or strategy in ("seq", "par", "parallel")


def runner_of(options, strategy):
    return "parallel" if strategy == "parallel" else options.runner


def report(results, runner):
    """Prints the tables; whether all targets are met."""
    met = []
    for mix in MIXES:
        table = {}
        for strategy in STRATEGIES:
            name = "parallel" if strategy == "parallel" else runner
            if results.of(mix, strategy, name):
                table[strategy] = results.of(mix, strategy, name)
        if table:
            met += report_mix(mix, table)
    print(f"{sum(met)} of {len(met)} targets met")
    return all(met)


def report_mix(mix, table):
    print(f"{mix}: {' '.join(MIXES[mix])}")
    print(f"  {'seconds':<10}{'min':>9}{'median':>9}{'max':>9}{'runs':>6}{'stopped':>9}  load before")
    for strategy, rows in table.items():
        seconds = [float(row["seconds"]) for row in rows]
        loads = [float(row["load"]) for row in rows]
        stopped = sum(row["stopped"] == "1" for row in rows)
        print(f"  {strategy:<10}{min(seconds):9.2f}{median(seconds):9.2f}{max(seconds):9.2f}"
              f"{len(rows):6d}{stopped:9d}  {min(loads):.2f}..{max(loads):.2f}")
    middle = {name: median(float(row["seconds"]) for row in rows) for name, rows in table.items()}
    cut = {name for name, rows in table.items() if any(row["stopped"] == "1" for row in rows)}
    met = [ratio(middle, cut, *target) for target in TARGETS[mix]]
    if {"seq", "par", "auto"} <= set(middle):
        better = min("seq", "par", key=middle.get)
        met.append(ratio(middle, cut, "auto", better, "<=", BETTER, " (the better of seq and par)"))
    print()
    return [one for one in met if one is not None]


def ratio(middle, cut, above, below, relation, bound, note=""):
    """Prints one target; whether it is met, None when a strategy was not run."""
    if above not in middle or below not in middle:
        return None
    value = middle[above] / middle[below]
    met = value <= bound if relation == "<=" else value >= bound
    verdict = "met" if met else "MISSED"
    if not met and relation == ">=" and above in cut:
        verdict += f", but {above} was stopped: at least that"
    print(f"  {above} / {below}{note} = {value:.3f} (target {relation} {bound:.2f}): {verdict}")
    return met


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0],
                                     epilog="mixes: " + "; ".join(
                                         f"{mix}: {' '.join(names)}"
                                         for mix, names in MIXES.items()))
    add = parser.add_argument
    add("--only", action="append", choices=list(MIXES), metavar="MIX", help="may be repeated")
    add("--repeat", type=int, default=3, help="runs of each (3)")
    add("--strategies", type=lambda text: text.split(","), metavar="LIST",
        help="of " + ",".join(STRATEGIES) + " (seq,par,auto; all on G and H)")
    add("--seconds", type=float, default=9, help="time of each program alone (9)")
    add("--stop", type=float, default=2.5, help="end a run that takes so many times seq (2.5)")
    add("--runner", choices=["cosched_exec", "xargs"], default="cosched_exec",
        help="xargs: seq and par as xargs -P does them, the bare comparison")
    add("--bin", default=default_bin(), help="folder of cosched_exec (BIN, else build/release/bin)")
    add("--results", default="cosched_mixes.csv", metavar="FILE",
        help="where to append (cosched_mixes.csv)")
    add("--report", metavar="FILE", help="print the tables of this file and run nothing")
    options = parser.parse_args()
    if set(options.strategies or []) - set(STRATEGIES):
        parser.error("--strategies: some of " + ",".join(STRATEGIES))
    if options.repeat < 1 or options.seconds < 0.5 or options.stop < 1:
        parser.error("--repeat: 1 or more; --seconds: 0.5 or more; --stop: 1 or more")
    if options.report and not os.path.exists(options.report):
        parser.error(f"--report: there is no {options.report}")
    return options


def main():
    options = arguments()
    if options.report:
        return 0 if report(Results(options.report), options.runner) else 1
    if options.runner == "cosched_exec":
        options.program = need_cosched_exec(options.bin)
    results = Results(options.results)
    programs.build()
    calibration = programs.Calibration(options.seconds)
    good = [run_mix(mix, options, results, calibration) for mix in options.only or MIXES]
    report(results, options.runner)
    return 0 if all(good) else 1


if __name__ == "__main__":
    end_like_a_tool(main)
