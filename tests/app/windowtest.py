# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of the window share: a window on the accessibility bus, and foredeckctl beside it.

usage of each test: test-window-….py FOREDECK FOREDECKCTL MAKE-FIXTURE-HOME [CASE...]
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# Warnings of the bus's own bindings end neither this program nor what it starts.
os.environ.pop("G_DEBUG", None)
# commands of these tests speak with them by files outside their trees
os.environ.setdefault("FOREDECK_SANDBOX", "off")
import pyatspi  # noqa: E402
from gi.repository import GLib  # noqa: E402

FOREDECK, CTL, FIXTURE = sys.argv[1:4]
ONLY = sys.argv[4:]
BUTTONS = ("push button", "button", "toggle button")
NOISE = re.compile(r"fd limit|X connection|dbind|SpiRegistry|Vulkan|MESA|libEGL|send notifications")


class Failure(Exception):
    pass


class Skip(Exception):
    pass


def wait_for(what, check, seconds=20):
    """Polls CHECK until it gives something, never longer than SECONDS."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = check()
        except Exception:  # the tree changes while it is walked
            found = None
        if found:
            return found
        if time.monotonic() > end:
            raise Failure("waited %d s for %s" % (seconds, what))
        time.sleep(0.02)


class Window:
    """One running foredeck and what is on its screen."""

    def __init__(self, home, *args, **more):
        self.home = home
        self.log = tempfile.NamedTemporaryFile(mode="w+", suffix=".log", delete=False)
        env = dict(os.environ, FOREDECK_HOME=home, G_MESSAGES_DEBUG="", **more)
        self.process = subprocess.Popen([FOREDECK, *args], env=env, stdout=self.log,
                                        stderr=subprocess.STDOUT)
        self.app = wait_for("the application on the bus", self.find_app, 40)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is not None and issubclass(kind, Failure):
            value.args = ("%s; on the screen:\n%s" % (value, self.try_text()),)
        self.close()

    def find_app(self):
        desktop = pyatspi.Registry.getDesktop(0)
        for i in range(desktop.childCount):
            app = desktop.getChildAtIndex(i)
            if app is not None and app.get_process_id() == self.process.pid and app.childCount > 0:
                return app
        return None

    def walk(self, node=None, depth=0):
        """What can be seen: GTK 4.8 gives SHOWING to windows only, and keeps what is hidden."""
        node = node or self.app
        if depth > 40:
            return
        for i in range(node.childCount):
            child = node.getChildAtIndex(i)
            if child is None or not child.getState().contains(pyatspi.STATE_VISIBLE):
                continue
            yield child
            yield from self.walk(child, depth + 1)

    def extents(self, node):
        return node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)

    def showing(self, node):
        if "Component" not in pyatspi.listInterfaces(node):
            return False
        box = self.extents(node)
        return box.width > 0 and box.height > 0

    def find(self, name, roles=None, exact=True):
        for node in self.walk():
            if roles is not None and node.getRoleName() not in roles:
                continue
            label = node.name or ""
            if (label == name if exact else name in label) and self.showing(node):
                return node
        return None

    def text(self):
        words = []
        for node in self.walk():
            if node.name and self.showing(node):
                words.append(node.name)
        return "\n".join(words)

    def try_text(self):
        """What is on the screen, for the report of a failure."""
        try:
            lines = [line for line in self.text().splitlines()
                     if not re.match(r"Gtk|Adw|Fore[A-Z]", line)]
        except Exception as error:  # the window may be gone, which is worth saying too
            return "nothing: %s" % error
        return "\n".join(list(dict.fromkeys(lines))[-150:])

    def wait_text(self, words, seconds=30):
        return wait_for("“%s” on the screen" % words, lambda: words in self.text(), seconds)

    def wait_gone(self, words, seconds=30):
        wait_for("“%s” to go" % words, lambda: words not in self.text(), seconds)

    def usable(self, name, exact=True, roles=BUTTONS):
        node = self.find(name, roles, exact)
        return node if node and node.getState().contains(pyatspi.STATE_SENSITIVE) else None

    def press(self, name, seconds=20, exact=True, roles=BUTTONS):
        node = wait_for("the button “%s”" % name, lambda: self.usable(name, exact, roles), seconds)
        # The button of a menu leaves acting to the one inside of it.
        inner = [node] if node.queryAction().nActions > 0 else list(self.walk(node))
        inner[0].queryAction().doAction(0)
        return node

    def press_until(self, name, check, seconds=20, exact=True, roles=BUTTONS):
        """A press during a button's animation is swallowed: presses until CHECK is true."""
        end = time.monotonic() + seconds
        while True:
            try:
                self.press(name, 3, exact, roles)
            except (Failure, GLib.Error):  # it may go between the look and the press
                pass
            try:
                return wait_for(name, check, 3)
            except Failure:
                if time.monotonic() > end:
                    raise Failure("pressing “%s” had no effect" % name)

    def type_into(self, name, words):
        def entry():
            for node in self.walk():
                if node.name == name and "EditableText" in pyatspi.listInterfaces(node):
                    return node
            return None

        wait_for("the entry “%s”" % name, entry).queryEditableText().setTextContents(words)

    def click(self, node):
        """A press of the pointer's first button in the middle of NODE."""
        box = self.extents(node)
        windows = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid",
                                  str(self.process.pid)], check=True, timeout=60,
                                 capture_output=True, text=True).stdout.split()
        subprocess.run(["xdotool", "mousemove", "--window", windows[-1],
                        str(box.x + box.width // 2), str(box.y + box.height // 2), "click", "1"],
                       check=True, timeout=60)

    def click_into(self, find):
        """Presses what FIND finds until it has the focus: what still moves is missed."""
        def focused():
            node = find()
            if not node:
                return False
            if any(part.getState().contains(pyatspi.STATE_FOCUSED) for part in self.parts(node)):
                return True
            self.click(node)
            return False

        wait_for("the focus", focused)

    def parts(self, node):
        """NODE and what is in it."""
        yield node
        for child in node:
            if child is not None:
                yield from self.parts(child)

    def key(self, *keys):
        """Keys as a keyboard gives them: to whatever has the focus."""
        subprocess.run(["xdotool", "key", "--delay", "60", *keys], check=True, timeout=60)

    def write(self, words):
        subprocess.run(["xdotool", "type", "--delay", "60", words], check=True, timeout=60)

    def entry_text(self, name):
        """What stands in the entry NAME."""
        for node in self.walk():
            if node.name == name and "EditableText" in pyatspi.listInterfaces(node):
                return node.queryText().getText(0, -1)
        return None

    def focused(self):
        """Where the focus is: role and name, all that stays of a widget on the bus."""
        for node in self.walk():
            if node.getState().contains(pyatspi.STATE_FOCUSED):
                return node.getRoleName(), node.name
        return None

    def open_run(self, run):
        """`foredeck RUN-ID` lands in the one window that is there."""
        env = dict(os.environ, FOREDECK_HOME=self.home)
        subprocess.run([FOREDECK, run], env=env, check=True, timeout=40,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def open_plan(self):
        self.press_until("Review Plan", lambda: self.usable("Ask for Changes…"), 60)

    def approve(self):
        return wait_for("a usable “Approve”", lambda: self.usable("Approve ", exact=False), 20)

    def freeze(self):
        os.kill(self.process.pid, signal.SIGSTOP)

    def thaw(self):
        os.kill(self.process.pid, signal.SIGCONT)

    def warnings(self):
        with open(self.log.name) as log:
            lines = log.read().splitlines()
        return [l for l in lines if ("WARNING" in l or "CRITICAL" in l or "ERROR" in l)
                and not NOISE.search(l)]

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        warnings = self.warnings()
        os.unlink(self.log.name)
        if warnings:
            raise Failure("the window warned:\n" + "\n".join(warnings[:12]))


def press_blindly(node):
    """Presses a button of a window that does not answer yet: the press waits in its queue."""
    try:
        node.queryAction().doAction(0)
    except Exception:  # no answer in time
        pass


def ctl_raw(home, *args, **more):
    env = dict(os.environ, FOREDECK_HOME=home, **more)
    return subprocess.run([CTL, *args, "--json"], env=env, capture_output=True, text=True,
                          timeout=240)


def ctl(home, *args, **more):
    done = ctl_raw(home, *args, **more)
    if done.returncode not in (0, 1, 3):
        raise Failure("%s: %s%s" % (args, done.stdout, done.stderr))
    lines = [l for l in done.stdout.splitlines() if l.strip()]
    try:
        return json.loads(done.stdout)
    except ValueError:
        return json.loads(lines[-1]) if lines else None


def runs(home):
    return ctl(home, "list")["runs"]


def only_run(home):
    return wait_for("a run", lambda: runs(home), 20)[0]


def run_of(home, run):
    return ctl(home, "show", run)


def tasks_of(home, run):
    return ctl(home, "tasks", run)["tasks"]


def requests_of(home, run):
    return ctl(home, "requests", run)["requests"]


def events_of(home, run, kind=None):
    events = ctl(home, "events", run)["events"]
    return [e for e in events if kind is None or e["type"] == kind]


def wait_status(home, run, status, seconds=120):
    return wait_for("the run to be %s" % status, lambda: run_of(home, run)["status"] == status,
                    seconds)


def wait_end(home, run, seconds=120):
    ctl_raw(home, "wait", run, "--timeout", "%d s" % seconds)
    shown = run_of(home, run)
    if shown["class"] != "finished":
        raise Failure("waited %d s for the run's end: %s" % (seconds, shown))
    return shown


def start_waiting_demo(home):
    """A run of the demo whose plan waits for an answer."""
    return ctl(home, "demo", "--approve", "ask")["run"]


def start_demo(window, home):
    window.press_until("Try the Demo", lambda: runs(home))
    return only_run(home)["id"]


def owner_pid(home, run):
    return (run_of(home, run).get("owner") or {}).get("pid")


def is_alive(pid):
    """A zombie that nobody has fetched yet does nothing any more."""
    try:
        with open("/proc/%d/stat" % pid) as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill_runner(home, run):
    """As a power cut would: the run's process is gone between two instructions."""
    pid = owner_pid(home, run)
    if pid and is_alive(pid):
        os.kill(pid, signal.SIGKILL)
        wait_for("the runner's end", lambda: not is_alive(pid), 10)


def processes_of(home, run):
    """Ids of all processes that were started for RUN: its runner, its guards, their agents."""
    ours = b"FOREDECK_HOME=%s\0" % home.encode()
    agents = b"FOREDECK_RUN=%s\0" % run.encode()
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as environ, \
                 open("/proc/%s/cmdline" % pid, "rb") as cmdline:
                words, line = environ.read(), cmdline.read()
                if agents in words or ours in words and run.encode() in line \
                   and not line.startswith(FOREDECK.encode() + b"\0"):
                    found.append(int(pid))
        except OSError:
            continue
    return [pid for pid in found if is_alive(pid)]


def activate(action, *parameters):
    """What a desktop does when an action of the application is chosen outside its window."""
    subprocess.run(["gdbus", "call", "--session", "--dest", "app.foredeck.Foredeck",
                    "--object-path", "/app/foredeck/Foredeck", "--method",
                    "org.gtk.Actions.Activate", action, "[%s]" % ", ".join(parameters), "{}"],
                   check=True, timeout=20, stdout=subprocess.DEVNULL)


def make_repository(path, files=None):
    """A git repository with one commit."""
    os.makedirs(path)
    for name, text in (files or {"README.md": "# Sample\n"}).items():
        with open(os.path.join(path, name), "w") as file:
            file.write(text)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"],
                  ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "First"]):
        subprocess.run(["git", "-C", path, *words], check=True)
    subprocess.run(["git", "-C", path, "config", "user.name", "A"], check=True)
    subprocess.run(["git", "-C", path, "config", "user.email", "a@example.org"], check=True)
    return path


def begin(home, steps, scripts=None, isolation="worktrees", options=()):
    """A run of STEPS (id, {key: value}); agents play SCRIPTS, those without one only say a word."""
    folder = os.path.dirname(home)
    project = os.path.join(folder, "project")
    if not os.path.isdir(project):
        make_repository(project)
    workflow = os.path.join(folder, "w.workflow.md")
    with open(workflow, "w") as file:
        file.write("---\nname: w\ndescription: A test\n---\n# Test\n")
        for key, values in steps:
            values = dict({"role": "executor"}, **values)
            if "command" in values:
                values["cli"] = "command"
            file.write("\n## %s\n%s\nDo it.\n"
                       % (key, "".join("%s: %s\n" % pair for pair in values.items())))
    scenario = os.path.join(folder, "scenario.json")
    with open(scenario, "w") as file:
        json.dump({"format": 1, "title": "t", "goal": "g", "model": "demo-1",
                   "tasks": scripts or {}, "default": [{"steps": [{"say": "Done."}]}]}, file)
    return ctl(home, "run", "--detach", "--project", project, "--workflow", workflow, "--team",
               "implementation", "--cli", "demo", "--scenario", scenario, "--approve", "auto",
               "--isolation", isolation, *options, "A goal")["id"]


def hold(home, name):
    """A command that ends when release() is called."""
    return "sh -c 'while [ ! -e %s ]; do sleep 0.02; done'" % os.path.join(os.path.dirname(home),
                                                                           name)


def release(home, name):
    with open(os.path.join(os.path.dirname(home), name), "w"):
        pass


def task(home, run, key):
    return next(t for t in tasks_of(home, run) if t["key"] == key)


def wait_task(home, run, key, status):
    wait_for("%s to be %s" % (key, status), lambda: task(home, run, key)["status"] == status, 60)


def wait_agent(home, run, key):
    wait_for("an agent of %s" % key, lambda: task(home, run, key)["attempts"][-1].get("pid"), 60)


def run_case(func):
    base = tempfile.mkdtemp(prefix="foredeck-window-")
    home = os.path.join(base, "home")
    os.environ["TMPDIR"] = base
    tempfile.tempdir = None
    try:
        func(home)
    finally:
        if os.path.isdir(home):
            for run in runs(home) or []:
                if run["class"] != "finished":
                    ctl_raw(home, "cancel", run["id"])
            for run in runs(home) or []:
                wait_for("no process", lambda run=run: not processes_of(home, run["id"]), 30)
        os.environ.pop("TMPDIR")
        tempfile.tempdir = None
        shutil.rmtree(base, ignore_errors=True)


def main(names):
    cases = [(name[5:], func) for name, func in names.items() if name.startswith("case_")]
    cases = [(name, func) for name, func in cases if not ONLY or name in ONLY]
    failed = 0
    print("1..%d" % len(cases), flush=True)
    for number, (name, func) in enumerate(cases, 1):
        begun = time.monotonic()
        try:
            run_case(func)
            print("ok %d - %s" % (number, name), flush=True)
        except Skip as reason:
            print("ok %d - %s # SKIP %s" % (number, name, reason), flush=True)
        except (Failure, AssertionError, OSError, subprocess.SubprocessError, GLib.Error) as error:
            failed += 1
            print("not ok %d - %s" % (number, name), flush=True)
            print("# " + str(error).replace("\n", "\n# "), flush=True)
        print("# %s took %.1f s" % (name, time.monotonic() - begun), flush=True)
    return 1 if failed else 0
