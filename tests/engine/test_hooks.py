# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of the person that are called at events of runs: told in order, asked before a start."""

import json
import os
import shlex
import sys
import unittest

import engine_case
from engine_case import say, script

# Writes what it is told to a file, a line each; ends as the file "verdict" beside it says.
HOOK = """import json, os, sys, time
place = sys.argv[1]
told = json.load(sys.stdin)
told["env"] = {name: os.environ.get(name) for name in ("FOREDECK_EVENT", "FOREDECK_RUN", "A_SECRET")}
told["cwd"] = os.getcwd()
with open(os.path.join(place, "told"), "a", encoding="utf-8") as file:
    file.write(json.dumps(told) + "\\n")
verdict = os.path.join(place, "verdict")
if os.path.exists(verdict):
    with open(verdict, encoding="utf-8") as file:
        print("not on a Friday")
        sys.exit(int(file.read()))
"""


class HooksCase(engine_case.EngineCase):
    def setUp(self):
        super().setUp()
        self.hook = os.path.join(self.folder, "hook.py")
        with open(self.hook, "w", encoding="utf-8") as file:
            file.write(HOOK)

    def command(self):
        return [sys.executable, self.hook, self.folder]

    def set_hooks(self, *hooks):
        self.settings({"hooks": list(hooks)})

    def verdict(self, code):
        with open(os.path.join(self.folder, "verdict"), "w", encoding="utf-8") as file:
            file.write(str(code))

    def told(self):
        try:
            with open(os.path.join(self.folder, "told"), encoding="utf-8") as file:
                return [json.loads(line) for line in file]
        except FileNotFoundError:
            return []


class ToldTest(HooksCase):
    def test_they_hear_in_order_and_know_what_of(self):
        self.env["A_SECRET"] = "not for hooks"
        self.set_hooks({"name": "diary", "on": ["run.started", "task.started", "task.finished", "run.finished"],
                        "command": self.command()})
        run = self.begin([("a", {}), ("b", {"dependsOn": "a"})], {"a": [script(say())], "b": [script(say())]})
        self.finish(run)
        told = self.told()
        self.assertEqual([(t["event"], t.get("task", {}).get("key")) for t in told], [
            ("run.started", None), ("task.started", "a"), ("task.finished", "a"),
            ("task.started", "b"), ("task.finished", "b"), ("run.finished", None)])
        self.assertEqual(told[-1]["run"]["status"], "completed")
        self.assertEqual(told[-1]["run"]["goal"], "A goal")
        self.assertEqual(told[2]["task"]["status"], "completed")
        self.assertEqual(told[2]["data"]["to"], "completed")
        self.assertEqual(told[0]["env"], {"FOREDECK_EVENT": "run.started", "FOREDECK_RUN": run, "A_SECRET": None})
        self.assertEqual(os.path.realpath(told[0]["cwd"]), os.path.realpath(self.project))
        ran = self.data(run, "hook.ran")
        self.assertEqual([r["on"] for r in ran], [t["event"] for t in told])
        self.assertEqual({(r["name"], r["exit"]) for r in ran}, {("diary", 0)})

    def test_one_that_fails_or_is_not_there_harms_nothing(self):
        self.verdict(3)
        self.set_hooks({"on": "task.finished", "command": self.command()},
                       {"name": "gone", "on": "task.finished", "command": "/nowhere/at-all"})
        run = self.begin([("a", {})], {"a": [script(say())]})
        self.finish(run)
        ran = self.data(run, "hook.ran")
        self.assertEqual([r["exit"] for r in ran], [3, -1])
        self.assertIn("Friday", ran[0]["output"])
        self.assertIn("nowhere", ran[1]["output"])

    def test_one_that_does_not_end_is_ended_with_all_it_started(self):
        mark = os.path.join(self.folder, "grandchild")
        self.set_hooks({"on": "run.started", "timeout": "300 ms",
                        "command": ["sh", "-c", f"sleep 600 & echo $! > {mark}; wait"]})
        run = self.begin([("a", {})], {"a": [script(say())]})
        self.finish(run)
        self.assertEqual([r["exit"] for r in self.data(run, "hook.ran")], [-1])
        with open(mark, encoding="utf-8") as file:
            pid = int(file.read())
        self.until("the end of its child", lambda: not os.path.exists(f"/proc/{pid}"))

    def test_they_hear_of_a_plan_a_request_and_a_merge(self):
        self.set_hooks({"on": ["plan.proposed", "plan.approved", "request.opened", "request.answered", "run.merged",
                               "run.blocked"], "command": self.command()})
        run = self.ok("demo", "--json", "--approve", "auto", timeout=300).json["run"]
        self.until("the runner's end", lambda: self.runner_pid(run) is None)
        events = [t["event"] for t in self.told()]
        self.assertLess(events.index("plan.proposed"), events.index("plan.approved"), events)
        self.assertIn("run.merged", events)


