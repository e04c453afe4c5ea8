# SPDX-License-Identifier: BSD-3-Clause
"""Running command lines together, ending all of them, and room for them: shared by the scripts of
bench/ that measure cosched_exec."""
import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid

TAG = "LAUNCHWISE_BENCH_RUN"
GRACE = 20  # s from TERM to KILL


def mpi_environment():
    """Debian's Open MPI asks root to say so."""
    return {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def read_environment(pid):
    """What a process was started with; nothing when it is gone."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
        pairs = (one.partition(b"=") for one in file.read().split(b"\0"))
        return {name.decode("utf-8", "replace"): value.decode("utf-8", "replace")
                for name, _, value in pairs}
    return {}


def tagged(tag):
    """Living processes that were started with this tag in their environment."""
    pids = (int(name) for name in os.listdir("/proc") if name.isdigit())
    return [pid for pid in pids if read_environment(pid).get(TAG) == tag]


def end_tagged(tag, patience):
    """Waits for the tagged processes to go, kills those that stay, and says how many did."""
    deadline = time.monotonic() + patience
    while tagged(tag) and time.monotonic() < deadline:
        time.sleep(0.05)
    left = tagged(tag)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return len(left)


class Running:
    """A runner with its tasks: cosched_exec, xargs, parallel, or one program alone."""

    def __init__(self, argv, folder, log, lines=None, group=None, whole_group=False):
        self.tag = uuid.uuid4().hex
        self.whole_group = whole_group  # who gets the TERM: all that keep our group, or the runner
        environment = {**os.environ, **mpi_environment(), TAG: self.tag, "TMPDIR": folder,
                       "PARALLEL_HOME": folder}
        stdin = subprocess.DEVNULL
        if lines is not None:
            path = os.path.join(folder, "tasks")
            with open(path, "w", encoding="ascii") as file:
                file.writelines(line + "\n" for line in lines)
            stdin = open(path, "rb")  # pylint: disable=consider-using-with
        if group:
            argv = ["sh", "-c", 'echo $$ >"$0" && exec "$@"', group.procs, *argv]
        with open(log, "wb") as out:
            self.start = time.monotonic()
            self.process = subprocess.Popen(argv, stdin=stdin, stdout=out, stderr=out, cwd=folder,
                                            env=environment, start_new_session=True)
        if lines is not None:
            stdin.close()

    def processes(self):
        return tagged(self.tag)

    def wait(self, limit=None):
        """(seconds, exit status), or (limit, None) when it took longer; then it has been ended."""
        handle = os.pidfd_open(self.process.pid)  # Popen.wait looks only every 50 ms
        try:
            left = None if limit is None else max(0, self.start + limit - time.monotonic())
            ended = select.select([handle], [], [], left)[0]
            seconds = time.monotonic() - self.start
            return (seconds, self.process.wait()) if ended else (limit, None)
        finally:
            os.close(handle)
            self.end()

    def end(self):
        """Ends the runner as a user would; what it leaves behind then is an error."""
        stopped = self.process.poll() is None
        if stopped:
            with contextlib.suppress(ProcessLookupError):
                (os.killpg if self.whole_group else os.kill)(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(GRACE)
            except subprocess.TimeoutExpired:
                print(f"{self.process.args[0]} did not end within {GRACE} s", file=sys.stderr)
                self.process.kill()
                self.process.wait()
        left = end_tagged(self.tag, 5 if stopped else 1)
        if left:
            print(f"{self.process.args[0]} left {left} processes behind", file=sys.stderr)
        return left


class MemoryGroup:
    """A cgroup with a limit on its memory, below our own; .procs is where a process enters it."""

    def __init__(self, limit):
        self.path, name = self._place()
        os.mkdir(self.path)
        self.procs = os.path.join(self.path, "cgroup.procs")
        try:
            with open(os.path.join(self.path, name), "w", encoding="ascii") as file:
                file.write(str(limit))
        except OSError:
            self.remove()
            raise

    @staticmethod
    def _place():
        own = {}
        with open("/proc/self/cgroup", encoding="utf-8") as file:
            for line in file:
                _, controllers, path = line.rstrip("\n").split(":", 2)
                own.update({name: path for name in controllers.split(",")})
        child = f"launchwise-bench-{uuid.uuid4().hex[:8]}"
        if "memory" in own:
            root, name, path = "/sys/fs/cgroup/memory", "memory.limit_in_bytes", own["memory"]
        else:
            root, name, path = "/sys/fs/cgroup", "memory.max", own[""]
        return os.path.join(root, path.lstrip("/"), child), name

    def remove(self):
        for _ in range(100):  # what has just ended may still be counted in it
            try:
                return os.rmdir(self.path)
            except FileNotFoundError:
                return None
            except OSError:
                time.sleep(0.05)
        print(f"could not remove {self.path}", file=sys.stderr)
        return None


@contextlib.contextmanager
def memory_group(limit, wanted=True):
    """A MemoryGroup, or None when none is wanted or, for a printed reason, can be made."""
    if not wanted:
        yield None
        return
    try:
        group = MemoryGroup(limit)
    except (OSError, KeyError) as error:
        print(f"no memory cgroup here: {error}", file=sys.stderr)
        yield None
        return
    try:
        yield group
    finally:
        group.remove()


@contextlib.contextmanager
def work_folder():
    """A folder on a disk for what the programs write; TMPDIR says where."""
    folder = tempfile.mkdtemp(prefix="launchwise-bench.")
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def end_like_a_tool(main):
    """Ctrl-C and TERM clean up what is in hand; a refusal is a sentence."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


def default_bin():
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.environ.get("BIN", os.path.join(source, "build", "release", "bin"))


def need_cosched_exec(folder):
    """Its path in this folder of programs; exit 77 without it or its probe."""
    program = os.path.abspath(os.path.join(folder, "cosched_exec"))
    probe = os.path.join(folder, "..", "libexec", "launchwise", "liblaunchwise_probe.so")
    for path in (program, probe):
        if not os.access(path, os.R_OK):
            print(f"SKIP: no {path}, build everything first or set BIN", file=sys.stderr)
            sys.exit(77)
    return program
