# SPDX-License-Identifier: BSD-3-Clause
"""The whole benchrun against a bare mpirun of its benchmark program.

    benchrun_cost.py BIN HOSTS RUNS

The bare launch uses the arguments that the table names, on the same hosts, one rank each. Both are run
in turn; which comes first alternates. What mpirun and compute take by themselves is in both.
"""
import os
import re
import subprocess
import sys
import tempfile
import time
from statistics import median

TARGET = 1.10


def seconds_of(argv):
    start = time.perf_counter()
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return time.perf_counter() - start


def line(name, values, unit="s"):
    print(f"  {name:<12}{min(values):9.3f}{median(values):9.3f}{max(values):9.3f} {unit}")


def main():
    bin_folder, hosts, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder:
        table = os.path.join(folder, "times.csv")
        ours = [os.path.join(bin_folder, "benchrun"), "--hosts", hosts, "--history", folder, "-o", table]
        seconds_of(ours)
        with open(table, encoding="ascii") as file:
            text = file.read()
        names = re.search(r"^# allocation: (.*)$", text, re.M).group(1).split(",")
        arguments, threads = re.search(r"^# compute: (.*) threads=(\w+)$", text, re.M).groups()
        if threads == "all":
            threads = str(len(os.sched_getaffinity(0)))
        if ",ok" not in text or re.search(r",(timeout|unreachable|failed|wrong)$", text, re.M):
            sys.exit("not all hosts are ok")
        hostfile = os.path.join(folder, "hosts")
        with open(hostfile, "w", encoding="ascii") as file:
            file.writelines(f"{name.split(':')[0]} slots=1\n" for name in names)
        compute = os.path.join(bin_folder, "..", "libexec", "launchwise", "compute")
        bare = ["mpirun", "--hostfile", hostfile, "-np", str(len(names)), "--map-by", "ppr:1:node"]
        bare += ["--bind-to", "none", compute, *arguments.split()]
        bare += ["--threads", threads]
        samples = {"benchrun": [], "bare": []}
        for i in range(runs):
            for name in ("benchrun", "bare") if i % 2 else ("bare", "benchrun"):
                samples[name].append(seconds_of(ours if name == "benchrun" else bare))
    print(f"{len(names)} hosts, {runs} runs each in turn: {' '.join(bare)}")
    print(f"  {'':<12}{'min':>9}{'median':>9}{'max':>9}")
    line("benchrun", samples["benchrun"])
    line("bare mpirun", samples["bare"])
    ratios = [a / b for a, b in zip(samples["benchrun"], samples["bare"])]
    line("ratio", ratios, "")
    ratio = median(samples["benchrun"]) / median(samples["bare"])
    print(f"  ratio of the medians {ratio:.3f} (target {TARGET:.2f} or less)")
    sys.exit(0 if ratio <= TARGET else 1)


main()
