# SPDX-License-Identifier: GPL-3.0-or-later
"""Many runs at once on the places of one machine: never more at work than there are, none left behind, none idle.

What was at work when is read from what the guards wrote down.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time

import bench_run

LEAST_FAIR = 0.5


def until(home, runs, condition):
    """All runs shall wait before the first place is free."""
    give_up = time.monotonic() + 120
    while not condition():
        for run in runs:
            if home.count_events(run, "run.released") > 0:
                sys.exit(f"a run has ended before it waited: {home.ctl('show', run)}")
        if time.monotonic() > give_up:
            sys.exit("the runs did not begin to wait")
        time.sleep(0.05)


def make_project(folder, number):
    """Runs without trees of their own each want a folder for themselves."""
    project = os.path.join(folder, f"project-{number}")
    os.mkdir(project)
    return project


def judge_fairness(exits_by_run):
    """Of what each run had got when the first of them was through: the least share of the mean."""
    until = min(max(end for _, _, end in exits) for exits in exits_by_run)
    got = [sum(1 for _, _, end in exits if end <= until) for exits in exits_by_run]
    return min(got) / (sum(got) / len(got))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--tasks", type=int, default=20, help="of each run")
    parser.add_argument("--places", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=0.1, help="length of a task")
    options = parser.parse_args()

    bench_run.adopt_orphans()
    folder = tempfile.mkdtemp(prefix="fore-bench-")
    try:
        home = bench_run.Home(folder, {"limits.machine_commands": options.places})
        workflow = home.write_workflow("slots", [(f"t{i}", f"sleep {options.seconds}", []) for i in range(options.tasks)])
        gate = os.path.join(folder, "gate")
        holder = home.start(home.write_workflow("holder", [
            (f"t{i}", f"sh -c 'while [ ! -e {gate} ]; do sleep 0.05; done'", []) for i in range(options.places)]),
            options.places)
        until(home, [holder], lambda: sum(to == "running" for _, to, _ in home.read_statuses(holder)) == options.places)
        runs = [home.start(workflow, options.places, project=make_project(folder, i)) for i in range(options.runs)]
        until(home, runs, lambda: all(home.count_events(run, "task.phase") >= options.tasks for run in runs))
        with open(gate, "w", encoding="utf-8"):
            pass
        home.ctl("wait", holder, *runs)
        bench_run.wait_for_orphans()
        exits_by_run = [home.read_exits(run) for run in runs]
    except SystemExit:
        home.ctl("cancel", holder)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)

    exits = [exit for of_run in exits_by_run for exit in of_run]
    all_of_it = max(end for _, _, end in exits) - min(start for _, start, _ in exits)
    most = bench_run.count_at_once(exits)
    result = {
        "benchmark": "slots", "runs": options.runs, "tasks": len(exits), "places": options.places, "at_once": most,
        "fairness": round(judge_fairness(exits_by_run), 2), "all_s": round(all_of_it, 3),
        "used": round(sum(end - start for _, start, end in exits) / all_of_it / options.places, 3),
    }
    print(json.dumps(result))
    if len(exits) != options.runs * options.tasks:
        sys.exit("not every task was done")
    if most > options.places:
        sys.exit("more were at work than there are places")
    if result["fairness"] < LEAST_FAIR:
        sys.exit("a run was left behind")


if __name__ == "__main__":
    main()
