# SPDX-License-Identifier: GPL-3.0-or-later
"""Databases with random bytes: nothing crashes, what is said is a sentence, and the other runs stay whole.

FORE_FAULT_DAMAGES says how many cases there are (120), FORE_FAULT_SEED repeats them.
"""

import collections
import json
import os
import shutil
import sqlite3
import struct
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


PAGE = 4096
# offset and length of each field of a file's head, from the file format of SQLite
HEAD = {"magic": (0, 16), "page size": (16, 2), "versions": (18, 2), "reserved": (20, 1), "fractions": (21, 3),
        "changes": (24, 4), "pages": (28, 4), "free list": (32, 8), "schema": (40, 8), "encoding": (56, 4),
        "user version": (60, 4), "vacuum": (52, 4), "application": (68, 4), "valid for": (92, 8)}
# the same of a log: its head, the head of its first frame, and what that frame holds
LOG = {"log magic": (0, 4), "log page size": (8, 4), "log salt": (16, 8), "log sum": (24, 8), "frame page": (32, 4),
       "frame commit": (36, 4), "frame salt": (40, 8), "frame sum": (48, 8), "frame": (56, PAGE)}
# a page of a tree: all of it, its head, the places of its cells, its cells
PARTS = {"page": (0, PAGE), "head": (0, 8), "cells": (8, 24), "content": (PAGE // 2, PAGE // 2)}


def grow(path):
    """Pages of all kinds: trees with two levels, rows that overflow, pages that are free; all of it in one file."""
    base = sqlite3.connect(path)
    last = base.execute("SELECT max(seq) FROM events").fetchone()[0]
    rows = ((last + i, json.dumps({"text": "x" * (20000 if i % 500 == 0 else 30)})) for i in range(1, 1001))
    base.executemany("INSERT INTO events VALUES (?, 'notice', 1, NULL, 0, ?)", rows)
    base.executemany("INSERT INTO messages VALUES (?, 'a', 'b', 'c', ?, 'delivered', 1, 0)",
                     ((1000 + i, "y" * 2000) for i in range(600)))
    base.execute("UPDATE run SET rev = rev")
    base.commit()
    base.execute("DELETE FROM messages WHERE id >= 1000")
    base.commit()
    settle(path, base)


def settle(path, base=None):
    base = base or sqlite3.connect(path)
    assert base.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
    base.close()


def list_kinds(path):
    """One page of each kind: {what: number}; the first page of the free list, and one that it names."""
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    kinds = {f"{name} {kind}": page for name, kind, page in base.execute(
        "SELECT name, pagetype, max(pageno) FROM dbstat WHERE pageno > 1 GROUP BY 1, 2")}
    base.close()
    with open(path, "rb") as file:
        head = file.read(PAGE)
        trunk = struct.unpack_from(">I", head, 32)[0]
        if trunk:
            kinds["free trunk"] = trunk
            file.seek((trunk - 1) * PAGE)
            kinds["free leaf"] = struct.unpack_from(">I", file.read(12), 8)[0]
    return kinds


def spoil(path, offset, length, rng):
    """Bytes of all kinds in the place of those that are there."""
    with open(path, "r+b") as file:
        file.seek(offset)
        file.write(rng.choice((bytes(length), b"\xff" * length, rng.randbytes(length))))


def is_sound(path):
    try:
        base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        try:
            return base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        finally:
            base.close()
    except sqlite3.Error:
        return False


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

    def list_places(self, path):
        """What is spoilt: (words, file, offset, length); each kind of page, and each field of heads and logs."""
        places = [(words, path, *place) for words, place in HEAD.items()]
        for kind, page in list_kinds(path).items():
            part = self.rng.choice(sorted(PARTS))
            offset, length = PARTS[part]
            places.append((f"{kind}: {part}", path, (page - 1) * PAGE + offset, length))
        return places

    def choose(self, places):
        """Some of each kind; FORE_FAULT_DAMAGES says how many."""
        groups = collections.defaultdict(list)
        for place in places:
            words = place[0].split(":")[0].split()
            groups[next((kind for kind in ("internal", "overflow", "free", "leaf") if kind in words), "head")].append(place)
        count = max(1, CASES // 30)
        return [place for group in groups.values() for place in self.rng.sample(group, min(count, len(group)))]

    def test_nobody_waits_for_a_runner_that_cannot_write(self):
        """What asks something of such a run is told that it is damaged, and not that it will be taken up."""
        path = os.path.join(self.told.home, "runs", self.run_id, "run.db")
        settle(path)
        shutil.rmtree(self.whole)
        shutil.copytree(self.told.home, self.whole, symlinks=True)
        told = 0
        for kind in ("run leaf", "sqlite_autoindex_run_1 leaf", "events leaf", "tasks_rev leaf"):
            for verb in ("cancel", "resume"):
                self.restore()
                spoil(path, (list_kinds(path)[kind] - 1) * PAGE, PAGE, self.rng)
                answer = self.call(kind, verb, self.run_id)
                for words in ("will be taken up", "its log says why"):
                    self.assertNotIn(words, answer.stderr, f"{kind} {verb}: {answer}")
                if answer.returncode != 0:
                    self.assertIn("doctor --check-store", answer.stderr, f"{kind} {verb}: {answer}")
                    told += 1
        self.assertGreater(told, 1)

    def check_damaged_run(self, what, path):
        """Each verb answers, doctor names the run where SQLite does, and the others are whole."""
        for args in (("show", self.run_id), ("events", self.run_id, "--json"), ("tasks", self.run_id), ("requests",),
                     self.rng.choice((("approve", self.run_id), ("cancel", self.run_id), ("resume", self.run_id)))):
            self.call(what, *args)
        self.told.kill_all()
        broken = not is_sound(path)
        checked = self.call(what, "doctor", "--check-store", "--json")
        if broken:
            self.assertEqual(checked.returncode, 1, f"{what}: {checked}")
            self.assertIn(self.run_id, checked.stdout, what)
        self.assertEqual(self.call(what, "list", "--json").returncode, 0, what)
        self.check_others(what)
        self.check_quiet(what)
        return broken

    def test_every_kind_of_page_of_a_run(self):
        path = os.path.join(self.told.home, "runs", self.run_id, "run.db")
        grow(path)
        shutil.rmtree(self.whole)
        shutil.copytree(self.told.home, self.whole, symlinks=True)
        places = self.list_places(path)
        for part in ("internal", "leaf", "overflow", "free trunk", "free leaf"):
            self.assertTrue(any(part in words for words, *_ in places), f"{part}: {places}")
        broken = 0
        places = self.choose(places)
        for words, file, offset, length in places:
            self.restore()
            spoil(file, offset, length, self.rng)
            broken += self.check_damaged_run(words, path)
        print(f"# {len(places)} places, {broken} of them damage", flush=True)
        self.assertGreater(broken, 0)

    def test_every_part_of_a_log(self):
        path = os.path.join(self.told.home, "runs", self.run_id, "run.db")
        self.assertTrue(self.has_wal(path))
        for words, (offset, length) in LOG.items():
            self.restore()
            os.unlink(path + "-shm")
            spoil(path + "-wal", offset, length, self.rng)
            self.check_damaged_run(words, path)

    def test_every_kind_of_page_of_the_index(self):
        path = os.path.join(self.told.home, "foredeck.db")
        settle(path)
        shutil.rmtree(self.whole)
        shutil.copytree(self.told.home, self.whole, symlinks=True)
        for words, file, offset, length in self.choose(self.list_places(path)):
            self.restore()
            spoil(file, offset, length, self.rng)
            broken = not is_sound(path)
            self.call(words, "list", "--json")
            checked = self.call(words, "doctor", "--check-store", "--json")
            if "newer" in checked.stderr:
                # a version that nobody can tell from a later one
                self.assertEqual(words, "user version")
                continue
            shown = self.call(words, "list", "--json")
            self.assertEqual(shown.returncode, 0, f"{words}: {shown}, {checked}")
            if broken:
                self.assertEqual(checked.returncode, 1, f"{words}: {checked}")
                self.assertIn("backup", checked.stdout, words)
                self.assertEqual({run["id"]: run["status"] for run in json.loads(shown.stdout)["runs"]},
                                 {self.other: "completed", self.run_id: "blocked"}, words)
            self.check_others(words)
            self.check_quiet(words)

    def test_a_damaged_index_is_replaced_while_nobody_uses_it(self):
        path = os.path.join(self.told.home, "foredeck.db")
        settle(path)
        page = list_kinds(path)["durations leaf"]
        follower = self.told.start_ctl("events", self.run_id, "--follow")
        lock = os.path.join(self.told.home, "foredeck.lock")
        self.told.until("the follower", lambda: lock in {os.path.realpath(f"/proc/{follower.pid}/fd/{fd}")
                                                         for fd in os.listdir(f"/proc/{follower.pid}/fd")})
        spoil(path, (page - 1) * PAGE, 100, self.rng)
        self.assertFalse(is_sound(path))
        refused = self.call("in use", "doctor", "--check-store")
        self.assertEqual(refused.returncode, 5, refused)
        self.assertIn("Close Foredeck", refused.stderr)
        self.told.kill_all()
        self.assertEqual(self.call("free", "doctor", "--check-store").returncode, 1)
        self.assertTrue(is_sound(path))
        self.assertEqual(self.call("again", "doctor", "--check-store").returncode, 0)
        kept = os.listdir(os.path.join(self.told.home, "backup"))
        self.assertEqual([name.rsplit("-", 1)[0] for name in kept], ["foredeck-damaged"], kept)

    def check_quiet(self, what):
        try:
            folder = os.path.join(self.told.home, "crashes")
            self.assertEqual(os.listdir(folder) if os.path.isdir(folder) else [], [], what)
        finally:
            self.told.kill_all()


if __name__ == "__main__":
    unittest.main(verbosity=2)
