#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives the real window through the accessibility bus, as a person with a screen reader would.

usage: test-window.py FOREDECK FOREDECKCTL MAKE-FIXTURE-HOME [CASE...]
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
import pyatspi  # noqa: E402

FOREDECK, CTL, FIXTURE = sys.argv[1:4]
ONLY = sys.argv[4:]
# How long the window may take to show what another process did. 0.2 s on a machine that is not
# busy with other tests; the bus itself is slow.
LIMIT = float(os.environ.get("FOREDECK_TEST_LIMIT", "1.0"))
BUTTONS = ("push button", "button", "toggle button")
NOISE = re.compile(r"fd limit|X connection|dbind|SpiRegistry|Vulkan|MESA|libEGL|send notifications")


class Failure(Exception):
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

    def __init__(self, home, *args):
        self.log = tempfile.NamedTemporaryFile(mode="w+", suffix=".log", delete=False)
        env = dict(os.environ, FOREDECK_HOME=home, G_MESSAGES_DEBUG="")
        env.pop("G_DEBUG", None)
        self.process = subprocess.Popen([FOREDECK, *args], env=env, stdout=self.log,
                                        stderr=subprocess.STDOUT)
        self.app = wait_for("the application on the bus", self.find_app)

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

    def showing(self, node):
        if "Component" not in pyatspi.listInterfaces(node):
            return False
        box = node.queryComponent().getExtents(pyatspi.WINDOW_COORDS)
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

    def wait_text(self, words, seconds=30):
        return wait_for("“%s” on the screen" % words, lambda: words in self.text(), seconds)

    def press(self, name, seconds=20, exact=True):
        def usable():
            node = self.find(name, BUTTONS, exact)
            ok = node is not None and node.getState().contains(pyatspi.STATE_SENSITIVE)
            return node if ok else None

        node = wait_for("the button “%s”" % name, usable, seconds)
        node.queryAction().doAction(0)
        return node

    def press_until(self, name, check, seconds=20, exact=True):
        """A press during a button's animation is swallowed: presses until CHECK is true."""
        end = time.monotonic() + seconds
        while True:
            try:
                self.press(name, 3, exact)
            except Failure:
                pass
            try:
                wait_for(name, check, 1.5)
                return
            except Failure:
                if time.monotonic() > end:
                    raise Failure("pressing “%s” had no effect" % name)

    def type_into(self, name, words):
        node = wait_for("the entry “%s”" % name, lambda: self.find(name))
        node.queryEditableText().setTextContents(words)

    def warnings(self):
        with open(self.log.name) as log:
            lines = log.read().splitlines()
        return [l for l in lines if ("WARNING" in l or "CRITICAL" in l or "ERROR" in l)
                and not NOISE.search(l)]

    def close(self):
        if self.process.poll() is None:
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


def ctl(home, *args, check=True):
    env = dict(os.environ, FOREDECK_HOME=home)
    env.pop("G_DEBUG", None)
    done = subprocess.run([CTL, *args, "--json"], env=env, capture_output=True, text=True,
                          timeout=120)
    if check and done.returncode not in (0, 1, 3):
        raise Failure("%s: %s%s" % (args, done.stdout, done.stderr))
    lines = [l for l in done.stdout.splitlines() if l.strip()]
    try:
        return json.loads(done.stdout)
    except ValueError:
        return json.loads(lines[-1]) if lines else None


def runs(home):
    found = ctl(home, "list")
    return found["runs"] if isinstance(found, dict) and "runs" in found else found


def only_run(home):
    return wait_for("a run", lambda: runs(home), 20)[0]


def run_of(home, run):
    return ctl(home, "show", run)


def start_demo(window, home):
    window.press_until("Try the Demo", lambda: runs(home))
    return only_run(home)["id"]


def open_plan(window):
    window.press_until("Review Plan", lambda: window.find("Ask for Changes…", BUTTONS), 60)


def case_demo_approve_merge(home):
    """First start: the demo, its plan approved with a click, its result merged."""
    window = Window(home)
    try:
        window.wait_text("A Crew for Your Repository")
        run = start_demo(window, home)
        window.wait_text("waits for your approval", 60)
        open_plan(window)
        window.press_until("Approve", lambda: run_of(home, run)["status"] != "blocked", 30,
                           exact=False)
        wait_for("the run's end", lambda: run_of(home, run)["class"] == "finished", 120)
        assert run_of(home, run)["status"] == "completed", run_of(home, run)
        window.press_until("Review Changes", lambda: window.find("Unified", BUTTONS), 30)
        window.wait_text("README.md")
        window.press_until("Merge into", lambda: window.find("Merge", BUTTONS), 20, exact=False)
        window.press_until("Merge", lambda: merged(home, run), 30)
        window.wait_text("Merged", 10)
    finally:
        window.close()


