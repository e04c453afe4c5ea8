# SPDX-License-Identifier: BSD-3-Clause
"""The table of speed_sources.py: predicted against true slowdown by each measure."""
import math
from statistics import mean, median

from cosched_programs import PROGRAMS

SOURCES = ["progress", "calls", "ips", "ipc", "cputime"]


def points(rows, measure, rate):
    """(spinning program, true slowdown, predicted one) of each task in each set, for a measure.
    `rate`: the column with its rate."""

    def value(row, column):
        return float(row[column] or 0)

    def alone(program, column):
        values = [value(row, column) for row in rows if row["set"] == program
                  and (column == "steps" or right(row)) and value(row, column) > 0]
        return median(values) if values else None

    def right(row):
        return measure is None or row["source"] == row["measure"] == measure

    found = []
    for row in rows:
        if "+" not in row["set"] or not right(row):
            continue
        values = [alone(row["program"], "steps"), value(row, "steps"), alone(row["program"], rate),
                  value(row, rate)]
        if all(values):
            spins = PROGRAMS[row["program"]].spins
            found.append((spins, values[0] / values[1], values[2] / values[3], row))
    return found


def quality(pairs):
    """R^2 of log f, and the worst error as a factor."""
    true = [math.log(one[1]) for one in pairs]
    wrong = [math.log(one[2]) - math.log(one[1]) for one in pairs]
    spread = sum((value - mean(true)) ** 2 for value in true)
    r2 = 1 - sum(value**2 for value in wrong) / spread if spread > 0 else math.nan
    return r2, math.exp(max(map(abs, wrong)))


def report(rows, details):
    print("R^2 of log f against the true slowdown, worst error as a factor (number of programs in"
          " sets)")
    print(f"  {'measure':<34}{'non-spinning':>22}{'spinning':>24}")
    tables = [(name, name, "rate") for name in SOURCES]
    tables += [("CPU time, also of spinning programs *", None, "cpu"),
               ("run / (run + wait) of schedstat *", None, "share")]
    for title, measure, column in tables:
        found = points(rows, measure, column)
        cells = []
        for spinning in (False, True):
            pairs = [one for one in found if one[0] == spinning]
            if len(pairs) < 3:
                cells.append("-")
                continue
            r2, worst = quality(pairs)
            cells.append(f"{r2:.2f}, {worst:.2f} ({len(pairs)})")
        print(f"  {title:<38}{cells[0]:>18}{cells[1]:>24}")
    print("  * read from /proc by this script: cosched_exec does not judge a spinning program so")
    spinning = {row["program"] for row in rows if row["spins"] == "1"}
    print(f"  taken for spinning in some run: {' '.join(sorted(spinning)) or 'none'}")
    if details:
        print_details(rows)


def print_details(rows):
    print(f"\n  {'set':<20}{'program':<9}{'measure':<10}{'true f':>9}{'predicted':>11}")
    for measure in SOURCES:
        for _, true, predicted, row in points(rows, measure, "rate"):
            print(f"  {row['set']:<20}{row['program']:<9}{measure:<10}{1 / true:9.3f}"
                  f"{1 / predicted:11.3f}")
