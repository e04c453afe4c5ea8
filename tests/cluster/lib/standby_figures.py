# SPDX-License-Identifier: BSD-3-Clause
"""What a run under Slurm's power saving cost, from Slurm's jobcomp/filetxt and the log of the power.

standby_figures.py JOBCOMP POWER HOSTS HELD: prints "energy E", "slowdown S" (mean of max((wait + run) /
max(run, 10), 1)), "delayed J" (jobs that waited 2 s or more), "wakes W", "end T" (last job's end less
the first submit) and, where they were seen, "boot B" (mean time from the order to boot a node until it is
up) and "shutdown D" (mean time from a node's last job to its end without power). A node has power from
the order to boot to the end of its shutdown; all of it is counted from the first submit to the last end.

Slurm may look only half a minute later at a job whose nodes are all up: it holds them meanwhile. HELD gets
JOBCOMP with each job's start where its nodes were there, so that a simulation has that delay too.
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


def boots(events, first, last):
    """Seconds from each order to boot until the node is up."""
    orders, times = {}, []
    for at, what, host in events:
        if what == "order-on":
            orders[host] = at
        if what == "up" and host in orders:
            if first <= orders[host] <= last:
                times.append(at - orders[host])
            del orders[host]
    return times


def ready(job, jobs, events):
    """When the job's nodes were all there: submitted, up, and left by the jobs before it."""
    ups = [at for at, what, host in events if what == "up" and host in job["hosts"]]
    ends = [other["end"] for other in jobs if set(other["hosts"]) & set(job["hosts"])]
    return max(at for at in [job["submit"], *ups, *ends] if at <= job["start"])


def held(line, job, jobs, events):
    start = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(ready(job, jobs, events)))
    return re.sub("StartTime=\\S+", "StartTime=" + start, line, count=1)


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
booted = boots(events, first, last)
if booted:
    print("boot %.1f" % mean(booted))
shutdowns = []
for at, what, host in events:
    ends = [job["end"] for job in jobs if host in job["hosts"] and job["end"] <= at]
    if what == "down" and ends and at <= last + 60:
        shutdowns.append(at - max(ends))
if shutdowns:
    print("shutdown %.1f" % mean(shutdowns))
with open(sys.argv[1]) as lines, open(sys.argv[4], "w") as out:
    out.writelines(held(line, job, jobs, events) for line, job in zip(lines, jobs))