class AskedTest(HooksCase):
    def test_a_task_starts_only_if_they_let_it(self):
        self.verdict(9)
        self.set_hooks({"name": "calendar", "on": "task.starting", "blocking": True, "command": self.command()})
        run = self.begin([("a", {})], {"a": [script(say())]})
        shown = self.finish(run, "failed")
        self.assertEqual(len(self.told()), 1)
        blocked = self.data(run, "hook.blocked")
        self.assertEqual([(b["name"], b["exit"]) for b in blocked], [("calendar", 9)])
        message = self.tasks(run)["a"]["message"]
        self.assertIn("calendar", message)
        self.assertIn("not on a Friday", message)
        self.assertEqual(shown["status"], "failed")

        self.verdict(0)
        self.ok("retry", run)
        self.finish(run)
        self.assertEqual(len(self.told()), 2)
        self.assertEqual(self.told()[1]["task"]["tree"], self.told()[1]["cwd"])

    def test_what_it_printed_is_cut_between_letters(self):
        self.set_hooks({"name": "calendar", "on": "task.starting", "blocking": True,
                        "command": [sys.executable, "-c", "print('x' + 'é' * 400); raise SystemExit(1)"]})
        run = self.begin([("a", {})], {"a": [script(say())]})
        self.finish(run, "failed")
        message, = self.query(run, "SELECT CAST(message AS BLOB) FROM tasks")[0]
        self.assertIn("xéé", message.decode("utf-8"))

    def test_cancelling_while_they_think_starts_nothing(self):
        gate = os.path.join(self.folder, "gate")
        os.mkfifo(gate)
        self.set_hooks({"on": "task.starting", "blocking": True, "timeout": "60 s", "command": ["cat", gate]})
        run = self.begin([("a", {})], {"a": [script(say())]})
        with open(gate, "w", encoding="utf-8"):
            self.ok("cancel", run)
        self.finish(run, "cancelled")
        self.assertEqual(self.data(run, "attempt.started"), [])


class SettingTest(HooksCase):
    def test_what_is_wrong_is_said(self):
        for hook, words in (
            ({"on": "task.finished"}, "command"),
            ({"command": "true"}, "on"),
            ({"on": "task.finnished", "command": "true"}, "task.finished"),
            ({"on": "task.finished", "command": "true", "when": 1}, "when"),
            ({"on": "task.finished", "command": "true", "blocking": True}, "task.starting"),
            ({"on": "task.starting", "command": "true"}, "blocking"),
            ({"on": ["task.starting", "task.finished"], "command": "true", "blocking": True}, "nothing else"),
            ({"on": "task.finished", "command": "true", "timeout": "2 h"}, "hour"),
            ({"on": "task.finished", "command": "true", "timeout": 0}, "hour"),
            ({"on": "task.finished", "command": []}, "command"),
            ({"on": "task.finished", "command": "true", "blocking": "yes"}, "true or false"),
            ("true", "object"),
        ):
            with self.subTest(hook=hook):
                answer = self.ctl("config", "set", "hooks", json.dumps([hook]))
                self.assertNotEqual(answer.code, 0, answer)
                self.assertIn(words, answer.err)
        self.assertNotEqual(self.ctl("config", "set", "hooks", "{}").code, 0)
        self.ok("config", "set", "hooks", json.dumps([{"on": "run.finished", "command": "true"}]))

    def test_a_project_adds_its_own_once_it_is_trusted(self):
        self.set_hooks({"name": "mine", "on": "run.finished", "command": self.command()})
        os.makedirs(os.path.join(self.project, ".foredeck"), exist_ok=True)
        with open(os.path.join(self.project, ".foredeck", "config.json"), "w", encoding="utf-8") as file:
            json.dump({"hooks": [{"name": "theirs", "on": "run.finished", "command": self.command()}]}, file)
        run = self.begin([("a", {})], {"a": [script(say())]})
        self.finish(run)
        self.assertEqual([r["name"] for r in self.data(run, "hook.ran")], ["mine"])
        self.ok("trust", self.project)
        run = self.begin([("a", {})], {"a": [script(say())]})
        self.finish(run)
        self.assertEqual([r["name"] for r in self.data(run, "hook.ran")], ["mine", "theirs"])


