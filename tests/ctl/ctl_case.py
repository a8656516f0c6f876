# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of foredeckctl share: a home of their own, a project, and how to call the program."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

CTL = os.environ.get("FORE_CTL", "foredeckctl")
DEADLINE = float(os.environ.get("FORE_TEST_DEADLINE", "60"))

FINISHED = ("completed", "failed", "cancelled")


class Answer:
    """What one call of foredeckctl left."""

    def __init__(self, code, out, err):
        self.code = code
        self.out = out
        self.err = err

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def lines(self):
        return [json.loads(line) for line in self.out.splitlines() if line.strip()]

    @property
    def error(self):
        return json.loads(self.err.strip().splitlines()[-1])["error"]

    def __repr__(self):
        return f"exit {self.code}\n--- out\n{self.out[-3000:]}\n--- err\n{self.err[-3000:]}"


class CtlCase(unittest.TestCase):
    maxDiff = None
    identity = True
    # Most tests speak with their commands by files outside their trees.
    sandbox = "off"

    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="fore-ctl-"))
        self.home = os.path.join(self.folder, "home")
        self.env = dict(os.environ)
        for name in ("FOREDECK_RUN", "FOREDECK_TASK", "FOREDECK_ATTEMPT", "FOREDECK_DEPTH"):
            self.env.pop(name, None)
        self.env.update(
            FOREDECK_HOME=self.home,
            FOREDECK_DEMO_SPEED="0",
            FOREDECK_SANDBOX=self.sandbox,
            HOME=self.folder,
            XDG_CONFIG_HOME=os.path.join(self.folder, "config"),
            XDG_DATA_HOME=os.path.join(self.folder, "data"),
            XDG_RUNTIME_DIR=os.path.join(self.folder, "run"),
            LC_ALL="C.UTF-8",
        )
        os.mkdir(self.env["XDG_RUNTIME_DIR"], 0o700)
        if self.identity:
            with open(os.path.join(self.folder, ".gitconfig"), "w", encoding="utf-8") as file:
                file.write("[user]\n\tname = Test\n\temail = test@example.invalid\n")
        self.addCleanup(self.clean_up)

    def clean_up(self):
        if os.path.isdir(self.home):
            self.ctl("cancel", "--all")
        for pid in self.find_ours():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)

    def find_ours(self):
        """Processes that belong to this test's home, by the environment that they were given."""
        found = []
        needle = f"FOREDECK_HOME={self.home}".encode()
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == os.getpid():
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    environ = file.read()
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    cmdline = file.read()
            except OSError:
                continue
            if needle in environ.split(b"\0") or self.home.encode() in cmdline:
                found.append(int(name))
        return found

    def ctl(self, *args, stdin=None, timeout=None, env=None, cwd=None):
        done = subprocess.run(
            [CTL, *map(str, args)],
            input=stdin,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout or DEADLINE,
            env=env or self.env,
            cwd=cwd or self.folder,
            check=False,
        )
        if done.returncode < 0:
            self.fail(f"{args} died of signal {-done.returncode}: {done.stderr}")
        for word in ("CRITICAL", "WARNING", "AddressSanitizer", "runtime error"):
            self.assertNotIn(word, done.stderr, f"{args}")
        return Answer(done.returncode, done.stdout, done.stderr)

    def ok(self, *args, **kwargs):
        answer = self.ctl(*args, **kwargs)
        self.assertEqual(answer.code, 0, f"{args}: {answer}")
        return answer

    def fails(self, code, *args, **kwargs):
        answer = self.ctl(*args, **kwargs)
        self.assertEqual(answer.code, code, f"{args}: {answer}")
        return answer

    def refused(self, code, *args, **kwargs):
        """Fails with @code, says why in a sentence, and as JSON when asked."""
        answer = self.fails(code, *args, "--json", **kwargs)
        self.assertIn("message", answer.error)
        self.assertGreater(len(answer.error["message"]), 10, answer)
        return answer.error

    def until(self, what, condition, deadline=None):
        end = time.monotonic() + (deadline or DEADLINE)
        while time.monotonic() < end:
            found = condition()
            if found:
                return found
            time.sleep(0.05)
        self.fail(f"{what} did not come about in time")

    def git(self, *args, cwd=None):
        return subprocess.run(
            ["git", *args], cwd=cwd or self.project, env=self.env, check=True, capture_output=True, text=True
        ).stdout.strip()

    def make_project(self, name="project"):
        """A git repository with one commit."""
        self.project = os.path.join(self.folder, name)
        os.mkdir(self.project)
        self.git("init", "-q", "-b", "main")
        self.write("README", "A project.\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "first")
        return self.project

    def write(self, path, text):
        path = os.path.join(self.project, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def make_workflow(self, steps, name="w"):
        """A workflow file of steps: (id, {key: value}[, text])."""
        text = f"---\nname: {name}\ndescription: A test\n---\n# Test\n"
        for step in steps:
            text += f"\n## {step[0]}\n"
            text += "".join(f"{key}: {value}\n" for key, value in step[1].items())
            text += "\n" + (step[2] if len(step) > 2 else "Do it.") + "\n"
        path = os.path.join(self.folder, f"{name}.workflow.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def make_scenario(self, tasks, default=None):
        path = os.path.join(self.folder, "scenario.json")
        scenario = {
            "format": 1,
            "title": "t",
            "goal": "g",
            "model": "demo-1",
            "tasks": tasks,
            "default": default or [{"steps": [{"say": "Done."}]}],
        }
        with open(path, "w", encoding="utf-8") as file:
            json.dump(scenario, file)
        return path

    def start(self, *args, project=None):
        """Starts a run without following it and returns its id."""
        answer = self.ok("run", "--json", "--detach", "--project", project or self.project, *args)
        return answer.lines[0]["id"]

    def show(self, run):
        return self.ok("show", run, "--json").json

    def tasks(self, run):
        return {task["key"]: task for task in self.ok("tasks", run, "--json").json["tasks"]}

    def events(self, run):
        return self.ok("events", run, "--json").json["events"]

    def open_request(self, run):
        """The one request of a run, once it is open and the run has settled on waiting for it."""

        def find():
            shown = self.show(run)
            if shown["status"] in FINISHED:
                self.fail(f"the run ended before it asked: {shown}")
            return shown["status"] == "blocked" and shown["requests"]

        return self.until("a request", find)[0]

    def runner_pid(self, run):
        return self.show(run).get("owner", {}).get("pid")

    def kill_runner(self, run):
        pid = self.until("a runner", lambda: self.runner_pid(run))
        os.kill(pid, signal.SIGKILL)
        self.until("the runner's end", lambda: self.runner_pid(run) is None)


def main():
    os.environ.setdefault("G_DEBUG", "fatal-warnings")
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]], verbosity=2)
