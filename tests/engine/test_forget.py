# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that nobody needs any more: what they take up, and that nothing but them goes."""

import hashlib
import os

import engine_case
from engine_case import say, script, write


class ForgetTest(engine_case.EngineCase):
    def one(self, name):
        return self.finish(self.begin([("a", {})], {"a": [script(write(name), say())]}))["id"]

    def hash_home(self):
        found = {}
        for folder, _, names in os.walk(self.home):
            for name in names:
                path = os.path.join(folder, name)
                if not name.endswith("-shm") and "/log/" not in path:
                    with open(path, "rb") as file:
                        found[path] = hashlib.sha256(file.read()).hexdigest()
        return found

    def ids(self):
        return {run["id"] for run in self.ok("list", "--json").json["runs"]}

    def test_a_run_that_is_forgotten_leaves_its_branches_only(self):
        run, other = self.one("x"), self.one("y")
        self.assertGreater(self.show(run)["bytes"], 10000)
        before = self.hash_home()
        dry = self.ok("forget", run, "--dry-run", "--json").json
        self.assertEqual((dry["forgotten"], dry["dry_run"]), (1, True))
        self.assertEqual(self.hash_home(), before)
        self.ok("forget", run, "--yes")
        self.fails(4, "show", run)
        self.assertEqual(self.ids(), {other})
        self.assertEqual([path for path in self.hash_home() if run in path], [])
        self.assertEqual(self.result(run, "x"), "x")
        self.fails(4, "forget", run, "--yes")

    def test_a_run_that_works_stays(self):
        run = self.begin([("a", {"command": "sleep 600"})])
        self.until("its start", lambda: self.marked(run, "a"))
        self.refused(5, "forget", run, "--yes")
        self.assertTrue(self.marked(run, "a"))
        self.ok("cancel", run)
        self.finish(run, "cancelled")

    def hash_others(self, working):
        """All but what a run that works changes meanwhile."""
        changing = (working, "foredeck.db", "/slots/", "/bell")
        return {path: value for path, value in self.hash_home().items() if not any(word in path for word in changing)}

    def test_prune_keeps_the_newest_and_what_works(self):
        self.refused(2, "prune", "--yes")
        runs = [self.one(f"f{i}") for i in range(3)]
        working = self.begin([("a", {"command": "sleep 600"})])
        self.assertEqual(self.ok("prune", "--older", "1d", "--yes", "--json").json["forgotten"], 0)
        self.until("its start", lambda: self.marked(working, "a"))
        before = self.hash_others(working)
        dry = self.ok("prune", "--keep", "1", "--dry-run", "--json").json
        self.assertEqual({run["id"] for run in dry["runs"]}, set(runs[:2]))
        self.assertEqual(self.hash_others(working), before)
        self.assertEqual(self.ok("prune", "--keep", "1", "--yes", "--json").json["forgotten"], 2)
        self.assertEqual(self.ids(), {runs[2], working})
        self.ok("cancel", working)
        self.finish(working, "cancelled")


if __name__ == "__main__":
    engine_case.main()
