# SPDX-License-Identifier: GPL-3.0-or-later
"""The goal loop: turns of work, the project's checks, a judge; every way it ends, and what it survives."""

import json
import os

import engine_case
from engine_case import say, script, write

REASONS = ["The parser is missing.", "Now the printer lacks a test of its own.", "Documentation of both is absent.",
           "An example would make the interface clear."]


def verdict(achieved, reason="All is there.", **more):
    return say("```json\n" + json.dumps(dict({"achieved": achieved, "reason": reason}, **more)) + "\n```")


def spend(cost):
    return {"spend": {"input": 100, "output": 10, "cost": cost}}


class GoalCase(engine_case.EngineCase):
    checks = None

    def setUp(self):
        super().setUp()
        if self.checks is not None:
            self.trust(self.checks)

    def trust(self, commands):
        self.write(".foredeck/config.json", json.dumps({"checks": {"commands": commands}}))
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "checks")
        self.ok("trust", self.project)

    def begin_goal(self, scripts, *args, workflow=None, approve="auto"):
        words = ["--goal-loop", "--cli", "demo", "--scenario", self.make_scenario(scripts), "--approve", approve]
        if workflow:
            words += ["--workflow", workflow]
        return self.start(*words, *args, "Make it good")

    def loop(self, run):
        return self.show(run)["goal_loop"]

    def until_state(self, run, state):
        return self.until(f"the state {state}", lambda: self.loop(run)["state"] == state and self.show(run))

    def turns(self, run):
        return self.data(run, "goal.turn")


