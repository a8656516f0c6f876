# SPDX-License-Identifier: GPL-3.0-or-later
"""A task runs the same way in a run whatever its CLI is, and whether it is a live session or not."""

import json

import fake_case

CLIS = ("pi", "claude", "codex", "gemini", "opencode")


class ParityTest(fake_case.FakeCase):
    """Each test compares what every adapter leaves, once and live, with what the first one left."""

    def start_all(self, word, steps=1, **keys):
        """(what it is, its run): the same run of every adapter, once and live."""
        for cli in CLIS:
            for live in ("false", "true"):
                names = "abc"[:steps]
                all_steps = [(n, dict({"live": live, "task": f"Do it. [{word}]", "dependsOn": ""}, **keys)) for n in names]
                yield f"{cli} live={live}", self.begin(all_steps, None, "--cli", cli)

    def sequence(self, run):
        """Types and what matters of their data, without what only a conversation has."""
        rows = self.query(run, "SELECT type, task, data FROM events ORDER BY seq")
        return [(kind, task, self.matters(json.loads(data) if data else {}))
                for kind, task, data in rows if not kind.startswith(("session.", "tree."))
                and kind not in ("run.figures", "budget.warning")]

    @staticmethod
    def matters(data):
        return {name: data[name] for name in ("from", "to", "phase", "cause", "effect") if name in data}

    def left(self, run, status):
        rows = self.query(run, "SELECT cause FROM attempts ORDER BY n")
        left = {"events": self.sequence(run), "attempts": rows}
        if status == "completed":
            left["result"] = (self.query(run, "SELECT result FROM tasks")[0][0] or "").strip()
        return left

    def compare(self, runs, status):
        first = None
        for name, run in runs:
            with self.subTest(name):
                self.finish(run, status)
                left = self.left(run, status)
                self.assertEqual(self.marked(run), [])
                first = first or left
                self.assertEqual(left, first)
        return first

    def test_an_answer(self):
        left = self.compare(self.start_all("answer"), "completed")
        self.assertEqual(left["result"], "Hello.")

    def test_tools(self):
        left = self.compare(self.start_all("tools"), "completed")
        self.assertEqual(left["result"], "Done.")

    def test_a_wrong_key(self):
        left = self.compare(self.start_all("fail"), "failed")
        self.assertEqual(left["attempts"], [("auth",)])

    def test_a_task_that_takes_too_long(self):
        self.settings({"retry.attempts": 1})
        left = self.compare(self.start_all("hang", timeout="1s"), "failed")
        self.assertEqual(left["attempts"], [("timeout",)])

    def test_one_that_said_its_result_and_stays(self):
        """What it said counts, and neither it nor its child is left."""
        keys = {"live": "false", "task": "Do it. [stays]"}
        runs = [(cli, self.begin([("a", keys)], None, "--cli", cli)) for cli in ("claude", "pi", "codex", "gemini")]
        for cli, run in runs:
            with self.subTest(cli):
                self.finish(run, "completed")
                self.assertEqual(self.marked(run), [])
                self.assertEqual(self.query(run, "SELECT result FROM tasks")[0][0].strip(), "I stay.")
                self.assertEqual(self.query(run, "SELECT cause FROM attempts"), [("none",)])

    def cancelled(self):
        for name, run in self.start_all("hang"):
            self.until("it is at work", lambda: self.marked(run, "a"))
            self.until_phase(run, "a", "agent")
            self.ok("cancel", run)
            yield name, run

    def test_a_cancel(self):
        left = self.compare(self.cancelled(), "cancelled")
        self.assertEqual(left["attempts"], [("cancelled",)])

    def test_two_tasks_with_one_place(self):
        """No agent is at work while another one is."""
        self.settings({"limits.machine_agents": 1})
        for name, run in self.start_all("alone", steps=3):
            with self.subTest(name):
                self.finish(run)
                self.assertEqual(self.query(run, "SELECT DISTINCT result FROM tasks"), [("I was alone.",)])
                self.assertEqual(self.query(run, "SELECT count(*) FROM attempts"), [(3,)])

    def test_a_limit_of_tokens(self):
        left = self.compare(self.start_all("tools", maxTokens=50), "failed")
        self.assertEqual(left["attempts"], [("token-limit",)])


if __name__ == "__main__":
    fake_case.engine_case.main()
