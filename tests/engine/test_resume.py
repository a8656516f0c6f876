# SPDX-License-Identifier: GPL-3.0-or-later
"""A conversation that was interrupted goes on in the next attempt, where its CLI has it still."""

import os
import shutil

import fake_case


class ResumeTest(fake_case.FakeCase):
    """Agents that hang in their first attempt, whose runner dies for longer than they wait for one."""

    def setUp(self):
        super().setUp()
        self.settings({"resume.orphan_grace": "500ms"})

    def interrupt(self, cli):
        """A run whose agent was interrupted once, and whose next runner does the rest."""
        run = self.begin_live(cli, "hang")
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("the guard ends it", lambda: not self.marked(run, "a"))
        return run

    def told(self, run, attempt):
        return self.file(f"a.{attempt}.in", os.path.join(self.home, "runs", run, "attempts"))

    def check_goes_on(self, cli, opening):
        run = self.interrupt(cli)
        self.ok("resume", run)
        self.finish(run)
        attempts = self.tasks(run)["a"]["attempts"]
        self.assertEqual([(a["n"], a.get("cause")) for a in attempts], [(1, "interrupted"), (2, None)])
        self.assertEqual(self.query(run, "SELECT result FROM tasks")[0][0].strip(), "I go on.")
        self.assertEqual([d.get("ok") for d in self.data(run, "session.taken_up")], [True])
        self.assertEqual([d.get("session") for d in self.data(run, "attempt.started")], [None, "s-1"])
        told = self.told(run, 2)
        self.assertIn(opening, told + json_words(attempts[1]))
        self.assertEqual(told.count("This is the same conversation"), 1)
        return run

    def test_an_agent_of_acp_goes_on(self):
        run = self.check_goes_on("acp", '"method":"session/load"')
        self.assertNotIn("What I said before", self.ok("transcript", run, "a", "--attempt", "2").out)

    def test_codex_goes_on_and_counts_what_is_new(self):
        run = self.check_goes_on("codex", '"method":"thread/resume"')
        usages = self.query(run, "SELECT input FROM attempts ORDER BY n")
        self.assertEqual([row[0] for row in usages], [100, 100])

    def test_claude_goes_on(self):
        self.check_goes_on("claude", "--resume s-1")

    def test_pi_goes_on(self):
        self.check_goes_on("pi", "--session s-1")

    def check_begins_anew(self, run, said):
        self.until("the second attempt", lambda: len(self.tasks(run)["a"]["attempts"]) == 2)
        self.until("its prompt", lambda: '[hang]' in self.told(run, 2).split('{"', 1)[-1])
        if said:
            data = self.until("the event", lambda: self.data(run, "session.taken_up"))
            self.assertFalse(data[0]["ok"])
            self.assertIn(said, data[0]["message"])
        self.assertNotIn("This is the same conversation", self.told(run, 2))
        self.ok("cancel", run)
        self.finish(run, "cancelled")

    def test_who_lost_its_sessions_begins_anew_and_says_so(self):
        for cli, said in (("acp", "No such session"), ("codex", "no rollout")):
            with self.subTest(cli):
                run = self.interrupt(cli)
                with open(os.path.join(self.folder, "forgets"), "w", encoding="utf-8"):
                    pass
                self.ok("resume", run)
                self.check_begins_anew(run, said)
                os.unlink(os.path.join(self.folder, "forgets"))

    def test_a_session_that_is_not_there_is_not_asked_for(self):
        run = self.interrupt("claude")
        shutil.rmtree(os.path.join(self.folder, ".claude"))
        self.ok("resume", run)
        self.check_begins_anew(run, None)
        self.assertNotIn("--resume", json_words(self.tasks(run)["a"]["attempts"][1]))


def json_words(attempt):
    return " ".join(attempt.get("argv", []))


if __name__ == "__main__":
    fake_case.engine_case.main()
