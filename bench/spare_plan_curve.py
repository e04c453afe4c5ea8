#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""spare-plan against the same curve E[C](k), k = 0..n, written with numpy and scipy.

    spare_plan_curve.py SPARE_PLAN RUNS

CPU time (user + system) of our whole processes, and of the computing or the computing and writing
part alone of the script, its imports excluded; all measured in turn within each run.
"""
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from statistics import median

N = 1_000_000
PARAMETERS = {"--p-abn": 0.0001, "--alpha": 10, "--t-bench": 0.01, "--t-cmpt": 100, "--t-comm": 10}
TARGET = 20


def curve(n, p, alpha, t_bench, t_cmpt, t_comm):
    import numpy as np
    from scipy.stats import binom

    k = np.arange(n + 1)
    total = n + k
    some = -np.expm1(total * np.log1p(-p))
    enough = binom.cdf(k, total, p)
    seconds = t_bench * (1 + (alpha - 1) * some) + t_cmpt * (1 + (alpha - 1) * (1 - enough)) + t_comm
    return np.column_stack([k, total * seconds, seconds, enough])


def script(path):
    """What the other side does; run as a process of its own so that nothing is warm already."""
    import numpy as np
    import scipy.stats  # noqa: F401  imported before the clock starts

    start = time.process_time()
    table = curve(N, *PARAMETERS.values())
    answer = int(np.argmin(table[:, 1]))
    computed = time.process_time()
    np.savetxt(path, table, fmt="%d,%.17g,%.17g,%.17g")
    written = time.process_time()
    print(json.dumps({"answer": answer, "compute": computed - start, "write": written - start}))


def cpu_of(argv):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    out = subprocess.run(argv, check=True, stdout=subprocess.PIPE).stdout
    return used() - before, out


def row(name, values, unit=""):
    print(f"  {name:<58}" + "".join(f"{x:10.4g}{unit}" for x in (min(values), median(values), max(values))))


def main(program, runs):
    ours = [program, "-n", str(N)]
    for name, value in PARAMETERS.items():
        ours += [name, str(value)]
    plan, csv, compute, write = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "curve.csv")
        for _ in range(runs):
            seconds, out = cpu_of(ours + ["--json"])
            plan.append(seconds)
            csv.append(cpu_of(ours + ["--curve", path])[0])
            other = json.loads(cpu_of([sys.executable, __file__, "--script", path])[1])
            compute.append(other["compute"])
            write.append(other["write"])
            if json.loads(out)["n_spare"] != other["answer"]:
                sys.exit("the two answers differ")
    print(f"E[C](k) of n = {N:,}, k = 0..n, {runs} runs; CPU seconds" + " " * 12 + "min    median       max")
    row("spare-plan --json, whole process", plan)
    row("spare-plan --curve FILE, whole process, 30 MB written", csv)
    row("numpy/scipy, computing part", compute)
    row("numpy/scipy, computing part and writing the CSV", write)
    print("ratio, run by run")
    answer = [b / a for a, b in zip(plan, compute)]
    row("answer from the whole curve: computing part / --json", answer, "x")
    row("whole curve as CSV: computing and writing / --curve", [b / a for a, b in zip(csv, write)], "x")
    row("computing part alone / --curve (only ours writes)", [b / a for a, b in zip(csv, compute)], "x")
    print(f"target: {TARGET}x or better, {'met' if median(answer) >= TARGET else 'NOT met'} (first ratio, median)")
    return 0 if median(answer) >= TARGET else 1


if __name__ == "__main__":
    if sys.argv[1] == "--script":
        script(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1], int(sys.argv[2])))
