# SPDX-License-Identifier: GPL-3.0-or-later
"""How runs end and what may be done with them then: merge, discard, cancel, resume, retry."""

import os

import ctl_case


class EndsTest(ctl_case.CtlCase):
    def setUp(self):
        super().setUp()
        self.make_project()

    def finished_run(self, text="ours"):
        path = self.make_workflow([("one", {"command": f"sh -c 'echo {text} > one.txt'", "role": "executor"})])
        run = self.start("--workflow", path, "--approve", "auto", "Write")
        self.ok("wait", run, "--timeout", "50 s")
        return run

    def long_run(self, command="sleep 1000"):
        path = self.make_workflow(
            [("long", {"command": command}), ("after", {"command": "true", "dependsOn": "long"})]
        )
        run = self.start("--workflow", path, "--approve", "auto", "Sleep")
        self.until("the task to run", lambda: self.tasks(run)["long"]["status"] == "running")
        return run

    def test_merge_into_no_branch(self):
        run = self.finished_run()
        for more in ((), ("--dry-run",)):
            error = self.refused(4, "merge", run, "--into", "nosuch", *more)
            self.assertIn("There is no branch “nosuch”", error["message"])

    def test_all_refused_merges_exit_alike(self):
        run = self.finished_run()
        self.write("one.txt", "mine\n")
        self.assertEqual(self.refused(5, "merge", run)["code"], "conflict")
        self.git("add", "one.txt")
        self.git("commit", "-q", "-m", "mine")
        self.assertEqual(self.refused(5, "merge", run)["code"], "conflict")
        self.assertEqual(self.refused(5, "merge", run, "--ff")["code"], "refused")
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_one_file_is_one(self):
        run = self.finished_run()
        self.assertIn("1 file, ", self.ok("diff", run, "--stat").out)
        self.assertIn("1 file, ", self.ok("show", run).out)

    def test_an_interrupted_run_stays_so_when_it_cannot_be_merged(self):
        run = self.long_run()
        self.kill_runner(run)
        for verb in (("merge", run), ("discard", run, "--yes")):
            self.assertEqual(self.refused(5, *verb)["code"], "refused")
            self.assertNotIn("run.owned", [event["type"] for event in self.events(run)[-2:]])
        self.assertEqual([event["type"] for event in self.events(run)].count("run.owned"), 1)

    def test_local_changes_are_taken_along_when_asked(self):
        self.write("local.txt", "mine\n")
        seen = {}
        for base in ("snapshot", "head"):
            path = self.make_workflow([("one", {"command": "sh -c 'ls > list.txt'", "role": "executor"})])
            run = self.start("--workflow", path, "--approve", "auto", "--base", base, "Look")
            self.ok("wait", run, "--timeout", "50 s")
            seen[base] = "local.txt" in self.git("show", f"foredeck/{run}/result:list.txt").split()
            self.assertEqual(self.ok("show", run, "--json").json["result"]["files"], 1)
            self.assertIn("?? local.txt", self.git("status", "--porcelain"))
        self.assertEqual(seen, {"snapshot": True, "head": False})
        self.assertNotIn("will not see", self.ok("run", "--project", self.project, "--workflow", path, "--dry-run",
                                                 "--base", "snapshot", "Look").out)

    def test_a_merged_run_is_not_discarded(self):
        run = self.finished_run()
        self.ok("merge", run)
        self.assertEqual(self.refused(5, "discard", run, "--yes")["code"], "stale")

    def test_a_discarded_run_is_not_merged(self):
        run = self.finished_run()
        self.ok("discard", run, "--yes")
        error = self.refused(5, "merge", run)
        self.assertEqual(error["code"], "stale")
        self.assertIn("discarded", error["message"])

    def test_a_discarded_run_is_discarded_everywhere(self):
        run = self.finished_run()
        self.ok("discard", run, "--yes")
        error = self.refused(5, "merge", run, "--dry-run")
        self.assertEqual(error["code"], "stale")
        self.assertIn(f"discard {run} --undo", error["message"])
        for shown in (self.show(run), self.ok("list", "--json").json["runs"][0]):
            self.assertEqual((shown["discarded"], shown["status"]), (True, "completed"))
            self.assertNotIn("merged", shown)
        self.assertIn("discarded", self.ok("list").out)
        self.assertIn("iscarded", self.ok("show", run).out)
        self.ok("discard", run, "--undo")
        for shown in (self.show(run), self.ok("list", "--json").json["runs"][0]):
            self.assertNotIn("discarded", shown)
        self.assertNotIn("discarded", self.ok("list").out)
        self.assertTrue(self.ok("merge", run, "--dry-run", "--json").json["clean"])

    def partly_failed_run(self):
        path = self.make_workflow([
            ("one", {"command": "sh -c 'echo ours > one.txt'", "role": "executor"}),
            ("two", {"command": "false", "role": "executor"})])
        run = self.start("--workflow", path, "--approve", "auto", "Write")
        self.fails(1, "wait", run, "--timeout", "50 s")
        return run

    def test_a_failed_run_that_was_merged_says_why_it_failed(self):
        run = self.partly_failed_run()
        why = self.show(run)["reason"]
        self.assertIn("1 task failed", why)
        self.ok("merge", run)
        shown = self.show(run)
        self.assertEqual((shown["status"], shown["reason"], shown["merged"]["into"]), ("failed", why, "main"))
        text = self.ok("show", run).out
        self.assertIn(f"failed ({why})", text)
        self.assertRegex(text, "Merged into +main")
        self.assertRegex(self.ok("list").out, "failed, merged")

    def test_a_failed_run_that_was_discarded_says_why_it_failed(self):
        run = self.partly_failed_run()
        why = self.show(run)["reason"]
        self.ok("discard", run, "--yes")
        shown = self.show(run)
        self.assertEqual((shown["status"], shown["reason"], shown["discarded"]), ("failed", why, True))
        self.assertRegex(self.ok("show", run).out, "(?m)^Result .*discarded")
        self.assertRegex(self.ok("list").out, "failed, discarded")
        self.ok("discard", run, "--undo")
        self.assertEqual(self.show(run)["reason"], why)

    def test_wait_returns_when_all_processes_are_dead(self):
        run = self.long_run("""sh -c 'trap "sleep 2.5" TERM; sleep 1000'""")
        self.ok("cancel", run)
        self.assertEqual(self.ctl("wait", run, "--timeout", "50 s").code, 130)
        left = []
        for pid in self.find_ours():
            try:
                with open(f"/proc/{pid}/cmdline", encoding="utf-8") as file:
                    left.append(file.read())
            except OSError:
                pass
        self.assertFalse([line for line in left if "sleep" in line], left)

    def test_what_a_cancelled_run_says(self):
        run = self.long_run()
        self.ok("cancel", run)
        self.ctl("wait", run)
        self.assertIn("Cancelled with foredeckctl", self.ok("show", run).out)
        self.assertNotIn("retry", self.refused(5, "resume", run)["message"])
        self.refused(5, "retry", run)

    def test_a_cancelled_task_is_named_as_the_reason(self):
        run = self.long_run()
        self.ok("cancel", run, "long")
        self.fails(1, "wait", run, "--timeout", "50 s")
        self.assertIn("1 task was cancelled", self.ok("show", run).out)
        self.assertNotIn("retry", self.refused(5, "resume", run)["message"])

    def test_help_is_named_once(self):
        err = self.fails(2, "nosuchverb").err
        self.assertEqual(err.count("--help"), 1, err)
        for words in (("version", "a", "b"), ("list", "--nosuch"), ("pause",)):
            for line in self.fails(2, *words).err.splitlines():
                self.assertEqual(line, line.rstrip())
        self.assertEqual(self.refused(2, "version", "a", "b")["hint"], "foredeckctl version")


