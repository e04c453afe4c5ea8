# SPDX-License-Identifier: BSD-3-Clause
"""The source's claim on real logs, with a boot of 120 s, p0 = 0.9 and the whole past as the window.

    standby_traces.py SPARE_PLAN FOLDER

"Close" is taken as four fifths: redundant saves at least 80 % of what all-off saves, and its slowdown
goes at most 20 % of the way from that of all-on to that of all-off. N at 80, 85 and 90 % was worked out apart.
"""
import json
import os
import subprocess
import sys

LOGS = [("OSC-Clust-2000-3.1-cln.swf.gz", 178, [2, 4, 6]),
        ("KTH-SP2-1996-2.1-cln.swf.gz", 100, [9, 15, 16]),
        ("NASA-iPSC-1993-3.1-cln.swf.gz", 128, [32, 32, 32])]


def ask(program, *words):
    argv = [program, "-q", "standby", *words, "--json"]
    return json.loads(subprocess.run(argv, check=True, stdout=subprocess.PIPE).stdout)


def verdict(runs):
    on, off, kept = runs["all-on"], runs["all-off"], runs["redundant"]
    saved = (1 - kept["energy_ratio"]) / (1 - off["energy_ratio"])
    worse = off["mean_bounded_slowdown"] - on["mean_bounded_slowdown"]
    lost = (kept["mean_bounded_slowdown"] - on["mean_bounded_slowdown"]) / worse if worse > 0 else 0
    word = "holds" if saved >= 0.8 and lost <= 0.2 else "does not hold"
    return (f"claim: redundant saves {100 * saved:.1f} % of what all-off saves, its slowdown is "
            f"{100 * lost:.1f} % of the way to that of all-off: {word}")


def main():
    program, folder = sys.argv[1:]
    missing, wrong = 0, 0
    for name, machine, expected in LOGS:
        path = os.path.join(folder, name)
        if not os.path.exists(path):
            print(f"SKIP: no {path}")
            missing += 1
            continue
        found = [at["n"] for at in ask(program, path)["n_at"]]
        wrong += found != expected
        print(f"{name}, {machine} nodes: N at 80/85/90 % = {found}, "
              f"{'as' if found == expected else 'NOT as'} worked out apart")
        for backfill in ("none", "easy"):
            runs = {run["policy"]: run for run in ask(
                program, "simulate", path, "--nodes", str(machine), "--boot", "120", "--backfill", backfill)}
            busy = runs["all-on"]["busy"] / runs["all-on"]["energy"]
            print(f"  backfill {backfill}, {100 * busy:.0f} % of the node-seconds busy")
            print(f"    {'policy':<10}{'energy':>9}{'slowdown':>11}{'delayed':>10}{'extra wait':>12}"
                  f"{'boots/node/day':>16}")
            for policy, run in runs.items():
                print(f"    {policy:<10}{100 * run['energy_ratio']:8.1f}%{run['mean_bounded_slowdown']:11.2f}"
                      f"{100 * run['delayed_by_boot'] / run['jobs']:9.2f}%{run['mean_extra_wait']:11.1f}s"
                      f"{run['boots_per_node_day']:16.2f}")
            print("    " + verdict(runs))
    sys.exit(77 if missing == len(LOGS) else 1 if wrong else 0)


main()
