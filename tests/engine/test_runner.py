# SPDX-License-Identifier: GPL-3.0-or-later
"""Runners that die, hang or are stopped: what they leave, what is shown of them, and how they are replaced."""

import hashlib
import os
import signal
import sqlite3
import subprocess
import threading
import time

import engine_case
from engine_case import say, script, write


class RunnerTest(engine_case.EngineCase):
    def hold(self, name="go"):
        path = os.path.join(self.folder, name)
        return f"sh -c 'while [ ! -e {path} ]; do sleep 0.02; done'"

    def open(self, name="go"):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8"):
            pass

    def begin_held(self):
        run = self.begin([("a", {"command": self.hold()}), ("b", {"dependsOn": "a"})],
                         {"b": [script(write("x"), say())]})
        self.until_phase(run, "a", "agent")
        self.until("its start", lambda: self.marked(run, "a"))
        return run

    def counts(self, run):
        return {key: len(task["attempts"]) for key, task in self.tasks(run).items()}

    def take_reports(self):
        """Paths and texts of the reports there are, which are what this test is about."""
        folder = os.path.join(self.home, "crashes")
        found = {}
        for name in os.listdir(folder) if os.path.isdir(folder) else []:
            path = os.path.join(folder, name)
            found[path] = self.file(path)
            os.unlink(path)
        return found

    def test_one_that_crashes_leaves_why(self):
        run = self.begin_held()
        pid = self.runner_pid(run)
        os.kill(pid, signal.SIGSEGV)
        super(engine_case.EngineCase, self).until("its end", lambda: self.is_zombie(pid))
        reports = self.take_reports()
        self.assertEqual(len(reports), 1)
        path, text = next(iter(reports.items()))
        self.assertIn("SIGSEGV", text)
        self.assertIn("backtrace", text)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        answer = self.ok("resume", run)
        os.unlink(path)
        died = self.show(run)["died"]
        self.assertEqual((died["pid"], died["cause"], died["report"]), (pid, "SIGSEGV", path), answer)
        self.assertIn("SIGSEGV", self.ok("show", run).out)
        self.open()
        self.finish(run)
        self.assertEqual(self.counts(run), {"a": 1, "b": 1})
        self.assertEqual(self.types(run).count("recovery.died"), 1)

    def test_one_that_is_killed_says_so(self):
        run = self.begin_held()
        pid = self.runner_pid(run)
        self.kill(pid)
        self.assertNotIn("died", self.show(run))
        self.ok("resume", run)
        died = self.show(run)["died"]
        self.assertEqual((died["pid"], died["cause"]), (pid, "killed"))
        self.assertNotIn("report", died)
        self.open()
        self.finish(run)

    def test_one_that_parks_did_not_die(self):
        run = self.begin_held()
        os.kill(self.runner_pid(run), signal.SIGTERM)
        self.until("the runner goes", lambda: self.runner_pid(run) is None)
        self.ok("resume", run)
        self.open()
        self.finish(run)
        self.assertNotIn("died", self.show(run))

    def listed(self, run):
        return next(r for r in self.ok("list", "--json").json["runs"] if r["id"] == run)

    def test_one_that_is_stopped_does_not_respond(self):
        run = self.begin_held()
        pid = self.runner_pid(run)
        self.assertTrue(self.show(run)["responding"])
        os.kill(pid, signal.SIGSTOP)
        self.until("it is seen", lambda: not self.show(run)["responding"])
        self.assertFalse(self.listed(run)["responding"])
        self.assertIn("not responding", self.ok("list").out)
        self.assertIn("not responding", self.ok("show", run).out)
        self.assertFalse(self.show(run)["interrupted"])
        agent = self.query(run, "SELECT pid FROM attempts")[0][0]
        self.ok("restart", run)
        self.assertNotEqual(self.runner_pid(run), pid)
        self.assertTrue(self.show(run)["responding"])
        self.assertIn(agent, self.marked(run, "a"))
        self.open()
        self.finish(run)
        self.assertEqual(self.counts(run), {"a": 1, "b": 1})

    def test_one_that_hangs_does_not_respond_and_tells_where(self):
        """It waits for ever for somebody to write what it reads, and does not hear that it shall go."""
        self.settings({"resume.unresponsive": "1s"})
        run = self.begin_held()
        self.kill_runner(run)
        exits = os.path.join(self.home, "runs", run, "exits")
        os.rename(exits, exits + ".kept")
        os.mkfifo(exits)
        runner = subprocess.Popen(
            [os.path.join(os.environ["FOREDECK_LIBEXEC"], "foredeck-runner"), run], env=self.env, cwd=self.folder,
            stderr=subprocess.DEVNULL, preexec_fn=lambda: signal.signal(signal.SIGTERM, signal.SIG_IGN))
        self.addCleanup(runner.kill)
        threading.Thread(target=runner.wait).start()
        self.until("it is seen", lambda: not self.show(run).get("responding", True))
        self.assertEqual(self.show(run)["status"], "running")
        os.rename(exits + ".kept", exits)
        self.ok("restart", run, "--json")
        reports = self.take_reports()
        self.assertEqual(len(reports), 1)
        self.assertIn("SIGABRT", next(iter(reports.values())))
        died = self.show(run)["died"]
        self.assertEqual((died["pid"], died["cause"]), (runner.pid, "SIGABRT"))
        self.open()
        self.finish(run)
        self.assertEqual(self.counts(run), {"a": 1, "b": 1})

    def test_the_time_of_a_run_counts_over_all_its_runners(self):
        """What the agents took under the runners before counts; the time between two of them does not."""
        run = self.begin([("a", {"command": "sleep 1.2"}), ("b", {"command": "sleep 1.2", "dependsOn": "a"}),
                          ("c", {"command": "sleep 20", "dependsOn": "b"})], None, "--timeout", "4 s")
        for key in ("b", "c"):
            self.until("its start", lambda key=key: self.marked(run, key))
            self.kill(self.until("a runner", lambda: self.runner_pid(run)))
            self.ok("resume", run)
        end = time.monotonic()
        self.finish(run, "failed")
        self.assertLess(time.monotonic() - end, 3.6)
        self.assertEqual(self.tasks(run)["c"]["cause"], "timeout")

    def test_resume_says_before_what_will_be_and_why(self):
        run = self.begin(
            [("done", {"command": "true"}), ("lives", {"command": self.hold(), "dependsOn": "done"}),
             ("ended", {"command": self.hold("first"), "dependsOn": "done"}),
             ("gone", {"command": "sh -c 'exec sleep 600'", "dependsOn": "done"}),
             ("next", {"command": "true", "dependsOn": "lives"})])
        for key in ("lives", "ended", "gone"):
            self.until_phase(run, key, "agent")
            self.until("its start", lambda key=key: self.marked(run, key))
        self.kill(self.runner_pid(run))
        for pid in sorted(self.marked(run, "gone")):
            self.end_one(pid)
        self.open("first")
        self.until("their end", lambda: not self.marked(run, "ended") and not self.marked(run, "gone"))
        self.ok("list")  # The first to open what a killed runner left moves it from one file to another.
        before = self.hash_home()
        dry = self.ok("resume", run, "--dry-run", "--json").json
        text = self.ok("resume", run, "--dry-run").out
        self.assertEqual(self.hash_home(), before)
        self.assertEqual(dry["reruns"], ["lives", "ended", "gone", "next"])
        self.assertEqual({t["task"]: t["what"] for t in dry["tasks"]},
                         {"lives": "follow", "ended": "take", "gone": "again", "next": "start"})
        for task in dry["tasks"]:
            self.assertIn(task["why"], text)
        out = self.ok("resume", run).out
        for task in dry["tasks"]:
            self.assertIn(task["why"], out)
        self.until("it is taken up", lambda: len(self.tasks(run)["gone"]["attempts"]) == 2)
        self.ok("resume", run)
        self.open()
        self.ok("cancel", run, "gone")
        self.until("the end", lambda: self.show(run)["status"] in engine_case.FINISHED)
        counts = self.counts(run)
        self.assertEqual((counts["done"], counts["lives"], counts["ended"], counts["next"]), (1, 1, 1, 1))

    def test_resume_never_says_again_of_one_that_ends_meanwhile(self):
        """Between two looks at it an agent may have gone; its record was there before."""
        keys = [f"t{i}" for i in range(16)]
        self.settings({"limits.machine_commands": 32})
        run = self.begin([(key, {"command": self.hold(key)}) for key in keys], None, "--jobs", "16")
        for key in keys:
            self.until("its start", lambda key=key: self.marked(run, key))
        self.kill(self.runner_pid(run))
        left = list(keys)

        def open_one_by_one():
            for key in keys:
                time.sleep(0.1)
                self.open(key)
                left.remove(key)

        opener = threading.Thread(target=open_one_by_one)
        opener.start()
        looks = 0
        while left or self.marked(run):
            looks += 1
            found = {t["task"]: t["what"] for t in self.ok("resume", run, "--dry-run", "--json").json["tasks"]}
            self.assertLessEqual(set(found.values()), {"follow", "take"}, found)
        opener.join()
        self.assertGreater(looks, 1)
        self.ok("resume", run)
        self.finish(run)
        self.assertEqual(set(self.counts(run).values()), {1})

    def test_what_comes_while_it_goes_is_taken_up_by_a_fresh_process(self):
        """A runner was asked to go while a tree was made; what that thread brought afterwards met the next run of it."""
        self.settings({"git.setup": ["sh", "-c", f"while [ ! -e {self.folder}/go ]; do sleep 0.02; done"]})
        run = self.begin([("a", {"command": "true"}), ("b", {"command": "true", "dependsOn": "a"})])
        self.until_phase(run, "a", "worktree")
        pid = self.until("a runner", lambda: self.runner_pid(run))
        os.kill(pid, signal.SIGSTOP)
        base = sqlite3.connect(os.path.join(self.home, "runs", run, "run.db"), timeout=10)
        with base:  # Without a bell: it is seen when the run is let go, or at the next look.
            base.execute("UPDATE counter SET rev = rev + 1")
            base.execute("INSERT INTO commands (kind, by, time, state, code, rev) VALUES ('resume', 'test', ?, 'queued', 0,"
                         " (SELECT rev FROM counter))", (int(time.time() * 1e6),))
        base.close()
        os.kill(pid, signal.SIGTERM)
        os.kill(pid, signal.SIGCONT)
        self.until("it is let go", lambda: "run.released" in self.types(run))
        self.until("it is taken up", lambda: self.types(run).count("run.owned") == 2)
        self.open()
        self.finish(run)
        self.assertEqual(self.counts(run), {"a": 1, "b": 1})

    @staticmethod
    def end_one(pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass  # It went with its guard.

    def hash_home(self):
        """Every file there is, by its content. Shared memory of readers is none of it."""
        found = {}
        for folder, _, names in os.walk(self.home):
            for name in names:
                path = os.path.join(folder, name)
                if name.endswith("-shm") or "/log/" in path:
                    continue
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.home)] = hashlib.sha256(file.read()).hexdigest()
        return found

    def test_a_restart_of_nobody_is_a_resume(self):
        run = self.begin_held()
        self.kill(self.runner_pid(run))
        self.until("interrupted", lambda: self.show(run)["interrupted"])
        shown = self.ok("restart", run, "--json").json
        self.assertTrue(shown["responding"])
        self.open()
        self.finish(run)
        self.assertEqual(self.counts(run), {"a": 1, "b": 1})


if __name__ == "__main__":
    engine_case.main()