class IdentityTest(ctl_case.CtlCase):
    """Who commits is found where git finds it; the settings of git are none here."""

    identity = False

    def setUp(self):
        super().setUp()
        self.env["GIT_CONFIG_NOSYSTEM"] = "1"
        plain = dict(self.env)
        self.env.update(GIT_AUTHOR_NAME="First", GIT_AUTHOR_EMAIL="first@example.invalid",
                        GIT_COMMITTER_NAME="First", GIT_COMMITTER_EMAIL="first@example.invalid")
        self.make_project()
        self.env = plain
        self.workflow = self.make_workflow([("one", {"command": "sh -c 'echo one > one.txt'", "role": "executor"})])

    def refuse(self):
        error = self.refused(6, "run", "--project", self.project, "--workflow", self.workflow, "--approve", "auto", "x")
        self.assertIn("user.name", error["message"])

    def test_the_environment_says_who_commits(self):
        self.refuse()
        self.env.update(GIT_AUTHOR_NAME="Ann Author", GIT_AUTHOR_EMAIL="ann@example.invalid")
        self.refuse()
        self.env.update(GIT_COMMITTER_NAME="Con Committer", GIT_COMMITTER_EMAIL="con@example.invalid")
        run = self.start("--workflow", self.workflow, "--approve", "auto", "x")
        self.ok("wait", run, "--timeout", "50 s")
        self.write("two.txt", "two\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "two")
        self.ok("merge", run)
        for who in self.git("log", "--format=%an <%ae> %cn <%ce>", "-3", "main").splitlines():
            self.assertIn(who, ("Ann Author <ann@example.invalid> Con Committer <con@example.invalid>",
                                "First <first@example.invalid> First <first@example.invalid>"))
        self.assertIn("Ann Author", self.git("log", "-1", "--format=%an", "main"))

    def test_the_environment_comes_before_the_settings(self):
        for key, value in (("user.name", "Set"), ("user.email", "set@example.invalid"), ("author.name", "Writer")):
            self.git("config", key, value)
        self.env.update(GIT_COMMITTER_EMAIL="con@example.invalid", GIT_AUTHOR_NAME="")
        run = self.start("--workflow", self.workflow, "--approve", "auto", "x")
        self.ok("wait", run, "--timeout", "50 s")
        said = self.git("log", "-1", "--format=%an <%ae> %cn <%ce>", f"foredeck/{run}/result")
        self.assertEqual(said, "Writer <set@example.invalid> Set <con@example.invalid>")

    def say(self, name):
        for role in ("AUTHOR", "COMMITTER"):
            self.env[f"GIT_{role}_NAME"] = name
            self.env[f"GIT_{role}_EMAIL"] = f"{name}@example.invalid"

    def test_whoever_takes_it_up_again_commits_as_who_started_it(self):
        go = os.path.join(self.folder, "go")
        held = f"sh -c 'while [ ! -e {go} ]; do sleep 0.02; done; echo one > one.txt'"
        workflow = self.make_workflow([("one", {"command": held, "role": "executor"}),
                                       ("two", {"command": "sh -c 'echo two > two.txt'", "role": "executor",
                                                "dependsOn": "one"})])
        plain = dict(self.env)
        self.say("ann")
        run = self.start("--workflow", workflow, "--approve", "auto", "x")
        self.until("the task to run", lambda: self.tasks(run)["one"]["status"] == "running")
        self.kill_runner(run)
        self.write(go, "")
        self.env = plain
        self.say("bob")
        self.ok("resume", run)
        self.ok("wait", run, "--timeout", "50 s")
        said = self.git("log", "-2", "--format=%an %cn", f"foredeck/{run}/result")
        self.assertEqual(said.splitlines(), ["ann ann", "ann ann"])

    def test_an_address_may_stand_in_email(self):
        self.git("config", "user.name", "Set")
        self.refuse()
        self.env["EMAIL"] = "mail@example.invalid"
        self.ok("run", "--project", self.project, "--workflow", self.workflow, "--dry-run", "x")


if __name__ == "__main__":
    ctl_case.main()
