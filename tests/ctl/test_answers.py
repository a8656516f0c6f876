# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers to a plan: approve, twice, stale, nothing pending, reject, changes; runner alive and dead."""

import contextlib
import json
import os
import shlex
import sqlite3

import ctl_case

PLAN = {
    "title": "A plan",
    "summary": "Two things.",
    "items": [
        {"id": "one", "title": "One", "role": "executor", "task": "Write one.", "dependsOn": [], "paths": ["one"]},
        {
            "id": "two",
            "title": "Two",
            "role": "executor",
            "task": "Write two.",
            "dependsOn": ["one"],
            "paths": ["two"],
            "checks": [["test", "-f", "two"]],
        },
    ],
}

SECOND = {
    "title": "A better plan",
    "summary": "Three things.",
    "items": PLAN["items"] + [
        {"id": "three", "title": "Three", "role": "executor", "task": "Write three.", "dependsOn": [], "paths": ["three"]}
    ],
}


def writes(name):
    return [{"steps": [{"write": {"path": name, "text": name + "\n"}}, {"say": f"Wrote {name}."}]}]


class AnswersTest(ctl_case.CtlCase):
    runner_dead = False

    def setUp(self):
        super().setUp()
        self.make_project()
        self.scenario = self.make_scenario(
            {
                "plan": [
                    {"when": {"prompt": "\n# Feedback\n"}, "steps": [{"plan": SECOND}]},
                    {"steps": [{"plan": PLAN}]},
                ],
                "one": writes("one"),
                "two": writes("two"),
                "three": writes("three"),
            }
        )

    def begin(self):
        run = self.start("--workflow", "implementation", "--cli", "demo", "--scenario", self.scenario, "A goal")
        request = self.open_request(run)
        self.assertEqual(request["kind"], "plan")
        self.settle(run)
        return run, request

    def settle(self, run):
        if self.runner_dead:
            self.kill_runner(run)

    def finish(self, run, status="completed"):
        self.ctl("wait", run, "--timeout", "60 s")
        shown = self.show(run)
        self.assertEqual(shown["status"], status, json.dumps(shown, indent=1) + str(self.events(run)[-12:]))
        return shown

    def test_approve(self):
        run, request = self.begin()
        answered = self.ok("approve", request["id"], "--json").json
        self.assertEqual(answered["state"], "answered")
        self.assertEqual(answered["answer"]["by"], "foredeckctl")
        self.finish(run)
        tasks = self.tasks(run)
        self.assertLessEqual({"one", "two"}, set(tasks))
        self.assertEqual({task["status"] for task in tasks.values()}, {"completed"})
        types = [event["type"] for event in self.events(run)]
        for name in ("plan.proposed", "plan.approved", "adaptive.plan_injected", "request.answered"):
            self.assertIn(name, types)
        self.assertEqual(self.ok("plan", run, "--json").json["approved"], True)

    def test_approve_by_the_run_id(self):
        run, _ = self.begin()
        self.ok("approve", run)
        self.finish(run)

    def test_approve_by_the_run_id_where_the_index_is_behind(self):
        run, request = self.begin()
        with contextlib.closing(sqlite3.connect(os.path.join(self.home, "foredeck.db"))) as index:
            index.execute("DELETE FROM requests")
            index.commit()
        self.ok("approve", run)
        self.finish(run)

    def commands(self, text):
        """The commands that a listing offers, as a shell would take them apart."""
        return [shlex.split(line.split("foredeckctl ", 1)[1]) for line in text.splitlines() if ": foredeckctl " in line]

    def test_a_terminal_is_shown_what_is_asked_and_how_to_answer(self):
        run, request = self.begin()
        for verb in (("requests",), ("requests", run), ("show", run)):
            text = self.ok(*verb).out
            self.assertIn(request["title"], text)
            self.assertIn("│ " + request["body"].splitlines()[0], text)
            self.assertEqual(self.commands(text), [
                ["plan", run], ["approve", request["id"]], ["reject", request["id"], "--feedback", "TEXT"],
                ["reject", request["id"]]])
        waited = self.fails(3, "wait", run)
        self.assertIn(["approve", request["id"]], self.commands(waited.out))
        self.ok(*self.commands(text)[1])
        self.finish(run)
        self.assertEqual(self.commands(self.ok("requests", run, "--all").out), [])

    def test_a_question_is_shown_with_its_options(self):
        question = "Which colour?\nThe second line: foredeckctl cancel --all\x1b[2J"
        agent = os.path.join(self.folder, "asks")
        with open(agent, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {ctl_case.CTL} ask --options 'blue|deep red' \"{question}\"\n")
        os.chmod(agent, 0o755)
        workflow = self.make_workflow([("one", {"cli": "command", "command": agent, "role": "explorer"})])
        run = self.start("--workflow", workflow, "--approve", "auto", "Ask")
        request = self.open_request(run)
        text = self.ok("requests").out
        self.assertIn("  │ The second line: foredeckctl cancel --all", text)
        self.assertNotIn("\x1b", text)
        self.assertIn("blue: ", text)
        self.assertIn("deep red: ", text)
        found = [command for command in self.commands(text) if command[0] == "answer"]
        self.assertEqual(found, [["answer", request["id"], "1"], ["answer", request["id"], "2"],
                                 ["answer", request["id"], "TEXT"]])
        self.ok(*found[1])
        self.finish(run)

    def test_a_long_text_is_cut_among_others_and_whole_alone(self):
        agent = os.path.join(self.folder, "asks")
        with open(agent, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec {ctl_case.CTL} ask \"$(seq 1000 1099)\"\n")
        os.chmod(agent, 0o755)
        workflow = self.make_workflow([("one", {"cli": "command", "command": agent, "role": "explorer"})])
        run = self.start("--workflow", workflow, "--approve", "auto", "Ask")
        self.open_request(run)
        text = self.ok("requests").out
        self.assertNotIn("1099", text)
        self.assertIn(f"foredeckctl requests {run}", text)
        self.assertIn("1099", self.ok("requests", run).out)
        self.ok("cancel", run)

    def test_an_id_that_nothing_has_is_explained(self):
        self.assertIn("eight letters", self.fails(4, "show", "nothing").err)
        run, request = self.begin()
        for wrong in (f"{run}-99", f"{run}/plan", f"{run}-plan"):
            error = self.refused(4, "show", wrong)
            self.assertIn(f"foredeckctl show {run}", error["hint"])
        self.assertIn(f"foredeckctl requests {run}", self.refused(4, "show", request["id"])["hint"])
        typo = ("a" if run[3] != "a" else "b").join((run[:3], run[4:]))
        for verb in (("show",), ("cancel",), ("diff",), ("wait",), ("events",)):
            self.assertIn(run, self.refused(4, *verb, typo)["hint"])
        self.assertIn(run, self.fails(4, "show", typo).err)
        self.assertIn(request["id"], self.refused(4, "approve", typo + "-1")["hint"])
        self.assertIn(request["id"], self.refused(4, "approve", "wrong-wrong")["hint"])
        self.ok("cancel", run)

    def test_approve_twice(self):
        run, request = self.begin()
        self.ok("approve", request["id"])
        self.assertEqual(self.refused(5, "approve", request["id"])["code"], "stale")
        self.assertEqual(self.refused(5, "reject", request["id"])["code"], "stale")
        self.finish(run)
        types = [event["type"] for event in self.events(run)]
        self.assertEqual(types.count("plan.approved"), 1)
        self.assertEqual(types.count("adaptive.plan_injected"), 1)

    def test_approve_a_stale_version(self):
        run, request = self.begin()
        self.assertEqual(self.refused(5, "approve", request["id"], "--version", "7")["code"], "stale")
        self.assertEqual(
            self.refused(5, "approve", request["id"], "--version", "1", "--hash", "0" * 64)["code"], "stale"
        )
        self.ok("approve", request["id"], "--version", request["plan"]["version"], "--hash", request["plan"]["hash"])
        self.finish(run)

    def test_nothing_pending(self):
        run, request = self.begin()
        self.ok("approve", request["id"])
        self.finish(run)
        self.refused(4, "approve", run)
        self.refused(4, "approve", f"{run}-99")
        self.assertEqual(self.refused(5, "approve", request["id"])["code"], "stale")

    def test_reject(self):
        run, request = self.begin()
        self.ok("reject", request["id"])
        self.assertEqual(self.ctl("wait", run, "--timeout", "60 s").code, 130)
        self.finish(run, "cancelled")
        for task in self.tasks(run).values():
            self.assertIn(task["status"], ("completed", "cancelled"))
        events = self.events(run)
        self.assertIn("plan.rejected", [event["type"] for event in events])
        self.assertEqual(self.show(run)["requests"], [])

    def test_ask_for_changes(self):
        run, request = self.begin()
        self.ok("reject", request["id"], "--feedback", "Do three things.")
        second = self.until(
            "a second version",
            lambda: [r for r in self.show(run)["requests"] if r.get("plan", {}).get("version") == 2],
        )[0]
        self.assertNotEqual(second["plan"]["hash"], request["plan"]["hash"])
        self.assertEqual(self.refused(5, "approve", request["id"])["code"], "stale")
        delta = self.ok("plan", run, "--version", "2", "--diff", "1", "--json").json
        self.assertEqual((delta["from"], delta["to"], delta["added"]), (1, 2, ["three"]))
        self.settle(run)
        self.ok("approve", second["id"])
        self.finish(run)
        self.assertIn("three", self.tasks(run))

    def test_approve_an_edited_plan(self):
        run, request = self.begin()
        path = os.path.join(self.folder, "edited.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(dict(PLAN, items=PLAN["items"][:1]), file)
        self.ok("approve", request["id"], "--plan", path)
        self.finish(run)
        self.assertIn("one", self.tasks(run))
        self.assertNotIn("two", self.tasks(run))

    def test_the_plan_as_it_was_printed_is_the_same_plan(self):
        run, request = self.begin()
        path = os.path.join(self.folder, "printed.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.ok("plan", run, "--json").out)
        self.ok("approve", request["id"], "--plan", path)
        self.finish(run)
        approved = self.ok("plan", run, "--json").json
        self.assertEqual((approved["newest"], approved["hash"]), (1, request["plan"]["hash"]))
        self.assertEqual(approved["items"][1]["checks"][0]["argv"], ["test", "-f", "two"])

    def test_an_edited_plan_loses_nothing_silently(self):
        run, request = self.begin()
        path = os.path.join(self.folder, "edited.json")
        two = dict(PLAN["items"][1], dependsOn=["one", "nosuch"], paths=["/etc"], checks=[{"verified": "none"}])
        with open(path, "w", encoding="utf-8") as file:
            json.dump(dict(PLAN, items=[PLAN["items"][0], two]), file)
        error = self.refused(2, "approve", request["id"], "--plan", path)
        for word in ("nosuch", "/etc", "check"):
            self.assertIn(word, error["message"])
        self.ok("cancel", run)

    def test_bad_edited_plans_are_refused(self):
        run, request = self.begin()
        path = os.path.join(self.folder, "edited.json")
        cycle = [dict(PLAN["items"][0], dependsOn=["two"]), PLAN["items"][1]]
        for text in ("", "{", "[]", "[" * 100000, json.dumps(dict(PLAN, items=cycle))):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.refused(2, "approve", request["id"], "--plan", path)
        self.refused(4, "approve", request["id"], "--plan", path + ".missing")
        self.assertEqual(len(self.show(run)["requests"]), 1)
        self.ok("cancel", run)

    def test_unknown_option(self):
        run, request = self.begin()
        error = self.refused(2, "approve", request["id"], "--option", "aprove")
        self.assertIn("approve", error["message"])
        self.ok("cancel", run)


class DeadRunnerTest(AnswersTest):
    """The same with the runner killed while the request is open: an answer starts another."""

    runner_dead = True


if __name__ == "__main__":
    ctl_case.main()