def merged(home, run):
    events = subprocess.run([CTL, "events", run, "--json"], capture_output=True, text=True,
                            env=dict(os.environ, FOREDECK_HOME=home)).stdout
    return "run.merged" in events


def case_changes_then_reject(home):
    """Feedback brings a second version of the plan; rejecting it cancels the run."""
    window = Window(home)
    try:
        run = start_demo(window, home)
        window.wait_text("waits for your approval", 60)
        open_plan(window)
        window.press_until("Ask for Changes…", lambda: window.find("What should change"))
        window.type_into("What should change", "Please leave the JSON report out.")
        window.press_until("Send", lambda: not window.find("What should change"))
        window.wait_text("Plan v2 waits", 60)
        open_plan(window)
        window.press_until("Reject", lambda: window.find("Reject the Plan", BUTTONS))
        window.press_until("Reject the Plan",
                           lambda: run_of(home, run)["status"] == "cancelled", 30)
        window.wait_text("Cancelled")
        tasks = ctl(home, "tasks", run)
        tasks = tasks["tasks"] if isinstance(tasks, dict) else tasks
        assert all(t["status"] in ("completed", "cancelled", "skipped") for t in tasks), tasks
    finally:
        window.close()


def case_both_ways(home):
    """What the command line does shows in the window at once, and the other way round."""
    window = Window(home)
    try:
        run = start_demo(window, home)
        window.wait_text("waits for your approval", 60)
        request = ctl(home, "requests", run)
        request = (request["requests"] if isinstance(request, dict) else request)[0]["id"]
        status = wait_for("the status", lambda: window.find("Waits for You", ("label",)))
        ctl(home, "reject", request)
        told = time.monotonic()
        wait_for("the window to follow", lambda: status.name == "Cancelled", 5)
        took = time.monotonic() - told
        print("# the window followed the command line after %.0f ms" % (took * 1000))
        assert took < LIMIT, took
        window.press_until("New Run", lambda: window.find("Goal"))
    finally:
        window.close()


def case_walk(home):
    """Every page of a home with runs in all states, without a warning."""
    project = tempfile.mkdtemp()
    subprocess.run([FIXTURE, home, project], check=True)
    window = Window(home)
    try:
        window.wait_text("Waiting for You")
        for view in ("Graph", "Tasks", "Changes", "Log"):
            show_run(window, "csvaaaaa", home)
            window.press_until(view, lambda: True)
        for run in ("askaaaaa", "goneaaaa", "mergaaaa", "cancaaaa", "planaaaa", "asksaaaa"):
            show_run(window, run, home)
        window.wait_text("May it write?" if window.find("May it write?") else "Foredeck")
        show_run(window, "goneaaaa", home)
        window.wait_text("was interrupted")
        show_run(window, "planaaaa", home)
        open_plan(window)
        window.wait_text("SQLite session store")
        window.wait_text("Approve 5 Tasks")
        for tab in ("Prompt", "Files", "Transcript"):
            show_run(window, "csvaaaaa", home)
            window.press_until(tab, lambda: True)
        window.press_until("New Run", lambda: window.find("Goal"))
        window.press_until("Cancel", lambda: not window.find("Goal"))
        for action, words in (("preferences", "Colour scheme"), ("about", "The Foredeck authors"),
                              ("shortcuts", "Approve the plan")):
            activate(action)
            window.wait_text(words)
    finally:
        window.close()
        shutil.rmtree(project)


def activate(action):
    """What a desktop does when an action of the application is chosen outside its window."""
    subprocess.run(["gdbus", "call", "--session", "--dest", "app.foredeck.Foredeck",
                    "--object-path", "/app/foredeck/Foredeck", "--method",
                    "org.gtk.Actions.Activate", action, "[]", "{}"], check=True, timeout=20,
                   stdout=subprocess.DEVNULL)


