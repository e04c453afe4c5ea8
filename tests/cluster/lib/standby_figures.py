# SPDX-License-Identifier: BSD-3-Clause
"""What a run under Slurm's power saving cost, from Slurm's jobcomp/filetxt and the log of the power.

standby_figures.py JOBCOMP POWER HOSTS: prints "energy E", "slowdown S" (mean of max((wait + run) /
max(run, 10), 1)), "delayed J" (jobs that waited 2 s or more), "wakes W", "end T" (last job's end less
the first submit) and, where they were seen, "boot B" (mean time from the order to boot a node until it is
up, or until the job starts that was given to it before, for which Slurm looks at times) and "shutdown D"
(mean time from a node's last job to its end without power). A node has power from the order to boot to
the end of its shutdown; all of it is counted from the first submit to the last end.
"""

import re
import sys
import time


def instant(text):
    return time.mktime(time.strptime(text, "%Y-%m-%dT%H:%M:%S"))


def hosts_in(text):
    """n[1-3,5] -> n1 n2 n3 n5"""
    names = []
    for item in re.sub(r"n\[?|\]", "", text).split(","):
        first, _, last = item.partition("-")
        names += ["n%d" % i for i in range(int(first), int(last or first) + 1)]
    return names


def read_jobs(path):
    jobs = []
    for line in open(path):
        field = dict(word.split("=", 1) for word in line.split() if "=" in word)
        jobs.append({"submit": instant(field["SubmitTime"]), "start": instant(field["StartTime"]),
                     "end": instant(field["EndTime"]), "hosts": hosts_in(field["NodeList"])})
    return jobs


def powered(events, host, first, last):
    """Seconds in [first, last] with power, and the orders to boot."""
    on, since, seconds, wakes = True, 0.0, 0.0, 0
    for at, what, name in events + [(last, "down", host)]:
        if name == host and what == "order-on" and not on:
            on, since = True, at
            wakes += first <= at <= last
        elif name == host and what == "down" and on:
            seconds += max(0.0, min(at, last) - max(since, first))
            on = False
    return seconds, wakes


def boots(events, jobs, first, last):
    """Seconds from each order to boot until the node is of use."""
    orders, times = {}, []
    for at, what, host in events:
        if what == "order-on":
            orders[host] = at
        if what == "up" and host in orders:
            given = [job["start"] for job in jobs
                     if host in job["hosts"] and job["submit"] <= at <= job["start"] + 1]
            if first <= orders[host] <= last:
                times.append(max([at] + given[:1]) - orders[host])
            del orders[host]
    return times


def mean(values):
    return sum(values) / len(values)


jobs = read_jobs(sys.argv[1])
events = [(float(at), what, host) for at, what, host in map(str.split, open(sys.argv[2]))]
first, last = min(job["submit"] for job in jobs), max(job["end"] for job in jobs)
nodes = [powered(events, "n%d" % i, first, last) for i in range(1, int(sys.argv[3]) + 1)]
print("energy %.0f" % sum(seconds for seconds, _ in nodes))
print("slowdown %.3f" % mean([max((job["end"] - job["submit"]) / max(job["end"] - job["start"], 10), 1)
                              for job in jobs]))
waits = [job["start"] - job["submit"] for job in jobs]
delayed = [wait for wait in waits if wait >= 2]
print("delayed %d" % len(delayed))
print("wakes %d" % sum(wakes for _, wakes in nodes))
print("end %.0f" % (last - first))
booted = boots(events, sorted(jobs, key=lambda job: job["start"]), first, last)
if booted:
    print("boot %.1f" % mean(booted))
shutdowns = []
for at, what, host in events:
    ends = [job["end"] for job in jobs if host in job["hosts"] and job["end"] <= at]
    if what == "down" and ends and at <= last + 60:
        shutdowns.append(at - max(ends))
if shutdowns:
    print("shutdown %.1f" % mean(shutdowns))
