# SPDX-License-Identifier: GPL-3.0-or-later
"""Databases with random bytes: nothing crashes, what is said is a sentence, and the other runs stay whole.

FORE_FAULT_DAMAGES says how many cases there are (120), FORE_FAULT_SEED repeats them.
"""

import json
import os
import shutil
import unittest

import faults
import story

CASES = int(os.environ.get("FORE_FAULT_DAMAGES") or 120)
CODES = (0, 1, 3, 4, 5, 6)


def flip(path, rng):
    """Some bytes anywhere, or many in one place, or an end that is missing."""
    size = os.path.getsize(path)
    with open(path, "r+b") as file:
        how = rng.randrange(4)
        if how == 0:
            file.truncate(rng.randrange(size))
            return "cut"
        count, start, width = ((rng.randrange(1, 20), 0, size), (200, rng.randrange(size), 4096),
                               (rng.randrange(1, 8), 0, 4096))[how - 1]
        for _ in range(count):
            file.seek(min(size - 1, start + rng.randrange(width)))
            file.write(bytes([rng.randrange(256)]))
    return f"{count} bytes from {start} of {size}"


class DamageTest(unittest.TestCase):
    def setUp(self):
        self.rng = faults.make_rng(self.id())
        self.told = told = story.Story()
        self.addCleanup(told.close)
        told.drive_to_end_of_tasks()
        self.other = told.run
        self.assertIsNotNone(self.make_second())
        told.kill_all()
        self.whole = told.home + ".whole"
        shutil.copytree(told.home, self.whole, symlinks=True)

    def make_second(self):
        """Another run, which waits for an answer."""
        told = self.told
        told.ctl("run", "--json", "--detach", "--project", told.project, "--workflow", told.workflow, "--team",
                 "implementation", "--cli", "demo", "--scenario", told.scenario, "--approve", "ask", "Another goal")
        self.run_id = next(run for run in os.listdir(os.path.join(told.home, "runs")) if run != self.other)
        told.run = self.run_id
        told.until("a request", lambda: told.ask("SELECT 1 FROM requests WHERE state = 'open'"))
        return self.run_id

    def restore(self):
        self.told.kill_all()
        shutil.rmtree(self.told.home)
        shutil.copytree(self.whole, self.told.home, symlinks=True)

    def call(self, what, *args):
        done = self.told.ctl(*args)
        self.assertIn(done.returncode, CODES, f"{what}: {args}: {done}")
        if done.returncode == 6:
            self.assertRegex(done.stderr, r"[a-z]{3}.*\S", f"{what}: {args}")
        return done

    def check_others(self, what):
        shown = self.call(what, "show", self.other, "--json")
        self.assertEqual(shown.returncode, 0, f"{what}: {shown.stderr}")
        self.assertEqual(json.loads(shown.stdout)["status"], "completed")

    def test_a_run_with_random_bytes(self):
        path = os.path.join(self.told.home, "runs", self.run_id, "run.db")
        refused = 0
        for i in range(CASES):
            self.restore()
            what = f"case {i}: {flip(path + ('-wal' if self.has_wal(path) and i % 3 == 2 else ''), self.rng)}"
            self.call(what, *self.rng.choice((("show", self.run_id), ("tasks", self.run_id), ("requests",), ("plan", self.run_id))))
            refused += self.call(what, "events", self.run_id, "--json").returncode == 6
            if i % 4 == 0:
                self.call(what, *self.rng.choice((("approve", self.run_id), ("cancel", self.run_id), ("resume", self.run_id))))
            if i % 10 == 0:
                self.call(what, "doctor", "--check-store", "--json")
            self.call(what, "list", "--json")
            self.check_others(what)
            self.check_quiet(what)
        print(f"# {CASES} cases, {refused} refused", flush=True)
        self.assertGreater(refused, 0)

    @staticmethod
    def has_wal(path):
        return os.path.exists(path + "-wal") and os.path.getsize(path + "-wal") > 0

    def test_an_index_with_random_bytes(self):
        path = os.path.join(self.told.home, "foredeck.db")
        for i in range(CASES // 2):
            self.restore()
            what = f"case {i}: {flip(path, self.rng)}"
            self.call(what, "list", "--json")
            self.call(what, *self.rng.choice((("requests",), ("show", self.run_id), ("doctor", "--check-store"))))
            self.check_quiet(what)

    def check_quiet(self, what):
        try:
            folder = os.path.join(self.told.home, "crashes")
            self.assertEqual(os.listdir(folder) if os.path.isdir(folder) else [], [], what)
        finally:
            self.told.kill_all()


if __name__ == "__main__":
    unittest.main(verbosity=2)