class EndsTest(GoalCase):
    """Each way a loop ends, without checks."""

    def test_achieved_after_the_reason_went_into_the_next_turn(self):
        run = self.begin_goal({
            "work-1": [script(write("one"), say("Wrote one."))],
            "judge-1": [script(verdict(False, "The file two is missing."))],
            "work-2": [script(write("two"), say("Wrote two."), prompt="The file two is missing.")],
            "judge-2": [script(verdict(True, "Both are there.", evidence=["one", "two"]), prompt="Wrote two.")],
        })
        shown = self.finish(run)
        loop = shown["goal_loop"]
        self.assertEqual(loop["state"], "achieved")
        self.assertEqual([t["achieved"] for t in loop["turns"]], [False, True])
        self.assertEqual(loop["turns"][0]["reason"], "The file two is missing.")
        self.assertEqual(loop["turns"][1]["evidence"], ["one", "two"])
        self.assertEqual((self.result(run, "one"), self.result(run, "two")), ("one", "two"))
        self.assertEqual([t["turn"] for t in self.turns(run)], [1, 2])
        self.assertEqual(self.data(run, "goal.ended")[-1]["state"], "achieved")

    def test_what_was_changed_is_shown_to_the_judge(self):
        run = self.begin_goal({
            "work-1": [script(write("one", "a line of text\n"), say())],
            "judge-1": [script(verdict(True), prompt="+a line of text"), script(verdict(False, "no diff"))],
        }, "--max-turns", "1")
        self.finish(run)

    def test_the_judge_has_no_tools_and_may_not_write(self):
        run = self.begin_goal({
            "work-1": [script(say())],
            "judge-1": [script(write("sneaky"), verdict(True))],
        })
        self.until_state(run, "blocked")
        self.assertEqual(self.tasks(run)["judge-1"]["cause"], "wrote")

    def test_max_turns(self):
        scripts = {f"judge-{n + 1}": [script(verdict(False, REASONS[n]))] for n in range(3)}
        run = self.begin_goal(scripts, "--max-turns", "2")
        shown = self.finish(run, "failed")
        self.assertEqual(shown["goal_loop"]["state"], "max-turns")
        self.assertEqual(shown["goal_loop"]["max_turns"], 2)
        self.assertEqual(len(shown["goal_loop"]["turns"]), 2)

    def test_work_of_a_loop_that_did_not_get_there_is_kept(self):
        run = self.begin_goal({
            "work-1": [script(write("one"), say())], "judge-1": [script(verdict(False, "Not yet."))],
        }, "--max-turns", "1")
        self.finish(run, "failed")
        self.assertEqual(self.result(run, "one"), "one")

    def test_budget_exceeded_counts_the_judge(self):
        scripts = {f"judge-{n + 1}": [script(spend(0.6), verdict(False, REASONS[n]))] for n in range(3)}
        run = self.begin_goal(scripts, "--budget-cost", "1")
        self.until_state(run, "budget-exceeded")
        request = self.request(run, "budget")
        self.until("blocked", lambda: self.show(run)["status"] == "blocked")
        cost = self.show(run)["usage"]["cost"]
        self.assertAlmostEqual(cost, 1.2)
        self.assertAlmostEqual(sum(t["usage"]["cost"] for t in self.loop(run)["turns"]), cost)
        self.ok("answer", request["id"], "--option", "reject", "No more")
        shown = self.finish(run, "cancelled")
        self.assertEqual(shown["goal_loop"]["state"], "budget-exceeded")

    def test_blocked_by_the_judge_goes_on_with_a_hint(self):
        run = self.begin_goal({
            "judge-1": [script(verdict(False, "The password of the test server is needed.", blocked=True))],
            "judge-2": [script(verdict(True))],
            "work-2": [script(write("two"), say(), prompt="It is kept in the file secrets.")],
        })
        self.until_state(run, "blocked")
        request = self.request(run, "failure")
        self.assertIn("password", request["body"])
        self.ok("answer", request["id"], "--option", "again", "It is kept in the file secrets.")
        self.finish(run)
        self.assertEqual(self.result(run, "two"), "two")

    def test_blocked_can_be_given_up(self):
        run = self.begin_goal({"judge-1": [script(verdict(False, "Impossible.", blocked=True))]})
        self.until_state(run, "blocked")
        self.ok("approve", self.request(run)["id"], "--option", "stop")
        shown = self.finish(run, "failed")
        self.assertEqual(shown["goal_loop"]["state"], "blocked")

    def test_a_turn_that_failed_blocks(self):
        run = self.begin_goal({"work-1": [script({"fail": {"kind": "auth", "message": "no key"}}, attempt=1),
                                          script(write("one"), say())],
                               "judge-1": [script(verdict(True))]})
        self.until_state(run, "blocked")
        self.ok("approve", self.request(run)["id"], "--option", "retry")
        self.finish(run)

    def test_a_verdict_that_nobody_can_read_is_asked_for_once_again(self):
        run = self.begin_goal({"judge-1": [script(say("Looks good to me!"), attempt=1), script(verdict(True))]})
        self.finish(run)
        self.assertEqual(self.tasks(run)["judge-1"]["attempts"][-1]["n"], 2)
        self.assertIn("no verdict", self.ok("prompt", run, "judge-1").out)

    def test_no_verdict_at_all_blocks(self):
        run = self.begin_goal({"judge-1": [script(say("Looks good to me! {\"achieved\": \"yes\"}"))]})
        self.until_state(run, "blocked")
        self.assertEqual(self.statuses(run)["judge-1"], "failed")
        self.assertEqual([o["id"] for o in self.request(run, "failure")["options"]], ["retry", "reject"])

    def test_three_near_equal_turns_are_stuck(self):
        scripts = {f"judge-{n}": [script(verdict(False, f"Test number {n} of the parser still fails."))]
                   for n in range(1, 4)}
        scripts["judge-4"] = [script(verdict(True))]
        run = self.begin_goal(scripts)
        shown = self.until_state(run, "stuck")
        self.assertEqual(len(shown["goal_loop"]["turns"]), 3)
        self.ok("goal", "resume", run, "--hint", "Look at the lexer")
        self.finish(run)
        self.assertIn("Look at the lexer", self.ok("prompt", run, "work-4").out)

    def test_the_last_turn_ends_the_loop_whatever_its_reason(self):
        scripts = {f"judge-{n}": [script(verdict(False, "The parser still fails."))] for n in range(1, 4)}
        run = self.begin_goal(scripts, "--max-turns", "3")
        self.finish(run, "failed")
        ended = self.data(run, "goal.ended")
        self.assertEqual([data["state"] for data in ended], ["max-turns"])
        self.assertEqual(self.ok("goal", "status", run, "--json").json["state"], "max-turns")
        self.assertEqual(self.loop(run)["state"], "max-turns")
        self.assertIn("max-turns", self.ok("goal", "status", run).out)

    def test_what_goal_resume_says(self):
        scripts = {f"judge-{n}": [script(verdict(False, "The parser still fails."))] for n in range(1, 5)}
        run = self.begin_goal(scripts, "--max-turns", "4")
        self.until("blocked", lambda: self.loop(run)["state"] == "stuck" and self.show(run)["status"] == "blocked")
        self.assertNotIn("blocked", self.ok("goal", "resume", run).out)
        self.finish(run, "failed")
        for word in ("resume", "step"):
            message = self.refused(5, "goal", word, run)["message"]
            self.assertIn("max-turns", message)
            self.assertIn("goal start", message)

    def test_who_stops_a_stuck_loop_finds_it_stuck(self):
        scripts = {f"judge-{n}": [script(verdict(False, "The parser still fails."))] for n in range(1, 4)}
        run = self.begin_goal(scripts)
        self.until_state(run, "stuck")
        self.ok("approve", self.request(run, "failure")["id"], "--option", "stop")
        self.finish(run, "failed")
        self.assertEqual([data["state"] for data in self.data(run, "goal.ended")], [self.loop(run)["state"]])

    def test_cancelled(self):
        run = self.begin_goal({"work-1": [script({"stall": True})]})
        self.until_phase(run, "work-1", "agent")
        self.ok("goal", "stop", run)
        shown = self.finish(run, "cancelled")
        self.assertEqual(shown["goal_loop"]["state"], "cancelled")


