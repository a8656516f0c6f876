# SPDX-License-Identifier: GPL-3.0-or-later
"""What becomes of attempts that do not end well: causes, retries, limits, policies, checks, writers."""

import os
import shutil
import unittest

import engine_case
from engine_case import say, script, write


def fail(kind, message=None, code=1, **more):
    return {"fail": {"kind": kind, "message": message or kind, "code": code, **more}}


class RetryTest(engine_case.EngineCase):
    def attempts(self, run, key="a"):
        return self.tasks(run)[key]["attempts"]

    def one(self, *scripts, status="failed", keys=None):
        run = self.begin([("a", dict({"role": "explorer"}, **(keys or {})))], {"a": list(scripts)})
        self.finish(run, status)
        return run

    def test_a_cause_that_can_pass_is_tried_again_after_a_back_off(self):
        self.settings({"retry.delay": 200, "retry.jitter": 0})
        for kind in ("rate-limit", "overloaded", "crash", "no-output"):
            with self.subTest(kind):
                run = self.one(script(fail(kind), attempt=1), script(say()), status="completed")
                attempts = self.attempts(run)
                self.assertEqual(len(attempts), 2)
                self.assertEqual(attempts[0]["cause"], kind)
                retry = self.data(run, "attempt.retry", "a")[0]
                self.assertEqual((retry["cause"], retry["delay"]), (kind, 200))
                self.assertIn("back-off", [d["phase"] for d in self.data(run, "task.phase", "a")])
                times = dict(self.query(run, "SELECT n, started FROM attempts"))
                ended = dict(self.query(run, "SELECT n, finished FROM attempts"))
                self.assertGreaterEqual(times[2] - ended[1], 200000)

    def test_a_rate_limit_is_waited_out_until_its_reset(self):
        self.settings({"retry.delay": 10, "retry.jitter": 0})
        run = self.one(script(fail("rate-limit", reset=2), attempt=1), script(say()), status="completed")
        self.assertEqual(self.attempts(run)[0]["cause"], "rate-limit")
        self.assertGreater(self.data(run, "attempt.retry", "a")[0]["delay"], 1000)
        started = dict(self.query(run, "SELECT n, started FROM attempts"))
        ended = dict(self.query(run, "SELECT n, finished FROM attempts"))
        self.assertGreater(started[2] - ended[1], 1000000)

    def test_attempts_end_with_the_setting(self):
        self.settings({"retry.attempts": 3})
        run = self.one(script(fail("overloaded")))
        self.assertEqual(len(self.attempts(run)), 3)
        self.assertEqual(self.tasks(run)["a"]["cause"], "overloaded")

    def test_what_cannot_pass_is_not_tried_again(self):
        for kind in ("auth", "error"):
            with self.subTest(kind):
                run = self.one(script(say("Hm."), fail(kind)))
                self.assertEqual(len(self.attempts(run)), 1, self.describe(run))
                self.assertEqual(self.tasks(run)["a"]["cause"], kind)

    def test_no_output_is_a_failure_whatever_the_exit_code(self):
        self.settings({"retry.attempts": 1})
        run = self.one(script({"fail": {"kind": "no-output", "code": 0}}))
        self.assertEqual(self.tasks(run)["a"]["cause"], "no-output")

    def test_garbage_and_a_broken_stream_are_failures(self):
        self.settings({"retry.attempts": 1})
        run = self.one(script(fail("garbage")))
        self.assertIn(self.tasks(run)["a"]["cause"], ("broken-stream", "no-output"))

    def test_a_command_is_judged_by_its_exit_code_alone(self):
        run = self.begin(
            [
                ("silent", {"command": "true"}),
                ("loud", {"command": "sh -c 'echo all is well; exit 3'"}),
                ("patient", {"command": f"sh -c 'test -e {self.folder}/x || {{ touch {self.folder}/x; exit 1; }}'",
                             "retries": "2"}),
            ]
        )
        self.finish(run, "failed")
        tasks = self.tasks(run)
        self.assertEqual(tasks["silent"]["status"], "completed")
        self.assertEqual((tasks["loud"]["status"], len(tasks["loud"]["attempts"])), ("failed", 1))
        self.assertEqual(tasks["loud"]["attempts"][0]["exit"], 3)
        self.assertEqual((tasks["patient"]["status"], len(tasks["patient"]["attempts"])), ("completed", 2),
                         self.describe(run))

    def test_what_a_failed_command_said_is_said(self):
        run = self.begin([("a", {"command": "sh -c 'echo printed; echo no such flavour >&2; exit 7'"}),
                          ("b", {"command": "sh -c 'echo only this >&2; exit 7'"}),
                          ("c", {"command": "sh -c 'exit 7'"})])
        self.finish(run, "failed")
        tasks = self.tasks(run)
        self.assertEqual(tasks["a"]["message"], "The command ended with exit code 7: no such flavour")
        self.assertEqual(tasks["b"]["message"], "The command ended with exit code 7: only this")
        self.assertEqual(tasks["c"]["message"], "The command ended with exit code 7.")

    def test_a_missing_program_is_said(self):
        run = self.begin([("a", {"command": "no-such-program-anywhere"})])
        self.finish(run, "failed")
        task = self.tasks(run)["a"]
        self.assertEqual(task["cause"], "not-started")
        self.assertIn("no-such-program-anywhere", task["message"])


