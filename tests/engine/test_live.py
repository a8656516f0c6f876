# SPDX-License-Identifier: GPL-3.0-or-later
"""Live sessions: they outlive their runner, are told everything once, and hold no place while they wait."""

import json
import os
import signal
import time

import engine_case
from engine_case import say, script, write


class LiveTest(engine_case.EngineCase):
    """A session whose runner dies is spoken with on by the next one."""

    OPTIONS = [{"id": "yes", "name": "Allow", "kind": "allow_once"}, {"id": "no", "name": "Reject", "kind": "reject_once"}]

    def ask(self, title="May I?", then=None):
        return {"ask": {"title": title, "options": self.OPTIONS, "then": {"yes": then or [write("allowed")]}}}

    def begin_live(self, *steps, speed="1"):
        self.env["FOREDECK_DEMO_SPEED"] = speed
        run = self.begin([("a", {"live": "true"})], {"a": [script(*steps)]})
        self.until("its start", lambda: self.marked(run, "a"))
        return run

    def kill_runner_of(self, run):
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)

    def sent(self, run, attempt=1):
        """Lines that the session was told, after its prompt."""
        text = self.file(f"a.{attempt}.in", os.path.join(self.home, "runs", run, "attempts"))
        return [json.loads(line) for line in text[text.index('{"jsonrpc"'):].splitlines()]

    def check_said_once(self, run, prompts=1, answers=0):
        sent = self.sent(run)
        methods = [line.get("method") for line in sent]
        self.assertEqual(methods.count("initialize"), 1, methods)
        self.assertEqual(methods.count("session/new"), 1, methods)
        self.assertEqual(methods.count("session/prompt"), prompts, methods)
        self.assertEqual(methods.count(None), answers, sent)
        ids = [line["id"] for line in sent if "method" in line]
        self.assertEqual(len(ids), len(set(ids)))

    def attempts(self, run):
        return [(attempt["n"], attempt.get("cause")) for attempt in self.tasks(run)["a"]["attempts"]]

    def test_it_goes_on_while_nobody_listens(self):
        run = self.begin_live(say("First."), {"sleep": 700}, write("x"), say("Last."))
        self.until("its session", lambda: self.query(run, "SELECT session FROM attempts")[0][0])
        self.kill_runner_of(run)
        self.ok("resume", run)
        self.finish(run)
        self.assertEqual(self.attempts(run), [(1, None)])
        self.assertIn("attempt.adopted", self.types(run))
        self.assertEqual(self.result(run, "x"), "x")
        self.check_said_once(run)

    def test_it_ended_its_turn_while_nobody_listened(self):
        run = self.begin_live({"sleep": 400}, write("x"), say("Last."))
        self.until("its session", lambda: self.query(run, "SELECT session FROM attempts")[0][0])
        self.kill_runner_of(run)
        capture = os.path.join(self.home, "runs", run, "attempts", "a.1.out")
        self.until("the end of its turn", lambda: "end_turn" in self.file(capture))
        self.assertTrue(self.marked(run, "a"))
        self.ok("resume", run)
        self.finish(run)
        self.assertEqual(self.attempts(run), [(1, None)])
        self.assertEqual(self.query(run, "SELECT result FROM tasks")[0][0], "Last.")
        self.check_said_once(run)

    def test_what_it_asked_before_is_answered_after(self):
        run = self.begin_live(self.ask(), say("Asked."))
        request = self.request(run, "permission")
        self.kill_runner_of(run)
        self.ok("answer", request["id"], "yes")
        self.finish(run)
        self.assertEqual(self.attempts(run), [(1, None)])
        self.assertEqual(self.result(run, "allowed"), "allowed")
        self.check_said_once(run, answers=1)
        self.assertEqual(len(self.query(run, "SELECT id FROM requests")), 1)

    def test_what_it_asks_while_nobody_listens_is_asked_by_the_next_runner(self):
        run = self.begin_live({"sleep": 500}, self.ask(), say("Asked."))
        self.until("its session", lambda: self.query(run, "SELECT session FROM attempts")[0][0])
        self.kill_runner_of(run)
        capture = os.path.join(self.home, "runs", run, "attempts", "a.1.out")
        self.until("the question", lambda: "request_permission" in self.file(capture))
        self.ok("resume", run)
        self.ok("answer", self.request(run, "permission")["id"], "yes")
        self.finish(run)
        self.assertEqual(self.attempts(run), [(1, None)])
        self.assertEqual(self.result(run, "allowed"), "allowed")
        self.check_said_once(run, answers=1)

    def test_an_answer_that_was_given_is_given_once(self):
        run = self.begin_live(self.ask(), {"sleep": 600}, self.ask("And now?", [write("again")]), say("Asked."))
        self.ok("answer", self.request(run, "permission")["id"], "yes")
        self.until("the answer is there", lambda: any("result" in line for line in self.sent(run)))
        self.kill_runner_of(run)
        self.ok("resume", run)
        self.ok("answer", self.request(run, "permission")["id"], "yes")
        self.finish(run)
        self.assertEqual(self.attempts(run), [(1, None)])
        self.assertEqual((self.result(run, "allowed"), self.result(run, "again")), ("allowed", "again"))
        self.check_said_once(run, answers=2)

    def test_what_a_person_said_is_said_once(self):
        run = self.begin_live({"sleep": 900}, say("First turn."))
        self.until("its session", lambda: self.query(run, "SELECT session FROM attempts")[0][0])
        self.ok("steer", run, "a", "Mind the gap.")
        self.kill_runner_of(run)
        self.ok("resume", run)
        self.finish(run)
        self.assertEqual(self.attempts(run), [(1, None)])
        self.check_said_once(run, prompts=2)
        self.assertIn("Understood: Mind the gap.", self.query(run, "SELECT result FROM tasks")[0][0])

    def test_nobody_waits_for_it_while_it_waits_for_a_person(self):
        """Its place is others', its status says that it waits, and it gets a place again when one is free."""
        self.settings({"limits.machine_agents": 1})
        self.env["FOREDECK_DEMO_SPEED"] = "1"
        hold = {"run": ["sh", "-c", f"while [ ! -e {self.folder}/go ]; do sleep 0.02; done"]}
        run = self.begin([("a", {"live": "true"}), ("b", {"dependsOn": ""})],
                         {"a": [script(self.ask(), say("Asked."))], "b": [script(hold, say())]})
        request = self.request(run, "permission")
        self.until_task(run, "a", "waiting")
        self.until_task(run, "b", "running")
        self.assertEqual(self.show(run)["status"], "running")
        self.ok("answer", request["id"], "yes")
        self.until_phase(run, "a", "slot")
        self.assertEqual(self.statuses(run)["a"], "waiting")
        self.write_file("go")
        self.finish(run)
        self.assertEqual(self.result(run, "allowed"), "allowed")
        self.assertEqual(self.attempts(run), [(1, None)])
        self.check_said_once(run, answers=1)

    def write_file(self, name):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8"):
            pass

    def test_a_run_that_only_waits_is_blocked(self):
        run = self.begin_live(self.ask(), say("Asked."))
        request = self.open_request(run)
        self.assertEqual(self.statuses(run)["a"], "waiting")
        self.fails(3, "wait", run)
        self.ok("answer", request["id"], "yes")
        self.finish(run)
        moves = [(d["from"], d["to"]) for d in self.data(run, "task.status", "a")]
        self.assertEqual(moves, [("queued", "running"), ("running", "waiting"), ("waiting", "running"),
                                 ("running", "completed")])

    def test_a_wait_takes_no_time_and_is_no_silence(self):
        self.settings({"limits.task_time": "2s", "limits.silence": "1s", "limits.run_time": "2s"})
        run = self.begin_live(self.ask(), say("Asked."))
        request = self.open_request(run)
        end = time.monotonic() + 3.5
        self.until("time to pass", lambda: time.monotonic() > end)
        self.ok("answer", request["id"], "yes")
        self.finish(run)
        self.assertEqual(self.attempts(run), [(1, None)])

    def test_without_an_owner_it_ends_after_the_grace_and_is_begun_again(self):
        self.settings({"resume.orphan_grace": "500ms"})
        run = self.begin_live(self.ask(), say("Asked."))
        self.open_request(run)
        self.kill_runner_of(run)
        self.until("the guard ends it", lambda: not self.marked(run, "a"))
        self.ok("resume", run)
        self.until("the second attempt", lambda: len(self.attempts(run)) == 2)
        self.ok("answer", self.request(run, "permission")["id"], "yes")
        self.finish(run)
        self.assertEqual(self.attempts(run), [(1, "interrupted"), (2, None)])
        self.assertEqual([row[0] for row in self.query(run, "SELECT state FROM requests ORDER BY created")],
                         ["withdrawn", "answered"])

    def test_cancelled_while_nobody_owned_it(self):
        """Stubborn ones too, within ten seconds, although no runner can be started any more."""
        run = self.begin_live({"stubborn": True})
        self.until("its session", lambda: self.query(run, "SELECT session FROM attempts")[0][0])
        self.kill_runner_of(run)
        began = time.monotonic()
        self.ctl("cancel", run, env=dict(self.env, FOREDECK_LIBEXEC=self.folder))
        self.until("nobody left", lambda: not self.marked(run), 15)
        self.assertLess(time.monotonic() - began, 10)
        self.ok("show", run)
        self.ctl("cancel", run)
        self.finish(run, "cancelled")

    def test_cancelled_while_it_is_stubborn(self):
        run = self.begin_live({"stubborn": True})
        self.until("its session", lambda: self.query(run, "SELECT session FROM attempts")[0][0])
        began = time.monotonic()
        self.ok("cancel", run)
        self.until("nobody left", lambda: not self.marked(run), 15)
        self.assertLess(time.monotonic() - began, 10)
        self.finish(run, "cancelled")

    def test_killed_again_and_again(self):
        """A conversation of many questions, and a runner that dies at any moment of it."""
        n = 12
        steps = [step for i in range(n) for step in (self.ask(f"{i}?", [write(f"f{i}")]), {"sleep": 20})]
        run = self.begin_live(*steps, say("Done."))
        for i in range(n):
            def answered(i=i):
                requests = self.show(run)["requests"]
                if not requests and self.runner_pid(run) is None:
                    self.ctl("resume", run)
                return requests and requests[0]["title"] == f"{i}?" and requests[0]
            request = self.until(f"question {i}", answered)
            if i % 3 == 0:
                self.kill_runner_of(run)
            self.ok("answer", request["id"], "yes")
            pid = self.runner_pid(run)
            if i % 3 == 1 and pid:
                os.kill(pid, signal.SIGKILL)
        if self.show(run)["status"] not in engine_case.FINISHED:
            self.ctl("resume", run)
        self.finish(run)
        self.assertEqual(self.attempts(run), [(1, None)])
        for i in range(n):
            self.assertEqual(self.result(run, f"f{i}"), f"f{i}")
        self.check_said_once(run, answers=n)


if __name__ == "__main__":
    engine_case.main()
