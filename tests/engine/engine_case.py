# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the engine share: runs of scripted agents and commands, and what every run must hold."""

import json
import os
import signal
import sqlite3
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ctl"))

import ctl_case  # noqa: E402

SHELL = "sh -c '%s'"


def say(text="Done."):
    return {"say": text}


def write(path, text=None):
    return {"write": {"path": path, "text": text if text is not None else path + "\n"}}


def script(*steps, **when):
    return {"when": when, "steps": list(steps)} if when else {"steps": list(steps)}


def item(name, *before, role="executor", **more):
    return dict({"id": name, "title": name.title(), "role": role, "task": f"Do {name}.", "dependsOn": list(before)}, **more)


def plan(*items, title="A plan"):
    return {"plan": {"title": title, "summary": "What is to be done.", "items": list(items)}}


class EngineCase(ctl_case.CtlCase):
    """A project, a home, and checks of every run that a test leaves finished."""

    park_ms = None

    def setUp(self):
        super().setUp()
        self.watch_sanitizers()
        if self.park_ms is not None:
            self.env["FOREDECK_PARK_MS"] = str(self.park_ms)
        self.make_project()
        self.settings({"retry.delay": 0})

    def until(self, what, condition, deadline=None):
        def checked():
            self.check_crashes()
            return condition()

        return super().until(what, checked, deadline)

    def watch_sanitizers(self):
        """What runners and guards would say goes nowhere; it is kept and makes the test fail."""
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            options = [self.env[name]] if self.env.get(name) else []
            self.env[name] = ":".join([*options, f"log_path={self.folder}/sanitizer"])

    def check_sanitizers(self):
        for name in os.listdir(self.folder):
            if name.startswith("sanitizer"):
                self.fail(self.file(name, self.folder)[:6000])

    def check_crashes(self):
        crashes = os.path.join(self.home, "crashes")
        for name in os.listdir(crashes) if os.path.isdir(crashes) else []:
            with open(os.path.join(crashes, name), encoding="utf-8", errors="replace") as file:
                self.fail(f"a program crashed: {name}\n{file.read()[:4000]}")

    def tearDown(self):
        runs = os.path.join(self.home, "runs")
        for run in os.listdir(runs) if os.path.isdir(runs) else []:
            self.check_fold(run)
            self.check_attempts(run)
        self.check_crashes()
        self.check_sanitizers()
        log = os.path.join(self.home, "log")
        for name in os.listdir(log) if os.path.isdir(log) else []:
            with open(os.path.join(log, name), encoding="utf-8", errors="replace") as file:
                for line in file:
                    if '"critical"' in line:
                        self.fail(f"{name}: {line}")
        super().tearDown()

    # What every run must hold

    def query(self, run, sql, *args):
        path = os.path.join(self.home, "runs", run, "run.db")
        base = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
        try:
            return base.execute(sql, args).fetchall()
        finally:
            base.close()

    def check_fold(self, run):
        """The table of tasks is what the audit events add up to."""
        folded = {}
        status = "queued"
        for kind, task, data in self.query(run, "SELECT type, task, data FROM events ORDER BY seq"):
            data = json.loads(data) if data else {}
            if kind == "task.added":
                folded[task] = "queued"
            elif kind == "task.status":
                self.assertEqual(folded.get(task, "queued"), data["from"], f"{run} {task}")
                folded[task] = data["to"]
            elif kind == "run.status":
                self.assertEqual(status, data["from"], run)
                status = data["to"]
        table = dict(self.query(run, "SELECT key, status FROM tasks"))
        for task in table:
            folded.setdefault(task, "queued")
        self.assertEqual(table, folded, run)
        self.assertEqual(self.query(run, "SELECT status FROM run")[0][0], status, run)

    def check_attempts(self, run):
        """No attempt was started twice."""
        started = self.query(
            run, "SELECT task, attempt, count(*) FROM events WHERE type = 'attempt.started' GROUP BY 1, 2"
        )
        for task, attempt, count in started:
            self.assertEqual(count, 1, f"{run}: {task}.{attempt} was started {count} times")

    # Settings, agents, runs

    def settings(self, values):
        self.config = dict(getattr(self, "config", {}), **values)
        folder = os.path.join(self.home, "library")
        os.makedirs(folder, exist_ok=True)
        tree = {}
        for name, value in self.config.items():
            place = tree
            *parts, last = name.split(".")
            for part in parts:
                place = place.setdefault(part, {})
            place[last] = value
        with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
            json.dump(tree, file)

    def begin(self, steps, scripts=None, *args, approve="auto", goal="A goal", project=None):
        """Starts a run of these steps: (id, {key: value}); agents are scripted ones, tasks execute."""
        full = []
        for step in steps:
            keys = dict(step[1])
            if "command" in keys:
                keys.setdefault("cli", "command")
            keys.setdefault("role", "executor")
            full.append((step[0], keys))
        workflow = self.make_workflow(full)
        scenario = self.make_scenario(scripts or {})
        return self.start(
            "--workflow", workflow, "--team", "implementation", "--cli", "demo", "--scenario", scenario,
            "--approve", approve, *args, goal, project=project,
        )

    def begin_plan(self, scripts, *args, approve="ask"):
        scenario = self.make_scenario(scripts)
        return self.start(
            "--workflow", "implementation", "--cli", "demo", "--scenario", scenario, "--approve", approve, *args,
            "A goal",
        )

    def finish(self, run, status="completed"):
        """Waits until the run has finished, and nothing owns it any more."""
        def done():
            shown = self.show(run)
            return shown if shown["status"] in ctl_case.FINISHED else None

        shown = self.until(f"the end of {run}", done)
        self.assertEqual(shown["status"], status, self.describe(run))
        self.until("the runner's end", lambda: self.runner_pid(run) is None)
        return self.show(run)

    def describe(self, run):
        tasks = [(t["key"], t["status"], t.get("cause"), t.get("message")) for t in self.tasks(run).values()]
        events = [(e["type"], e.get("task"), e.get("data")) for e in self.events(run)[-25:]]
        return "\n".join(map(str, [self.show(run), *tasks, *events]))

    def types(self, run):
        return [row[0] for row in self.query(run, "SELECT type FROM events ORDER BY seq")]

    def data(self, run, kind, task=None):
        rows = self.query(run, "SELECT data, task FROM events WHERE type = ? ORDER BY seq", kind)
        return [json.loads(data) for data, of in rows if task is None or of == task]

    def statuses(self, run):
        return {key: task["status"] for key, task in self.tasks(run).items()}

    def until_task(self, run, key, status):
        return self.until(f"{key} {status}", lambda: self.statuses(run).get(key) == status)

    def until_phase(self, run, key, phase):
        def there():
            rows = self.query(run, "SELECT phase FROM tasks WHERE key = ?", key)
            return rows and rows[0][0] == phase

        return self.until(f"{key} in {phase}", there)

    def request(self, run, kind=None):
        """The one open request of the run."""
        def find():
            requests = [r for r in self.show(run)["requests"] if kind is None or r["kind"] == kind]
            return requests[0] if requests else None

        return self.until(f"a request {kind or ''}", find)

    def kill(self, pid):
        os.kill(pid, signal.SIGKILL)
        self.until(f"the end of {pid}", lambda: not os.path.exists(f"/proc/{pid}") or self.is_zombie(pid))

    @staticmethod
    def is_zombie(pid):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii") as file:
                return file.read().rsplit(")", 1)[1].split()[0] == "Z"
        except OSError:
            return True

    def marked(self, run, task=None):
        """Processes that carry the markers of the run's attempts."""
        wanted = {f"FOREDECK_RUN={run}".encode()}
        if task is not None:
            wanted.add(f"FOREDECK_TASK={task}".encode())
        found = []
        for name in os.listdir("/proc"):
            if not name.isdigit():
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    environ = set(file.read().split(b"\0"))
            except OSError:
                continue
            if wanted <= environ and not self.is_zombie(int(name)):
                found.append(int(name))
        return found

    def file(self, name, folder=None):
        with open(os.path.join(folder or self.project, name), encoding="utf-8") as file:
            return file.read()

    def result(self, run, path):
        """A file of the run's integration branch."""
        return self.git("show", f"foredeck/{run}/result:{path}")


FINISHED = ctl_case.FINISHED
main = ctl_case.main
