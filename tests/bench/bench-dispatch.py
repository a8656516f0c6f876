# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks that run /bin/true in a random graph, beside ninja on the same graph in the same minute."""

import argparse
import ctypes
import json
import os
import random
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

PR_SET_CHILD_SUBREAPER = 36
CTL = os.environ.get("FORE_CTL", "foredeckctl")


def make_graph(count, seed):
    """For each task the earlier ones that it waits for: none to three of the fifty before it."""
    chance = random.Random(seed)
    graph = []
    for i in range(count):
        near = range(max(0, i - 50), i)
        graph.append(sorted(chance.sample(near, min(len(near), chance.randint(0, 3)))))
    return graph


def get_cpu():
    """Seconds of both kinds that children used which ended and were waited for, with theirs."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def wait_for_orphans():
    """The runner is nobody's child but ours, once foredeckctl has started it."""
    try:
        while True:
            os.waitpid(-1, 0)
    except ChildProcessError:
        pass


class Bench:
    def __init__(self, folder, graph, jobs):
        self.folder = folder
        self.graph = graph
        self.jobs = str(jobs)
        self.project = os.path.join(folder, "project")
        os.mkdir(self.project)
        self.env = dict(os.environ, FOREDECK_HOME=os.path.join(folder, "home"), HOME=folder, LC_ALL="C.UTF-8")
        self.env.pop("FOREDECK_RUN", None)
        self.workflow = os.path.join(folder, "bench.workflow.md")
        with open(self.workflow, "w", encoding="utf-8") as file:
            file.write("---\nname: bench\ndescription: Many small commands\n---\n# Bench\n")
            for i, before in enumerate(graph):
                file.write(f"\n## t{i}\nrole: executor\ncli: command\ncommand: /bin/true\n")
                if before:
                    file.write("dependsOn: " + ", ".join(f"t{j}" for j in before) + "\n")
                file.write("\nDo nothing.\n")
        with open(os.path.join(folder, "build.ninja"), "w", encoding="utf-8") as file:
            file.write("rule true\n  command = /bin/true\n")
            for i, before in enumerate(graph):
                file.write(f"build t{i}: true {' '.join(f't{j}' for j in before)}\n")

    def ctl(self, *args):
        done = subprocess.run([CTL, *args], env=self.env, cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"foredeckctl {args} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def time_ninja(self):
        """Seconds that pass, and seconds of processors."""
        start, cpu = time.monotonic(), get_cpu()
        subprocess.run(["ninja", "-j", self.jobs, "-C", self.folder], check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - start, get_cpu() - cpu

    def time_foredeck(self):
        """From the first task that starts to the durable end of the run; all of it, as a person waits; seconds of
        processors of the runner and all under it."""
        start, cpu = time.monotonic(), get_cpu()
        run = json.loads(self.ctl(
            "run", "--json", "--detach", "--project", self.project, "--workflow", self.workflow, "--team",
            "implementation", "--isolation", "none", "--approve", "auto", "--jobs", self.jobs, "Bench"))["id"]
        started = get_cpu() - cpu
        self.ctl("wait", run)
        whole = time.monotonic() - start
        waited = get_cpu() - cpu - started
        wait_for_orphans()
        return self.check(run), whole, get_cpu() - cpu - started - waited

    def check(self, run):
        """Every task completed, each after those before it; in seconds, how long that took."""
        base = sqlite3.connect(os.path.join(self.folder, "home", "runs", run, "run.db"))
        done = set()
        started = ended = None
        for key, moment, data in base.execute(
                "SELECT task, time, data FROM events WHERE type = 'task.status' ORDER BY seq"):
            number = int(key[1:])
            to = json.loads(data)["to"]
            if to == "running":
                started = started or moment
                missing = set(self.graph[number]) - done
                if missing:
                    sys.exit(f"{key} started before {sorted(missing)}")
            elif to == "completed":
                done.add(number)
                ended = moment
            else:
                sys.exit(f"{key} became {to}")
        base.close()
        if len(done) != len(self.graph):
            sys.exit(f"only {len(done)} of {len(self.graph)} tasks completed")
        return (ended - started) / 1e6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--most", type=float, help="ratio above which the benchmark fails")
    options = parser.parse_args()

    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        sys.exit("orphans cannot be waited for here")
    graph = make_graph(options.tasks, 1)
    ours, whole, theirs, our_cpu, their_cpu = [], [], [], [], []
    top = tempfile.mkdtemp(prefix="fore-bench-")
    try:
        for i in range(options.rounds):
            folder = os.path.join(top, str(i))
            os.mkdir(folder)
            bench = Bench(folder, graph, options.jobs)
            os.sync()
            took, cpu = bench.time_ninja()
            theirs.append(took)
            their_cpu.append(cpu)
            os.sync()
            took, all_of_it, cpu = bench.time_foredeck()
            ours.append(took)
            whole.append(all_of_it)
            our_cpu.append(cpu)
    finally:
        # At the end only: ext4 looks at every inode that was freed in the last seconds when it makes a file.
        shutil.rmtree(top, ignore_errors=True)

    ratio = statistics.median(ours) / statistics.median(theirs)
    per_task = 1000 / options.tasks
    print(json.dumps({
        "benchmark": "dispatch", "tasks": options.tasks, "jobs": options.jobs,
        "foredeck_s": round(statistics.median(ours), 3), "with_start_s": round(statistics.median(whole), 3),
        "ninja_s": round(statistics.median(theirs), 3), "ratio": round(ratio, 2),
        "per_task_ms": round(per_task * statistics.median(ours), 3),
        "cpu_per_task_ms": round(per_task * statistics.median(our_cpu), 3),
        "ninja_cpu_per_task_ms": round(per_task * statistics.median(their_cpu), 3),
        "cpu_ratio": round(statistics.median(our_cpu) / statistics.median(their_cpu), 2),
    }))
    if options.most is not None and ratio > options.most:
        sys.exit(f"the ratio is above {options.most}")


if __name__ == "__main__":
    main()
