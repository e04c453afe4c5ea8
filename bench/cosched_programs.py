#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The programs that cosched_exec is measured with, and how many steps of each take a given time
alone on this machine.

    cosched_programs.py [--seconds S] [--again] [PROGRAM...]

builds what is ours, makes the inputs, and finds the steps (kept in build/bench, so that all later
runs do the same work). Prints the table. Needs the packages of scripts/packages.sh; run it on a
quiet machine.
"""
import argparse
import glob
import hashlib
import json
import os
import random
import re
import subprocess
import sys
from dataclasses import dataclass

from cosched_run import Running, end_like_a_tool, memory_group, work_folder

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(SOURCE, "build", "bench")
INPUTS = os.path.join(SOURCE, "bench", "programs", "inputs")
CALIBRATION = os.path.join(BUILD, "calibration.json")
MEMORY_LIMIT = 1200 << 20
SCAN_SIZE = 700 << 20
MPIRUN = "mpirun --bind-to none -np 2"  # bound, the ranks of all jobs would share their cores


@dataclass
class Program:
    """A command line. {steps}, {out}: where it may write, {own}: further options of our programs."""

    command: str
    first: int  # steps to begin the calibration with
    lines: int = 0  # ours: steps between two lines when lines are wanted, some 5 ms
    spins: bool = False
    memory_limited: bool = False

    @property
    def ours(self):
        return self.lines > 0

    def text(self, steps, out, own=""):
        command = self.command if ">" in self.command else self.command + " >{out}.out"
        return command.format(steps=steps, out=out, own=own, build=BUILD, inputs=INPUTS)


def ours(name, first, lines, before="", after="", **more):
    return Program(f"{before}{{build}}/{name} {{steps}}{after}{{own}}", first, lines, **more)


def lammps(before):
    return f"{before}lmp -in {{inputs}}/melt.in -log {{out}}.log -var steps {{steps}}"


JACOBI = "OMP_NUM_THREADS=2 OMP_WAIT_POLICY="
ONE, TWO = "OMP_NUM_THREADS=1 ", "OMP_NUM_THREADS=2 "
PROGRAMS = {
    "triad": ours("triad", 200, 1),
    "chase": ours("chase", 100, 1),
    "dg1": ours("dgemm", 200, 1, ONE),
    "dg2": ours("dgemm", 400, 2, TWO, spins=True),
    "jac": ours("jacobi", 10000, 100, JACOBI + "active ", spins=True),
    "jacp": ours("jacobi", 10000, 70, JACOBI + "passive "),
    "fsy": ours("fsyncs", 3000, 50, after=" {out}.data"),
    "slp": ours("sleeper", 50, 1),
    "mpi": ours("stencil", 10000, 100, MPIRUN + " ", spins=True),
    "scan": ours("scan", 1000, 10, after=" {out}.scan", memory_limited=True),
    "lmp1": Program(lammps(ONE), 400),
    "lmp2": Program(lammps(ONE + MPIRUN + " "), 800, spins=True),
    "gmx2": Program("gmx -quiet -nobackup mdrun -s {build}/argon.tpr -deffnm {out} -nsteps {steps}"
                    " -ntmpi 2 -ntomp 1 -dlb no -reprod >{out}.out 2>&1", 3000, spins=True),
    "xz": Program("xz -k -c {build}/text-{steps}.dat >{out}.xz", 2000),
}


def build():
    """The packages, our programs and GROMACS's input."""
    install = ". scripts/packages.sh && install_packages python3" + "".join(
        f' "${{{name}_PACKAGES[@]}}"' for name in ("BUILD", "RUN", "BENCH"))
    subprocess.run(["bash", "-ec", install], cwd=SOURCE, check=True, stdout=sys.stderr)
    for argv in (["cmake", "-S", os.path.join(SOURCE, "bench", "programs"), "-B", BUILD],
                 ["cmake", "--build", BUILD, "-j2"]):
        done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            sys.exit(done.stdout)
    if not os.path.exists(os.path.join(BUILD, "argon.tpr")):
        make_argon()


