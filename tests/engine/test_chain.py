# SPDX-License-Identifier: GPL-3.0-or-later
"""Chains: what they become, what is wrong with them and where, and how they run."""

import engine_case
from engine_case import say, script, write


class ChainCase(engine_case.EngineCase):
    def begin_chain(self, chain, scripts=None, *args):
        return self.start("--chain", chain, "--cli", "demo", "--scenario", self.make_scenario(scripts or {}),
                          "--approve", "auto", *args)

    def preview(self, chain, *args):
        answer = self.ok("run", "--dry-run", "--json", "--project", self.project, "--cli", "demo", "--chain", chain,
                         *args, "A goal")
        return answer.json["tasks"]

    def edges(self, chain):
        return {task["key"]: task["depends_on"] for task in self.preview(chain)}

    def wrong(self, chain, column, *words):
        error = self.refused(2, "run", "--dry-run", "--project", self.project, "--cli", "demo", "--chain", chain, "x")
        self.assertIn(f"column {column}:", error["message"])
        for word in words:
            self.assertIn(word, error["message"])


class GrammarTest(ChainCase):
    def test_one_after_the_other_and_side_by_side(self):
        self.assertEqual(self.edges("explorer -> parallel(critic, security-reviewer -> writer) -> executor"), {
            "explorer": [], "critic": ["explorer"], "security-reviewer": ["explorer"], "writer": ["security-reviewer"],
            "executor": ["critic", "writer"]})

    def test_hyphens_need_no_spaces_around_the_arrow(self):
        self.assertEqual(self.edges("cold-verifier->test-engineer"),
                         {"cold-verifier": [], "test-engineer": ["cold-verifier"]})

    def test_repeated_links(self):
        self.assertEqual(self.edges("critic:3 -> writer"), {
            "critic": [], "critic-2": ["critic"], "critic-3": ["critic-2"], "writer": ["critic-3"]})
        self.assertEqual(self.edges("parallel(critic, writer):2"), {
            "critic": [], "writer": [], "critic-2": ["critic", "writer"], "writer-2": ["critic", "writer"]})

    def test_texts_keep_arrows_quotes_and_commas(self):
        tasks = self.preview('"a -> b, \\"c\\" (d)":2 -> writer')
        self.assertEqual([t["title"] for t in tasks[:2]], ['a -> b, "c" (d)'] * 2)
        self.assertEqual([t["role"] for t in tasks], ["executor", "executor", "writer"])

    def test_options_of_a_link_and_of_all(self):
        tasks = {t["key"]: t for t in self.preview(
            '--global-model x/y-1 critic -> writer --model "prov/model-4.5:free" --timeout 5min -> explorer')}
        self.assertEqual({key: task["model"] for key, task in tasks.items()},
                         {"critic": "x/y-1", "writer": "prov/model-4.5:free", "explorer": "x/y-1"})
        self.assertEqual(self.preview("critic --model=a/b")[0]["model"], "a/b")

    def test_a_skill_that_nobody_has_is_refused(self):
        for chain in ("critic --skill nope", "--global-skill nope critic", "critic -> parallel(writer, critic --skill=nope)"):
            error = self.refused(4, "run", "--dry-run", "--cli", "demo", "--project", self.project, "--chain", chain)
            self.assertIn("nope", error["message"])
        names = [skill["name"] for skill in self.ok("library", "list", "skill", "--json").json["items"]]
        self.assertEqual(len(self.preview(f'critic --skill "{names[0]},{names[1]}"')), 1)
        near = names[0][:-1] + "_"
        error = self.refused(4, "run", "--dry-run", "--cli", "demo", "--project", self.project, "--chain", f"critic --skill {near}")
        self.assertIn(names[0], error["message"])

    def test_workflows_and_teams_come_with_all_their_steps(self):
        edges = self.edges("workflow:fast-fix -> @fast-fix")
        self.assertEqual(edges, {"explore": [], "execute": ["explore"], "verify": ["execute"], "explore-2": ["verify"],
                                 "execute-2": ["explore-2"], "verify-2": ["execute-2"]})
        self.assertEqual({t["key"]: t["agent"] for t in self.preview("fast-fix")},
                         {"explore": "explorer", "execute": "executor", "verify": "verifier"})

    def test_what_is_wrong_is_said_with_its_column(self):
        self.wrong("explorer -> ", 13)
        self.wrong("explorer writer", 10, "->")
        self.wrong('explorer -> "x', 13, "closed")
        self.wrong("parallel(critic, writer", 24, ")")
        self.wrong("critic --modle x", 8, "--model")
        self.wrong("critic:0", 8, "1 to 50")
        self.wrong("ü -> critic:99", 13)
        self.wrong("agents:critic", 1, "agent, workflow or team")
        self.wrong("critic --timeout soon", 8, "--timeout")
        self.wrong('""', 1)
        self.wrong("(", 1)
        self.wrong("critic --continue-on-error=maybe", 8)
        self.wrong("parallel(" * 20 + "critic" + ")" * 20, 153, "deep")

    def test_unknown_names_are_said_with_their_column(self):
        error = self.refused(4, "run", "--dry-run", "--project", self.project, "--cli", "demo", "--chain",
                             "critic -> wroter", "x")
        self.assertIn("column 11", error["message"])
        self.assertIn("writer", error["message"])

    def test_too_many_tasks(self):
        self.refused(2, "run", "--dry-run", "--project", self.project, "--cli", "demo", "--chain",
                     "parallel(parallel(critic:50):50):50", "x")
        self.refused(2, "run", "--project", self.project, "--chain", "critic", "--workflow", "review", "x")