class LimitTest(engine_case.EngineCase):
    def one(self, *steps, keys=None, settings=None, args=()):
        self.settings(dict({"retry.attempts": 1}, **(settings or {})))
        run = self.begin([("a", dict({"role": "explorer"}, **(keys or {})))], {"a": [script(*steps)]}, *args)
        self.finish(run, "failed")
        self.assertEqual(self.marked(run), [])
        return run, self.tasks(run)["a"]

    def test_silence_ends_a_stalled_agent(self):
        run, task = self.one(say("I think."), {"stall": True}, settings={"limits.silence": "3 s"})
        self.assertEqual(task["cause"], "silence")
        self.assertIn("silence", [d["cause"] for d in self.data(run, "task.mark", "a")])
        self.assertNotIn("mark", task)

    def test_a_running_tool_is_no_silence(self):
        self.settings({"retry.attempts": 1, "limits.silence": "1 s"})
        run = self.begin([("a", {"role": "explorer"})], {"a": [script({"run": ["sleep", "2.5"]}, say())]})
        self.finish(run)

    def test_the_time_of_a_task(self):
        _, task = self.one({"stall": True}, keys={"timeLimit": "1s"})
        self.assertEqual(task["cause"], "timeout")

    def test_the_time_of_a_run(self):
        run, task = self.one({"stall": True}, args=("--timeout", "1 s"))
        self.assertEqual(task["cause"], "timeout")
        self.assertIn("run", task["message"])

    def test_turns(self):
        _, task = self.one(*[{"spend": {"input": 1, "output": 1}}, say("One.")] * 6, {"stall": True},
                           settings={"limits.turns": 3})
        self.assertEqual(task["cause"], "turn-limit")

    def test_tokens_of_a_task(self):
        _, task = self.one({"spend": {"input": 900, "output": 200}}, {"stall": True},
                           settings={"limits.task_tokens": 1000})
        self.assertEqual(task["cause"], "token-limit")
        self.assertIn("limits.task_tokens", task["message"])

    def test_endless_output_is_cut_at_the_limit(self):
        run, task = self.one({"endless": True}, settings={"limits.capture_size": "1 MiB"})
        self.assertEqual(task["cause"], "output-limit")
        size = os.path.getsize(os.path.join(self.home, "runs", run, "attempts", "a.1.out"))
        self.assertLess(size, 64 << 20)

    def test_a_line_of_70_megabytes_and_100000_brackets_harm_nothing(self):
        self.settings({"retry.attempts": 1, "limits.silence": "30 s"})
        run = self.begin(
            [("long", {"role": "explorer"}), ("deep", {"role": "explorer"})],
            {"long": [script({"long-line": 70 << 20}, say("Done."))],
             "deep": [script({"brackets": 100000}, say("Done."))]},
        )
        self.finish(run)


