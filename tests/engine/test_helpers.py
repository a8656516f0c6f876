# SPDX-License-Identifier: GPL-3.0-or-later
"""Helpers: tasks that an agent asks for from inside its own task."""

import json
import os
import unittest

import engine_case

from engine_case import say, script, write
from test_calls import CallsCase
from test_sandbox import sandboxes_work


class HelpersTest(CallsCase):
    sandbox = "auto"

    def delegate(self, words, before="", after=""):
        return {"command": self.script_file(f"{before}\n$FOREDECK_CTL delegate {words}\n{after}")}

    def helpers(self, run):
        return [task for key, task in self.tasks(run).items() if key.startswith("helper-")]

    def test_what_a_helper_found_comes_back(self):
        run = self.begin([("a", self.delegate("--role explorer Where is it read?"))],
                         {"helper-1": [script(say("In main.c."))]}, "--jobs", "1")
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "In main.c.")
        helper, = self.helpers(run)
        self.assertEqual((helper["role"], helper["title"], helper["status"]),
                         ("explorer", "Where is it read?", "completed"))
        self.assertEqual(len(helper["attempts"]), 1)
        self.assertEqual(self.query(run, "SELECT count(*) FROM requests"), [(0,)])

    def test_its_failure_is_told_and_harms_nobody_else(self):
        run = self.begin([("a", self.delegate("Do it.", after="echo left with $?")), ("b", {"command": "true"})],
                         {"helper-1": [script({"fail": {"message": "no way", "kind": "auth"}})]}, "--on-failure", "stop")
        self.finish(run)
        self.assertEqual(self.statuses(run), {"a": "completed", "b": "completed", "helper-1": "failed"})
        self.assertEqual(self.result_of(run).strip(), "left with 5")

    def test_what_builds_on_the_task_has_its_helpers_work(self):
        run = self.begin([("a", self.delegate("Write it.", after="echo mine > mine.txt")),
                          ("b", {"command": "cat mine.txt helper.txt", "dependsOn": "a"})],
                         {"helper-1": [script(write("helper.txt", "its\n"), say("Wrote it."))]})
        self.finish(run)
        self.assertEqual(self.result_of(run, "b").split(), ["mine", "its"])
        self.assertIn("- helper.txt", self.result_of(run))
        self.assertEqual(self.result(run, "helper.txt"), "its")

    def test_who_may_only_read_gets_nobody_who_writes(self):
        run = self.begin([("a", dict(self.delegate("--role executor Write it."), role="explorer"))],
                         {"helper-1": [script(say("I looked."))]})
        self.finish(run)
        self.assertEqual(self.query(run, "SELECT key, writes FROM tasks ORDER BY key"), [("a", 0), ("helper-1", 0)])

    def test_a_role_that_the_team_has_not(self):
        run = self.begin([("a", self.delegate("--role wizard Do it. 2>&1", after="echo left with $?"))])
        self.finish(run)
        self.assertIn("no role “wizard”", self.result_of(run))
        self.assertIn("explorer", self.result_of(run))
        self.assertIn("left with 5", self.result_of(run))
        self.assertEqual(self.helpers(run), [])

    def test_there_is_an_end_to_helpers(self):
        self.settings({"limits.helpers": 1})
        again = "$FOREDECK_CTL delegate --role explorer Second. 2>&1; echo left with $?"
        run = self.begin([("a", self.delegate("--role explorer First.", after=again))])
        self.finish(run)
        self.assertIn("limits.helpers", self.result_of(run))
        self.assertIn("left with 5", self.result_of(run))
        self.assertEqual(len(self.helpers(run)), 1)

    def test_there_is_an_end_to_depth(self):
        self.settings({"limits.depth": 0})
        run = self.begin([("a", self.delegate("--role explorer First. 2>&1"))])
        self.finish(run, "failed")
        self.assertIn("limits.depth", self.file("a.1.out", os.path.join(self.home, "runs", run, "attempts")))
        self.assertEqual(self.helpers(run), [])

    def test_its_answer_arrives_though_the_runner_died(self):
        self.env["FOREDECK_SANDBOX"] = "off"
        gate = os.path.join(self.project, "gate")
        before = f"while [ ! -e {gate} ]; do sleep 0.05; done"
        run = self.begin([("a", self.delegate("--role explorer Look.", before))], {"helper-1": [script(say("Late."))]})
        self.until("its start", lambda: self.marked(run, "a"))
        self.ok("pause", run)
        self.until("a pause", lambda: self.show(run)["status"] == "paused")
        self.write("gate", "")
        self.until("a helper", lambda: self.helpers(run))
        self.until_task(run, "a", "waiting")
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)
        self.ok("continue", run)
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "Late.")
        self.assertEqual([len(task["attempts"]) for task in self.tasks(run).values()], [1, 1])

    def test_its_answer_reaches_the_next_attempt_of_one_that_died(self):
        before = "[ $FOREDECK_ATTEMPT != 1 ] || { $FOREDECK_CTL delegate --timeout 500ms --role explorer Look.; exit 7; }"
        step = dict(self.delegate("--role explorer Look.", before), retries="2")
        run = self.begin([("a", step)], {"helper-1": [script(say("Late."))]})
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "Late.")
        tasks = self.tasks(run)
        self.assertEqual({key: len(task["attempts"]) for key, task in tasks.items()}, {"a": 2, "helper-1": 1})

    def test_nobody_needs_the_helper_of_a_cancelled_task(self):
        run = self.begin([("a", self.delegate("--role explorer Look.")), ("b", {"command": "true"})],
                         {"helper-1": [script({"stall": True})]})
        self.until("the helper", lambda: any(helper["attempts"] for helper in self.helpers(run)))
        self.ok("cancel", run, "a")
        self.until_task(run, "helper-1", "cancelled")
        self.finish(run)

    def test_a_tool_asks_for_one(self):
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "delegate", "arguments": {"task": "Look.", "role": "explorer"}}}
        agent = self.script_file(f"(echo '{json.dumps(call)}'; while ! grep -q '\"id\":1' said; do sleep 0.05; done)"
                                 " | $FOREDECK_CTL mcp > said; cat said; rm said")
        run = self.begin([("a", {"command": agent})], {"helper-1": [script(say("Seen."))]})
        self.finish(run)
        self.assertEqual(json.loads(self.result_of(run))["result"],
                         {"content": [{"type": "text", "text": "Seen."}], "isError": False})


if not sandboxes_work():
    HelpersTest.sandbox = "off"


if __name__ == "__main__":
    engine_case.main()
