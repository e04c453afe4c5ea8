# SPDX-License-Identifier: BSD-3-Clause
"""spare-plan standby simulate on a year of a 1,000-node machine, and on 2, 4 and 8 times as many jobs.

    standby_simulate.py SPARE_PLAN FOLDER RUNS

Wall seconds of the whole process, all five policies. Growth: the time of eight times as many jobs,
against what n log n would give.
"""
import math
import os
import resource
import subprocess
import sys
import time
from statistics import median

JOBS, SECONDS = 120_000, 2
KINDS = {
    "first come, first served": ["--backfill", "none"],
    "EASY": ["--backfill", "easy"],
    "EASY, --queue startable": ["--backfill", "easy", "--queue", "startable"],
}


def cpu_of(argv):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    program, folder, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    met = True
    print(f"all five policies, 1,000 nodes, {runs} runs in turn{'':<9}min   median      max")
    for load in ("busy", "overloaded"):
        for kind, options in KINDS.items():
            cpu = {}
            for times in (1, 2, 4, 8):
                argv = [program, "-q", "standby", "simulate", os.path.join(folder, f"{load}{times}"),
                        "--nodes", "1000", *options]
                samples = [cpu_of(argv) for _ in range(runs)]
                wall, cpu[times] = [s[0] for s in samples], median(s[1] for s in samples)
                note = f"(target below {SECONDS})" if times == 1 else ""
                print(f"  {load}, {kind}, {times * JOBS:,} jobs".ljust(48) +
                      f"{min(wall):8.3f} {median(wall):8.3f} {max(wall):8.3f} s {note}")
                met = met and (times > 1 or max(wall) < SECONDS)
            factor = cpu[8] / cpu[1]
            limit = 8 * math.log(8 * JOBS) / math.log(JOBS)
            print(f"    CPU time x{factor:.2f} for 8 times the jobs (n log n: x{limit:.2f})")
            met = met and factor < 1.25 * limit
    print(f"targets (growth within 25 % of n log n): {'met' if met else 'NOT met'}")
    return 0 if met else 1


sys.exit(main())