class PolicyTest(engine_case.EngineCase):
    STEPS = [("bad", {"command": "false"}), ("after", {"command": "true", "dependsOn": "bad"}),
             ("aside", {"command": "sh -c 'sleep 0.3'"}), ("later", {"command": "true", "dependsOn": "aside"})]

    def run_with(self, policy, status="failed"):
        run = self.begin(self.STEPS, None, "--on-failure", policy)
        if status:
            self.finish(run, status)
        return run

    def test_continue_skips_only_what_waited_for_it(self):
        self.assertEqual(
            self.statuses(self.run_with("continue")),
            {"bad": "failed", "after": "skipped", "aside": "completed", "later": "completed"})

    def test_stop_starts_nothing_more(self):
        self.assertEqual(
            self.statuses(self.run_with("stop")),
            {"bad": "failed", "after": "skipped", "aside": "completed", "later": "skipped"})

    def test_stop_now_ends_the_siblings(self):
        steps = [("bad", {"command": "sh -c 'sleep 0.3; exit 1'"}), ("aside", {"command": "sleep 60"})]
        run = self.begin(steps, None, "--on-failure", "stop-now")
        self.finish(run, "failed")
        self.assertEqual(self.tasks(run)["aside"]["cause"], "cancelled")
        self.assertEqual(self.marked(run), [])

    def test_ask_and_skip(self):
        run = self.run_with("ask", None)
        request = self.request(run, "failure")
        self.assertEqual(self.statuses(run)["after"], "queued")
        self.ok("approve", request["id"], "--option", "skip")
        self.finish(run, "failed")
        self.assertEqual(self.statuses(run)["after"], "skipped")

    def test_ask_and_retry(self):
        ready = os.path.join(self.folder, "ready")
        run = self.begin(
            [("bad", {"command": f"test -e {ready}"}), ("after", {"command": "true", "dependsOn": "bad"})],
            None, "--on-failure", "ask")
        request = self.request(run, "failure")
        with open(ready, "w", encoding="utf-8"):
            pass
        self.ok("approve", request["id"], "--option", "retry")
        self.finish(run)


