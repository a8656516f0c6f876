# SPDX-License-Identifier: GPL-3.0-or-later
"""Each workflow that comes along is carried out by scripted agents, from its first step to its last."""

import engine_case
from engine_case import item, plan, say, script, write


class BuiltinTest(engine_case.EngineCase):
    def carry_out(self, name, scripts=None):
        run = self.start("--workflow", name, "--cli", "demo", "--scenario", self.make_scenario(scripts or {}),
                         "--approve", "auto", "A goal")
        self.finish(run)
        tasks = self.tasks(run)
        self.assertEqual({task["status"] for task in tasks.values()}, {"completed"}, name)
        return run, tasks

    def test_each_workflow_runs_to_its_end(self):
        # Scripts are carried out by test_crew_scripts.py.
        names = [found["name"] for found in self.ok("library", "list", "workflow", "--json").json["items"]
                 if not found["path"].endswith(".crew.lua")]
        self.assertGreaterEqual(len(names), 10)
        for name in names:
            if name in ("direct-agent", "implementation"):
                continue
            with self.subTest(workflow=name):
                run, tasks = self.carry_out(name)
                text = self.ok("library", "show", "workflow", name).out
                self.assertEqual(sum(f"\n## {key}\n" in text for key in tasks), len(tasks))
                self.assertTrue(all(task["agent"] for task in tasks.values()), tasks)

    def test_what_steps_write_down_reaches_those_that_read_it(self):
        run, _ = self.carry_out("default", {"plan": [script(say("First this, then that."))]})
        self.assertIn("## plan.md\nFirst this, then that.", self.ok("prompt", run, "execute").out)

    def test_the_planned_one_carries_out_its_plan(self):
        run, tasks = self.carry_out("implementation", {
            "plan": [script({"plan": plan(item("one"), item("two", "one"))["plan"]})],
            "one": [script(write("one.txt"), say("Done."))],
            "two": [script(write("two.txt"), say("Done."))],
        })
        self.assertEqual(set(tasks), {"explore", "plan", "one", "two", "verify"})
        self.assertIn("+two.txt", self.ok("diff", run).out)

    def test_an_agent_alone(self):
        run = self.start("--agent", "writer", "--cli", "demo", "--scenario", self.make_scenario({}), "--approve", "auto", "A goal")
        self.finish(run)
        self.assertEqual([task["agent"] for task in self.tasks(run).values()], ["writer"])


if __name__ == "__main__":
    engine_case.main()