class ControlTest(GoalCase):
    """Pause, hint, step; one goal a tree; more than one step."""

    def test_paused_and_resumed_with_a_hint_in_the_middle_of_a_turn(self):
        gate = os.path.join(self.folder, "gate")
        run = self.begin_goal({
            "work-1": [script({"run": ["sh", "-c", f"while [ ! -e {gate} ]; do sleep 0.05; done"]}, say())],
            "judge-1": [script(verdict(False, "More."))],
            "work-2": [script(write("two"), say(), prompt="Mind the edges")],
            "judge-2": [script(verdict(True))],
        })
        self.until_phase(run, "work-1", "agent")
        self.ok("goal", "pause", run)
        self.until_state(run, "paused")
        open(gate, "w", encoding="utf-8").close()
        self.until_task(run, "work-1", "completed")
        self.assertEqual(self.statuses(run)["checks-1"], "queued")
        self.ok("goal", "resume", run, "--hint", "Mind the edges")
        self.finish(run)
        self.assertEqual(self.result(run, "two"), "two")

    def test_a_step_is_one_turn(self):
        scripts = {f"judge-{n + 1}": [script(verdict(False, REASONS[n]))] for n in range(3)}
        scripts["judge-4"] = [script(verdict(True))]
        gate = os.path.join(self.folder, "gate")
        scripts["work-1"] = [script({"run": ["sh", "-c", f"while [ ! -e {gate} ]; do sleep 0.05; done"]}, say())]
        run = self.begin_goal(scripts)
        self.until_phase(run, "work-1", "agent")
        self.ok("goal", "pause", run)
        open(gate, "w", encoding="utf-8").close()
        self.until_task(run, "work-1", "completed")
        for turn in (1, 2):
            self.ok("goal", "step", run)
            self.until("the turn's end", lambda n=turn: len(self.turns(run)) == n)
            self.until_state(run, "paused")
            self.assertEqual(self.statuses(run)[f"work-{turn + 1}"], "queued")
        self.ok("goal", "resume", run)
        self.finish(run)

    def test_a_hint_is_for_a_goal(self):
        run = self.begin([("one", {})], {"one": [script({"stall": True})]})
        self.until_phase(run, "one", "agent")
        self.ok("pause", run)
        self.assertEqual(self.refused(5, "goal", "resume", run, "--hint", "x")["code"], "refused")
        self.assertEqual(self.refused(5, "goal", "step", run)["code"], "refused")

    def test_one_goal_a_tree(self):
        first = self.begin_goal({"work-1": [script({"stall": True})]})
        self.until_phase(first, "work-1", "agent")
        link = os.path.join(self.folder, "link")
        os.symlink(self.project, link)
        for words in (("run", "--goal-loop"), ("goal", "start")):
            error = self.refused(5, *words, "--detach", "--project", link, "--cli", "demo", "Another")
            self.assertEqual(error["code"], "busy")
            self.assertIn(first, error["message"])
        self.assertEqual([run["id"] for run in self.ok("list", "--json").json["runs"]], [first])
        self.ok("cancel", first)
        self.finish(first, "cancelled")

    def test_a_workflow_of_many_steps(self):
        workflow = self.make_workflow([
            ("plan", {"role": "planner", "adaptive": "true"}),
            ("write", {"role": "executor", "dependsOn": "plan"}),
            ("look", {"role": "reviewer", "dependsOn": "write"}),
            ("side", {"role": "executor"}),
        ])
        run = self.begin_goal({
            "plan-1": [script(engine_case.plan(engine_case.item("a")))],
            "plan-2": [script(engine_case.plan(engine_case.item("b")), prompt="Turn one lacks")],
            "a": [script(write("a"), say())],
            "b": [script(write("b"), say())],
            "write-1": [script(write("w1"), say())],
            "write-2": [script(write("w2"), say())],
            "side-2": [script(write("s2"), say(), prompt="Turn one lacks")],
            "judge-1": [script(verdict(False, "Turn one lacks b."))],
            "judge-2": [script(verdict(True))],
        }, "--team", "implementation", workflow=workflow)
        shown = self.finish(run)
        for name in ("a", "b", "w1", "w2", "s2"):
            self.assertEqual(self.result(run, name), name)
        tasks = self.tasks(run)
        self.assertEqual(sorted(tasks["checks-1"]["depends_on"]), ["look-1", "side-1"])
        self.assertEqual(tasks["write-2"]["depends_on"], ["plan-2", "b"])
        self.assertIn("b", shown["goal_loop"]["turns"][1]["tasks"])
        self.assertIn("a", shown["goal_loop"]["turns"][0]["tasks"])

    def test_an_agent_alone_works_in_turns(self):
        run = self.begin_goal({"judge-1": [script(verdict(False, "x"))], "judge-2": [script(verdict(True))]},
                              "--agent", "executor")
        self.finish(run)
        self.assertIn("agent-2", self.tasks(run))

    def test_what_cannot_be_a_loop_is_refused(self):
        workflow = self.make_workflow([("judge", {"role": "executor"})])
        self.refused(2, "run", "--goal-loop", "--project", self.project, "--workflow", workflow, "--cli", "demo", "x")
        self.refused(2, "run", "--max-turns", "3", "--project", self.project, "--cli", "demo", "x")
        self.refused(2, "run", "--goal-loop", "--max-turns", "0", "--project", self.project, "--cli", "demo", "x")

    def test_it_is_shown(self):
        run = self.begin_goal({"judge-1": [script(verdict(False, "The file is missing."))],
                               "judge-2": [script(verdict(True))]})
        self.finish(run)
        text = self.ok("show", run).out
        for word in ("Turn 1", "Turn 2", "The file is missing.", "achieved"):
            self.assertIn(word, text)
        self.assertIn("judge-2", self.ok("graph", run).out)
        self.assertIn("goal.turn", self.ok("events", run).out)
        self.assertIn("The file is missing.", self.ok("goal", "status", run).out)
        self.assertEqual(self.ok("goal", "status", run, "--json").json["state"], "achieved")
        preview = self.ok("run", "--goal-loop", "--dry-run", "--json", "--project", self.project, "--cli", "demo", "x").json
        self.assertEqual([t["key"] for t in preview["tasks"]], ["work-1", "checks-1", "judge-1"])


