# SPDX-License-Identifier: GPL-3.0-or-later
"""Death of anything at any moment: nothing is done twice, nothing finished is done again, nobody is left."""

import fcntl
import os
import signal
import subprocess
import threading

import engine_case
from engine_case import say, script, write


class RecoveryTest(engine_case.EngineCase):
    def hold(self, name):
        path = os.path.join(self.folder, name)
        return f"sh -c 'while [ ! -e {path} ]; do sleep 0.02; done'"

    def open(self, name):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8"):
            pass

    def kill_while(self, run):
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("interrupted", lambda: self.show(run)["interrupted"])

    def counts(self, run):
        return {key: len(task["attempts"]) for key, task in self.tasks(run).items()}

    def test_a_living_agent_is_followed_on(self):
        run = self.begin(
            [("done", {"command": "true"}), ("a", {"command": self.hold("go"), "dependsOn": "done"}),
             ("b", {"command": "true", "dependsOn": "a"})])
        self.until_phase(run, "a", "agent")
        self.until("its pid", lambda: self.query(run, "SELECT pid FROM attempts WHERE task = 'a'")[0][0])
        agent = self.query(run, "SELECT pid FROM attempts WHERE task = 'a'")[0][0]
        self.kill_while(run)
        self.assertIn(agent, self.marked(run, "a"))
        self.ok("resume", run)
        self.until("adoption", lambda: "attempt.adopted" in self.types(run))
        self.until("the event", lambda: "run.resumed" in self.types(run))
        self.assertEqual(self.data(run, "run.resumed")[0]["tasks"], ["a", "b"])
        self.assertIn(agent, self.marked(run, "a"))
        self.open("go")
        self.finish(run)
        self.assertEqual(self.counts(run), {"done": 1, "a": 1, "b": 1})

    def test_a_run_that_cannot_be_taken_up_refuses_what_it_is_asked_and_lets_go(self):
        run = self.begin([("a", {"command": "false"})])
        self.finish(run, "failed")
        self.until("no runner", lambda: not self.runner_pid(run))
        spec = os.path.join(self.home, "runs", run, "spec.json")
        os.rename(spec, spec + ".away")
        for verb in ("retry", "resume", "cancel", "merge", "discard"):
            self.ctl(verb, run)
            self.until("no runner", lambda: not self.runner_pid(run))
            self.assertEqual(self.query(run, "SELECT count(*) FROM commands WHERE state = 'queued'"), [(0,)])
        self.assertLess(self.types(run).count("run.owned"), 9)
        os.rename(spec + ".away", spec)
        self.ok("retry", run)

    def test_an_agent_that_ended_meanwhile_is_taken_as_it_ended(self):
        run = self.begin([("a", {"command": f"sh -c 'while [ ! -e {self.folder}/go ]; do sleep 0.02; done; echo made > made'"}),
                          ("b", {"command": "test -e made", "dependsOn": "a"})])
        self.until_phase(run, "a", "agent")
        self.until("its start", lambda: self.marked(run, "a"))
        self.kill_while(run)
        self.open("go")
        self.until("its end", lambda: not self.marked(run, "a"))
        self.ok("resume", run)
        self.finish(run)
        self.assertEqual(self.counts(run), {"a": 1, "b": 1})
        self.assertEqual(self.result(run, "made"), "made")

    def test_an_agent_is_followed_on_with_what_it_said(self):
        self.env["FOREDECK_DEMO_SPEED"] = "1"
        run = self.begin(
            [("a", {})], {"a": [script(say("First."), {"spend": {"input": 10, "output": 5, "cost": 0.01}},
                                       {"sleep": 1500}, write("x"), say("Last."))]})
        self.until("some usage", lambda: self.show(run)["usage"].get("cost"))
        self.kill_while(run)
        self.ok("resume", run)
        shown = self.finish(run)
        self.assertEqual(self.counts(run), {"a": 1})
        self.assertAlmostEqual(shown["usage"]["cost"], 0.01)
        self.assertEqual(self.query(run, "SELECT result FROM tasks")[0][0], "Last.")

    def test_killed_during_checks(self):
        run = self.begin([("a", {"checks": self.hold("go").replace("'while", f"'echo started | tee -a {self.folder}/count; while")})], {"a": [script(write("x"), say())]})
        self.until_phase(run, "a", "checks")
        self.until("the check", lambda: self.marked(run, "a"))
        before = self.marked(run, "a")
        self.kill_while(run)
        self.ok("resume", run)
        self.until("adoption", lambda: "attempt.adopted" in self.types(run))
        self.until_phase(run, "a", "checks")
        self.assertLessEqual(set(before[:2]), set(self.marked(run, "a")))
        self.open("go")
        self.finish(run)
        self.assertEqual(self.counts(run), {"a": 1})
        self.assertEqual(self.tasks(run)["a"]["verified"], "verified")
        checks = [name for name in os.listdir(os.path.join(self.home, "runs", run, "attempts")) if ".1000." in name]
        self.assertTrue(checks)
        self.assertEqual(self.file("count", self.folder), "started\n")

    def test_an_answer_is_not_left_to_an_owner_that_is_dying(self):
        """A killed process is gone a moment before its files are closed, and its lock with them."""
        run = self.begin([("a", {"command": "true", "role": "executor"})], approve="ask")
        request = self.request(run)
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)
        fd = os.open(os.path.join(self.home, "runs", run, "owner.lock"), os.O_RDWR)
        fcntl.flock(fd, fcntl.LOCK_EX)
        threading.Timer(0.5, lambda: os.close(fd)).start()
        self.ok("approve", request["id"])
        self.finish(run)

    def test_killed_between_the_result_and_its_record(self):
        """A result branch that no record knows is in nobody's way, and what it has is kept."""
        run = self.begin([("a", {"command": f"sh -c 'while [ ! -e {self.folder}/go ]; do sleep 0.02; done; echo x > x'"})])
        self.until_phase(run, "a", "agent")
        tree = self.git("commit-tree", "-m", "left by a runner that died", "-p", "main", "main^{tree}").strip()
        self.git("branch", f"foredeck/{run}/result", tree)
        self.open("go")
        self.finish(run)
        self.assertEqual(self.result(run, "x"), "x")
        self.assertIn(tree, self.git("for-each-ref", "--format=%(objectname)", "refs/foredeck/rescue"))

    def test_killed_at_random_moments(self):
        """Again and again, until it is through."""
        self.env["FOREDECK_DEMO_SPEED"] = "3"
        names = [f"t{i}" for i in range(6)]
        scripts = {n: [script({"sleep": 200}, write(n), say())] for n in names}
        steps = [(n, {"dependsOn": ", ".join(names[max(0, i - 2):i])} if i else {}) for i, n in enumerate(names)]
        run = self.begin(steps, scripts)
        for _ in range(8):
            if self.show(run)["status"] in engine_case.FINISHED:
                break
            pid = self.runner_pid(run)
            known = len(self.types(run))
            self.until("something new", lambda: len(self.types(run)) > known + 3
                       or self.show(run)["status"] in engine_case.FINISHED)
            if pid and os.path.exists(f"/proc/{pid}"):
                self.kill(pid)
            if self.show(run)["status"] not in engine_case.FINISHED:
                self.ok("resume", run)
        self.finish(run)
        for name in names:
            self.assertEqual(self.result(run, name), name)
        starts = self.query(run, "SELECT task, count(*) FROM events WHERE type = 'task.status' "
                                 "AND json_extract(data, '$.to') = 'completed' GROUP BY task")
        self.assertEqual({count for _, count in starts}, {1})

    def test_a_killed_guard_takes_its_agent_along_and_the_task_is_tried_again(self):
        run = self.begin([("a", {})], {"a": [script({"stall": True}, attempt=1), script(write("x"), say())]})
        self.until_phase(run, "a", "agent")
        guard = self.until("a guard", lambda: self.find_guard(run, "a"))
        left = self.marked(run, "a")
        self.kill(guard)
        self.finish(run)
        self.assertEqual(self.tasks(run)["a"]["attempts"][0]["cause"], "lost")
        self.assertEqual([pid for pid in left if not self.is_zombie(pid)], [])

    def find_guard(self, run, task):
        for pid in self.marked(run, task):
            try:
                with open(f"/proc/{pid}/comm", encoding="ascii") as file:
                    if file.read().startswith("foredeck-guard"):
                        return pid
            except OSError:
                pass
        return None

    def test_cancel_of_an_interrupted_run_ends_its_agents(self):
        run = self.begin([("a", {})], {"a": [script({"stall": True})]})
        self.until_phase(run, "a", "agent")
        self.until("its start", lambda: self.marked(run, "a"))
        self.kill_while(run)
        self.ok("cancel", run)
        self.finish(run, "cancelled")
        self.assertEqual(self.marked(run), [])

    def test_a_runner_that_is_asked_to_go_leaves_its_agents_at_work(self):
        run = self.begin([("a", {"command": self.hold("go")})])
        self.until_phase(run, "a", "agent")
        self.until("its start", lambda: self.marked(run, "a"))
        os.kill(self.runner_pid(run), signal.SIGTERM)
        self.until("the runner goes", lambda: self.runner_pid(run) is None)
        self.assertTrue(self.marked(run, "a"))
        self.ok("resume", run)
        self.open("go")
        self.finish(run)
        self.assertEqual(self.counts(run), {"a": 1})

    def test_a_second_runner_goes_at_once(self):
        run = self.begin([("a", {"command": self.hold("go")})])
        self.until_phase(run, "a", "agent")
        runner = os.path.join(os.environ["FOREDECK_LIBEXEC"], "foredeck-runner")
        second = subprocess.run([runner, run], env=self.env, capture_output=True, text=True, timeout=30, check=False)
        self.assertEqual(second.returncode, 5, second.stderr)
        self.open("go")
        self.finish(run)


class DemoTest(engine_case.EngineCase):
    identity = False

    def test_the_demo_starts_no_git_and_one_task_runs_live(self):
        tools = os.path.join(self.folder, "tools")
        os.mkdir(tools)
        used = os.path.join(self.folder, "used")
        with open(os.path.join(tools, "git"), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\necho \"$@\" >> {used}\nexit 1\n")
        os.chmod(os.path.join(tools, "git"), 0o755)
        self.env["PATH"] = tools + ":" + self.env["PATH"]
        shown = self.ok("demo", os.path.join(self.folder, "demo"), "--json", timeout=120).json
        self.assertEqual((shown["status"], shown["tests_passed"]), ("completed", True))
        self.assertFalse(os.path.exists(used), "git was started")
        live = self.query(shown["run"], "SELECT task FROM attempts WHERE live = 1")
        self.assertEqual(len(live), 1)
        counts = {key: len(task["attempts"]) for key, task in self.tasks(shown["run"]).items()}
        self.assertEqual(sorted(counts.values())[-2:], [1, 2], counts)
        self.until("nobody left", lambda: not self.marked(shown["run"]))

    def make_project(self, name="project"):
        return None


if __name__ == "__main__":
    engine_case.main()