class ChecksTest(engine_case.EngineCase):
    def setUp(self):
        super().setUp()
        self.write("tests/run.sh", "test -e good\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "tests")

    CHECK = {"checks": "sh tests/run.sh"}

    def test_a_check_that_passes_verifies(self):
        run = self.begin([("a", self.CHECK)], {"a": [script(write("good"), say())]})
        shown = self.finish(run)
        task = self.tasks(run)["a"]
        self.assertEqual((task["verified"], task["effect"]), ("verified", "changed"), task)
        self.assertIn("checks passed", str(shown))

    def test_a_check_that_fails_fails_the_task_and_keeps_its_work(self):
        run = self.begin([("a", self.CHECK)], {"a": [script(write("bad"), say())]})
        self.finish(run, "failed")
        task = self.tasks(run)["a"]
        self.assertEqual((task["cause"], task["verified"]), ("checks", "failed"))
        self.assertIn("“sh tests/run.sh” ended with exit code ", task["message"])
        self.assertEqual(self.git("show", f"foredeck/{run}/a:bad"), "bad")

    def compromise(self, **keys):
        cheat = [write("tests/run.sh", "exit 0\n"), say("All green.")]
        run = self.begin(
            [("a", dict(self.CHECK, **keys)), ("b", {"command": "true", "dependsOn": "a"})],
            {"a": [script(write("good"), say("Honest."), prompt="be honest"), script(*cheat)]})
        return run

    def test_whoever_changes_what_decides_the_check_is_never_verified(self):
        run = self.compromise()
        request = self.request(run, "failure")
        task = self.tasks(run)["a"]
        self.assertEqual((task["status"], task["verified"]), ("needs_attention", "compromised"))
        self.assertEqual(self.statuses(run)["b"], "queued")
        self.ok("approve", request["id"], "--option", "accept")
        self.finish(run)
        self.assertNotEqual(self.tasks(run)["a"]["verified"], "verified")
        self.assertIn("task.accepted", self.types(run))

    @unittest.skipUnless(shutil.which("make"), "make is not installed")
    def test_what_make_carries_out_decides_the_check(self):
        """The file that it reads without being told, one that would go before it, and a script behind it."""
        self.write("Makefile", "check:\n\t@sh t.sh\n")
        self.write("t.sh", "test -f good\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "make")
        keys = {"verify": "true", "checks": [["make", "check"]], "retries": 0}
        for path, text in (("t.sh", "true\n"), ("Makefile", "check:\n"), ("GNUmakefile", "check:\n")):
            run = self.begin([("a", keys)], {"a": [script(write(path, text), say())]})
            self.request(run, "failure")
            self.assertEqual(self.tasks(run)["a"]["verified"], "compromised", path)
            self.ok("cancel", run)
        run = self.begin([("a", keys)], {"a": [script(write("good"), say())]})
        self.finish(run)
        self.assertEqual(self.tasks(run)["a"]["verified"], "verified")

    def test_a_compromised_task_can_be_skipped(self):
        run = self.compromise()
        self.ok("approve", self.request(run, "failure")["id"], "--option", "skip")
        self.finish(run, "failed")
        self.assertEqual(self.statuses(run), {"a": "needs_attention", "b": "skipped"})

    def test_a_compromised_task_can_be_tried_again(self):
        run = self.compromise()
        self.ok("approve", self.request(run, "failure")["id"], "--option", "retry")
        second = self.until("a second look", lambda: [
            r for r in self.show(run)["requests"] if r["id"].endswith("-2")])[0]
        self.ok("reject", second["id"])
        self.finish(run, "cancelled")

    def test_a_declared_path_decides_nothing(self):
        run = self.compromise(paths="tests/run.sh")
        self.finish(run)

    def test_a_check_is_stopped_with_the_run(self):
        run = self.begin([("a", {"checks": "sleep 300"})], {"a": [script(write("x"), say())]})
        self.until_phase(run, "a", "checks")
        self.ok("cancel", run)
        self.finish(run, "cancelled")
        self.assertEqual(self.marked(run), [])

    def test_a_reader_that_wrote_fails_naming_the_files(self):
        run = self.begin([("look", {"role": "explorer"})], {"look": [script(write("sneaky"), say())]})
        self.finish(run, "failed")
        task = self.tasks(run)["look"]
        self.assertEqual(task["cause"], "wrote")
        self.assertIn("sneaky", task["message"])
        self.assertEqual(self.git("show", f"foredeck/{run}/look:sneaky"), "sneaky")

    def test_a_reader_that_wrote_into_the_shared_tree_fails_naming_the_files(self):
        run = self.begin(
            [("look", {"role": "explorer"})], {"look": [script(write("sneaky"), say())]}, "--isolation", "none")
        self.finish(run, "failed")
        task = self.tasks(run)["look"]
        self.assertEqual((task["cause"], task["effect"]), ("wrote", "changed"))
        self.assertIn("sneaky", task["message"])
        self.assertEqual(self.file("sneaky"), "sneaky\n")

    def test_in_a_shared_tree_only_who_ran_alone_is_held_to_a_change(self):
        self.env["FOREDECK_DEMO_SPEED"] = "1"
        run = self.begin(
            [("look", {"role": "explorer"}), ("change", {})],
            {"look": [script({"sleep": 600}, say())], "change": [script({"sleep": 300}, write("x"), say())]},
            "--isolation", "none")
        self.finish(run)
        self.assertNotEqual(self.tasks(run)["look"].get("effect"), "changed")
        run = self.begin([("change", {})], {"change": [script(write("y"), say())]}, "--isolation", "none")
        self.finish(run)
        self.assertEqual(self.tasks(run)["change"]["effect"], "changed")

    def test_a_run_that_changed_nothing_says_so(self):
        run = self.begin([("a", {})], {"a": [script(say("Nothing to do."))]})
        shown = self.finish(run)
        self.assertEqual(self.tasks(run)["a"]["effect"], "none")
        self.assertIn("without changing anything", str(shown))


if __name__ == "__main__":
    engine_case.main()
