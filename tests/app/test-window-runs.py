#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The list of runs: finding one among all of them."""

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
        window.key("Return")
        wait_for("its page", lambda: window.find("More about This Run", exact=False))
        window.wait_text(title)
        window.key("ctrl+f")
        window.key("Escape")
        wait_for("all runs", lambda: len(listed(window)) == number)


if __name__ == "__main__":
    sys.exit(main(globals()))