class DeadRunnerTest(HooksCase):
    def test_what_was_told_is_not_told_again(self):
        gate = os.path.join(self.folder, "gate")
        os.mkfifo(gate)
        self.set_hooks({"on": ["task.finished", "run.finished"], "command": self.command()})
        run = self.begin([("a", {}), ("b", {"dependsOn": "a", "cli": "command", "command": f"cat {gate}"})],
                         {"a": [script(say())]})
        self.until("the first", lambda: self.data(run, "hook.ran"))
        self.kill(self.runner_pid(run))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)
        self.ok("resume", run)
        with open(gate, "w", encoding="utf-8"):
            pass
        self.finish(run)
        self.assertEqual([(t["event"], t.get("task", {}).get("key")) for t in self.told()],
                         [("task.finished", "a"), ("task.finished", "b"), ("run.finished", None)])

    def test_what_was_not_told_yet_is_told_by_the_next_runner(self):
        hold, end = (os.path.join(self.folder, name) for name in ("hold", "end"))
        os.mkfifo(hold)
        os.mkfifo(end)
        # the first to be told hangs until somebody reads what it says
        hang = f"cat > {self.folder}/input; " + shlex.join(self.command()) + f" < {self.folder}/input; echo > {hold}"
        self.set_hooks({"name": "slow", "on": "task.finished", "timeout": "1 h", "command": ["sh", "-c", hang]},
                       {"name": "quick", "on": ["run.started", "task.finished", "run.finished"], "command": "true"})
        run = self.begin([("a", {}), ("b", {"dependsOn": "a"}),
                          ("c", {"dependsOn": "b", "cli": "command", "command": f"cat {end}"})],
                         {"a": [script(say())], "b": [script(say())]})
        self.until("what is to be told", lambda: self.tasks(run)["c"]["status"] == "running" and self.told())
        self.kill(self.runner_pid(run))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)
        self.set_hooks({"name": "slow", "on": "task.finished", "command": self.command()},
                       {"name": "quick", "on": ["run.started", "task.finished", "run.finished"], "command": "true"})
        self.ok("resume", run)
        with open(end, "w", encoding="utf-8"), open(hold, encoding="utf-8"):
            pass
        self.finish(run)
        self.assertEqual([t["task"]["key"] for t in self.told()], ["a", "b", "c"])
        called = [(c["name"], c["on"], self.event(run, c["event"])) for c in self.data(run, "hook.called")]
        self.assertEqual(called, [("quick", "run.started", None)]
                         + [(name, "task.finished", task) for task in "abc" for name in ("slow", "quick")]
                         + [("quick", "run.finished", None)])

    def event(self, run, seq):
        return self.query(run, f"SELECT task FROM events WHERE seq = {seq}")[0][0]

    def test_what_an_ended_runner_told_is_not_told_by_the_next(self):
        self.set_hooks({"on": "run.finished", "command": self.command()})
        good = os.path.join(self.folder, "good")
        run = self.begin([("a", {"cli": "command", "command": f"test -e {good}"})])
        self.finish(run, "failed")
        self.until("the runner's end", lambda: self.runner_pid(run) is None)
        with open(good, "w", encoding="utf-8"):
            pass
        self.ok("retry", run)
        self.finish(run)
        self.assertEqual([t["data"]["to"] for t in self.told()], ["failed", "completed"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
