#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What cosched_exec costs: par against xargs -P 8 and GNU parallel -j 8 on 8 CPU-bound programs, all
in turn, and its own CPU time at 8 tasks of 6 threads.

    cosched_overhead.py [--repeat N] [--seconds S]

Its own CPU time is that of the processes that run its program (keeper and supervisor), by the
kernel's accounts of nanoseconds, over the whole run but its last hundredth of a second. BIN names
the folder of a release build.
"""
import argparse
import os
import sys
import time
from statistics import median

import cosched_programs as programs
from cosched_run import Running, default_bin, end_like_a_tool, need_cosched_exec, work_folder

TASKS, THREADS = 8, 6
MAKESPAN, CPU = 1.02, 0.2  # targets: ratio to the others; % of a core


def commands(options):
    return {
        "cosched_exec": [options.program, "-q", "-s", "par", "-"],
        "xargs": ["xargs", "-d", "\\n", "-n", "1", "-P", str(TASKS), "sh", "-c"],
        "parallel": ["parallel", "--will-cite", "-j", str(TASKS)],
    }


def busy_lines(folder, threads, steps):
    return [f"{programs.BUILD}/busy {steps} {threads} >{folder}/{i}.out" for i in range(TASKS)]


def checked(folder):
    if {programs.read(f"{folder}/{i}.out").split()[0] for i in range(TASKS)} != {"result"}:
        sys.exit("a program did not come to its end")


def makespan(argv, folder, steps):
    running = Running(argv, folder, f"{folder}/log", lines=busy_lines(folder, 1, steps),
                      whole_group=True)
    seconds, status = running.wait(600)
    if status != 0:
        sys.exit(f"{argv[0]} ended with {status}:\n{programs.read(folder + '/log')}")
    checked(folder)
    return seconds


def own_cpu(argv, folder, steps):
    """(CPU seconds of cosched_exec's own processes, wall seconds)."""
    running = Running(argv, folder, f"{folder}/log", lines=busy_lines(folder, THREADS, steps))
    keeper, cpu = running.process.pid, {}
    own = {keeper}
    try:
        while running.process.poll() is None:
            if len(own) < 2:
                own |= {pid for pid in running.processes()
                        if parent_of(pid) == keeper and runs(pid, argv[0])}
            for pid in own:
                cpu[pid] = cpu_of(pid) or cpu.get(pid, 0)
            time.sleep(0.01)
        seconds = time.monotonic() - running.start
    finally:
        running.end()
    if running.process.returncode != 0:
        sys.exit(f"{argv[0]} failed:\n{programs.read(folder + '/log')}")
    checked(folder)
    return sum(cpu.values()), seconds


def parent_of(pid):
    try:
        return int(programs.read(f"/proc/{pid}/stat").rpartition(")")[2].split()[1])
    except OSError:
        return None


def runs(pid, program):
    try:
        return os.path.samefile(f"/proc/{pid}/exe", program)
    except OSError:
        return False


def cpu_of(pid):
    try:
        return int(programs.read(f"/proc/{pid}/schedstat").split()[0]) / 1e9
    except (OSError, IndexError):
        return None


def line(name, values, unit):
    print(f"  {name:<34}{min(values):9.3f}{median(values):9.3f}{max(values):9.3f} {unit}")


def verdict(value, bound, unit=""):
    print(f"  {'':<34}median {value:.3f}{unit}, target {bound:.2f}{unit} or less:"
          f" {'met' if value <= bound else 'MISSED'}")
    return value <= bound


def steps_for(seconds, folder, threads):
    """Steps of each of 8 tasks, so that a run takes about so long here."""
    steps = 200
    start = time.monotonic()
    Running([f"{programs.BUILD}/busy", str(steps), "1"], folder, f"{folder}/log").wait(60)
    one = (time.monotonic() - start) / steps
    return max(1, round(seconds * len(os.sched_getaffinity(0)) / (one * TASKS * threads)))


def compare_makespans(options, folder):
    ways = commands(options)
    steps = steps_for(options.seconds, folder, 1)
    samples = {name: [] for name in ways}
    for i in range(options.repeat):
        names = list(ways)
        for name in names[i % 3:] + names[:i % 3]:
            samples[name].append(makespan(ways[name], folder, steps))
    print(f"  {TASKS} CPU-bound programs, {options.repeat} runs in turn"
          f"\n  {'':<34}{'min':>9}{'median':>9}{'max':>9}")
    for name, values in samples.items():
        line(name, values, "s")
    good = True
    for other in ("xargs", "parallel"):
        line(f"cosched_exec / {other}",
             [a / b for a, b in zip(samples["cosched_exec"], samples[other])], "")
        good &= verdict(median(samples["cosched_exec"]) / median(samples[other]), MAKESPAN)
    return good


def measure_own_cpu(options, folder):
    steps = steps_for(2 * options.seconds, folder, THREADS)
    print(f"  own CPU time at {TASKS} tasks of {THREADS} threads")
    good = True
    for strategy in ("par", "auto"):
        argv = [options.program, "-q", "-s", strategy, "-"]
        found = [own_cpu(argv, folder, steps) for _ in range(options.repeat)]
        shares = [100 * cpu / seconds for cpu, seconds in found]
        line(f"{strategy}, run of {median(one[1] for one in found):.1f} s", shares, "% of a core")
        good &= verdict(median(shares), CPU, " %")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--repeat", type=int, default=5, help="runs of each (5)")
    parser.add_argument("--seconds", type=float, default=10, 
                        help="length of a run, about; twice that for its own CPU time (10)")
    parser.add_argument("--bin", default=default_bin(),
                        help="folder of cosched_exec (BIN, else build/release/bin)")
    options = parser.parse_args()
    if options.repeat < 1 or options.seconds < 1:
        parser.error("--repeat, --seconds: 1 or more")
    options.program = need_cosched_exec(options.bin)
    programs.build()
    print(f"load before: {os.getloadavg()[0]:.2f}")
    with work_folder() as folder:
        good = compare_makespans(options, folder)
        good &= measure_own_cpu(options, folder)
    return 0 if good else 1


if __name__ == "__main__":
    end_like_a_tool(main)
