# SPDX-License-Identifier: BSD-3-Clause
"""spare-plan standby on histories of a million jobs against a mawk program that finds the same N.

    standby_history.py SPARE_PLAN FOLDER RUNS

Both read the files from the page cache, are run in turn, and must print the same number. The mawk
program checks nothing and knows one format each. N does not depend on the order of the jobs.
"""
import os
import subprocess
import sys
import time
from statistics import median

SECONDS, MIB = 2, 300
COUNT = """
    $run >= 0 && $nodes > 0 { count[$nodes]++; ++total }
    END { for (n = 1; sum / total < 0.9; ++n) sum += count[n]; print n - 1 }
"""
JOBCOMP = """
    { for (i = 1; i <= NF; ++i) if ($i ~ /^NodeCnt=/) { count[substr($i, 9) + 0]++; ++total } }
    END { for (n = 1; sum / total < 0.9; ++n) sum += count[n]; print n - 1 }
"""
PBS = """
    $2 == "E" { match($4, /Resource_List.nodect=[0-9]+/)
                count[substr($4, RSTART + 21, RLENGTH - 21) + 0]++; ++total }
    END { for (n = 1; sum / total < 0.9; ++n) sum += count[n]; print n - 1 }
"""
THEIRS = {
    "swf": ["mawk", "-v", "run=4", "-v", "nodes=8", COUNT],
    "swf.gz": ["sh", "-c", 'gzip -dc "$2" | mawk -v run=4 -v nodes=8 "$1"', "sh", COUNT],
    "sacct": ["mawk", "-F", "|", "-v", "run=11", "-v", "nodes=8", COUNT],
    "jobcomp": ["mawk", JOBCOMP],
    "pbs-accounting": ["mawk", "-F", ";", PBS],
}


def measured(argv):
    """Output, wall seconds, peak MiB of the command itself."""
    start = time.perf_counter()
    child = subprocess.Popen(argv, stdout=subprocess.PIPE)
    out = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = 0
    if status != 0:
        sys.exit(f"{argv[0]} failed")
    return out, time.perf_counter() - start, usage.ru_maxrss / 1024


def row(name, values, unit):
    print(f"  {name:<24}{min(values):9.3f}{median(values):9.3f}{max(values):9.3f} {unit}")


def main():
    program, folder, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    met = True
    print(f"a million jobs, {runs} runs in turn{'':<11}min   median      max")
    for name, theirs in THEIRS.items():
        path = os.path.join(folder, name)
        ours = [program, "-q", "standby", path]
        if measured(ours)[0] != measured(theirs + [path])[0]:  # warms the page cache, too
            sys.exit(f"{name}: the two do not find the same number of nodes")
        samples = [(measured(ours)[1:], measured(theirs + [path])[1:]) for _ in range(runs)]
        print(f"{name}, {os.path.getsize(path) / 2**20:.0f} MiB:")
        seconds, mib = [our[0] for our, _ in samples], [our[1] for our, _ in samples]
        row("spare-plan", seconds, f"s (target below {SECONDS})")
        row("  its memory", mib, f"MiB (target below {MIB})")
        row("mawk", [their[0] for _, their in samples], "s")
        row("ratio mawk/spare-plan", [their[0] / our[0] for our, their in samples], "")
        met = met and max(seconds) < SECONDS and max(mib) < MIB
    print(f"targets: {'met' if met else 'NOT met'}")
    return 0 if met else 1


sys.exit(main())
