# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of mixed lengths in a graph, beside the same graph done wave by wave: how long ready tasks wait, and all of it.

The wave model is computed from the lengths that were measured: what is ready when a wave begins is the wave, as many of
it at once as there are places, and the next begins when all of it is done.
"""

import argparse
import heapq
import json
import os
import random
import shutil
import statistics
import sys
import tempfile

import bench_run

MOST_WAIT = 0.5


def make_graph(count, seed, shortest, longest):
    """For each task its length in seconds and the earlier ones that it waits for; most are short, some are not."""
    chance = random.Random(seed)
    width = max(4, min(24, count // 5))
    tasks = []
    for i in range(count):
        near = range(max(0, i - 2 * width), max(0, i - width // 2))
        before = sorted(chance.sample(near, min(len(near), chance.choice((1, 1, 2, 3)))))
        length = shortest * (longest / shortest) ** (chance.random() ** 2)
        tasks.append((round(length, 4), before))
    return tasks


def do_waves(lengths, befores, places):
    """Seconds until all is done, and the seconds that each waited though it was ready."""
    ends, waits, now = [None] * len(lengths), [], 0.0
    left = set(range(len(lengths)))
    while left:
        wave = sorted(i for i in left if all(ends[j] is not None for j in befores[i]))
        free = [now] * places
        heapq.heapify(free)
        for i in wave:
            start = heapq.heappop(free)
            ready = max((ends[j] for j in befores[i]), default=0.0)
            ends[i] = start + lengths[i]
            waits.append(start - ready)
            heapq.heappush(free, ends[i])
        now = max(ends[i] for i in wave)
        left.difference_update(wave)
    return now, waits


def measure(tasks, jobs, folder):
    home = bench_run.Home(folder, {"limits.machine_commands": jobs})
    workflow = home.write_workflow("waves", [
        (f"t{i}", f"sleep {length}", [f"t{j}" for j in before]) for i, (length, before) in enumerate(tasks)])
    run = home.start(workflow, jobs)
    home.ctl("wait", run)
    bench_run.wait_for_orphans()
    ended = {}
    for key, to, moment in home.read_statuses(run):
        if to == "completed":
            ended[int(key[1:])] = moment
        elif to != "running":
            sys.exit(f"{key} became {to}")
    started = {int(key[1:]): start for key, start, _ in home.read_exits(run, wall=True)}
    return started, ended


def compare(count, jobs, options):
    tasks = make_graph(count, count, options.shortest, options.longest)
    befores = [before for _, before in tasks]
    folder = tempfile.mkdtemp(prefix="fore-bench-")
    try:
        started, ended = measure(tasks, jobs, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)

    first = min(started.values())
    waits = [started[i] - max((ended[j] for j in befores[i]), default=first) for i in range(count)]
    all_of_it = max(ended.values()) - first
    lengths = [ended[i] - started[i] for i in range(count)]
    wave_all, wave_waits = do_waves(lengths, befores, jobs)
    result = {
        "benchmark": "waves", "tasks": count, "jobs": jobs,
        "wait_ms": round(1000 * statistics.mean(waits), 3), "wave_wait_ms": round(1000 * statistics.mean(wave_waits), 3),
        "wait_ratio": round(statistics.mean(waits) / statistics.mean(wave_waits), 3), "wait_bar": MOST_WAIT,
        "all_s": round(all_of_it, 3), "wave_all_s": round(wave_all, 3), "all_ratio": round(all_of_it / wave_all, 3),
    }
    print(json.dumps(result), flush=True)
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tasks", type=int, nargs="+", default=[10, 50, 100, 1000])
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--shortest", type=float, default=0.02)
    parser.add_argument("--longest", type=float, default=1.0)
    options = parser.parse_args()

    bench_run.adopt_orphans()
    results = [compare(count, options.jobs, options) for count in options.tasks]
    late = [r["tasks"] for r in results if r["wait_ratio"] > MOST_WAIT or r["all_ratio"] > 1]
    if late:
        sys.exit(f"no better than waves should be: {late} tasks")


if __name__ == "__main__":
    main()
