# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans: injected, repaired, broken, missing; what a person answers, with a runner alive and dead."""

import json
import os
import sqlite3

import engine_case
from engine_case import item, plan, say, script, write

ONE = plan(item("one"), item("two", "one"))
WORK = {name: [script(write(name), say())] for name in ("one", "two", "three")}


def block(text):
    return say(f"The plan:\n\n```json\n{text}\n```\n")


class AdaptiveTest(engine_case.EngineCase):
    """With a runner that waits beside its open request."""

    def settle(self, run):
        """The state in which the answer finds the runner."""

    def begin_with(self, *scripts, **more):
        run = self.begin_plan(dict(WORK, plan=list(scripts), **more))
        request = self.request(run)
        self.until("blocked", lambda: self.show(run)["status"] == "blocked")
        self.settle(run)
        return run, request

    def test_a_plan_is_injected(self):
        run, request = self.begin_with(script(ONE))
        self.ok("approve", request["id"])
        self.finish(run)
        self.assertEqual(self.data(run, "adaptive.plan_injected")[0]["tasks"], ["one", "two"])
        types = self.types(run)
        self.assertLess(types.index("plan.approved"), types.index("adaptive.plan_injected"))
        self.assertEqual(self.tasks(run)["verify"]["depends_on"], ["plan", "two"])
        self.assertEqual(self.result(run, "two"), "two")

    def begin_phases(self, *second, **more):
        """A plan whose last item plans again once the first is done."""
        first = plan(item("one"), item("next", "one", role="planner", plans=True))
        return self.begin_plan(dict(WORK, plan=[script(first)], next=list(second), **more))

    def test_a_planner_plans_again_after_a_phase(self):
        run = self.begin_phases(script(plan(item("two"), item("three", "two"), title="The rest")),
                                three=[script(write("three"), say("3"))])
        first = self.request(run, "plan")
        self.assertIn("plans what follows", self.ok("plan", run).out)
        self.ok("approve", first["id"])
        second = self.until("the second plan", lambda: [r for r in self.show(run)["requests"] if r["kind"] == "plan"
                                                        and r["id"] != first["id"]])[0]
        self.assertEqual((second["task"], second["title"]), ("next", "Plan: The rest"))
        self.assertEqual(self.statuses(run)["one"], "completed")
        self.ok("approve", second["id"])
        self.finish(run)
        tasks = self.tasks(run)
        self.assertEqual({key: task["status"] for key, task in tasks.items()},
                         dict.fromkeys(("explore", "plan", "one", "next", "two", "three", "verify"), "completed"))
        self.assertEqual(tasks["two"]["depends_on"], ["next"])
        self.assertIn("three", tasks["verify"]["depends_on"])
        self.assertEqual([event["version"] for event in self.data(run, "adaptive.plan_injected")], [1, 2])
        self.assertEqual([len(task["attempts"]) for task in tasks.values()], [1] * 7)
        prompt = self.ok("prompt", run, "next").out
        self.assertIn("plan only what is left", prompt)
        self.assertNotIn("# Previous plan", prompt)

    def test_nothing_is_left_to_plan(self):
        run = self.begin_phases(script(say('```json\n{"plan": {"title": "", "items": []}}\n```')))
        self.ok("approve", self.request(run, "plan")["id"])
        self.finish(run)
        self.assertEqual(self.statuses(run)["next"], "completed")
        self.assertEqual(self.query(run, "SELECT count(*) FROM plans"), [(1,)])

    def test_the_limit_of_items_is_for_all_phases(self):
        self.settings({"limits.plan_items": 3})
        run = self.begin_phases(script(plan(item("two"), item("three"))), script(plan(item("two")), attempt=2))
        first = self.request(run, "plan")
        self.ok("approve", first["id"])
        request = self.request(run, "no-plan")
        self.assertIn("more than the 1 ", request["body"])
        self.ok("cancel", run)
        self.finish(run, "cancelled")

    def test_a_plan_is_repaired_and_says_what_was_changed(self):
        broken = json.dumps(dict(ONE["plan"], items=[item("one", role="executer"), item("two", "one", "nobody")]))
        run, request = self.begin_with(script(block(broken[:-1] + ",")))
        changes = self.data(run, "adaptive.plan_repaired")[0]["changes"]
        for word in ("executer", "nobody", "JSON"):
            self.assertIn(word, changes)
        self.ok("approve", request["id"])
        self.finish(run)
        self.assertEqual(self.tasks(run)["one"]["role"], "executor")

    def test_a_plan_that_cannot_be_repaired_asks(self):
        cyclic = json.dumps({"items": [item("one", "two"), item("two", "one")]})
        run, request = self.begin_with(script(block(cyclic)))
        problem = self.data(run, "adaptive.plan_repair_failed")[0]["problem"]
        self.assertIn("one", problem)
        self.assertIn("two", problem)
        self.assertEqual(request["kind"], "no-plan")
        self.assertEqual({o["id"] for o in request["options"]}, {"again", "edit", "reject"})
        self.assertEqual(self.statuses(run)["verify"], "queued")

    def test_a_missing_plan_asks_again(self):
        run, request = self.begin_with(
            script(ONE, attempt=2), script(say("I would rather not.")))
        self.assertIn("adaptive.plan_missing", self.types(run))
        self.ok("approve", request["id"], "--option", "again")
        second = self.request(run, "plan")
        self.assertIn("no usable plan", self.ok("prompt", run, "plan").out)
        self.ok("approve", second["id"])
        self.finish(run)

    def test_a_missing_plan_can_be_written_by_hand(self):
        run, request = self.begin_with(script(say("No.")))
        path = os.path.join(self.folder, "mine.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"title": "Mine", "items": [item("one")]}, file)
        self.ok("approve", request["id"], "--option", "edit", "--plan", path)
        self.finish(run)
        self.assertEqual(self.result(run, "one"), "one")

    def test_an_edited_plan_is_a_version_of_its_own(self):
        run, request = self.begin_with(script(plan(item("one"), item("two"), item("three", "one"))))
        path = os.path.join(self.folder, "edited.json")
        items = [item("three", "two"), item("two")]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(dict(ONE["plan"], items=items), file)
        self.ok("approve", request["id"], "--plan", path)
        self.finish(run)
        tasks = self.tasks(run)
        self.assertNotIn("one", tasks)
        self.assertEqual(tasks["three"]["depends_on"], ["two"])
        self.assertEqual(tasks["three"]["status"], "completed")
        approved = self.data(run, "plan.approved")[0]
        self.assertEqual((approved["version"], approved["edited"]), (2, True))
        self.assertEqual(len(self.query(run, "SELECT version FROM plans")), 2)

    def test_feedback_reaches_the_planner_and_voids_the_old_version(self):
        run, request = self.begin_with(script(plan(item("three")), prompt="Rather three."), script(ONE))
        self.ok("reject", request["id"], "--feedback", "Rather three.")
        second = self.until("version 2", lambda: [
            r for r in self.show(run)["requests"] if r.get("plan", {}).get("version") == 2])[0]
        self.assertEqual(self.refused(5, "approve", request["id"])["code"], "stale")
        self.assertEqual(self.refused(5, "approve", second["id"], "--version", "1")["code"], "stale")
        self.assertEqual(self.query(run, "SELECT approved FROM run")[0][0], 0)
        self.settle(run)
        self.ok("approve", second["id"])
        self.finish(run)
        tasks = self.tasks(run)
        self.assertIn("three", tasks)
        self.assertNotIn("one", tasks)

    def test_edits_go_along_with_the_feedback(self):
        run, request = self.begin_with(script(plan(item("one"), item("three")), prompt="Rather three."), script(ONE))
        path = os.path.join(self.folder, "edited.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(dict(ONE["plan"], items=[item("one", title="Mine, not yours")]), file)
        self.refused(2, "reject", request["id"], "--plan", path)
        self.ok("reject", request["id"], "--feedback", "Rather three.", "--plan", path)
        second = self.until("the planner's version", lambda: [
            r for r in self.show(run)["requests"] if r.get("plan", {}).get("version") == 3])[0]
        self.assertIn("Mine, not yours", self.ok("prompt", run, "plan").out)
        self.assertEqual(self.data(run, "plan.changes")[0]["edited_version"], 2)
        self.settle(run)
        self.ok("approve", second["id"])
        self.finish(run)

    def test_reject_cancels_all_in_one_transaction(self):
        run, request = self.begin_with(script(ONE))
        self.ok("reject", request["id"])
        self.finish(run, "cancelled")
        statuses = self.statuses(run)
        self.assertEqual((statuses["plan"], statuses["verify"]), ("cancelled", "cancelled"))
        rows = self.query(run, "SELECT seq, type, task, data FROM events ORDER BY seq")
        rejected = next(seq for seq, kind, *_ in rows if kind == "plan.rejected")
        ended = next(seq for seq, kind, _, data in rows if kind == "run.status" and '"cancelled"' in data)
        between = [kind for seq, kind, *_ in rows if rejected < seq < ended]
        self.assertEqual(set(between), {"task.status"})

    def test_a_second_answer_is_refused(self):
        run, request = self.begin_with(script(ONE))
        self.ok("reject", request["id"])
        self.assertEqual(self.refused(5, "reject", request["id"])["code"], "stale")
        self.assertEqual(self.refused(5, "approve", request["id"])["code"], "stale")
        self.finish(run, "cancelled")
        self.refused(4, "approve", run)
        self.assertNotIn("plan.approved", self.types(run))


class KilledRunnerTest(AdaptiveTest):
    """With a runner that was killed while the request was open."""

    def settle(self, run):
        self.kill_runner(run)


class ParkedRunnerTest(AdaptiveTest):
    """With a runner that went by itself, as it does when it only waits for a person."""

    park_ms = 100

    def settle(self, run):
        self.until("the runner parks", lambda: self.runner_pid(run) is None)
        self.assertFalse(self.show(run)["interrupted"])


class DiedBetweenTest(engine_case.EngineCase):
    """The runner dies after an answer is durable and before anything came of it."""

    park_ms = 100

    def cut(self, run, *statements):
        self.until("the runner parks", lambda: self.runner_pid(run) is None)
        base = sqlite3.connect(os.path.join(self.home, "runs", run, "run.db"))
        for statement in statements:
            base.execute(statement)
        base.commit()
        base.close()

    def test_an_approved_plan_is_injected_by_the_next_runner(self):
        run = self.begin_plan(dict(WORK, plan=[script(ONE)]))
        self.request(run)
        self.cut(
            run,
            "UPDATE requests SET state = 'answered', answer = 'approve'",
            "UPDATE run SET approved = 1, approved_version = 1",
        )
        self.ok("resume", run)
        self.finish(run)
        self.assertEqual(self.result(run, "two"), "two")

    def test_a_plan_without_a_request_is_asked_for_again(self):
        run = self.begin_plan(dict(WORK, plan=[script(ONE)]))
        first = self.request(run)
        self.cut(run, "UPDATE requests SET state = 'withdrawn'")
        self.ok("resume", run)
        second = self.request(run)
        self.assertNotEqual(first["id"], second["id"])
        self.ok("approve", second["id"])
        self.finish(run)


if __name__ == "__main__":
    engine_case.main()