class CheckedTest(GoalCase):
    """With checks of the project, which the engine runs."""

    checks = [["sh", "check.sh"]]

    def setUp(self):
        super().setUp()
        self.write("check.sh", "test -e done || { echo done is missing; exit 1; }\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "check")

    def test_a_failed_check_is_never_achieved(self):
        run = self.begin_goal({
            "judge-1": [script(verdict(True, "All is well."))],
            "work-2": [script(write("done"), say(), prompt="done is missing")],
            "judge-2": [script(verdict(True, "All is well."))],
        })
        loop = self.finish(run)["goal_loop"]
        self.assertEqual([t["verified"] for t in loop["turns"]], ["failed", "verified"])
        self.assertEqual([t["achieved"] for t in loop["turns"]], [False, True])
        self.assertIn("check.sh", loop["turns"][0]["reason"])
        self.assertEqual(self.show(run)["verified"], "verified")

    def test_a_compromised_check_is_never_achieved(self):
        scripts = {
            "work-1": [script(write("check.sh", "exit 0\n"), say())],
            "work-2": [script(write("other"), say(), prompt="check.sh")],
            "judge-1": [script(verdict(True))], "judge-2": [script(verdict(True, "Really."))],
        }
        run = self.begin_goal(scripts, "--max-turns", "2")
        loop = self.finish(run, "failed")["goal_loop"]
        self.assertEqual([t["verified"] for t in loop["turns"]], ["compromised", "compromised"])
        self.assertEqual([t["achieved"] for t in loop["turns"]], [False, False])
        self.assertEqual(loop["state"], "max-turns")

    def test_the_checks_of_the_approval_hold_in_a_later_turn_with_a_plan_of_its_own(self):
        workflow = self.make_workflow([("plan", {"role": "planner", "adaptive": "true"})])
        run = self.begin_goal({
            "plan-1": [script(engine_case.plan(engine_case.item("a")))],
            "plan-2": [script(engine_case.plan(engine_case.item("b")))],
            "a": [script(write("check.sh", "exit 0\n"), say())],
            "judge-1": [script(verdict(False, "x"))], "judge-2": [script(verdict(True))],
        }, "--team", "implementation", "--max-turns", "2", workflow=workflow)
        loop = self.finish(run, "failed")["goal_loop"]
        self.assertEqual([t["verified"] for t in loop["turns"]], ["compromised", "compromised"])

    def test_what_a_check_printed_reaches_the_judge(self):
        run = self.begin_goal({
            "judge-1": [script(verdict(False, "seen"), prompt="done is missing"), script(verdict(False, "unseen"))],
        }, "--max-turns", "1")
        loop = self.finish(run, "failed")["goal_loop"]
        self.assertIn("seen", loop["turns"][0]["reason"].split())


class RecoveryTest(GoalCase):
    """kill -9 of the runner at every place of a turn."""

    checks = [["sh", "-c", "while [ ! -e \"$HOME/check-gate\" ]; do sleep 0.05; done"]]

    def gate(self, name):
        path = os.path.join(self.folder, name)
        return path, {"run": ["sh", "-c", f"while [ ! -e {path} ]; do sleep 0.05; done"]}

    def scripts(self):
        self.gates = {}
        steps = {}
        for name in ("work-1", "judge-1", "work-2", "judge-2"):
            self.gates[name], steps[name] = self.gate(name)
        return {
            "work-1": [script(steps["work-1"], write("one"), say())],
            "judge-1": [script(steps["judge-1"], verdict(False, "Two is missing."))],
            "work-2": [script(steps["work-2"], write("two"), say(), prompt="Two is missing.")],
            "judge-2": [script(steps["judge-2"], verdict(True))],
        }

    def open(self, name):
        open(self.gates.get(name, os.path.join(self.folder, name)), "w", encoding="utf-8").close()

    def test_killed_in_every_part_of_a_turn(self):
        run = self.begin_goal(self.scripts())
        for name in ("work-1", "checks-1", "judge-1", "work-2", "checks-2", "judge-2"):
            phase = "checks" if name.startswith("checks") else "agent"
            self.until_phase(run, name, phase)
            self.kill_runner(run)
            self.ok("resume", run)
            if name.startswith("checks"):
                self.open("check-gate")
            else:
                self.open(name)
            self.until_task(run, name, "completed")
            if name == "checks-1":
                self.until_task(run, name, "completed")
                os.unlink(os.path.join(self.folder, "check-gate"))
        shown = self.finish(run)
        self.assertEqual(shown["goal_loop"]["state"], "achieved")
        self.assertEqual([t["turn"] for t in self.turns(run)], [1, 2])
        self.assertEqual({key: len(t["attempts"]) for key, t in self.tasks(run).items()},
                         dict.fromkeys(("work-1", "checks-1", "judge-1", "work-2", "checks-2", "judge-2"), 1))

    def test_killed_while_it_waits_for_a_person(self):
        self.open("check-gate") if hasattr(self, "gates") else open(os.path.join(self.folder, "check-gate"), "w").close()
        run = self.begin_goal({"judge-1": [script(verdict(False, "Stop.", blocked=True))],
                               "judge-2": [script(verdict(True))]})
        self.until_state(run, "blocked")
        request = self.request(run)
        self.kill_runner(run)
        self.ok("answer", request["id"], "--option", "again", "Go on")
        self.finish(run)
        self.assertEqual(len(self.turns(run)), 2)


if __name__ == "__main__":
    engine_case.main()
