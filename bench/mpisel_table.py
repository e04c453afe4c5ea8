# SPDX-License-Identifier: BSD-3-Clause
"""mpisel against the pipeline that does the same to a table of one benchmark and one repetition.

    mpisel_table.py MPISEL TABLE HOSTS RUNS

The pipeline: the slowest rank of each host with mawk, hosts with a bad row left out, the fastest
first with sort and head. It checks nothing else of the table. Both read the file from the page
cache, are run in turn, and must print the same hosts.
"""
import resource
import subprocess
import sys
import time
from statistics import median

TARGET = 3
SLOWEST = """
    $6 == "ok" { if ($5 > worst[$1]) worst[$1] = $5; next }
    /^[^#]/ { bad[$1] }
    END { for (host in worst) if (!(host in bad)) print worst[host], host }
"""


def measured(argv):
    """Output, wall seconds, CPU seconds of the command and its children."""

    def cpu():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before, start = cpu(), time.perf_counter()
    out = subprocess.run(argv, check=True, stdout=subprocess.PIPE).stdout
    return out, time.perf_counter() - start, cpu() - before


def line(name, values, unit=""):
    low, middle, high = min(values), median(values), max(values)
    print(f"  {name:<22}{low:9.3f}{middle:9.3f}{high:9.3f} {unit}")


def main():
    mpisel, table, hosts, runs = sys.argv[1:]
    ours = [mpisel, "-n", hosts, table, "--format", "plain", "--order", "speed", "-q"]
    shell = "mawk -F, \"$1\" \"$2\" | sort -g | head -n \"$3\" | cut -d' ' -f2"
    theirs = ["sh", "-c", shell, "sh", SLOWEST, table, hosts]
    if measured(ours)[0] != measured(theirs)[0]:  # warms the page cache, too
        sys.exit("the two do not choose the same hosts")
    samples = [(measured(ours)[1:], measured(theirs)[1:]) for _ in range(int(runs))]
    print(f"  {'':<22}{'min':>9}{'median':>9}{'max':>9}  ({runs} runs in turn)")
    for i, what in enumerate(("wall", "CPU")):
        line(f"mpisel {what}", [our[i] for our, _ in samples], "s")
        line(f"pipeline {what}", [their[i] for _, their in samples], "s")
        ratios = [their[i] / our[i] for our, their in samples]
        line(f"ratio {what}", ratios, f"(target {TARGET} or more)")


main()