def show_run(window, run, home):
    """`foredeck RUN-ID` lands in the one window that is there."""
    env = dict(os.environ, FOREDECK_HOME=home)
    env.pop("G_DEBUG", None)
    subprocess.run([FOREDECK, run], env=env, check=True, timeout=20,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    window.wait_text({"csvaaaaa": "CSV export", "askaaaaa": "Upgrade to GTK",
                      "goneaaaa": "Review the changes", "mergaaaa": "Fix the time zone",
                      "cancaaaa": "Research", "planaaaa": "Move the session",
                      "asksaaaa": "Keep the old cookie"}[run])


def case_names(home):
    """Every button that is shown has a name that says what it does."""
    project = tempfile.mkdtemp()
    subprocess.run([FIXTURE, home, project], check=True)
    window = Window(home)
    try:
        bad = []
        for run in (None, "csvaaaaa", "planaaaa"):
            if run:
                show_run(window, run, home)
            for node in window.walk():
                if node.getRoleName() in BUTTONS and window.showing(node):
                    if not node.name or node.name.startswith("Gtk"):
                        bad.append("%s in %s" % (node.name, node.parent.name
                                                 or node.parent.getRoleName()))
        assert not bad, bad
    finally:
        window.close()
        shutil.rmtree(project)


def kill_runner(home, run):
    """As a power cut would: the run's process is gone between two instructions."""
    owner = run_of(home, run).get("owner") or {}
    if owner.get("pid"):
        os.kill(owner["pid"], signal.SIGKILL)
        wait_for("the runner's end", lambda: not os.path.exists("/proc/%d/exe" % owner["pid"]), 10)


def case_killed_window_and_runner(home):
    """Both are killed while the plan waits; a new window approves it, and the run goes on."""
    window = Window(home)
    run = None
    try:
        run = start_demo(window, home)
        window.wait_text("waits for your approval", 60)
        kill_runner(home, run)
        window.process.kill()
        window.process.wait()
    finally:
        window.close()

    window = Window(home, run)
    try:
        window.wait_text("waits for your approval", 60)
        open_plan(window)
        window.press_until("Approve", lambda: run_of(home, run)["status"] != "blocked", 30,
                           exact=False)
        wait_for("the run's end", lambda: run_of(home, run)["class"] == "finished", 120)
        assert run_of(home, run)["status"] == "completed", run_of(home, run)
    finally:
        window.close()


def case_answered_elsewhere(home):
    """A plan that was approved elsewhere can be answered no more here: neither twice nor late."""
    window = Window(home)
    try:
        run = start_demo(window, home)
        window.wait_text("waits for your approval", 60)
        open_plan(window)
        request = ctl(home, "requests", run)
        request = (request["requests"] if isinstance(request, dict) else request)[0]["id"]
        ctl(home, "approve", request)
        wait_for("the page to give up its buttons",
                 lambda: not window.find("Ask for Changes…", BUTTONS), 20)
        assert not window.find("Approve 6 Tasks", BUTTONS)
        again = subprocess.run([CTL, "approve", request, "--json"], capture_output=True, text=True,
                               env=dict(os.environ, FOREDECK_HOME=home))
        assert again.returncode == 5, again
        wait_for("the run's end", lambda: run_of(home, run)["class"] == "finished", 120)
    finally:
        window.close()


def case_unusable_store(home):
    """A home that cannot be written says so on the page and does not crash."""
    with open(home, "w") as blocked:
        blocked.write("a file where the folder should be")
    window = Window(home)
    try:
        window.wait_text("The Store Cannot Be Used")
    finally:
        window.process.terminate()
        window.process.wait(10)


def main():
    cases = [(name[5:], func) for name, func in globals().items() if name.startswith("case_")]
    cases = [(name, func) for name, func in cases if not ONLY or name in ONLY]
    failed = 0
    print("1..%d" % len(cases), flush=True)
    for number, (name, func) in enumerate(cases, 1):
        base = tempfile.mkdtemp(prefix="foredeck-window-")
        home = os.path.join(base, "home")
        os.environ["TMPDIR"] = base
        try:
            func(home)
            print("ok %d - %s" % (number, name), flush=True)
        except (Failure, AssertionError, subprocess.SubprocessError) as error:
            failed += 1
            print("not ok %d - %s" % (number, name), flush=True)
            print("# " + str(error).replace("\n", "\n# "), flush=True)
        if os.path.isdir(home):
            subprocess.run([CTL, "cancel", "--all", "--yes"], capture_output=True,
                           env=dict(os.environ, FOREDECK_HOME=home))
        shutil.rmtree(base, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
