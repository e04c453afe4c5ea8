# SPDX-License-Identifier: BSD-3-Clause
"""benchrun, mpisel and spare-plan fit at scale, beside scripts that read lines of a program.

    benchrun_scale.py BIN RUNS HOSTS RANKS

Everything is fed by BIN/many_ranks, which writes each line with a write() of its own, as mpirun does.
CPU time is the process's own, without that of its children; memory is its largest resident set.
"""
import os
import subprocess
import sys
import tempfile
import time
from statistics import median

MOST_MB, MOST_CPU = 500, 10
AWK = 'BEGIN { print "host,rank,run,bench,seconds,status" } { print $1 "," $2 "," $3 ",app," $4 ",ok" }'
PYTHON = """
import collections, sys
rows = collections.defaultdict(list)
for line in sys.stdin:
    host, rank, run, seconds = line.split()
    rows[host].append((int(rank), int(run), float(seconds)))
print("host,rank,run,bench,seconds,status")
for host, times in rows.items():
    for rank, run, seconds in times:
        print(f"{host},{rank},{run},app,{seconds},ok")
"""


def figures_of(pid):
    """Waits for the process. Own CPU seconds, peak MB."""
    peak = 0
    while True:
        with open(f"/proc/{pid}/status", encoding="ascii") as status:
            for line in status:
                if line.startswith("VmHWM:"):
                    peak = max(peak, int(line.split()[1]) / 1024)
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            break
        time.sleep(0.02)
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:  # of the zombie
        fields = stat.read().rsplit(")", 1)[1].split()
    return sum(int(field) for field in fields[11:13]) / os.sysconf("SC_CLK_TCK"), peak


def measured(argv, output, source=None):
    with open(output, "wb") as out:
        start = time.perf_counter()
        feeder = source and subprocess.Popen(source, stdout=subprocess.PIPE)
        process = subprocess.Popen(argv, stdin=feeder.stdout if feeder else subprocess.DEVNULL, stdout=out)
        if feeder:
            feeder.stdout.close()
        cpu, peak = figures_of(process.pid)
        wall = time.perf_counter() - start
        status = process.wait()
        if feeder:
            feeder.wait()
    if status != 0:
        sys.exit(f"{argv[0]} ended with status {status}")
    return wall, cpu, peak


def show(name, samples, rows):
    cells = []
    for i in range(3):
        values = [sample[i] for sample in samples]
        cells.append(f"{min(values):8.2f}{median(values):8.2f}{max(values):8.2f}")
    print(f"  {name:<16}{'  '.join(cells)}  {rows}")


def count(path, text):
    with open(path, encoding="ascii") as table:
        return sum(text in line for line in table)


def main():
    folder_of_programs, runs, hosts, ranks = sys.argv[1], *map(int, sys.argv[2:])
    os.environ.update(MANY_SILENT="100", MANY_SLOW="200")
    programs = {name: os.path.join(folder_of_programs, name)
                for name in ("benchrun", "mpisel", "spare-plan", "many_ranks")}
    samples = {name: [] for name in ("benchrun", "mpisel", "fit", "awk", "python")}
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(programs["many_ranks"], os.path.join(folder, "mpirun"))
        os.environ["PATH"] = folder + ":" + os.environ["PATH"]
        hostfile, table, other = (os.path.join(folder, name) for name in ("hosts", "times.csv", "other"))
        with open(hostfile, "w", encoding="ascii") as file:
            file.writelines(f"n{i} slots={ranks}\n" for i in range(1, hosts + 1))
        silent = sum(i % 100 == 50 for i in range(1, hosts + 1))
        slow = sum(i % 200 == 7 for i in range(1, hosts + 1))
        expected = (hosts - silent) * ranks
        ours = [programs["benchrun"], "--hostfile", hostfile, "--per", "slot", "--runs", "1", "-q"]
        ours += ["--timeout", "5s", "--budget", "1h", "--history", "none", "-o", table]
        plain = [programs["many_ranks"], "--plain", str(hosts), str(ranks), "1"]
        for _ in range(runs):
            samples["benchrun"].append(measured(ours, os.devnull))
            read, lost = count(table, ",ok,"), count(table, ",timeout,")
            select = [programs["mpisel"], "-n", str(hosts - silent - slow), table, "--format", "plain", "-q"]
            samples["mpisel"].append(measured(select, other))
            chosen = count(other, "n")
            samples["fit"].append(measured([programs["spare-plan"], "fit", table, "--json"], other))
            samples["awk"].append(measured(["awk", AWK], other, plain))
            samples["python"].append(measured(["/usr/bin/python3", "-c", PYTHON], other, plain))
            by_script = count(other, ",ok")
    print(f"{hosts} hosts with {ranks} ranks, {silent} silent, {slow} slow; {runs} runs in turn: min, median, max")
    print(f"  {'':<16}{'wall [s]':>24}  {'own CPU [s]':>24}  {'memory [MB]':>24}")
    show("benchrun", samples["benchrun"], f"{read} rows of {expected}, {lost} hosts without")
    show("mpisel", samples["mpisel"], f"{chosen} hosts")
    show("spare-plan fit", samples["fit"], "")
    show("lines to awk", samples["awk"], f"{by_script} rows")
    show("lines to python", samples["python"], f"{by_script} rows; the slow and silent not asked")
    cpu, peak = (max(sample[i] for sample in samples["benchrun"]) for i in (1, 2))
    print(f"  benchrun: {cpu:.1f} s of CPU time (target below {MOST_CPU}), {peak:.0f} MB (below {MOST_MB})")
    sys.exit(0 if cpu < MOST_CPU and peak < MOST_MB and read == expected and lost == silent else 1)


main()
