# SPDX-License-Identifier: GPL-3.0-or-later
"""Two hundred agents that are started and cancelled leave nothing behind."""

import os
import stat

import engine_case
from engine_case import script

ROUNDS = 10
AGENTS = 20


class ManyTest(engine_case.EngineCase):
    """Agents that would work for minutes, half of them live."""

    def sockets(self):
        found = []
        for folder, _, names in os.walk(self.home):
            found += [name for name in names if stat.S_ISSOCK(os.lstat(os.path.join(folder, name)).st_mode)]
        return found

    def test_two_hundred_starts_and_cancels(self):
        self.settings({"limits.machine_agents": AGENTS})
        self.env["FOREDECK_DEMO_SPEED"] = "1"
        names = [f"t{n}" for n in range(AGENTS)]
        scripts = {name: [script({"sleep": 300000})] for name in names}
        steps = [(name, {"dependsOn": "", "live": str(n % 2 == 0).lower()}) for n, name in enumerate(names)]
        started = 0
        for _ in range(ROUNDS):
            run = self.begin(steps, scripts, "--jobs", str(AGENTS))
            self.until("all are at work", lambda: all(self.is_at_work(run, name) for name in names))
            self.ok("cancel", run)
            self.finish(run, "cancelled")
            self.assertEqual(self.marked(run), [])
            self.until("nobody of this home", lambda: not [pid for pid in self.find_ours() if not self.is_zombie(pid)])
            started += self.types(run).count("attempt.started")
            self.assertEqual(self.query(run, "SELECT DISTINCT cause FROM attempts"), [("cancelled",)])
        self.assertEqual(started, ROUNDS * AGENTS)
        self.assertEqual(self.sockets(), [])

    def is_at_work(self, run, name):
        return self.query(run, "SELECT phase FROM tasks WHERE key = ?", name)[0][0] == "agent"


if __name__ == "__main__":
    engine_case.main()
