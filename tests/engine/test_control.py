# SPDX-License-Identifier: GPL-3.0-or-later
"""What people do to a run at work: cancel, pause, steer, interrupt, retry; money; conflicts; the checkout."""

import os
import signal

import engine_case
from engine_case import say, script, write

STALL = [script({"stall": True})]


class ControlTest(engine_case.EngineCase):
    def test_cancel_leaves_no_process(self):
        run = self.begin([("a", {}), ("b", {"dependsOn": "a"})], {"a": [script({"stubborn": True}, {"stall": True})]})
        self.until("the child in a session of its own", lambda: len(self.marked(run, "a")) >= 3)
        left = self.marked(run, "a")
        self.ok("cancel", run)
        self.until("the end of the kill ladder", lambda: self.runner_pid(run) is None, 60)
        self.finish(run, "cancelled")
        self.assertEqual(self.statuses(run), {"a": "cancelled", "b": "cancelled"})
        self.assertEqual([pid for pid in left if not self.is_zombie(pid)], [])
        self.assertEqual(self.marked(run), [])

    def test_cancel_of_one_task_leaves_the_others(self):
        run = self.begin(
            [("a", {}), ("b", {"dependsOn": "a"}), ("c", {})], {"a": STALL, "c": [script(write("c"), say())]})
        self.until_phase(run, "a", "agent")
        self.ok("cancel", run, "a")
        self.finish(run, "failed")
        self.assertEqual(self.statuses(run), {"a": "cancelled", "b": "skipped", "c": "completed"})
        self.assertEqual(self.result(run, "c"), "c")

    def test_cancel_keeps_what_was_written(self):
        run = self.begin([("a", {})], {"a": [script(write("half"), {"stall": True})]})
        self.until_phase(run, "a", "agent")
        tree = self.tasks(run)["a"].get("worktree") or self.query(run, "SELECT worktree FROM tasks")[0][0]
        self.until("the file", lambda: os.path.exists(os.path.join(tree, "half")))
        self.ok("cancel", run)
        self.finish(run, "cancelled")
        self.assertEqual(self.git("show", f"foredeck/{run}/a:half"), "half")

    def test_pause_starts_nothing_new_and_continue_goes_on(self):
        go = os.path.join(self.folder, "go")
        run = self.begin([("a", {"command": f"sh -c 'while [ ! -e {go} ]; do sleep 0.02; done'"}),
                          ("b", {"command": "true", "dependsOn": "a"})])
        self.until_phase(run, "a", "agent")
        self.ok("pause", run)
        with open(go, "w", encoding="utf-8"):
            pass
        self.until_task(run, "a", "completed")
        self.assertEqual((self.show(run)["status"], self.statuses(run)["b"]), ("paused", "queued"))
        self.refused(5, "pause", run)
        self.ok("continue", run)
        self.finish(run)
        self.refused(5, "continue", run)

    def test_retry_takes_up_the_failed_and_what_was_skipped_for_it(self):
        ready = os.path.join(self.folder, "ready")
        run = self.begin([("a", {"command": f"test -e {ready}"}), ("b", {"command": "true", "dependsOn": "a"}),
                          ("c", {"command": "true"})])
        self.finish(run, "failed")
        self.assertEqual(self.statuses(run), {"a": "failed", "b": "skipped", "c": "completed"})
        with open(ready, "w", encoding="utf-8"):
            pass
        self.ok("retry", run)
        self.finish(run)
        counts = {key: len(task["attempts"]) for key, task in self.tasks(run).items()}
        self.assertEqual(counts, {"a": 2, "b": 1, "c": 1})
        self.refused(5, "retry", run)

    def test_interrupt_ends_one_attempt(self):
        run = self.begin([("a", {})], {"a": STALL})
        self.until_phase(run, "a", "agent")
        self.ok("interrupt", run, "a")
        self.finish(run, "failed")
        self.assertEqual(self.marked(run), [])
        self.refused(5, "interrupt", run, "a")

    def test_what_a_one_shot_agent_is_told_reaches_its_next_attempt(self):
        run = self.begin(
            [("a", {})],
            {"a": [script(say("Thanks."), prompt="Mind the gap."), script({"stall": True})]})
        self.until_phase(run, "a", "agent")
        told = self.ok("steer", run, "a", "Mind the gap.")
        self.assertIn("next attempt", told.out)
        self.ok("interrupt", run, "a")
        self.finish(run, "failed")
        self.ok("retry", run, "a")
        self.finish(run)
        self.assertIn("Mind the gap.", self.ok("prompt", run, "a").out)

    def test_what_a_live_agent_is_told_reaches_it_at_once(self):
        self.env["FOREDECK_DEMO_SPEED"] = "1"
        run = self.begin(
            [("a", {"live": "true"})], {"a": [script({"sleep": 20000}, say("I heard you."))]})
        self.until_phase(run, "a", "agent")
        self.until("a session", lambda: self.query(run, "SELECT session FROM attempts")[0][0])
        told = self.ok("steer", run, "a", "Stop and look.")
        self.assertIn("running session", told.out)
        self.ok("cancel", run)
        self.finish(run, "cancelled")

    def test_a_finished_run_is_followed_up(self):
        """A task more goes on from the work that is there; the result is one of both, checked anew."""
        self.write(".foredeck/config.json", '{"checks": {"commands": [["sh", "-c", "test -e one"]]}}')
        self.ok("trust", self.project)
        run = self.begin([("a", {}), ("v", {"role": "verifier", "verify": "true", "dependsOn": "a"})],
                         {"a": [script(write("one"), say("Wrote one."))],
                          "follow-up-1": [script(write("two"), say("Wrote two."))],
                          "follow-up-2": [script(write("three"), say("Wrote three."))]})
        self.finish(run)
        first = self.show(run)["result"]["commit"]
        self.assertEqual(self.show(run)["verified"], "verified", self.describe(run))
        self.ok("follow-up", run, "v", "Add two as well.\nIt is wanted.")
        self.finish(run)
        task = self.tasks(run)["follow-up-1"]
        self.assertEqual((task["status"], task["title"], task["depends_on"]),
                         ("completed", "Add two as well.", ["v"]), self.describe(run))
        self.assertIn("Add two as well.\nIt is wanted.", self.ok("prompt", run, "follow-up-1").out)
        self.assertEqual((self.result(run, "one"), self.result(run, "two")), ("one", "two"))
        self.assertNotEqual(self.show(run)["result"]["commit"], first)
        self.assertEqual(self.show(run)["verified"], "verified", self.describe(run))
        self.assertEqual(len(self.data(run, "task.check")), 2)
        self.ok("follow-up", run, "a", "And three.")
        self.finish(run)
        self.assertEqual([self.result(run, name) for name in ("one", "two", "three")], ["one", "two", "three"])
        self.assertEqual(len({t for t in self.tasks(run)}), 4)

    def test_a_follow_up_that_changed_nothing_takes_no_verdict_back(self):
        """What was verified is still what is there, and is not checked again."""
        self.write(".foredeck/config.json", '{"checks": {"commands": [["sh", "-c", "test -e one"]]}}')
        self.ok("trust", self.project)
        run = self.begin([("a", {}), ("v", {"role": "verifier", "verify": "true", "dependsOn": "a"})],
                         {"a": [script(write("one"), say("Wrote one."))],
                          "follow-up-1": [script(say("It is right as it is."))]})
        self.finish(run)
        self.assertEqual(self.show(run)["verified"], "verified", self.describe(run))
        first = self.show(run)["result"]["commit"]
        self.ok("follow-up", run, "a", "## Is it right?")
        self.finish(run)
        self.assertEqual(self.tasks(run)["follow-up-1"]["title"], "Is it right?")
        self.assertEqual(self.show(run)["result"]["commit"], first)
        self.assertEqual(self.show(run)["verified"], "verified", self.describe(run))
        self.assertEqual(len(self.data(run, "task.check")), 1)

    def test_comments_go_to_whoever_wrote_the_file(self):
        run = self.begin([("a", {"checks": "test -e one"}), ("w", {"role": "writer", "dependsOn": "a"})],
                         {"a": [script(write("one"), say("Done."))], "w": [script(write("notes"), say("Done."))],
                          "follow-up-1": [script(say("1) It is right as it is."))],
                          "follow-up-2": [script(say("1) This too."))]})
        self.finish(run)
        self.assertEqual(self.show(run)["verified"], "verified", self.describe(run))
        for n, (place, role) in enumerate((("one:1", "executor"), ("notes:1", "writer")), 1):
            self.ok("comment", run, place, "Is it right?")
            self.ok("comment", run, "--send")
            self.finish(run)
            self.assertEqual(self.tasks(run)[f"follow-up-{n}"]["role"], role)
            self.assertEqual(self.show(run)["verified"], "verified", self.describe(run))

    def test_a_name_within_another_one_is_not_meant(self):
        run = self.begin([("a", {}), ("w", {"role": "writer", "dependsOn": "a"})],
                         {"a": [script(write("one"), say("Done."))], "w": [script(write("ne"), say("Done."))],
                          "follow-up-1": [script(say("1) It is right as it is."))]})
        self.finish(run)
        self.ok("comment", run, "one:1", "Is it right?")
        self.ok("comment", run, "--send")
        self.finish(run)
        self.assertEqual(self.tasks(run)["follow-up-1"]["role"], "executor")

    def test_only_what_a_run_changed_in_a_shared_tree_can_be_commented(self):
        run = self.begin([("a", {})], {"a": [script(write("one"), say("Done."))]}, "--isolation", "none")
        self.finish(run)
        with open(os.path.join(self.project, "mine"), "w", encoding="utf-8") as file:
            file.write("not the run's\n")
        self.ok("comment", run, "one:1", "Is it right?")
        self.assertIn("no file", self.refused(4, "comment", run, "mine:1", "Is it right?")["message"])

    def test_what_cannot_be_followed_up_is_said(self):
        run = self.begin([("a", {"command": "true"}), ("b", {"command": "false"})])
        self.finish(run, "failed")
        self.assertIn("No agent wrote anything", self.refused(5, "follow-up", run, "a", "More.")["message"])
        self.assertIn("is failed", self.refused(5, "follow-up", run, "b", "More.")["message"])
        self.refused(4, "follow-up", run, "c", "More.")
        run = self.begin([("a", {})], {"a": [script(write("one"), say("Done."))]})
        self.finish(run)
        self.ok("merge", run)
        self.assertIn("start a new one", self.refused(5, "follow-up", run, "a", "More.")["message"])

    def test_comments_are_kept_and_sent_once(self):
        run = self.begin([("a", {})], {"a": [script(write("one", "x\ny\n"), say("Done."))],
                                       "follow-up-1": [script(write("one", "x\nz\n"), say("1) It is z now."))]})
        self.finish(run)
        self.refused(2, "comment", run, "one", "No line.")
        self.refused(4, "comment", run, "other:1", "No such file.")
        for place in ("one:3", "one:2-3", "one:1000"):
            self.assertIn("2 lines", self.refused(2, "comment", run, place, "Beyond the end.")["message"])
        self.refused(5, "comment", run, "--send")
        self.assertEqual(self.ok("comment", run, "one:1-2", "Make it z.", "--json").json["comments"][0]["quote"], "x\ny")
        sent = self.ok("comment", run, "--send", "--json").json["comments"]
        self.assertEqual([c["task"] for c in sent], ["follow-up-1"])
        self.refused(5, "comment", run, "--send")
        self.finish(run)
        self.assertEqual(self.result(run, "one"), "x\nz")
        self.assertEqual(self.ok("comment", run, "--json").json["comments"][0]["answer"], "It is z now.")
        self.assertIn("It is z now.", self.ok("comment", run).out)
        self.refused(4, "comment", run, "--remove", "nothing")

    def test_a_comment_on_a_long_or_a_removed_file(self):
        self.write("long", "".join(f"{n}\n" for n in range(1, 101)))
        self.write("old", "a\nb\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "files")
        run = self.begin([("a", {"command": "sh -c 'rm old; echo 101 >> long; : > empty'"})])
        self.finish(run)
        self.assertEqual(self.ok("comment", run, "long:7", "x", "--json").json["comments"][0]["quote"], "7")
        self.refused(2, "comment", run, "long:102", "x")
        self.ok("comment", run, "long:101", "x")
        self.ok("comment", run, "old:2", "Why?")
        self.refused(2, "comment", run, "old:3", "Why?")
        self.ok("comment", run, "empty:1", "Why?")

    def test_a_live_agent_asks_and_goes_on_as_answered(self):
        ask = {"ask": {"title": "May I?", "options": [
            {"id": "0", "name": "Yes", "kind": "allow_once"}, {"id": "1", "name": "No", "kind": "reject_once"}],
            "then": {"0": [write("allowed"), say("Did it.")], "1": [say("Did not.")]}}}
        run = self.begin([("a", {"live": "true"})], {"a": [script(ask)]})
        request = self.request(run, "permission")
        self.assertEqual([o["id"] for o in request["options"]], ["0", "1"])
        self.ok("approve", request["id"], "--option", "0")
        self.finish(run)
        self.assertEqual(self.result(run, "allowed"), "allowed")

    def test_a_permission_dies_with_its_session(self):
        ask = {"ask": {"title": "May I?", "options": [{"id": "y", "name": "Yes", "kind": "allow_once"}], "then": {}}}
        self.settings({"retry.attempts": 1})
        run = self.begin([("a", {"live": "true"})], {"a": [script(ask)]})
        request = self.request(run, "permission")
        self.ok("interrupt", run, "a")
        self.finish(run, "failed")
        self.assertEqual(self.show(run)["requests"], [])
        self.assertEqual(self.refused(5, "approve", request["id"])["code"], "stale")

    def test_a_change_of_the_checkout_is_told(self):
        go = os.path.join(self.folder, "go")
        run = self.begin([("a", {"command": f"sh -c 'while [ ! -e {go} ]; do sleep 0.02; done'"})])
        self.until_phase(run, "a", "agent")
        self.write("mine.txt", "A person wrote this.\n")
        with open(go, "w", encoding="utf-8"):
            pass
        self.finish(run)
        self.assertEqual([d["paths"] for d in self.data(run, "leader.changed")], [["mine.txt"]])

    def test_who_may_have_changed_the_checkout(self):
        """The task whose transcript names the file is marked; one that only worked at the time is not."""
        out = os.path.join(self.project, "escaped.txt")
        go = os.path.join(self.folder, "go")
        run = self.begin([
            ("a", {"command": f"sh -c 'echo writing {out}; echo x > {out}; git -C {self.project} checkout -q -b moved'"}),
            ("b", {"command": f"sh -c 'while [ ! -e {go} ]; do sleep 0.02; done'"})])
        told = self.until("the alarm", lambda: self.data(run, "leader.changed"))
        with open(go, "w", encoding="utf-8"):
            pass
        self.finish(run)
        self.assertEqual(told, [{"paths": [".git/HEAD", "escaped.txt"], "tasks": ["a"]}])
        changed = self.show(run)["checkout_changed"]
        self.assertEqual((changed["paths"], changed["tasks"]), ([".git/HEAD", "escaped.txt"], ["a"]))
        self.assertIn("checkout changed while tasks ran: .git/HEAD, escaped.txt. Named in the transcript of a.",
                      self.ok("show", run).out)
        tasks = self.tasks(run)
        self.assertEqual((tasks["a"].get("mark"), tasks["b"].get("mark")), ("leader", None))

    def test_changes_of_the_checkout_are_told_together(self):
        script = "for n in 1 2 3 4; do echo x > %s/new$n; done" % self.project
        run = self.begin([("a", {"command": f"sh -c '{script}'"}),
                          ("b", {"command": f"sh -c 'echo y > {self.project}/README.md'", "dependsOn": "a"})])
        self.finish(run)
        self.assertEqual(sorted(self.show(run)["checkout_changed"]["paths"]),
                         ["README.md", "new1", "new2", "new3", "new4"])
        self.assertIn("and 2 more", self.ok("show", run).out)
        calm = self.begin([("a", {"command": "true"})])
        self.finish(calm)
        self.assertNotIn("checkout_changed", self.show(calm))
        self.assertNotIn("checkout", self.ok("show", calm).out)

    def test_a_change_of_the_checkout_stops_the_run_where_asked(self):
        self.settings({"git.leader_changes": "stop"})
        out = os.path.join(self.project, "escaped.txt")
        run = self.begin([
            ("a", {"command": f"sh -c 'echo {out}; echo x > {out}'"}),
            ("b", {"command": "sh -c 'echo b > b.txt'", "dependsOn": "a"})])
        self.until("the pause", lambda: self.show(run)["status"] == "paused")
        self.assertIn("escaped.txt", self.ok("show", run).out)
        self.assertIn(self.tasks(run)["b"]["status"], ("queued", "running", "completed"))
        self.ok("continue", run)
        self.finish(run)

    def test_a_tree_is_prepared_first(self):
        self.write(".gitignore", ".env\ndeps\n")
        self.write(".worktreeinclude", ".env\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "ignore")
        self.write(".env", "A=1\n")
        self.settings({"git.setup": ["sh", "-c", "echo preparing; cp .env deps"]})
        run = self.begin([("a", {"command": "sh -c 'cmp .env deps && echo done > out.txt'"})])
        self.finish(run)
        self.assertEqual(self.result(run, "out.txt"), "done")
        (added,) = self.data(run, "tree.added")
        with open(added["setup_log"], encoding="utf-8") as file:
            self.assertEqual(file.read().splitlines()[:3], ["copied .env", "$ sh -c echo preparing; cp .env deps", "preparing"])
        self.assertEqual(self.git("ls-tree", "-r", "--name-only", f"foredeck/{run}/result"),
                         ".gitignore\n.worktreeinclude\nREADME\nout.txt")

    def test_a_tree_that_cannot_be_prepared_starts_no_agent(self):
        self.settings({"git.setup": ["sh", "-c", "echo no network; exit 7"], "retry.attempts": 1})
        run = self.begin([("a", {"command": "sh -c 'echo ran > out.txt'"})])
        self.finish(run, "failed")
        task = self.tasks(run)["a"]
        self.assertIn("ended with 7", task["message"])
        self.assertEqual(task["attempts"], [])
        self.assertEqual(self.git("worktree", "list").count("\n"), 0)

    def test_a_secret_of_the_environment_is_masked(self):
        secret = "s3cr3t-value-0123456789"
        self.env["DEMO_API_KEY"] = secret
        told = os.path.join(self.folder, "told")
        with open(told, "w", encoding="utf-8") as file:
            file.write(f"key {secret}\n")
        run = self.begin(
            [("a", {"command": f"sh -c 'cat {told} >&2; exit 4'"}), ("b", {"command": f"cat {told}"}),
             ("c", {"checks": f"sh -c 'cat {told}; exit 1'"}), ("d", {})],
            {"c": [script(say(secret))], "d": [script({"fail": {"kind": "error", "message": f"bad key {secret}"}})]})
        self.finish(run, "failed")
        self.assertIn("bad key", self.tasks(run)["d"]["message"])
        stored = str(self.query(run, "SELECT data FROM events")) + str(
            self.query(run, "SELECT result, message FROM attempts")) + str(
            self.query(run, "SELECT * FROM tasks"))
        self.assertNotIn(secret, stored)
        self.assertIn("key", stored)


class BudgetTest(engine_case.EngineCase):
    SPEND = {"spend": {"input": 850, "output": 0, "cost": 0.0}}

    def test_a_warning_then_a_stop_then_raised(self):
        run = self.begin(
            [("a", {}), ("b", {"dependsOn": "a"}), ("c", {"dependsOn": "b"})],
            {"a": [script(self.SPEND, say())],
             "b": [script(self.SPEND, {"stall": True}, attempt=1), script(self.SPEND, say())]},
            "--budget-tokens", "1000")
        request = self.request(run, "budget")
        warning, stop = self.data(run, "budget.warning")[0], self.data(run, "budget.stop")[0]
        self.assertEqual((warning["used"], warning["unit"]), (850, "tokens"))
        self.assertEqual(stop["limit"], 1000)
        self.until_task(run, "b", "waiting")
        self.assertEqual(self.statuses(run)["c"], "queued")
        self.assertEqual(self.marked(run), [])
        self.ok("approve", request["id"], "--option", "raise")
        second = self.until("a second request or the end", lambda: self.show(run)["requests"]
                            or self.show(run)["status"] == "completed")
        if second is not True:
            self.ok("approve", second[0]["id"], "--option", "raise")
        self.finish(run)
        self.assertEqual(set(self.statuses(run).values()), {"completed"})

    def test_a_budget_that_is_not_raised_cancels(self):
        run = self.begin([("a", {})], {"a": [script(self.SPEND, {"stall": True})]}, "--budget-tokens", "800")
        request = self.request(run, "budget")
        self.ok("reject", request["id"])
        self.finish(run, "cancelled")
        self.assertEqual(self.marked(run), [])

    def test_the_cap_of_a_day_holds_over_runs(self):
        self.settings({"limits.day_cost": 0.01})
        run = self.begin([("a", {"role": "explorer"})], {"a": [script({"spend": {"input": 1, "output": 1, "cost": 0.02}}, say())]})
        self.finish(run)
        error = self.refused(5, "run", "--project", self.project, "--workflow", self.make_workflow([("a", {"role": "explorer"})]),
                             "--team", "implementation", "--cli", "demo", "Another")
        self.assertIn("limits.day_cost", error["message"])


class ConflictTest(engine_case.EngineCase):
    def conflict(self, *more):
        self.write("f", "base\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "f")
        return self.begin(
            [("a", {}), ("b", {}), ("c", {"dependsOn": "a, b"})],
            {"a": [script(write("f", "from a\n"), say())], "b": [script(write("f", "from b\n"), say())],
             "c": [*more, script(write("c"), say())]})

    def ask(self, *more):
        run = self.conflict(*more)
        request = self.request(run, "conflict")
        self.assertIn("f", request["body"])
        self.assertEqual(self.statuses(run)["c"], "waiting")
        self.assertEqual(self.data(run, "tree.conflict"), [{"paths": ["f"]}])
        return run, request

    def sides(self, request, *more):
        shown = self.ok("conflicts", request["id"], *more, "--json").json
        return shown.get("theirs"), {
            file["path"]: [file.get(side, {}).get("text") for side in ("base", "ours", "theirs")]
            for file in shown["files"]}

    def test_the_three_sides_are_shown(self):
        run, request = self.ask()
        before = self.git("count-objects", "-v")
        wanted = ("b", {"f": ["base\n", "from a\n", "from b\n"]})
        self.assertEqual(self.sides(request), wanted)
        self.assertEqual(self.sides(request, "f"), wanted)
        self.refused(4, "conflicts", request["id"], "g")
        self.assertIn("(theirs): b\n  │ from b\n", self.ok("conflicts", request["id"]).out)
        self.assertEqual(self.git("count-objects", "-v"), before)
        self.ok("approve", request["id"], "--option", "hand")
        second = self.until("the tree", lambda: self.in_hand(run, request))
        self.assertEqual(self.sides(second), wanted)

    def test_sides_that_are_no_text_or_not_there_are_shown_as_such(self):
        for name, data in (("bytes", "\0one"), ("gone", "one\n")):
            self.write(name, data)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "f")
        other = script({"run": ["sh", "-c", "rm gone; printf two >> bytes"]}, say())
        run = self.begin([("a", {}), ("b", {})], {
            "a": [script(write("gone", "two\n"), write("bytes", "\0three"), say())], "b": [other]})
        request = self.request(run, "conflict")
        shown = self.ok("conflicts", request["id"], "--json").json
        files = {file["path"]: file for file in shown["files"]}
        self.assertEqual(sorted(files), ["bytes", "gone"])
        self.assertEqual(shown["theirs"], "b")
        self.assertNotIn("theirs", files["gone"])
        self.assertEqual(files["gone"]["ours"]["text"], "two\n")
        self.assertEqual(files["bytes"]["base"]["bytes"], 4)
        self.assertNotIn("text", files["bytes"]["base"])

    def test_keep_the_first(self):
        run, request = self.ask()
        self.ok("approve", request["id"], "--option", "ours")
        self.finish(run)
        self.assertEqual(self.result(run, "f"), "from a")

    def test_keep_the_second(self):
        run, request = self.ask()
        self.ok("approve", request["id"], "--option", "theirs")
        self.finish(run)
        self.assertEqual(self.result(run, "f"), "from b")

    def test_an_agent_resolves_it(self):
        run, request = self.ask(script(write("f", "from both\n"), say(), prompt="<<<<<<<"))
        self.ok("approve", request["id"], "--option", "agent")
        self.finish(run)
        self.assertEqual(self.result(run, "f"), "from both")

    def test_an_agent_that_leaves_the_marks_has_resolved_nothing(self):
        run, request = self.ask()
        self.ok("approve", request["id"], "--option", "agent")
        self.until_task(run, "c", "failed")
        task = self.tasks(run)["c"]
        self.assertIn("Conflict marks are left in f;", task["message"])
        self.assertEqual((task["worker"], task["cause"]), ("well", "error"))

    def by_hand(self, *more):
        """The run, the request to go on, and the tree in which the person works."""
        run, request = self.ask(*more)
        self.ok("approve", request["id"], "--option", "hand")
        request = self.until("the tree", lambda: self.in_hand(run, request))
        tree = self.tasks(run)["c"]["worktree"]
        self.assertIn(tree, request["body"])
        self.assertIn("- f", request["body"])
        self.assertEqual(self.statuses(run)["c"], "waiting")
        with open(os.path.join(tree, "f"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "<<<<<<< f\nfrom a\n=======\nfrom b\n>>>>>>> f\n")
        return run, request, tree

    def in_hand(self, run, before):
        found = self.request(run, "conflict")
        return found if found["id"] != before["id"] else None

    def edit(self, tree, text):
        with open(os.path.join(tree, "f"), "w", encoding="utf-8") as file:
            file.write(text)

    def test_a_person_resolves_it_by_hand(self):
        run, request, tree = self.by_hand()
        self.edit(tree, "by hand\n")
        self.ok("approve", request["id"], "--option", "resolved")
        self.finish(run)
        self.assertEqual(self.result(run, "f"), "by hand")
        self.assertEqual([change["path"] for change in self.tasks(run)["c"]["files"]], ["c"])

    def test_a_person_who_commits_by_hand_has_resolved_it_as_well(self):
        run, request, tree = self.by_hand()
        self.edit(tree, "by hand\n")
        self.git("-C", tree, "commit", "-q", "-a", "-m", "resolved")
        self.ok("approve", request["id"], "--option", "resolved")
        self.finish(run)
        self.assertEqual(self.result(run, "f"), "by hand")

    def test_marks_that_are_left_by_hand_are_asked_about_again(self):
        run, request, tree = self.by_hand()
        self.edit(tree, "<<<<<<< f\nfrom a\n=======\nhalf\n>>>>>>> f\n")
        self.ok("approve", request["id"], "--option", "resolved")
        second = self.until("the second request", lambda: self.in_hand(run, request))
        self.assertIn("still left", second["body"])
        self.assertEqual(self.tasks(run)["c"]["attempts"], [])
        self.edit(tree, "whole\n")
        self.ok("approve", second["id"], "--option", "resolved")
        self.finish(run)
        self.assertEqual(self.result(run, "f"), "whole")

    def test_an_agent_resolves_what_a_person_left(self):
        run, request, _ = self.by_hand(script(write("f", "from both\n"), say(), prompt="<<<<<<<"))
        self.ok("approve", request["id"], "--option", "agent")
        self.finish(run)
        self.assertEqual(self.result(run, "f"), "from both")

    def test_a_conflict_in_hand_outlives_its_runner(self):
        run, request, tree = self.by_hand()
        os.kill(self.runner_pid(run), signal.SIGKILL)
        self.until("the runner's end", lambda: self.runner_pid(run) is None)
        self.edit(tree, "by hand\n")
        self.ok("approve", request["id"], "--option", "resolved")
        self.finish(run)
        self.assertEqual(self.result(run, "f"), "by hand")

    def test_the_agent_is_told_which_files_are_in_conflict(self):
        both = script(write("f", "from both\n"), say())
        run, request = self.ask(script({"fail": {"message": "overloaded", "kind": "overloaded"}}, attempt=1), both)
        self.ok("answer", request["id"], "--option", "agent", "Prefer what a says.")
        self.finish(run)
        self.assertEqual(len(self.tasks(run)["c"]["attempts"]), 2)
        self.assertIn("Prefer what a says.", self.ok("prompt", run, "c", "--attempt", "1").out)
        for attempt in ("1", "2"):
            self.assertIn("\n- f\n", self.ok("prompt", run, "c", "--attempt", attempt).out)

    def keep_by_hand(self, status, *steps):
        run, request, tree = self.by_hand(script(*steps))
        self.edit(tree, "by hand\n")
        self.ok("approve", request["id"], "--option", "resolved")
        self.finish(run, status)
        self.assertEqual(self.result(run, "f"), "by hand")

    def test_what_was_resolved_stands_when_the_task_then_changes_nothing(self):
        self.keep_by_hand("completed", say("Nothing to do."))

    def test_what_was_resolved_stands_when_the_task_then_fails(self):
        self.keep_by_hand("failed", {"fail": {"message": "no", "kind": "crash"}})

    def test_one_answer_does_not_count_for_another_conflict(self):
        for name in "fg":
            self.write(name, "base\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "fg")
        run = self.begin(
            [("a", {}), ("b", {}), ("c", {"dependsOn": "a, b"}), ("d", {}), ("e", {})],
            {key: [script(write(name, key + "\n"), say())] for key, name in ("af", "bf", "dg", "eg")})
        first = self.request(run, "conflict")
        self.ok("approve", first["id"], "--option", "ours")
        second = self.until("the second request", lambda: self.in_hand(run, first))
        self.assertNotIn("task", second)
        self.assertIn("- g", second["body"])
        self.assertEqual(self.sides(second), ("e", {"g": ["base\n", "d\n", "e\n"]}))
        self.ok("approve", second["id"], "--option", "theirs")
        self.finish(run)
        self.assertEqual([self.result(run, name) for name in "fg"], ["a", "e"])

    def test_skip(self):
        run, request = self.ask()
        self.ok("approve", request["id"], "--option", "skip")
        second = self.request(run, "conflict")
        self.assertNotIn("task", second)
        self.ok("approve", second["id"], "--option", "ours")
        self.finish(run, "failed")
        self.assertEqual(self.statuses(run)["c"], "skipped")
        self.assertEqual(self.result(run, "f"), "from a")

    def test_a_conflict_at_the_end_asks_for_the_run(self):
        self.write("f", "base\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "f")
        run = self.begin([("a", {}), ("b", {})], {k: [script(write("f", k + "\n"), say())] for k in "ab"})
        request = self.request(run, "conflict")
        self.assertEqual(self.show(run)["status"], "blocked")
        self.ok("approve", request["id"], "--option", "theirs")
        self.finish(run)
        self.assertEqual(self.result(run, "f"), "b")

    def end(self, *more, **keys):
        """A run whose two tasks meet only at its end, and the request about that."""
        self.write("f", "base\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "f")
        run = self.begin([("a", keys), ("b", keys)], {
            **{key: [script(write("f", key + "\n"), say())] for key in "ab"}, "resolve-1": more})
        return run, self.request(run, "conflict")

    def test_an_agent_resolves_a_conflict_at_the_end(self):
        run, request = self.end(script(write("f", "both\n"), say(), prompt="- f"))
        self.ok("approve", request["id"], "--option", "agent")
        self.finish(run)
        self.assertEqual(self.result(run, "f"), "both")
        self.assertEqual(self.tasks(run)["resolve-1"]["status"], "completed")

    def test_an_agent_that_resolves_nothing_at_the_end_is_no_answer(self):
        run, request = self.end(script(say("Too hard.")))
        self.ok("approve", request["id"], "--option", "agent")
        second = self.until("the next request", lambda: self.in_hand(run, request))
        self.assertNotIn("task", second)
        self.ok("approve", second["id"], "--option", "ours")
        self.finish(run, "failed")
        self.assertEqual(self.result(run, "f"), "a")

    def test_a_person_resolves_a_conflict_at_the_end(self):
        run, request = self.end()
        self.ok("approve", request["id"], "--option", "hand")
        second = self.until("the tree", lambda: self.in_hand(run, request))
        self.assertEqual(second["task"], "resolve-1")
        self.edit(self.tasks(run)["resolve-1"]["worktree"], "by hand\n")
        self.ok("approve", second["id"], "--option", "resolved")
        self.finish(run)
        self.assertEqual(self.result(run, "f"), "by hand")
        self.assertEqual(self.tasks(run)["resolve-1"]["attempts"], [])


if __name__ == "__main__":
    engine_case.main()
