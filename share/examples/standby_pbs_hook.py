# SPDX-License-Identifier: BSD-3-Clause
"""A server hook of OpenPBS that keeps nodes on or off, today's form of a call in the scheduler's cycle.

It runs one step of `spare-plan standby apply` at each submit, at the end of each job and every minute.
A job that is wider than what is on is let in, and the step counts what it asks for: nodes that are off
are woken for it, while OpenPBS itself leaves it waiting for nodes that are down. Written after the hooks
guide of OpenPBS 22.05 (jobobit is new there). As root on the server:

    qmgr -c "create hook standby event = 'queuejob,jobobit,periodic'"
    qmgr -c "set hook standby freq = 60"
    qmgr -c "set hook standby alarm = 30"
    qmgr -c "import hook standby application/x-python default standby_pbs_hook.py"

The events of a job must not wait: there the step is only started. Two steps at once are refused by
the program itself; the later one is made up for by the next event.
"""

import subprocess

import pbs

KEEP = "/etc/launchwise/keep"
WAY = [
    "--scheduler", "pbs", "--path", "/opt/pbs/bin:/usr/bin:/bin:/usr/sbin:/sbin", "--way", "commands",
    "--off", "pbsnodes -o {host} -C standby", "--off", "ssh -o BatchMode=yes {host} poweroff",
    "--wake-on-lan", "/etc/launchwise/macs", "--up", "pbsnodes -r {host}",
]


def keep():
    """N as `spare-plan standby -o` has written it, at least one."""
    try:
        with open(KEEP) as file:
            return max(1, int(file.read()))
    except (OSError, ValueError):
        return 1


def step():
    """Starts one step and does not wait for it: it asks the server, which this hook keeps waiting, and
    a new job is in the queue only when the hook has ended."""
    later = ["sh", "-c", 'sleep 2; exec "$@"', "standby"]
    subprocess.Popen(
        later + ["spare-plan", "standby", "apply", "-q", "--keep", str(keep()), "--yes"] + WAY,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin"}, start_new_session=True, close_fds=True)


event = pbs.event()
try:
    step()
except Exception as error:  # whatever goes wrong with the nodes, jobs are let in
    pbs.logmsg(pbs.LOG_WARNING, "standby: %s" % error)
event.accept()
