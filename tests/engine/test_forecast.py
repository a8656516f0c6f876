# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run will take is said before it starts, from what earlier runs took, and how far off that was."""

import engine_case
from engine_case import say, script


def spend(tokens, cost):
    return {"spend": {"input": tokens, "output": 0, "cost": cost}}


class ForecastTest(engine_case.EngineCase):
    STEPS = [("a", {}), ("b", {"dependsOn": "a"}), ("c", {"dependsOn": "a"})]

    def carry_out(self, tokens, cost, steps=None):
        steps = steps or self.STEPS
        scripts = {step[0]: [script(spend(tokens, cost), say())] for step in steps}
        run = self.begin(steps, scripts)
        self.finish(run)
        return run

    def preview(self, steps=None, *args):
        words = ["--workflow", self.make_workflow([(s[0], dict(s[1], role="executor")) for s in steps or self.STEPS]),
                 "--team", "implementation"]
        return self.ok("run", "--project", self.project, *(args or words), "--cli", "demo", "--dry-run", "--json",
                       "A goal").json

    def test_nothing_is_said_where_nothing_is_known(self):
        self.assertIsNone(self.preview().get("forecast"))

    def test_whole_runs_tell_what_the_next_will_take(self):
        self.carry_out(1000, 0.01)
        first = self.preview()["forecast"]
        self.assertEqual((first["runs"], first["tokens"], first.get("off_tokens_per_mille")), (1, 3000, None))
        self.assertAlmostEqual(first["cost"], 0.03)
        self.assertGreaterEqual(first["ms"], 0)

        self.carry_out(2000, 0.03)
        second = self.preview()["forecast"]
        self.assertEqual((second["runs"], second["tokens"]), (2, 4500))
        self.assertAlmostEqual(second["cost"], 0.06)
        # 3000 were said and 6000 measured.
        self.assertEqual(second["off_tokens_per_mille"], 500)
        self.assertIn("off_ms_per_mille", second)
        self.assertRegex(self.dry_text(), r"About .*, 4\.5.k tokens, \$0\.06, as 2 earlier runs took; estimates were off")

    def dry_text(self):
        workflow = self.make_workflow([(s[0], dict(s[1], role="executor")) for s in self.STEPS])
        return self.ok("run", "--project", self.project, "--workflow", workflow, "--team", "implementation", "--cli",
                       "demo", "--dry-run", "A goal").out

    def test_parts_tell_where_the_whole_was_never_seen(self):
        self.carry_out(1000, 0.01)
        shown = self.preview(None, "--workflow", "fast-fix")["forecast"]
        # Of explorer, executor and verifier only the second was at work before.
        self.assertEqual((shown["runs"], shown["known_tasks"], shown["tasks"]), (0, 1, 3))
        self.assertEqual(shown["tokens"], 1000)

    def test_a_run_that_failed_tells_nothing_of_whole_runs(self):
        run = self.begin(self.STEPS, {"a": [script(spend(500, 0.01), say())], "b": [script({"exit": 1})] * 3})
        self.finish(run, "failed")
        shown = self.preview()["forecast"]
        self.assertEqual((shown["runs"], shown["known_tasks"]), (0, 3))

    def test_steps_in_a_row_are_held_against_one_agent_alone(self):
        row = [("a", {}), ("b", {"dependsOn": "a"})]
        self.assertIn("one agent alone is quicker", self.preview(row)["advice"])
        self.assertIsNone(self.preview([("a", {}), ("b", {}), ("c", {})]).get("advice"))
        self.carry_out(2000, 0.02, row)
        scenario = self.make_scenario({"agent": [script(spend(700, 0.01), say())]})
        self.finish(self.start("--agent", "executor", "--cli", "demo", "--scenario", scenario, "--approve", "auto", "A goal"))
        advice = self.preview(row)["advice"]
        self.assertRegex(advice, r"Such a run took .* 4\.0.k tokens, \$0\.04 here; one agent alone took")


if __name__ == "__main__":
    engine_case.main()
