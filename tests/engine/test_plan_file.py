# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans that a person wrote in Markdown: what they become, what is wrong with them, how they run."""

import os

import engine_case
from engine_case import item, plan, say, script, write

FILE = """# Two files

Both are small.

1. Write one
   - paths: one
   - check: `test -f one`
2. Write two @writer
   - id: two
3. [x] Tidy up
- Write three (after: none)
"""
WORK = {"write-one": [script(write("one"), say("One is there."))],
        "two": [script(write("two"), say(), prompt="One is there.")],
        "write-three": [script(write("three"), say())]}


class PlanFileCase(engine_case.EngineCase):
    def make_plan(self, text=FILE):
        path = os.path.join(self.folder, "plan.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def begin_file(self, scripts=None, *args, approve="ask", text=FILE):
        return self.start("--plan-file", self.make_plan(text), "--cli", "demo", "--scenario",
                          self.make_scenario(scripts or WORK), "--approve", approve, *args)

    def preview(self, text=FILE, *args):
        return self.ok("run", "--dry-run", "--json", "--project", self.project, "--cli", "demo", "--plan-file",
                       self.make_plan(text), *args).json

    def wrong(self, code, text, *args):
        return self.refused(code, "run", "--project", self.project, "--cli", "demo", "--plan-file",
                            self.make_plan(text), *args)["message"]


class PreviewTest(PlanFileCase):
    def test_the_graph_is_the_one_that_will_run(self):
        shown = self.preview()
        self.assertEqual({t["key"]: (t["role"], t["depends_on"]) for t in shown["tasks"]}, {
            "plan": ("planner", []), "write-one": ("executor", ["plan"]), "two": ("writer", ["write-one"]),
            "write-three": ("executor", ["plan"]), "verify": ("verifier", ["plan", "two", "write-three"])})
        self.assertEqual({t["cli"] for t in shown["tasks"]}, {"demo"})
        self.assertEqual(shown["run"]["goal"], "Two files")
        self.assertTrue(shown["gated"])

    def test_a_goal_of_its_own(self):
        self.assertEqual(self.preview(FILE, "Another goal")["run"]["goal"], "Another goal")
        self.assertIn("plan.md", self.preview("- a\n")["run"]["goal"])

    def test_what_is_wrong_is_said_with_file_line_and_column(self):
        self.assertIn("plan.md:2:5: ", self.wrong(2, "- a\n- b @nobody\n"))
        self.assertIn("plan.md:1:1: ", self.wrong(2, "# Nothing\n"))
        self.assertIn("plan.md:51:3: ", self.wrong(2, "- a\n" * 51))
        self.assertIn("256", self.wrong(2, "- a\n" + "x" * 300000))
        self.assertIn("UTF-8", self.wrong(2, "- a\0b\n"))
        self.assertEqual(self.ok("list", "--json").json["runs"], [])

    def test_what_does_not_go_together(self):
        self.assertIn("--plan-file", self.wrong(2, FILE, "--chain", "critic"))
        self.assertIn("--plan-file", self.wrong(2, FILE, "--workflow", "review"))
        self.assertIn("implementation", self.wrong(2, FILE, "--goal-loop"))
        self.refused(4, "run", "--project", self.project, "--plan-file", os.path.join(self.folder, "none.md"))


class RunTest(PlanFileCase):
    def test_it_waits_for_approval_and_runs_without_a_planner(self):
        run = self.begin_file()
        request = self.request(run, "plan")
        self.assertIn("Tidy up", self.ok("show", run, "--json").out)
        self.assertEqual(set(self.statuses(run)), {"plan", "verify"})
        self.ok("approve", request["id"])
        self.finish(run)
        tasks = self.tasks(run)
        self.assertEqual(set(tasks), {"plan", "write-one", "two", "write-three", "verify"})
        self.assertEqual(tasks["write-one"]["checks"][0]["argv"], ["test", "-f", "one"])
        self.assertEqual(self.query(run, "SELECT COUNT(*) FROM attempts WHERE task = 'plan'")[0][0], 0)
        self.assertEqual([self.result(run, name) for name in ("one", "two", "three")], ["one", "two", "three"])

    def test_with_a_runner_that_was_killed_while_it_waited(self):
        run = self.begin_file()
        request = self.request(run, "plan")
        self.kill_runner(run)
        self.ok("approve", request["id"])
        self.finish(run)
        self.assertEqual(len(self.data(run, "plan.proposed")), 1)
        self.assertEqual(self.result(run, "two"), "two")

    def test_nobody_is_asked_where_nobody_wants_to_be(self):
        run = self.begin_file(approve="auto")
        self.finish(run)
        self.assertEqual(len(self.data(run, "adaptive.plan_injected")), 1)
        self.assertEqual(self.result(run, "three"), "three")

    def test_asking_for_changes_makes_a_planner_write_the_next_version(self):
        run = self.begin_file(dict(WORK, three=[script(write("three"), say())],
                                   plan=[script(plan(item("three")), prompt="Only three, please.")]))
        request = self.request(run, "plan")
        self.ok("reject", request["id"], "--feedback", "Only three, please.")
        second = self.until("version 2", lambda: [
            r for r in self.show(run)["requests"] if r.get("plan", {}).get("version") == 2])[0]
        self.assertIn("Write one", self.ok("prompt", run, "plan").out)
        self.ok("approve", second["id"])
        self.finish(run)
        self.assertEqual(set(self.statuses(run)), {"plan", "three", "verify"})

    def test_a_rejected_plan_cancels_the_run(self):
        run = self.begin_file()
        self.ok("reject", self.request(run, "plan")["id"])
        self.finish(run, "cancelled")


if __name__ == "__main__":
    engine_case.main()
