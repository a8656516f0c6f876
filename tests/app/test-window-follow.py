#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How soon the window shows what the command line did, and the other way round.

The accessibility bus is too slow to tell, so the window itself says when a frame was drawn
(FORE_TRACE), in the monotonic clock that all processes of a machine share.
"""

import sqlite3
import statistics
import sys
import threading

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403

# 200 ms is what is promised; a machine that runs other tests too gets some slack.
LIMIT = 0.2 * float(os.environ.get("FOREDECK_TEST_SLACK", "5" if os.environ.get("CI") else "2"))
ROUNDS = 8


def traced(home, word):
    """[(what, seconds)] of the window's log, oldest first."""
    found = []
    folder = os.path.join(home, "log")
    for name in sorted(os.listdir(folder)):
        if not name.startswith("foredeck-20"):
            continue
        with open(os.path.join(folder, name)) as log:
            for line in log:
                words = json.loads(line)["text"].split() if line.endswith("\n") else []
                if len(words) == 3 and words[0] == word:
                    found.append((words[1], int(words[2]) / 1e6))
    return found


def next_traced(home, word, what, since):
    return wait_for("“%s %s”" % (word, what), lambda: next(
        when for name, when in traced(home, word) if name == what and when > since))


def report(title, seconds):
    ordered = sorted(seconds)
    print("# %s: median %.0f ms, worst %.0f ms of %d"
          % (title, 1000 * statistics.median(ordered), 1000 * ordered[-1], len(ordered)))
    assert statistics.median(ordered) < LIMIT, ordered


class Rows:
    """Sees the status of a run in its file as another process does, within a few milliseconds."""

    def __init__(self, home, run):
        path = os.path.join(home, "runs", run, "run.db")
        self.base = sqlite3.connect("file:%s?mode=ro" % path, uri=True, timeout=10)

    def wait(self, status):
        end = time.monotonic() + 20
        while self.base.execute("SELECT status FROM run").fetchone()[0] != status:
            assert time.monotonic() < end, status
            time.sleep(0.002)
        return time.monotonic()


class Follower:
    """`foredeckctl events --follow`, and when it said what."""

    def __init__(self, home, run):
        self.said = []
        self.process = subprocess.Popen([CTL, "events", run, "--follow", "--json"],
                                        env=dict(os.environ, FOREDECK_HOME=home),
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.said.append((line, time.monotonic()))

    def wait(self, status, since):
        return wait_for("“%s” to be told" % status, lambda: next(
            when for line, when in list(self.said)
            if "run.status" in line and '"to":"%s"' % status in line and when > since))

    def close(self):
        self.process.terminate()
        self.process.wait()


def case_both_ways(home):
    """Pause and continue, in turns from the command line and from the window."""
    run = begin(home, [("a", {"command": hold(home, "go")})])
    to_window, from_ctl, to_row, to_ctl = [], [], [], []
    with Window(home, run, FORE_TRACE="1") as window:
        wait_agent(home, run, "a")
        window.wait_text("Pause")
        rows = Rows(home, run)
        for _ in range(ROUNDS):
            for verb, status in ("pause", "paused"), ("continue", "running"):
                asked = time.monotonic()
                ctl(home, verb, run)
                written = rows.wait(status)
                shown = next_traced(home, "shown", status, asked)
                to_window.append(shown - written)
                from_ctl.append(shown - asked)
        follower = Follower(home, run)
        for _ in range(3):
            for verb, status in ("Pause", "paused"), ("Continue", "running"):
                pressed = time.monotonic()
                window.press(verb)
                written = rows.wait(status)
                asked = next_traced(home, "asked", verb.lower(), pressed)
                to_row.append(written - asked)
                to_ctl.append(follower.wait(status, pressed) - asked)
                window.wait_text("Continue" if verb == "Pause" else "Pause")
        follower.close()
        release(home, "go")
        wait_end(home, run)
    report("from the row to the frame", to_window)
    report("from the start of foredeckctl to the frame", from_ctl)
    report("from the press to the row", to_row)
    report("from the press to a following foredeckctl", to_ctl)


if __name__ == "__main__":
    sys.exit(main(globals()))
