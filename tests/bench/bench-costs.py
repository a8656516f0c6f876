# SPDX-License-Identifier: GPL-3.0-or-later
"""What one task costs in counts, which no load of the machine changes much: rows, events, commits, syncs and files; with
valgrind also the instructions of the runner, with strace the system calls of all under it.

Two runs of different size, the smaller taken from the larger, so that what a start costs is left out. Prints one JSON
object, and fails where a count is above its bar.
"""

import argparse
import importlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import bench_run

SMALL, LARGE = 100, 400
# A count is held against what was counted when it was last made smaller, with room for how commits fall together.
BARS = {"rows": 20, "events": 7, "commits": 2, "syncs": 1.1, "files": 1, "instructions": 1450000, "calls": 540}

dispatch = importlib.import_module("bench-dispatch")


def write_program(folder, tool):
    """A folder of programs of ours in which the runner is started by @tool."""
    ours = os.environ["FOREDECK_LIBEXEC"]
    os.mkdir(folder)
    for name in os.listdir(ours):
        if name != "foredeck-runner":
            os.symlink(os.path.join(ours, name), os.path.join(folder, name))
    path = os.path.join(folder, "foredeck-runner")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec {tool} {ours}/foredeck-runner \"$@\"\n")
    os.chmod(path, 0o755)


class Cost:
    """One run of so many tasks, and what it left."""

    def __init__(self, top, n_tasks, tool=None):
        self.folder = os.path.join(top, f"{n_tasks}-{os.path.basename((tool or 'plain').split()[0])}")
        os.mkdir(self.folder)
        self.out = os.path.join(self.folder, "counted")
        self.home = bench_run.Home(self.folder)
        if tool is not None:
            write_program(os.path.join(self.folder, "libexec"), tool.format(out=self.out))
            self.home.env["FOREDECK_LIBEXEC"] = os.path.join(self.folder, "libexec")
        workflow = self.home.write_workflow("bench", [
            (f"t{i}", "/bin/true", [f"t{j}" for j in before])
            for i, before in enumerate(dispatch.make_graph(n_tasks, 1))])
        self.run = self.home.start(workflow, 8)
        self.home.ctl("wait", self.run)
        bench_run.wait_for_orphans()
        self.counts = {}

    def count_store(self):
        """What the runner itself says of its store, and what lies on the disk."""
        run_dir = os.path.join(self.home.home, "runs", self.run)
        base = sqlite3.connect(os.path.join(run_dir, "run.db"))
        data = base.execute("SELECT data FROM events WHERE type = 'run.figures' ORDER BY seq DESC").fetchone()[0]
        base.close()
        store = json.loads(data)["store"]
        self.counts = {name: store[name] for name in ("rows", "events", "commits", "syncs")}
        self.counts["files"] = len(os.listdir(os.path.join(run_dir, "attempts")))
        return self.counts

    def count_instructions(self):
        with open(self.out, encoding="utf-8") as file:
            return {"instructions": int(re.search(r"^(?:summary|totals): (\d+)", file.read(), re.M).group(1))}

    def count_calls(self):
        with open(self.out, encoding="utf-8") as file:
            total = [line.split() for line in file if line.rstrip().endswith(" total")]
        return {"calls": int(total[0][3] if len(total[0]) > 3 else total[0][2])}


def compare(top, tool, read):
    """What each of the tasks costs that the larger run has more."""
    small, large = (read(Cost(top, n, tool)) for n in (SMALL, LARGE))
    return {name: round((large[name] - small[name]) / (LARGE - SMALL), 2) for name in large}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plain", action="store_true", help="without valgrind and strace")
    options = parser.parse_args()
    bench_run.adopt_orphans()
    top = tempfile.mkdtemp(prefix="fore-bench-")
    try:
        counts = compare(top, None, Cost.count_store)
        if shutil.which("valgrind") and not options.plain:
            counts.update(compare(top, "valgrind --tool=callgrind --callgrind-out-file={out} --log-file=/dev/null",
                                  Cost.count_instructions))
        if shutil.which("strace") and not options.plain:
            counts.update(compare(top, "strace -f -c -o {out}", Cost.count_calls))
    finally:
        shutil.rmtree(top, ignore_errors=True)

    print(json.dumps({"benchmark": "costs", "per_task": counts, "bars": BARS}))
    above = [f"{name} {count} > {BARS[name]}" for name, count in counts.items() if count > BARS[name]]
    if above:
        sys.exit("a task costs more than it did: " + ", ".join(above))


if __name__ == "__main__":
    main()
