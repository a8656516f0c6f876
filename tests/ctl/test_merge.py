# SPDX-License-Identifier: GPL-3.0-or-later
"""Merging the results of runs: into any branch, several in a row, with checks; and taking it back."""

import json
import os

import ctl_case


class MergeTest(ctl_case.CtlCase):
    def setUp(self):
        super().setUp()
        self.make_project()

    def finished_run(self, command="echo ours > one.txt"):
        path = self.make_workflow([("one", {"command": f"sh -c '{command}'", "role": "executor"})])
        run = self.start("--workflow", path, "--approve", "auto", "Write")
        self.ok("wait", run, "--timeout", "50 s")
        return run

    def check_with(self, *argv):
        self.write(".foredeck/config.json", json.dumps({"checks": {"commands": [list(argv)]}}))
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "checks")
        self.ok("trust", self.project)

    def head(self, branch="main"):
        return self.git("rev-parse", branch)

    def leftovers(self):
        return self.git("for-each-ref", "--format=%(refname)", "refs/foredeck", "refs/heads/foredeck/*/merge-check")

    def test_what_is_refused_ends_nothing(self):
        """While the run works, is paused, and waits for its plan."""
        path = self.make_workflow([
            ("one", {"command": f"sh -c 'while [ ! -e {self.folder}/go ]; do sleep 0.02; done; echo 1 > 1'",
                     "role": "executor"}),
            ("two", {"command": "sh -c 'echo 2 > 2'", "role": "executor", "dependsOn": "one"})])
        run = self.start("--workflow", path, "--approve", "auto", "Write")
        self.until("work", lambda: self.tasks(run)["one"]["status"] == "running")
        for verb in ("merge", "discard"):
            self.refused(5, verb, run, *(["--yes"] if verb == "discard" else []))
            self.assertEqual(self.show(run)["status"], "running")
        self.ok("pause", run)
        self.refused(5, "merge", run)
        self.assertEqual(self.show(run)["status"], "paused")
        self.ok("continue", run)
        with open(os.path.join(self.folder, "go"), "w", encoding="utf-8"):
            pass
        self.ok("wait", run, "--timeout", "50 s")
        self.assertEqual(self.show(run)["status"], "completed")
        waiting = self.start("--workflow", path, "--approve", "ask", "Write")
        self.until("the request", lambda: self.ok("requests", waiting, "--json").json["requests"])
        self.refused(5, "merge", waiting)
        self.assertEqual(self.show(waiting)["status"], "blocked")
        self.ok("approve", waiting)
        self.ok("wait", waiting, "--timeout", "50 s")
        self.ok("merge", waiting)

    def test_into_another_branch(self):
        self.git("branch", "other")
        run = self.finished_run()
        before = self.head()
        merged = self.ok("merge", run, "--into", "other", "--json").json
        self.assertEqual((merged["into"], merged["commit"]), ("other", self.head("other")))
        self.assertEqual(self.head(), before)
        self.assertFalse(os.path.exists(os.path.join(self.project, "one.txt")))

    def test_expected_commit(self):
        run = self.finished_run()
        seen = self.head()
        self.write("README", "moved on\n")
        self.git("commit", "-qam", "moved on")
        moved = self.head()
        self.assertEqual(self.refused(5, "merge", run, "--expect", seen)["code"], "stale")
        self.refused(2, "merge", run, "--expect", "main")
        self.assertEqual(self.head(), moved)
        self.ok("merge", run, "--expect", moved)

    def test_a_branch_of_the_result(self):
        run = self.finished_run()
        made = self.ok("branch", run, "mine/now", "--json").json
        self.assertEqual(made["commit"], self.head("mine/now"))
        self.refused(5, "branch", run, "main")
        self.refused(2, "branch", run, "no good..name")
        self.assertEqual(self.git("show", "mine/now:one.txt"), "ours")
        self.ok("merge", run)

    def test_a_discard_is_undone(self):
        run = self.finished_run()
        self.assertEqual(self.refused(5, "discard", run, "--undo")["code"], "stale")
        self.ok("discard", run, "--yes")
        self.assertIn("--undo", self.refused(5, "merge", run)["message"])
        self.git("branch", "-q", "-D", f"foredeck/{run}/result")
        self.ok("discard", run, "--undo")
        self.assertEqual(self.git("show", f"foredeck/{run}/result:one.txt"), "ours")
        self.ok("merge", run)
        self.assertTrue(os.path.exists(os.path.join(self.project, "one.txt")))

    def test_a_queue_checks_each_on_top_of_the_one_before(self):
        """Each alone is fine; the second is not on top of the first, the third is."""
        self.check_with("sh", "-c", "! test -e a.txt || ! test -e b.txt")
        runs = [self.finished_run(f"echo {name} > {name}.txt") for name in "abc"]
        answer = self.fails(1, "merge", *runs, "--json").json["runs"]
        self.assertEqual([run["merged"] for run in answer], [True, False, True])
        self.assertEqual([run["checks"][0]["verified"] for run in answer], ["verified", "failed", "verified"])
        self.assertIn("together with main", answer[1]["problem"])
        self.assertEqual(answer[2]["commit"], self.head())
        self.assertEqual([os.path.exists(os.path.join(self.project, f"{name}.txt")) for name in "abc"], [True, False, True])
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.leftovers(), "")
        self.assertIn("✗", self.fails(1, "merge", runs[1], "--check").out)
        self.ok("merge", runs[1], "--no-check")

    def test_a_queue_leaves_out_what_conflicts(self):
        runs = [self.finished_run(f"echo {name} > one.txt") for name in "ab"]
        answer = self.fails(1, "merge", *runs, "--json").json["runs"]
        self.assertEqual([run["merged"] for run in answer], [True, False])
        self.assertIn("one.txt", answer[1]["problem"])
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.refused(2, "merge", *runs, "--dry-run")

    def test_a_check_of_one_run(self):
        self.check_with("sh", "-c", "! test -e two.txt")
        run = self.finished_run()
        self.write("two.txt", "two\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "two")
        before = self.head()
        error = self.refused(1, "merge", run, "--check")
        self.assertIn("test -e two.txt", error["message"])
        self.assertEqual(self.head(), before)
        self.assertEqual(self.leftovers(), "")
        self.git("rm", "-q", "two.txt")
        self.git("commit", "-q", "-m", "no two")
        merged = self.ok("merge", run, "--check", "--json").json
        self.assertTrue(merged["checked"])
        self.assertEqual([check["verified"] for check in merged["checks"]], ["verified"])

    def test_files_are_left_out_of_a_merge(self):
        self.write("old.txt", "as it was\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "old")
        run = self.finished_run("echo ours > one.txt; echo changed > old.txt; mkdir sub; echo 1 > sub/a; echo 2 > sub/b")
        self.assertEqual(self.refused(4, "merge", run, "--without", "README")["code"], "not-found")
        self.refused(2, "merge", run, "--without", "one.txt", "--dry-run")
        before = self.head()
        merged = self.ok("merge", run, "--without", "old.txt", "--without", "sub/", "--squash", "--json").json
        self.assertIn("without old.txt, sub/a, sub/b", merged["message"])
        self.assertEqual(self.git("diff", "--name-only", before, "main"), "one.txt")
        self.assertEqual(self.git("status", "--porcelain"), "")
        (event,) = [event for event in self.events(run) if event["type"] == "run.merged"]
        self.assertEqual(event["data"]["without"], ["old.txt", "sub/a", "sub/b"])
        self.assertEqual(self.git("show", f"refs/foredeck/rescue/{run}/whole/1:sub/b"), "2")
        self.assertIn(f"{run}/whole/1", self.ok("rescue", "list").out)

    def test_what_is_left_out_is_nowhere_in_the_history_of_the_branch(self):
        self.write("old.txt", "as it was\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "old")
        commands = {"one": "echo ours > one.txt; echo key-1 > secret.txt; echo changed-1 > old.txt",
                    "only": "echo key-2 > other.secret", "gone": "rm secret.txt; echo key-3 > sub/x; echo 3 > three.txt",
                    "last": "rm -r sub; echo 4 > four.txt"}
        for mode in ((), ("--ff",), ("--squash",)):
            before, steps = self.head(), []
            for key, command in commands.items():
                if key == "gone":
                    command = "mkdir sub; " + command
                steps.append((key, {"command": f"sh -c '{command}'", "role": "executor",
                                    **({"dependsOn": steps[-1][0]} if steps else {})}))
            run = self.start("--workflow", self.make_workflow(steps), "--approve", "auto", "Write")
            self.ok("wait", run, "--timeout", "50 s")
            merged = self.ok("merge", run, *mode, "--without", "secret.txt", "--without", "old.txt", "--without",
                             "other.secret", "--without", "sub", "--json").json
            self.assertIn("without old.txt, other.secret, secret.txt, sub/x", merged["message"])
            said = self.git("log", "-p", "--all-match", f"{before}..main")
            for word in ("key-1", "key-2", "key-3", "changed-1", "secret", "sub/"):
                self.assertNotIn(word, said, mode)
            objects = self.git("rev-list", "--objects", f"{before}..main")
            self.assertNotIn("secret.txt", objects)
            self.assertEqual(self.git("diff", "--name-only", before, "main").split(), ["four.txt", "one.txt", "three.txt"])
            if mode != ("--squash",):
                self.assertEqual(len(self.git("rev-list", "--no-merges", f"{before}..main").split()), 3)
            self.assertEqual(self.git("show", f"foredeck/{run}/result:other.secret"), "key-2")
            self.assertEqual(self.git("status", "--porcelain"), "")
            self.git("rm", "-q", "one.txt", "three.txt", "four.txt")
            self.git("commit", "-q", "-m", "again")

    def test_a_result_of_which_nothing_is_left_is_not_merged(self):
        run = self.finished_run()
        before = self.head()
        self.refused(5, "merge", run, "--without", "one.txt")
        self.assertEqual(self.head(), before)

    def test_what_is_left_out_is_left_out_of_the_checks(self):
        run = self.finished_run("echo ours > one.txt; echo bad > bad.txt")
        self.check_with("test", "!", "-e", "bad.txt")
        self.refused(1, "merge", run, "--check")
        self.ok("merge", run, "--check", "--without", "bad.txt")
        self.assertFalse(os.path.exists(os.path.join(self.project, "bad.txt")))
        self.assertTrue(os.path.exists(os.path.join(self.project, "one.txt")))

    def test_without_checks_it_is_said_that_nothing_was_checked(self):
        self.assertIn("Nothing was checked", self.ok("merge", self.finished_run(), "--check").out)
        merged = self.ok("merge", self.finished_run("echo two > two.txt"), "--check", "--json").json
        self.assertEqual((merged["checked"], merged["checks"]), (False, []))
        self.assertNotIn("checked", self.ok("merge", self.finished_run("echo 3 > 3.txt"), "--json").json)
        runs = [self.finished_run(f"echo {name} > {name}") for name in "ab"]
        self.assertEqual([run["checked"] for run in self.ok("merge", *runs, "--json").json["runs"]], [False] * 2)

    def test_the_checks_of_a_project_are_run_for_any_workflow(self):
        self.check_with("sh", "-c", "test -e one.txt && test ! -e bad.txt")
        run = self.finished_run()
        shown = self.show(run)
        self.assertEqual((shown["status"], shown["verified"]), ("completed", "verified"))
        (check,) = [event for event in self.events(run) if event["type"] == "task.check"]
        self.assertEqual((check["data"]["verified"], check["data"]["exit"]), ("verified", 0))
        self.assertEqual(self.git("branch", "--list", "--format=%(refname:short)", f"foredeck/{run}/result-check"), "")

        path = self.make_workflow([
            ("one", {"command": "sh -c 'echo ours > one.txt'", "role": "executor"}),
            ("two", {"command": "sh -c 'echo bad > bad.txt'", "role": "executor"})])
        bad = self.start("--workflow", path, "--approve", "auto", "Write")
        self.fails(1, "wait", bad, "--timeout", "50 s")
        shown = self.show(bad)
        self.assertEqual((shown["status"], shown["verified"]), ("failed", "failed"))
        self.assertIn("fails on the merged work", shown["reason"])
        self.assertIn("commit", shown["result"])
        self.ok("retry", bad)
        self.fails(1, "wait", bad, "--timeout", "50 s")
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_a_run_is_cancelled_while_its_result_is_checked(self):
        self.check_with("sleep", "1000")
        path = self.make_workflow([("one", {"command": "sh -c 'echo ours > one.txt'", "role": "executor"})])
        run = self.start("--workflow", path, "--approve", "auto", "Write")
        self.until("the check", lambda: self.show(run).get("reason") == "Checks the result")
        self.ok("cancel", run)
        self.fails(130, "wait", run, "--timeout", "50 s")
        self.until("the end of the check", lambda: not self.find_ours())
        self.assertEqual(self.git("branch", "--list", f"foredeck/{run}/result-check"), "")


if __name__ == "__main__":
    ctl_case.main()
