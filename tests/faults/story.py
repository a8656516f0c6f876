# SPDX-License-Identifier: GPL-3.0-or-later
"""A run with everything in it, driven to its end however often somebody dies, and what must hold then."""

import contextlib
import fcntl
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "engine"))

import engine_case  # noqa: E402
from engine_case import item, plan, say, script, write  # noqa: E402

import faults  # noqa: E402

FINISHED = engine_case.FINISHED
MODES = {"ff": ["--ff"], "squash": ["--squash"], "merge": []}
WORD = "Mind the gap."
DEADLINE = float(os.environ.get("FORE_TEST_DEADLINE", "60"))
REFERENCE = {"plan": "completed", "prep": "completed", "one": "completed", "two": "completed", "check": "completed"}


class Broken(Exception):
    """Something that was promised does not hold."""


def demand(condition, text):
    if not condition:
        raise Broken(text() if callable(text) else text)


def read_command(pid):
    try:
        with open(f"/proc/{pid}/cmdline", encoding="utf-8", errors="replace") as file:
            return file.read().replace("\0", " ")[:200]
    except OSError:
        return "gone"


class Story:
    """One home, one project, one run."""

    def __init__(self, mode="ff"):
        self.mode = mode
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="fore-fault-"))
        self.home = os.path.join(self.folder, "home")
        self.project = os.path.join(self.folder, "project")
        self.calls = []
        self.run = None
        self.programs = os.path.join(self.folder, "programs")
        self.faults = faults.Faults(self.folder)
        self.make_programs()
        self.env = self.make_env()
        self.make_project()
        self.make_files()

    def close(self):
        self.kill_all()
        self.faults.close()
        if not os.environ.get("FORE_FAULT_KEEP"):
            shutil.rmtree(self.folder, ignore_errors=True)

    def make_programs(self):
        os.mkdir(self.programs)
        built = os.environ["FOREDECK_LIBEXEC"]
        for name in ("foredeck-runner", "foredeck-demo-agent"):
            os.symlink(os.path.join(built, name), os.path.join(self.programs, name))
        os.symlink(os.environ["FORE_FAULT_GUARD"], os.path.join(self.programs, "foredeck-guard"))

    def make_env(self):
        env = dict(os.environ)
        # what the shim does to a call takes as long as it takes
        for name in ("FOREDECK_RUN", "FOREDECK_TASK", "FOREDECK_ATTEMPT", "FOREDECK_DEPTH", "FORE_STALL_MS",
                     "FORE_STALL_FATAL"):
            env.pop(name, None)
        os.mkdir(os.path.join(self.folder, "run"), 0o700)
        env.update(
            FOREDECK_HOME=self.home, FOREDECK_DEMO_SPEED="0", HOME=self.folder, LC_ALL="C.UTF-8",
            XDG_CONFIG_HOME=os.path.join(self.folder, "config"), XDG_DATA_HOME=os.path.join(self.folder, "data"),
            XDG_RUNTIME_DIR=os.path.join(self.folder, "run"), FOREDECK_LIBEXEC=self.programs,
            LD_PRELOAD=os.environ["FORE_FAULT_SHIM"], G_DEBUG="fatal-criticals", FOREDECK_PARK_MS="300")
        return env

    def make_project(self):
        os.mkdir(self.project)
        with open(os.path.join(self.folder, ".gitconfig"), "w", encoding="utf-8") as file:
            file.write("[user]\n\tname = Test\n\temail = test@example.invalid\n")
        with open(os.path.join(self.project, "README"), "w", encoding="utf-8") as file:
            file.write("A project.\n")
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "first")

    def make_files(self):
        os.makedirs(os.path.join(self.home, "library"))
        with open(os.path.join(self.home, "library", "config.json"), "w", encoding="utf-8") as file:
            json.dump({"retry": {"delay": 0, "attempts": 4}}, file)
        steps = {
            "plan": "role: planner\nadaptive: true",
            "prep": f"role: executor\ncli: command\ndependsOn: plan\ncommand: sh -c 'echo x >> {self.folder}/ran.prep; echo prep > prep; echo Prepared.'\nretries: 3",
            "check": f"role: executor\ndependsOn: plan, prep",
        }
        self.workflow = os.path.join(self.folder, "w.workflow.md")
        with open(self.workflow, "w", encoding="utf-8") as file:
            file.write("---\nname: w\ndescription: A test\n---\n# Test\n")
            file.writelines(f"\n## {name}\n{keys}\n\nDo it.\n" for name, keys in steps.items())
        overloaded = {"fail": {"kind": "overloaded", "message": "overloaded", "code": 1}}
        tasks = {
            "plan": [script({"plan": plan(item("one"), item("two"))["plan"]})],
            "one": [script(write("half"), overloaded, attempt=1), script(write("one"), say("Wrote one."))],
            "two": [script(write("two"), say("Wrote two."))],
            "check": [script(write("check"), say("Checked."))],
        }
        self.scenario = os.path.join(self.folder, "scenario.json")
        with open(self.scenario, "w", encoding="utf-8") as file:
            json.dump({"format": 1, "title": "t", "goal": "g", "model": "demo-1", "tasks": tasks,
                       "default": [{"steps": [{"say": "Done."}]}]}, file)

    # Programs

    def git(self, *args, check=True):
        env = {name: value for name, value in self.env.items() if name != "LD_PRELOAD"}
        done = subprocess.run(["git", *args], cwd=self.project, env=env, capture_output=True, text=True, check=False)
        if check:
            demand(done.returncode == 0, f"git {args}: {done.stderr}")
        return done.stdout.strip()

    def ctl(self, *args):
        """Calls foredeckctl, which may be killed, but must not crash."""
        done = subprocess.run([os.environ["FORE_CTL"], *args], env=self.env, cwd=self.folder, capture_output=True,
                              text=True, errors="replace", timeout=DEADLINE, check=False)
        self.calls.append((args, done.returncode, done.stderr[-300:]))
        demand(done.returncode >= 0 or done.returncode == -signal.SIGKILL, f"{args} died: {self.calls[-1]}")
        for word in ("CRITICAL", "AddressSanitizer", "runtime error"):
            demand(word not in done.stderr, f"{args}: {done.stderr}")
        return done

    def find_ours(self):
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
            if needle in environ.split(b"\0") or self.folder.encode() + b"/" in cmdline + environ:
                if not engine_case.EngineCase.is_zombie(int(name)):
                    found.append(int(name))
        return found

    def kill_all(self):
        end = time.monotonic() + 20
        while True:
            left = self.find_ours()
            for pid in left:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            if not left:
                return
            demand(time.monotonic() < end, f"cannot be killed: {left}")
            time.sleep(0.002)

    # State

    def query(self, sql, *args, run=None):
        path = os.path.join(self.home, "runs", run or self.run, "run.db")
        base = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
        try:
            return base.execute(sql, args).fetchall()
        finally:
            base.close()

    def ask(self, sql, *args):
        """As query, of a file that may be anything just now."""
        try:
            return self.query(sql, *args)
        except sqlite3.Error:
            return []

    def is_owned(self):
        path = os.path.join(self.home, "runs", self.run, "owner.lock")
        if not os.path.exists(path):
            return False
        fd = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return False
        except BlockingIOError:
            return True
        finally:
            os.close(fd)

    def find_run(self):
        folder = os.path.join(self.home, "runs")
        for run in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            try:
                if self.query("SELECT id FROM run", run=run):
                    return run
            except sqlite3.Error:
                pass
        return None

    def begin(self):
        self.run = self.find_run()
        if self.run is None:
            self.ctl("run", "--json", "--detach", "--project", self.project, "--workflow", self.workflow, "--team",
                     "implementation", "--cli", "demo", "--scenario", self.scenario, "--approve", "ask", "A goal")
            self.run = self.find_run()

    # The drive

    def drive(self, after_power=None, cut_off=None):
        """Does what a person would, until the run is merged and nobody owns it."""
        end = time.monotonic() + DEADLINE
        while True:
            if self.faults[faults.DEAD]:
                self.kill_all()
                after_power()
                self.faults.disarm()
            if cut_off is not None:
                cut_off()
            if self.run is None:
                self.begin()
            elif self.step():
                return
            demand(time.monotonic() < end, lambda: "it comes to no end:\n" + self.describe())
            time.sleep(0.005)

    def drive_to_end_of_tasks(self):
        """As drive(), up to the merge."""
        self.merges = False
        self.drive()
        self.merges = True

    merges = True

    def step(self):
        """One look and what follows from it; whether all is done."""
        row = self.ask("SELECT status, merged_commit FROM run")
        if not row:
            if not self.is_owned():
                self.ctl("show", self.run)
                demand(self.find_run() == self.run, "the run is lost")
            return False
        status, merged = row[0]
        owned = self.is_owned()
        if status in ("failed", "cancelled"):
            self.help_failed(status)
        elif status == "completed":
            if not self.merges and not owned:
                return True
            if merged and not owned and not self.ask("SELECT 1 FROM commands WHERE state = 'queued'"):
                return True
            if not merged and not owned:
                self.ctl("merge", self.run, *MODES[self.mode])
        elif self.ask("SELECT 1 FROM requests WHERE state = 'open' AND id NOT IN (SELECT request FROM answers)"):
            self.answer()
        elif not owned:
            self.ctl("resume", self.run)
        return False

    def answer(self):
        if not self.ask("SELECT 1 FROM commands WHERE kind = 'steer'"):
            self.ctl("steer", self.run, "check", WORD)
        else:
            self.ctl("approve", self.run)

    def help_failed(self, status):
        """A disk that fails may end a task; a person tries it again."""
        demand(self.may_fail and status == "failed", lambda: f"the run is {status}:\n{self.describe()}")
        if not self.is_owned():
            self.retried += 1
            demand(self.retried < 6, lambda: f"it does not help to try again:\n{self.describe()}")
            self.ctl("retry", self.run)

    may_fail = False
    retried = 0
    plug = None

    def until(self, what, condition):
        end = time.monotonic() + DEADLINE
        while not condition():
            demand(time.monotonic() < end, lambda: f"{what} does not come:\n{self.describe()}")
            time.sleep(0.01)

    def start_ctl(self, *args):
        """Calls foredeckctl and does not wait for it."""
        process = subprocess.Popen([os.environ["FORE_CTL"], *args], env=self.env, cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        threading.Thread(target=process.wait, daemon=True).start()
        return process

    def describe(self):
        parts = [f"folder {self.folder}, run {self.run}"]
        if self.run is not None:
            parts += self.ask("SELECT status, phase_text, owner_pid FROM run")
            parts += self.ask("SELECT key, status, phase, attempts, cause, message FROM tasks")
            parts += self.ask("SELECT id, kind, state FROM requests")
            parts += self.ask("SELECT * FROM commands")
            parts += self.ask("SELECT task, n, pid, exit_code, cause, message FROM attempts")
            parts += reversed(self.ask("SELECT seq, type, task, data FROM events ORDER BY seq DESC LIMIT 30"))
        parts += self.calls[-8:]
        parts += [read_command(pid) for pid in self.find_ours()]
        return "\n".join(map(str, parts))

    # What must hold

    def check(self):
        try:
            self.check_all()
        except Broken as broken:
            raise Broken(f"{broken}\n{self.describe()}") from None

    def check_all(self):
        self.check_files()
        self.check_tasks()
        self.check_approval()
        self.check_message()
        self.check_git()
        self.check_index()
        self.check_crashes()

    def check_files(self):
        for path in (os.path.join(self.home, "runs", self.run, "run.db"), os.path.join(self.home, "foredeck.db")):
            base = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
            demand(base.execute("PRAGMA integrity_check").fetchall() == [("ok",)], f"{path} is damaged")
            demand(base.execute("PRAGMA foreign_key_check").fetchall() == [], f"{path} has loose ends")
            base.close()
        for (task, n) in self.query("SELECT task, max(n) FROM attempts GROUP BY task"):
            capture = os.path.join(self.home, "runs", self.run, "attempts", f"{task}.{n}.out")
            demand(os.path.exists(capture) and os.path.getsize(capture) > 0, f"the output of {task}.{n} is lost")

    def check_tasks(self):
        table = dict(self.query("SELECT key, status FROM tasks"))
        demand(table == REFERENCE, f"tasks are {table}")
        folded, attempts, status, finished = {}, {}, "queued", set()
        for kind, task, n, data in self.query("SELECT type, task, attempt, data FROM events ORDER BY seq"):
            data = json.loads(data) if data else {}
            if kind == "task.added":
                demand(task not in folded, f"{task} was added twice")
                folded[task] = "queued"
            elif kind == "task.status":
                demand(folded.get(task, "queued") == data["from"], f"{task}: {data} after {folded.get(task)}")
                folded[task] = data["to"]
            elif kind == "run.status":
                demand(status == data["from"], f"the run: {data} after {status}")
                status = data["to"]
            elif kind == "attempt.started":
                demand(folded.get(task) == "running", f"{task}.{n} was started while {folded.get(task)}")
                demand((task, n) not in attempts, f"{task}.{n} was started twice")
                attempts[task, n] = True
            if folded.get(task) == "completed":
                finished.add(task)
            demand(task not in finished or folded[task] == "completed", f"{task} had finished before {kind} {data}")
        demand(folded == table, f"the events say {folded}, the table {table}")
        demand(status == self.query("SELECT status FROM run")[0][0], f"the events say {status}")
        self.check_starts(attempts)

    def check_starts(self, attempts):
        """Nothing ran that is not on record."""
        started = [n for task, n in attempts if task == "prep"]
        with open(os.path.join(self.folder, "ran.prep"), encoding="ascii") as file:
            ran = len(file.read().split())
        demand(1 <= ran <= len(started), f"the command ran {ran} times in {len(started)} attempts")

    def check_approval(self):
        answers = self.query("SELECT request, option FROM answers")
        demand(len(answers) == 1 and answers[0][1] == "approve", f"answers: {answers}")
        kinds = [row[0] for row in self.query("SELECT type FROM events ORDER BY seq")]
        for kind in ("plan.approved", "adaptive.plan_injected", "request.answered", "plan.proposed"):
            demand(kinds.count(kind) == 1, f"{kinds.count(kind)} × {kind}")
        demand(kinds.index("request.answered") < kinds.index("plan.approved"), "approved before it was answered")
        demand(self.query("SELECT count(*) FROM requests")[0][0] == 1, "it asked more than once")

    def check_message(self):
        rows = self.query("SELECT text FROM messages")
        demand(rows == [(WORD,)], f"messages: {rows}")
        n = self.query("SELECT max(n) FROM attempts WHERE task = 'check'")[0][0]
        with open(os.path.join(self.home, "runs", self.run, "attempts", f"check.{n}.in"), encoding="utf-8") as file:
            demand(file.read().count(WORD) == 1, "the message is not in the prompt once")

    def check_git(self):
        out = self.git("fsck", "--full", "--strict", "--no-dangling")
        demand(out == "", f"git fsck: {out}")
        names = self.git("ls-tree", "-r", "--name-only", "main").split()
        # of an agent that was ended while it wrote
        names = [name for name in names if not re.fullmatch(r"[a-z]+\.[A-Z0-9]{6}", name)]
        demand(set(names) - {"half"} == {"README", "check", "one", "prep", "two"}, f"main holds {names}")
        demand(self.git("show", "main:README") == "A project.", "README is not what it was")
        for name in ("one", "two", "check", "prep"):
            demand(self.git("show", f"main:{name}") == name, f"{name} is not what was written")
        n = len(self.git("rev-list", "--first-parent", "main").split())
        wanted = {"ff": 5, "merge": 2, "squash": 2}[self.mode]
        demand(n == wanted, f"main has {n} commits, not {wanted}")
        demand(self.git("status", "--porcelain") == "", "the project is not clean: " + self.git("status", "--porcelain"))

    def check_index(self):
        listed = json.loads(self.ctl("list", "--json").stdout)["runs"]
        demand([(run["id"], run["status"]) for run in listed] == [(self.run, "completed")], f"the index: {listed}")
        done = self.ctl("doctor", "--check-store", "--json")
        demand(done.returncode in (0, 1, 6), f"doctor: {done}")

    def check_crashes(self):
        folder = os.path.join(self.home, "crashes")
        for name in os.listdir(folder) if os.path.isdir(folder) else []:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                raise Broken(f"a program crashed: {name}\n{file.read()[:4000]}")
        log = os.path.join(self.home, "log")
        for name in os.listdir(log) if os.path.isdir(log) else []:
            with open(os.path.join(log, name), encoding="utf-8", errors="replace") as file:
                for line in file:
                    demand('"critical"' not in line and "CRITICAL" not in line, f"{name}: {line}")
        end = time.monotonic() + 10
        while self.find_ours():
            demand(time.monotonic() < end, "somebody is left")
            time.sleep(0.01)
