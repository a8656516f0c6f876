# SPDX-License-Identifier: GPL-3.0-or-later
"""The demo from nothing to a merged branch whose tests pass."""

import os
import subprocess

import ctl_case


class DemoTest(ctl_case.CtlCase):
    identity = False
    sandbox = "auto"

    def check_merged(self, shown):
        self.project = shown["project"]
        self.assertEqual(self.git("status", "--porcelain"), "")
        done = subprocess.run(["sh", "tests/run.sh"], cwd=self.project, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def check_run(self, run):
        shown = self.show(run)
        tasks = self.tasks(run)
        self.assertEqual(shown["status"], "completed")
        self.assertEqual({task["status"] for task in tasks.values()}, {"completed"})
        self.assertGreaterEqual(len([t for t in tasks.values() if t.get("plan_version")]), 5)
        self.assertTrue([t for t in tasks.values() if len(t["attempts"]) > 1], "one fails once and is retried")
        self.assertIn("attempt.retry", [event["type"] for event in self.events(run)])
        self.assertIn("commit", shown["result"])
        self.assertIn("into", shown["merged"])

    def check_stats(self, run):
        answer = self.ok("stats", run, "--json").json
        figures = answer["runs"][0]
        loop, store = figures["main_loop"], figures["store"]
        self.assertEqual(figures["run"], run)
        self.assertEqual(figures["tasks"], len(self.tasks(run)))
        # On a busy machine wall time passes without any fault of ours.
        self.assertLess(loop["worst_cpu_us"], 500000 if "ASAN_OPTIONS" in os.environ else 100000, loop)
        self.assertGreater(loop["dispatches"], figures["tasks"])
        self.assertGreaterEqual(loop["worst_wall_us"], loop["p999_wall_us"])
        self.assertLessEqual(store["events"], len(self.events(run)))
        self.assertGreater(store["rows_per_commit"], 1)
        self.assertLessEqual(store["syncs"], store["barriers"])
        captured = sum(
            os.path.getsize(os.path.join(folder, name))
            for folder, _, names in os.walk(os.path.join(self.home, "runs", run, "attempts"))
            for name in names
            if name.endswith(".out")
        )
        decoded = sum(rate["bytes"] for rate in figures["decode"].values())
        self.assertTrue(0.9 * captured < decoded <= captured, f"{decoded} of {captured}, the rest is of checks")
        self.assertEqual(answer["total"]["store"]["rows"], store["rows"])
        self.assertIn("main loop", self.ok("stats").out)

    def test_demo(self):
        answer = self.ok("demo", "--json", timeout=180)
        shown = answer.json
        self.assertEqual(shown["status"], "completed")
        self.assertIs(shown["tests_passed"], True)
        self.check_merged(shown)
        self.check_run(shown["run"])
        self.check_stats(shown["run"])
        self.until("the end of all processes", lambda: not self.find_ours())

    def test_demo_in_a_folder(self):
        folder = os.path.join(self.folder, "sample")
        shown = self.ok("demo", folder, "--json", timeout=180).json
        self.assertEqual(os.path.realpath(shown["project"]), folder)

    def test_demo_that_asks(self):
        answer = self.fails(3, "demo", "--approve", "ask", "--json", timeout=180)
        shown = answer.json
        self.assertEqual(shown["status"], "blocked")
        self.assertNotIn("tests_passed", shown)
        run = shown["run"]
        request = self.open_request(run)
        self.assertEqual(request["kind"], "plan")
        self.assertEqual(self.fails(3, "wait", run, "--json").json["runs"][0]["id"], run)
        self.ok("approve", request["id"])
        self.ctl("wait", run, "--timeout", "100 s", timeout=120)
        for other in self.show(run)["requests"]:
            self.ok("approve", other["id"], "--option", other["options"][0]["id"])
        self.ok("wait", run, "--timeout", "100 s", timeout=120)
        self.assertTrue(self.ok("merge", run, "--dry-run", "--json").json["clean"])
        stat = self.ok("diff", run, "--stat", "--json").json
        self.assertTrue(stat["files"])
        self.assertIn("diff --git", self.ok("diff", run).out)
        self.ok("merge", run, "--json")
        self.check_merged(shown)
        self.check_run(run)

    def test_demo_on_a_folder_that_is_in_use(self):
        folder = os.path.join(self.folder, "used")
        os.mkdir(folder)
        with open(os.path.join(folder, "mine"), "w", encoding="utf-8") as file:
            file.write("keep me")
        self.assertNotEqual(self.ctl("demo", folder, "--json").code, 0)
        self.assertEqual(os.listdir(folder), ["mine"])


if __name__ == "__main__":
    ctl_case.main()