def make_argon(side=16, distance=0.36):
    gro = os.path.join(BUILD, "argon.gro")
    with open(gro, "w", encoding="ascii") as file:
        file.write(f"argon\n{side**3}\n")
        for i in range(side**3):
            place = (i % side, i // side % side, i // side**2)
            x, y, z = ((n + 0.5) * distance for n in place)
            file.write(f"{i + 1:5d}{'Ar':5s}{'Ar':>5s}{i + 1:5d}{x:8.3f}{y:8.3f}{z:8.3f}\n")
        file.write(" ".join([f"{side * distance:.5f}"] * 3) + "\n")
    subprocess.run(["gmx", "-quiet", "-nobackup", "grompp", "-f", f"{INPUTS}/argon.mdp", "-c", gro,
                    "-p", f"{INPUTS}/argon.top", "-o", f"{BUILD}/argon.tpr", "-po",
                    f"{BUILD}/argon-out.mdp"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)


def text_path(kib):
    return os.path.join(BUILD, f"text-{kib}.dat")


def make_text(kib):
    """KIB KiB of words at random, always the same."""
    path = text_path(kib)
    if os.path.exists(path) and os.path.getsize(path) == kib << 10:
        return
    source = random.Random(1)
    words = ["".join(source.choices("abcdefghijklmnopqrstuvwxyz", k=source.randint(2, 9)))
             for _ in range(4096)]
    written = 0
    with open(path, "w", encoding="ascii") as file:
        while written < kib << 10:
            text = " ".join(source.choices(words, k=20000)) + "\n"
            written += file.write(text[: (kib << 10) - written])


def make_scan(path):
    """A file to scan, on the disk and not in the page cache: who reads it first is charged."""
    if not os.path.exists(path):
        block = random.Random(1).randbytes(1 << 20)
        with open(path, "wb") as file:
            for i in range(SCAN_SIZE >> 20):
                file.write(i.to_bytes(8, "little") + block[8:])
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def prepare(name, steps, out):
    if name == "xz":
        make_text(steps)
    if name == "scan":
        make_scan(out + ".scan")


def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:16]


def result(name, out):
    """What the program has computed; None when it did not come to its end."""
    try:
        if PROGRAMS[name].ours:
            found = re.search(r"^result (.*)\n\Z", read(out + ".out"), re.M)
            return found and found.group(1)
        if name.startswith("lmp"):
            found = re.search(r"^(.*)\nLoop time", read(out + ".log"), re.M)
            return found and " ".join(found.group(1).split())
        if name == "gmx2":
            return digest(out + ".gro") if "Finished mdrun" in read(out + ".log") else None
        subprocess.run(["xz", "-t", out + ".xz"], check=True, stderr=subprocess.DEVNULL)
        return digest(out + ".xz")
    except (OSError, subprocess.CalledProcessError):
        return None


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def clear(out):
    """Removes what a task wrote, but the file to scan."""
    for path in glob.glob(glob.escape(out) + ".*"):
        if not path.endswith(".scan"):
            os.remove(path)


def timed_alone(name, steps, folder, group):
    out = os.path.join(folder, name)
    clear(out)
    prepare(name, steps, out)
    text = PROGRAMS[name].text(steps, out)
    seconds, status = Running(["sh", "-c", text], folder, out + ".log-of-sh", group=group,
                              whole_group=True).wait(600)
    computed = result(name, out)
    if status != 0 or computed is None:
        sys.exit(f"{name} failed ({status}): {text}\n{read(out + '.log-of-sh')}")
    return seconds, computed


def calibrate(name, wanted, folder, group):
    """The steps that take nearest to the wanted seconds: each further try by the line through the
    last two."""
    tried = []

    def attempt(steps):
        seconds, computed = timed_alone(name, steps, folder, group)
        tried.append({"steps": steps, "seconds": round(seconds, 3), "result": computed})

    attempt(PROGRAMS[name].first)
    while tried[-1]["seconds"] < min(1.5, wanted / 2) and len(tried) < 10:
        attempt(tried[-1]["steps"] * 3)
    for _ in range(4):
        if abs(tried[-1]["seconds"] / wanted - 1) <= 0.03:
            break
        attempt(next_steps(tried, wanted))
    best = min(tried, key=lambda one: abs(one["seconds"] - wanted))
    if name == "xz":
        for one in tried:
            if one["steps"] != best["steps"] and os.path.exists(text_path(one["steps"])):
                os.remove(text_path(one["steps"]))
    if abs(best["seconds"] / wanted - 1) > 0.1:
        print(f"{name}: times differ too much, is the machine quiet?", file=sys.stderr)
    return best


def next_steps(tried, wanted):
    """By the seconds a step of the last two tries; a start-up is at most half of a run."""
    last = tried[-1]
    rate = most = last["seconds"] / last["steps"]
    if len(tried) > 1 and tried[-2]["steps"] != last["steps"]:
        rate = (last["seconds"] - tried[-2]["seconds"]) / (last["steps"] - tried[-2]["steps"])
    rate = min(most, max(most / 2, rate))
    return max(1, last["steps"] // 4, round(last["steps"] + (wanted - last["seconds"]) / rate))


class Calibration:
    """The steps of each program for so many seconds, kept in a file."""

    def __init__(self, seconds, again=False):
        self.seconds, self.known = seconds, {}
        if os.path.exists(CALIBRATION):
            self.all = json.loads(read(CALIBRATION))
            self.known = {} if again else self.all.get(f"{seconds:g}", {})
        else:
            self.all = {}

    def need(self, names):
        """Finds what is missing of these; (steps, seconds, result) by name is in .known then."""
        missing = [name for name in dict.fromkeys(names) if name not in self.known]
        if not missing:
            return
        for name in missing:
            limited = PROGRAMS[name].memory_limited
            with work_folder() as folder, memory_group(MEMORY_LIMIT, limited) as group:
                if limited and group is None:
                    print(f"SKIP: {name} needs a memory cgroup", file=sys.stderr)
                    continue
                self.known[name] = calibrate(name, self.seconds, folder, group)
                self.save()
                print("calibrated: " + self.line(name), file=sys.stderr)

    def save(self):
        self.all[f"{self.seconds:g}"] = self.known
        with open(CALIBRATION + ".new", "w", encoding="ascii") as file:
            json.dump(self.all, file, indent=1)
        os.replace(CALIBRATION + ".new", CALIBRATION)

    def line(self, name):
        known = self.known[name]
        return f"{name:6}{known['steps']:10d} steps {known['seconds']:8.2f} s alone"

    def work(self, names):
        """A name for the work of these programs, so that results of other work are told apart."""
        text = json.dumps([(name, self.known[name]["steps"]) for name in names])
        return hashlib.sha256(text.encode()).hexdigest()[:8]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0],
                                     epilog="programs: " + " ".join(PROGRAMS))
    parser.add_argument("--seconds", type=float, default=9, help="time of each alone (9)")
    parser.add_argument("--again", action="store_true", help="find the steps anew")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="default: all")
    options = parser.parse_args()
    unknown = set(options.programs) - set(PROGRAMS)
    if unknown:
        parser.error("no such program: " + " ".join(sorted(unknown)))
    if options.seconds < 0.5:
        parser.error("--seconds: 0.5 or more")
    build()
    names = options.programs or list(PROGRAMS)
    calibration = Calibration(options.seconds, again=options.again)
    calibration.need(names)
    for name in names:
        if name in calibration.known:
            print(calibration.line(name))
    return 0


if __name__ == "__main__":
    end_like_a_tool(main)
