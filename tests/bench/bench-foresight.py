#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How long it takes from the write that makes two tasks at work conflict until the run says so: trees of a repository
with many files, in which agents write all the time. One JSON object a line; ends with 1 beyond the bar."""

import argparse
import calendar
import json
import os
import subprocess
import sys
import tempfile
import time

import bench_run

BAR_S = 2.0
PATIENCE_S = 60


def make_project(folder, files):
    for i in range(files):
        path = os.path.join(folder, f"part-{i // 250:03}")
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, f"file-{i:05}.c"), "w", encoding="utf-8") as file:
            file.write(f"int value_{i} = {i};\n" * 20)
    for words in (["init", "-q", "-b", "main"], ["config", "user.name", "A"], ["config", "user.email", "a@example.org"],
                  ["add", "-A"], ["commit", "-q", "-m", "First"]):
        subprocess.run(["git", "-C", folder, *words], check=True)


class Bench:
    def __init__(self, folder, files, trees):
        self.home = bench_run.Home(folder)
        self.keys = [f"t{i}" for i in range(trees)]
        make_project(self.home.project, files)
        # An agent at work writes: here another file of its own, ten times a second.
        command = "sh -c 'i=0; while true; do i=$((i+1)); echo $i > %s.txt; sleep 0.1; done'"
        workflow = self.home.write_workflow("foresight", [(key, command % key, []) for key in self.keys])
        self.run = self.home.start(workflow, trees, "--isolation", "worktrees")
        self.trees = [self.wait("a tree", lambda key=key: self.tree(key)) for key in self.keys]

    def wait(self, what, find):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            found = find()
            if found is not None:
                return found
            time.sleep(0.05)
        sys.exit(f"no {what} after {PATIENCE_S} s")

    def tree(self, key):
        tasks = json.loads(self.home.ctl("tasks", self.run, "--json"))["tasks"]
        path = next(task.get("worktree") for task in tasks if task["key"] == key)
        return path if path and os.path.exists(os.path.join(path, f"{key}.txt")) else None

    def events(self):
        return json.loads(self.home.ctl("events", self.run, "--json", "--limit", "0"))["events"]

    def find(self, path, there, since):
        for event in self.events():
            if event["type"] == "task.conflict" and event["seq"] > since and (path in event["data"]["paths"]) == there:
                return event
        return None

    def write(self, tree, path, text):
        with open(os.path.join(self.trees[tree], path), "w", encoding="utf-8") as file:
            file.write(text)

    def measure(self, n):
        one, two = n % len(self.trees), (n + 1) % len(self.trees)
        path = f"part-{n % 4:03}/file-{(n % 4) * 250 + n:05}.c"
        since = max(event["seq"] for event in self.events())
        self.write(one, path, "one\n")
        # Anywhere between two looks, not right after one.
        time.sleep(1.1 + 0.37 * n % 1)
        began = time.time()
        self.write(two, path, "two\n")
        event = self.wait("conflict", lambda: self.find(path, True, since))
        return parse_time(event["time"]) - began

    def end(self):
        self.home.ctl("cancel", self.run)
        self.wait("end", lambda: True if self.home.count_events(self.run, "run.released") else None)
        bench_run.wait_for_orphans()


def parse_time(text):
    whole, rest = text.rstrip("Z").split(".")
    return calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) + float("0." + rest)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20000)
    parser.add_argument("--trees", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=8)
    args = parser.parse_args()
    bench_run.adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="foredeck-bench-", ignore_cleanup_errors=True) as folder:
        bench = Bench(folder, args.files, args.trees)
        try:
            took = [bench.measure(n) for n in range(args.rounds)]
        finally:
            bench.end()
    worst = max(took)
    print(json.dumps({"bench": "foresight", "files": args.files, "trees": args.trees,
                      "median_s": round(bench_run.percentile(took, 0.5), 3), "worst_s": round(worst, 3), "bar_s": BAR_S}))
    return 0 if worst <= BAR_S else 1


if __name__ == "__main__":
    sys.exit(main())
