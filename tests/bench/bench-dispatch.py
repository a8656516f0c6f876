# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks that run /bin/true in a random graph, beside ninja on the same graph in the same minute.

Prints one JSON object: seconds that pass and seconds of processors, ours and ninja's and their ratio; where the time goes
between a task that could start and its process; what the runner holds in memory, descriptors and threads.
"""

import argparse
import glob
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import bench_run

PARTS = ("own_us", "queue_us", "barrier_us", "spawn_us")
CREATED = 200
BARS = {"own_us": 300, "queue_us": 1000}


def make_graph(count, seed):
    """For each task the earlier ones that it waits for: none to three of the fifty before it."""
    chance = random.Random(seed)
    graph = []
    for i in range(count):
        near = range(max(0, i - 50), i)
        graph.append(sorted(chance.sample(near, min(len(near), chance.randint(0, 3)))))
    return graph


def read_status(pid, name):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(name + ":"))


class Watcher(threading.Thread):
    """What the runner of the run holds, again and again while it lives."""

    def __init__(self, run):
        super().__init__(daemon=True)
        self.run_id = run.encode()
        self.samples = []
        self.over = threading.Event()

    def find(self):
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            try:
                with open(path, "rb") as file:
                    words = file.read().split(b"\0")
            except OSError:
                continue
            if words[0].endswith(b"foredeck-runner") and self.run_id in words:
                return path.split("/")[2]
        return None

    def run(self):
        pid = None
        while not self.over.wait(0.1):
            pid = pid or self.find()
            if pid is None:
                continue
            try:
                self.samples.append({
                    "rss_kb": read_status(pid, "VmRSS"), "anon_kb": read_status(pid, "RssAnon"),
                    "threads": read_status(pid, "Threads"), "descriptors": len(os.listdir(f"/proc/{pid}/fd"))})
            except (OSError, StopIteration):
                break

    def judge(self):
        """The second half beside the first, which warms up."""
        self.over.set()
        self.join()
        if len(self.samples) < 4:
            return {}
        early, late = self.samples[len(self.samples) // 4:len(self.samples) // 2], self.samples[len(self.samples) // 2:]
        result = {f"{name}_warm": max(s[name] for s in early) for name in early[0]}
        result.update({f"{name}_most": max(s[name] for s in late) for name in late[0]})
        return result


class Bench:
    def __init__(self, folder, graph, options):
        self.home = bench_run.Home(folder)
        self.folder = folder
        self.graph = graph
        self.jobs = options.jobs
        self.trace = os.path.join(folder, "trace")
        self.env = self.home.env
        if options.trace:
            self.env["FORE_DISPATCH_TRACE"] = self.trace
        if options.sync_ms:
            self.env.update(LD_PRELOAD=options.slow_sync, FORE_SYNC_MS=str(options.sync_ms))
        self.workflow = self.home.write_workflow("bench", [
            (f"t{i}", "/bin/true", [f"t{j}" for j in before]) for i, before in enumerate(graph)])
        with open(os.path.join(folder, "build.ninja"), "w", encoding="utf-8") as file:
            file.write("rule true\n  command = /bin/true\n")
            for i, before in enumerate(graph):
                file.write(f"build t{i}: true {' '.join(f't{j}' for j in before)}\n")

    def time_ninja(self):
        """Seconds that pass, and seconds of processors."""
        start, cpu = time.monotonic(), bench_run.get_cpu()
        subprocess.run(["ninja", "-j", str(self.jobs), "-C", self.folder], check=True, stdout=subprocess.DEVNULL)
        return time.monotonic() - start, bench_run.get_cpu() - cpu

    def time_foredeck(self):
        """From the first task that starts to the durable end of the last; all of it, as a person waits; seconds of
        processors of the runner and all under it; what the runner held."""
        start = time.monotonic()
        run = self.home.start(self.workflow, self.jobs)
        watcher = Watcher(run)
        watcher.start()
        self.home.ctl("wait", run)
        whole, cpu = time.monotonic() - start, bench_run.get_cpu()
        bench_run.wait_for_orphans()
        return self.check(run), whole, bench_run.get_cpu() - cpu, watcher.judge()

    def check(self, run):
        """Every task completed, each after those before it; in seconds, how long that took."""
        done = set()
        started = ended = None
        for key, to, moment in self.home.read_statuses(run):
            number = int(key[1:])
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
        if len(done) != len(self.graph):
            sys.exit(f"only {len(done)} of {len(self.graph)} tasks completed")
        return ended - started

    def read_trace(self):
        with open(self.trace, encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        result = {}
        for part in PARTS:
            values = [row[part] for row in rows]
            result[part] = {"p50": bench_run.percentile(values, 0.5), "p99": bench_run.percentile(values, 0.99)}
            if part in BARS:
                result[part]["bar"] = BARS[part]
        return result


def run_rounds(options, top):
    graph = make_graph(options.tasks, 1)
    rounds = []
    for i in range(options.rounds):
        folder = os.path.join(top, str(i))
        os.mkdir(folder)
        bench = Bench(folder, graph, options)
        os.sync()
        theirs, their_cpu = bench.time_ninja()
        os.sync()
        ours, whole, cpu, held = bench.time_foredeck()
        rounds.append({"ours": ours, "whole": whole, "cpu": cpu, "theirs": theirs, "their_cpu": their_cpu})
    return rounds, held, bench.read_trace() if options.trace else {}


def measure_create(folder):
    """Processor time of making an empty file there, in µs: a part of the own time that is the file system's."""
    os.makedirs(folder)
    start = time.thread_time()
    for i in range(CREATED):
        os.close(os.open(os.path.join(folder, str(i)), os.O_CREAT | os.O_WRONLY, 0o600))
    return round((time.thread_time() - start) * 1e6 / CREATED)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--trace", action="store_true", help="also say where the time goes before a start")
    parser.add_argument("--sync-ms", type=int, default=0, help="each sync takes so much longer")
    parser.add_argument("--slow-sync", default=os.environ.get("FORE_SLOW_SYNC"), help="the library that makes it so")
    parser.add_argument("--most", type=float, help="ratio above which the benchmark fails")
    options = parser.parse_args()

    bench_run.adopt_orphans()
    top = tempfile.mkdtemp(prefix="fore-bench-")
    create_us = measure_create(os.path.join(top, "created"))
    try:
        rounds, held, trace = run_rounds(options, top)
    finally:
        # At the end only: ext4 looks at every inode that was freed in the last seconds when it makes a file.
        shutil.rmtree(top, ignore_errors=True)

    median = {name: statistics.median(r[name] for r in rounds) for name in rounds[0]}
    ratio = median["ours"] / median["theirs"]
    per_task = 1000 / options.tasks
    print(json.dumps({
        "benchmark": "dispatch", "tasks": options.tasks, "jobs": options.jobs, "sync_ms": options.sync_ms,
        "foredeck_s": round(median["ours"], 3), "with_start_s": round(median["whole"], 3),
        "ninja_s": round(median["theirs"], 3), "ratio": round(ratio, 2), "ratio_bar": 2.0 if options.sync_ms else 1.5,
        "per_task_ms": round(per_task * median["ours"], 3),
        "cpu_per_task_ms": round(per_task * median["cpu"], 3),
        "ninja_cpu_per_task_ms": round(per_task * median["their_cpu"], 3),
        "create_file_us": create_us, "cpu_ratio": round(median["cpu"] / median["their_cpu"], 2),
        "runner": held, "anon_kb_bar": 8 * 1024 + options.tasks, **trace,
    }))
    if options.most is not None and ratio > options.most:
        sys.exit(f"the ratio is above {options.most}")


if __name__ == "__main__":
    main()
