#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of runs: finding one among all of them, and forgetting those that nobody needs."""

import sqlite3
import sys

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403

N_OLD = 150


def many_runs(home):
    """Runs in every state, and more old ones behind them than the window lists."""
    project = os.path.join(os.path.dirname(home), "webshop")
    make_repository(project)
    subprocess.run([FIXTURE, home, project], check=True)
    index = sqlite3.connect(os.path.join(home, "foredeck.db"))
    index.row_factory = sqlite3.Row
    row = dict(index.execute("SELECT * FROM runs WHERE status = 'completed'").fetchone())
    day = 24 * 3600 * 1000000
    for number in range(N_OLD):
        old = dict(row, id="old%05d" % number, created=row["created"] - (number + 9) * day,
                   goal="Sweep room %d\nand the Öffnung behind it" % number,
                   title="Sweep room %d" % number, project="/srv/house")
        index.execute("INSERT INTO runs (%s) VALUES (%s)"
                      % (", ".join(old), ", ".join("?" * len(old))), list(old.values()))
    index.commit()
    index.close()


def listed(window):
    """Names of the runs in the list."""
    found = wait_for("the list of runs", lambda: window.find("Runs", ("list", "list box")))
    return [node.name for node in window.walk(found) if node.getRoleName() == "list item"
            and node.name]


def case_any_run_is_found(home):
    """Words of the goal, the folder or the id find runs, also those that are not listed."""
    many_runs(home)
    with Window(home) as window:
        window.wait_text("Search runs")
        wait_for("runs", lambda: len(listed(window)) > 5)
        assert not any("Sweep room 149" in name for name in listed(window))
        for words in "room 149", "öffnung 149", "149 HOUSE", "old00149":
            window.type_into("Search runs", words)
            wait_for("what has “%s”" % words, lambda: len(listed(window)) == 1
                     and "Sweep room 149" in listed(window)[0])
        window.type_into("Search runs", "room 9 nowhere")
        window.wait_text("No Run with “room 9 nowhere”")
        window.type_into("Search runs", "")
        wait_for("all runs", lambda: len(listed(window)) > 5)
        window.wait_gone("No Run with")


def case_a_run_is_found_by_keys(home):
    """Ctrl+F, words, Return: the run is open; Escape ends the search."""
    many_runs(home)
    with Window(home) as window:
        wait_for("runs", lambda: len(listed(window)) > 5)
        number = len(listed(window))
        window.key("ctrl+f")
        window.write("dialogs")
        wait_for("what was found", lambda: 0 < len(listed(window)) < number)
        title = listed(window)[0].split(",")[0]
        window.key("Escape")
        wait_for("all runs", lambda: len(listed(window)) == number)
        window.key("Tab")
        window.write("dialogs")
        wait_for("what was typed in the list", lambda: 0 < len(listed(window)) < number)
        assert "dialogs" in listed(window)[0], listed(window)
        window.key("Return")
        wait_for("its page", lambda: window.find("More about This Run", exact=False))
        window.wait_text(title)
        window.key("ctrl+f")
        window.key("Escape")
        wait_for("all runs", lambda: len(listed(window)) == number)


def finished(home):
    """A run that made a file, with its working tree still there."""
    run = begin(home, [("a", {})], {"a": [{"steps": [
        {"write": {"path": "one.txt", "text": "first\n"}}, {"say": "Written."}]}]})
    assert wait_end(home, run)["status"] == "completed", run_of(home, run)
    return run


def folder_of(home, run):
    return os.path.join(home, "runs", run)


def case_a_run_is_forgotten(home):
    """From its page: what goes is said, nothing goes without a yes, and its branch stays."""
    run = finished(home)
    branch = run_of(home, run)["result"]["branch"]
    with Window(home, run) as window:
        window.press_until("More about This Run",
                           lambda: window.find("Forget This Run…", ("menu item",)))
        window.press_until("Forget This Run…", lambda: window.find("Keep It", BUTTONS),
                           roles=("menu item",))
        window.wait_text("transcripts and logs (")
        window.press_until("Keep It", lambda: not window.find("Keep It", BUTTONS))
        assert os.path.isdir(folder_of(home, run))
        window.press_until("More about This Run",
                           lambda: window.find("Forget This Run…", ("menu item",)))
        window.press_until("Forget This Run…", lambda: window.find("Keep It", BUTTONS),
                           roles=("menu item",))
        window.press_until("Forget", lambda: not os.path.isdir(folder_of(home, run)))
        window.wait_text("The run was forgotten.")
        wait_for("another page", lambda: not window.find("More about This Run", exact=False))
        window.wait_gone("A goal")
    assert runs(home) == []
    project = os.path.join(os.path.dirname(home), "project")
    heads = subprocess.run(["git", "-C", project, "branch", "--format", "%(refname:short)"],
                           check=True, capture_output=True, text=True).stdout.split()
    assert branch in heads, heads


def case_a_run_is_forgotten_by_keys(home):
    """From the list: the menu of a row, or Delete; a run at work is not offered for it."""
    first = finished(home)
    second = begin(home, [("b", {"command": hold(home, "go")})])
    with Window(home, second) as window:
        wait_for("both runs", lambda: len(listed(window)) == 2)
        window.key("ctrl+f")
        window.write(second)
        wait_for("one run", lambda: len(listed(window)) == 1)
        window.key("Tab", "shift+F10")
        wait_for("its menu", lambda: window.find("Copy Link", ("menu item",)))
        assert not window.find("Forget…", ("menu item",))
        window.key("Escape", "ctrl+f", "ctrl+a")
        window.write(first)
        wait_for("the other", lambda: len(listed(window)) == 1 and "ready" in listed(window)[0])
        window.key("Tab", "shift+F10")
        window.press_until("Forget…", lambda: window.find("Keep It", BUTTONS),
                           roles=("menu item",))
        window.press_until("Forget", lambda: not os.path.isdir(folder_of(home, first)))
        assert window.find("More about This Run", exact=False)
        release(home, "go")
        assert wait_end(home, second)["status"] == "completed", run_of(home, second)
        window.type_into("Search runs", second)
        wait_for("its end", lambda: not any("waits" in name for name in listed(window))
                 and len(listed(window)) == 1)
        window.key("ctrl+f", "Tab", "Delete")
        wait_for("the question", lambda: window.find("Keep It", BUTTONS))
        window.press_until("Forget", lambda: not os.path.isdir(folder_of(home, second)))
    assert runs(home) == []


if __name__ == "__main__":
    sys.exit(main(globals()))
