# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether somebody who is stopped slows a run: the window and a foredeckctl that follow it, and the runner of another
run, stand still while it goes on. The same run without them, in turns, is what it is held against. One JSON object;
exits with 1 when the median is beyond its bar."""

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import bench_run

# of the medians; what the two kinds of runs do is the same, so that the rest is the machine's
BAR = 1.1
DEADLINE = 120


def wait_for(what, condition):
    end = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"waited for {what} in vain")
        time.sleep(0.005)


def has_open(process, path):
    """Whether a program reads a file of the run by now."""
    try:
        fds = os.listdir(f"/proc/{process.pid}/fd")
        return path in {os.path.realpath(f"/proc/{process.pid}/fd/{fd}") for fd in fds}
    except OSError:
        return False


class Stopped:
    """Who stands still meanwhile."""

    def __init__(self, home, run):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": home.env}
        self.processes = [subprocess.Popen([bench_run.CTL, "events", run, "--follow"], **quiet)]
        if window and os.environ.get("DISPLAY"):
            self.processes.append(subprocess.Popen([window, run], **quiet))
        path = os.path.join(home.home, "runs", run, "run.db")
        for process in self.processes:
            wait_for("a follower", lambda process=process: has_open(process, path))
            process.send_signal(signal.SIGSTOP)
        self.other = start_held(home, f"other-{run}")
        self.runner = owner_of(home, self.other)
        os.kill(self.runner, signal.SIGSTOP)

    def end(self, home):
        for process in self.processes:
            process.kill()
            process.wait()
        os.kill(self.runner, signal.SIGCONT)
        home.ctl("cancel", self.other)


def owner_of(home, run):
    return json.loads(home.ctl("show", run, "--json"))["owner"]["pid"]


def start_held(home, name):
    """A run whose first task waits for the file of its name."""
    path = os.path.join(home.folder, name)
    steps = [("first", f"sh -c 'while [ ! -e {path} ]; do sleep 0.01; done'", [])]
    steps += [(f"t{i}", "true", ["first"]) for i in range(n_tasks)]
    project = os.path.join(home.folder, f"project-{name}")
    os.mkdir(project)
    run = home.start(home.write_workflow(name, steps), 8, project=project)
    wait_for("the first task", lambda: ("first", "running") in {row[:2] for row in home.read_statuses(run)})
    return run


def time_run(home, number, with_stopped):
    """Seconds from the end of the first task to that of the last."""
    run = start_held(home, f"r{number}")
    stopped = Stopped(home, run) if with_stopped else None
    with open(os.path.join(home.folder, f"r{number}"), "w", encoding="ascii"):
        pass
    # who is stopped has heard nothing: nobody is asked but the file
    wait_for("the end", lambda: sum(row[1] == "completed" for row in home.read_statuses(run)) == n_tasks + 1)
    if stopped is not None:
        stopped.end(home)
    ends = {task: moment for task, status, moment in home.read_statuses(run) if status == "completed"}
    return max(ends.values()) - ends["first"]


def main():
    folder = tempfile.mkdtemp(prefix="fore-bench-")
    taken = {False: [], True: []}
    try:
        home = bench_run.Home(folder)
        time_run(home, "warm", False)
        for i in range(rounds):
            for with_stopped in (False, True) if i % 2 == 0 else (True, False):
                taken[with_stopped].append(time_run(home, f"{i}{with_stopped}", with_stopped))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    alone, beside = (statistics.median(taken[key]) for key in (False, True))
    print(json.dumps({"bench": "stopped", "tasks": n_tasks, "rounds": rounds,
                      "window": bool(window and os.environ.get("DISPLAY")),
                      "alone_s": round(alone, 3), "beside_stopped_s": round(beside, 3),
                      "ratio": round(beside / alone, 3), "bar": BAR}))
    return 0 if beside <= BAR * alone else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--window", help="the program foredeck; left out where there is no display")
    parser.add_argument("--tasks", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    words = parser.parse_args()
    window, n_tasks, rounds = words.window, words.tasks, words.rounds
    sys.exit(main())
