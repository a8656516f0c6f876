#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window on its own: first start, every page, names for a screen reader."""

import sys

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403


def case_demo_approve_merge(home):
    """First start: the demo, its plan approved with a click, its result merged."""
    window = Window(home)
    try:
        window.wait_text("A Crew for Your Repository")
        run = start_demo(window, home)
        window.wait_text("waits for your approval", 60)
        window.open_plan()
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


def case_walk(home):
    """Every page of a home with runs in all states, without a warning."""
    project = tempfile.mkdtemp()
    subprocess.run([FIXTURE, home, project], check=True)
    window = Window(home)
    try:
        window.wait_text("Waiting for You")
        for view in ("Graph", "Tasks", "Changes", "Log"):
            show_run(window, "csvaaaaa")
            window.press_until(view, lambda: True)
        for run in ("askaaaaa", "goneaaaa", "mergaaaa", "cancaaaa", "planaaaa", "asksaaaa"):
            show_run(window, run)
        window.wait_text("May it write?" if window.find("May it write?") else "Foredeck")
        show_run(window, "goneaaaa")
        window.wait_text("was interrupted")
        show_run(window, "planaaaa")
        window.open_plan()
        window.wait_text("SQLite session store")
        window.wait_text("Approve 5 Tasks")
        for tab in ("Prompt", "Files", "Transcript"):
            show_run(window, "csvaaaaa")
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


def case_stopped_run_needs_someone(home):
    """A run whose runner is gone asks nothing, but the inbox does not say that nobody is needed."""
    run = begin(home, [("one", {"command": hold(home, "go")})])
    wait_agent(home, run, "one")
    kill_runner(home, run)
    asking = start_waiting_demo(home)
    with Window(home) as window:
        window.wait_text("Waiting for You", 60)
        window.wait_text("Runs That Stopped", 60)
        ctl(home, "cancel", asking)
        window.wait_text("withdrawn", 60)
        window.wait_gone("Waiting for You", 60)
        assert "Nobody Needs You" not in window.text()
        show = wait_for("the row of the run", lambda: window.find("A goal, ", exact=False), 20)
        assert "interrupted" in show.name, show.name
        window.open_run(run)
        window.wait_text("This run was interrupted", 30)
        wait_for("the node to say so", lambda: window.find("interrupted, Needs attention",
                                                           exact=False), 30)
        window.wait_text("once the run is resumed", 30)
    release(home, "go")


def case_names(home):
    """Every button that is shown has a name that says what it does."""
    project = tempfile.mkdtemp()
    subprocess.run([FIXTURE, home, project], check=True)
    window = Window(home)
    try:
        bad = []
        for run in (None, "csvaaaaa", "planaaaa"):
            if run:
                show_run(window, run)
            for node in window.walk():
                if node.getRoleName() in BUTTONS and window.showing(node):
                    if not node.name or node.name.startswith("Gtk"):
                        bad.append("%s in %s" % (node.name, node.parent.name
                                                 or node.parent.getRoleName()))
        assert not bad, bad
    finally:
        window.close()
        shutil.rmtree(project)


def show_run(window, run):
    window.open_run(run)
    window.wait_text({"csvaaaaa": "CSV export", "askaaaaa": "Upgrade to GTK",
                      "goneaaaa": "Review the changes", "mergaaaa": "Fix the time zone",
                      "cancaaaa": "Research", "planaaaa": "Move the session",
                      "asksaaaa": "Keep the old cookie"}[run])


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


if __name__ == "__main__":
    sys.exit(main(globals()))
