# SPDX-License-Identifier: GPL-3.0-or-later
"""What the benchmarks of dispatch share: a home of their own, workflows of commands, what guards wrote down."""

import ctypes
import json
import os
import resource
import sqlite3
import struct
import subprocess
import sys

CTL = os.environ.get("FORE_CTL", "foredeckctl")
PR_SET_CHILD_SUBREAPER = 36
# src/platform/fore-guard-protocol.h
RECORD = struct.Struct("<IHH40sIIiiQQ16siiiIQQQqqqqQQI64sI")
EXIT = 2


def adopt_orphans():
    """A runner is nobody's child but ours then, once foredeckctl has started it."""
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit("orphans cannot be waited for here")


def wait_for_orphans():
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass


def get_cpu():
    """Seconds of both kinds that children used which ended and were waited for, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


class Home:
    def __init__(self, folder, settings=None):
        self.folder = folder
        self.project = os.path.join(folder, "project")
        self.home = os.path.join(folder, "home")
        os.makedirs(self.project)
        self.env = dict(os.environ, FOREDECK_HOME=self.home, HOME=folder, LC_ALL="C.UTF-8",
                        XDG_CONFIG_HOME=os.path.join(folder, "config"))
        # What is measured is what people run: without the watchdog that tests run with.
        for name in ("FOREDECK_RUN", "FORE_STALL_MS", "FORE_STALL_FATAL"):
            self.env.pop(name, None)
        # A sandbox costs more than all of ours; it is measured only where that was asked for.
        self.env.setdefault("FOREDECK_SANDBOX", "off")
        for name, value in (settings or {}).items():
            self.ctl("config", "set", name, str(value))

    def ctl(self, *args):
        done = subprocess.run([CTL, *args], env=self.env, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"foredeckctl {args} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def write_workflow(self, name, steps):
        """@steps: key, command, keys of the steps before it; @name is one word."""
        path = os.path.join(self.folder, f"{name}.workflow.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"---\nname: {name}\ndescription: Many small commands\n---\n# {name}\n")
            for key, command, before in steps:
                file.write(f"\n## {key}\nrole: executor\ncli: command\ncommand: {command}\n")
                if before:
                    file.write("dependsOn: " + ", ".join(before) + "\n")
                file.write("\nDo it.\n")
        return path

    def start(self, workflow, jobs, *args, project=None):
        out = self.ctl("run", "--json", "--detach", "--project", project or self.project, "--workflow", workflow, "--team",
                       "implementation", "--isolation", "none", "--approve", "auto", "--jobs", str(jobs), *args, "Bench")
        return json.loads(out)["id"]

    def read_statuses(self, run):
        """(task, status, seconds) in their order."""
        base = sqlite3.connect(os.path.join(self.home, "runs", run, "run.db"))
        rows = [(task, json.loads(data)["to"], moment / 1e6) for task, moment, data in base.execute(
            "SELECT task, time, data FROM events WHERE type = 'task.status' ORDER BY seq")]
        base.close()
        return rows

    def count_events(self, run, kind):
        base = sqlite3.connect(os.path.join(self.home, "runs", run, "run.db"))
        count = base.execute("SELECT count(*) FROM events WHERE type = ?", (kind,)).fetchone()[0]
        base.close()
        return count

    def read_exits(self, run, wall=False):
        return read_exits(os.path.join(self.home, "runs", run, "exits"), wall)


def read_exits(path, wall=False):
    """(task, start, end) of each attempt that is over, in seconds on the boot clock or the wall clock."""
    first = 18 if wall else 19
    exits = []
    with open(path, "rb") as file:
        while len(data := file.read(RECORD.size)) == RECORD.size:
            fields = RECORD.unpack(data)
            if fields[2] == EXIT:
                exits.append((fields[3].rstrip(b"\0").decode(), fields[first] / 1e6, fields[first + 2] / 1e6))
    return exits


def count_at_once(exits):
    """The most intervals that overlap."""
    edges = sorted([(start, 1) for _, start, _ in exits] + [(end, -1) for _, _, end in exits])
    now = most = 0
    for _, step in edges:
        now += step
        most = max(most, now)
    return most