class RunTest(ChainCase):
    def test_what_one_link_says_and_writes_reaches_the_next(self):
        run = self.begin_chain('"write one" -> parallel(critic, "write two") -> "sum up"', {
            "step": [script(write("one"), say("One is written."))],
            "step-2": [script(write("two"), say("Two too."), prompt="One is written.")],
            "step-3": [script({"run": ["sh", "-c", "cat one two > sum"]}, say(), prompt="Two too.")],
        })
        self.finish(run)
        self.assertEqual(self.result(run, "sum"), "one\ntwo")
        self.assertIn("write one", self.show(run)["goal"])

    def test_a_failure_stops_what_comes_after_it(self):
        run = self.begin_chain('"a" -> "b"', {"step": [script({"fail": {"kind": "auth", "message": "no"}})]})
        self.finish(run, "failed")
        self.assertEqual(self.statuses(run), {"step": "failed", "step-2": "skipped"})

    def test_going_on_after_a_failure(self):
        run = self.begin_chain('"a" --continue-on-error -> "b"', {
            "step": [script({"fail": {"kind": "auth", "message": "no"}})], "step-2": [script(write("b"), say())]})
        self.finish(run, "failed")
        self.assertEqual(self.statuses(run), {"step": "failed", "step-2": "completed"})
        self.assertEqual(self.result(run, "b"), "b")

    def test_going_on_after_a_failure_survives_the_runner(self):
        run = self.begin_chain('"a" --continue-on-error -> "b" -> "c"', {
            "step": [script({"fail": {"kind": "auth", "message": "no"}})], "step-2": [script({"stall": True})]})
        self.until_phase(run, "step-2", "agent")
        self.ok("pause", run)
        self.kill_runner(run)
        self.ok("resume", run)
        self.until("a runner", lambda: self.runner_pid(run))
        self.assertEqual(self.statuses(run), {"step": "failed", "step-2": "running", "step-3": "queued"})

    def test_a_chain_in_turns(self):
        run = self.begin_chain('"a" -> "b"', {"judge-1": [script(say('{"achieved": true, "reason": "r"}'))]},
                               "--goal-loop")
        self.finish(run)
        self.assertEqual(sorted(self.statuses(run)), ["checks-1", "judge-1", "step-1", "step-2-1"])


if __name__ == "__main__":
    engine_case.main()
