#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that start at certain times: made in New Run, listed, switched off, removed and put back."""

import sys

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403

WHEN = "When, if not now (in 2h, every 1h, 0 9 * * mon-fri)"


def make_project(home):
    project = make_repository(os.path.join(os.path.dirname(home), "project"))
    ctl(home, "config", "set", "agents.default_cli", "demo")
    return project


def schedules(home):
    return ctl(home, "schedule", "list")["schedules"]


def add(home, when, name):
    folder = os.path.dirname(home)
    subprocess.run([os.path.abspath(CTL), "schedule", "add", when, "--name", name, "--", "run", "--project", folder, "x"],
                   env=dict(os.environ, FOREDECK_HOME=home), check=True, capture_output=True, cwd=folder)


def open_list(window):
    activate("schedules")
    window.wait_text("Schedules", 30)


def case_new_run_at_a_time(home):
    """What is wrong with a time is said before; a right one makes a schedule instead of a run."""
    project = make_project(home)
    with Window(home, "--project", project) as window:
        window.type_into("Goal", "Look at it every morning")
        window.type_into(WHEN, "0 9 30 2 *")
        window.wait_text("never comes", 60)
        assert not window.usable("Schedule")
        window.type_into(WHEN, "0 9 * * mon-fri")
        window.wait_gone("never comes", 60)
        window.press_until("Schedule", lambda: schedules(home), 60)
        made = schedules(home)[0]
        assert made["when"] == "0 9 * * mon-fri" and made["enabled"], made
        assert made["words"][-1] == "Look at it every morning", made
        assert runs(home) == []
        assert ctl(home, "config", "get", "schedules.enabled")["value"] in (True, "true")
        assert ctl(home, "schedule", "list")["enabled"]


def case_the_list(home):
    """Off, on, away and back again; what another program changes is seen."""
    with Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        open_list(window)
        window.wait_text("No Schedules", 30)
        add(home, "0 9 * * mon-fri", "mornings")
        window.wait_text("mornings", 60)
        window.press_until("Turn On", lambda: ctl(home, "schedule", "list")["enabled"], 30)
        window.press_until("mornings", lambda: not schedules(home)[0]["enabled"], 30,
                           roles=("switch", "toggle button", "check box"))
        window.wait_text("switched off", 30)
        window.click(window.find("mornings", ("label",)))
        window.press_until("Remove", lambda: not schedules(home), 40)
        wait_for("the offer", lambda: window.find("Undo")).parent.queryAction().doAction(0)
        wait_for("it to be back", lambda: schedules(home), 20)
        assert schedules(home)[0]["name"] == "mornings"


def case_due_while_the_window_is_open(home):
    """The window starts what is due."""
    project = make_project(home)
    ctl(home, "config", "set", "schedules.enabled", "true")
    with Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        subprocess.run([os.path.abspath(CTL), "schedule", "add", "in 1s", "--name", "soon", "--", "run", "--project", project,
                        "--agent", "explorer", "Look around"],
                       env=dict(os.environ, FOREDECK_HOME=home), check=True, capture_output=True, cwd=project)
        wait_for("the run", lambda: runs(home), 90)
        wait_for("its name on the schedule", lambda: schedules(home)[0]["run"] == runs(home)[0]["id"], 60)


if __name__ == "__main__":
    sys.exit(main(globals()))
