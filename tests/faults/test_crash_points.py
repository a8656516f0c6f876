# SPDX-License-Identifier: GPL-3.0-or-later
"""One run, cut at every call that changes a file: by death, by a disk that fails, by a power cut.

Each point is a run of its own: it is cut at the n-th call, taken up again and driven to its end, and
must end as the run that nobody cut. CI takes a sample with a seed that is printed; all of it:

    FORE_FAULT_POINTS=all meson test -C build --suite faults -t 200 faults-crash-points

FORE_FAULT_ONLY=power:317 repeats one point.
"""

import collections
import concurrent.futures
import errno
import os
import re
import time
import unittest

import faults
import story

WORKERS = int(os.environ.get("FORE_FAULT_WORKERS") or 2)
POINTS = os.environ.get("FORE_FAULT_POINTS") or "14"
ERRORS = {"eio": errno.EIO, "enospc": errno.ENOSPC, "erofs": errno.EROFS}
KINDS = {
    "before": faults.KILL_BEFORE, "after": faults.KILL_AFTER, "middle": faults.KILL_MIDDLE, "short": faults.SHORT,
    "power": faults.POWER, "some-power": faults.POWER, "eio": faults.FAIL, "enospc": faults.FAIL, "erofs": faults.FAIL,
}
MERGES = ("ff", "squash", "merge")
EVERYBODY = faults.CTL | faults.RUNNER | faults.GUARD
# a store that fails is tried again every two seconds
LONG_FAILURE = 12


def run_point(kind, n, seed, lasting=1, make=story.Story, programs=EVERYBODY):
    """Returns what is wrong, or None."""
    rng = faults.random.Random(f"{seed}:{kind}:{n}")
    told = make(rng.choice(MERGES))
    told.may_fail = kind in ERRORS or kind == "short"
    undone = []
    try:
        told.faults.arm(KINDS[kind], n, programs, ERRORS.get(kind, 0), lasting)
        told.drive(after_power=lambda: undone.append(
            told.faults.cut_power("some" if kind == "some-power" else "all", rng)))
        fired = told.faults[faults.FIRED]
        told.faults.disarm()
        told.check()
        return None if fired else "missed"
    except story.Broken as broken:
        return f"{kind}:{n} ({told.mode}, lasting {lasting}): {broken}"
    except Exception as problem:  # pylint: disable=broad-except
        return f"{kind}:{n} ({told.mode}, lasting {lasting}): {type(problem).__name__} {problem}\n{told.describe()}"
    finally:
        told.close()


def normalize(path):
    path = re.sub(r"home/runs/[^/]+", "home/runs/RUN", path)
    path = re.sub(r"[0-9a-f]{2}/[0-9a-f]{38}$|objects/(tmp_object.*|[0-9a-f]{2})$", "OBJECT", path)
    path = re.sub(r"\.[A-Z0-9]{6}$", ".TMP", path)
    path = re.sub(r"(foredeck[-/])[a-z0-9]{8}([-/])[a-z]+", r"\1RUN\2TASK", path)
    return re.sub(r"worktrees/project/.*", "worktrees/TREE", path)


class Points:
    """A story that was driven without a cut, and its calls to choose from."""

    make = story.Story
    programs = EVERYBODY

    @classmethod
    def setUpClass(cls):
        told = cls.make()
        told.faults[faults.TRACE] = 1
        told.faults[faults.PROGRAMS] = cls.programs
        try:
            told.drive()
            told.check()
            cls.trace = told.faults.read_trace()
        finally:
            told.close()
        cls.wanted = [n for n, (_, call, path) in enumerate(cls.trace, 1) if cls.is_wanted(call, path)]
        print(f"# {len(cls.wanted)} calls", flush=True)

    @staticmethod
    def is_wanted(_call, _path):
        return True

    def choose(self, rng, count):
        """A sample: every kind of call of every program on every kind of file first, the rest anywhere."""
        strata = collections.defaultdict(list)
        for n in self.wanted:
            program, call, path = self.trace[n - 1]
            strata[program, call, normalize(path)].append(n)
        chosen = [rng.choice(points) for points in strata.values()]
        rng.shuffle(chosen)
        chosen = chosen[:count]
        chosen += [rng.choice(self.wanted) for _ in range(count - len(chosen))]
        return chosen

    def run_points(self, kinds, lasting=1):
        rng = faults.make_rng(self.id())
        only = os.environ.get("FORE_FAULT_ONLY")
        points = []
        for kind in kinds:
            if only:
                points += [(kind, int(only.split(":")[1]))] if only.split(":")[0] == kind else []
            elif POINTS == "all":
                points += [(kind, n) for n in self.wanted]
            else:
                points += [(kind, n) for n in self.choose(rng, int(POINTS))]
        seed = rng.random()
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            results = list(pool.map(lambda point: run_point(*point, seed, lasting, self.make, self.programs), points))
        missed = results.count("missed")
        broken = [result for result in results if result not in (None, "missed")]
        print(f"# {len(points)} points, {missed} not reached, {len(broken)} broken, "
              f"{time.monotonic() - began:.0f} s", flush=True)
        if broken:
            self.fail("\n\n".join(broken[:5]))
        self.assertLess(missed, len(points) // 2 + 1)


class CrashPointsTest(Points, unittest.TestCase):
    def test_death_at_any_call(self):
        self.run_points(["before", "after", "middle"])

    def test_power_cut_at_any_call(self):
        self.run_points(["power", "some-power"])

    def test_a_call_that_fails_once(self):
        self.run_points(["eio", "enospc", "erofs", "short"])

    def test_a_disk_that_is_full_for_a_while(self):
        self.run_points(["enospc"], LONG_FAILURE)


if __name__ == "__main__":
    unittest.main(verbosity=2)
