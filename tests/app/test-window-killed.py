#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The window is killed while it follows and answers: what it had taken is there, nothing else is.

FORE_FAULT_WINDOW says how many moments (8, or all), FORE_FAULT_SEED repeats the choice of them.
"""

import collections
import sqlite3
import sys
import threading

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "faults"))
import faults  # noqa: E402

SHIM = os.environ["FORE_FAULT_SHIM"]
MOMENTS = os.environ.get("FORE_FAULT_WINDOW") or "8"
KINDS = (faults.KILL_BEFORE, faults.KILL_AFTER, faults.KILL_MIDDLE)
WORDS = "Please leave the JSON report out."

# What is answered here is the plan: the agents that work after it need not be watched.
os.environ["FOREDECK_DEMO_SPEED"] = "0"
# what the shim does to a call takes as long as it takes
os.environ["FORE_STALL_FATAL"] = "0"


def query(home, run, sql):
    path = os.path.join(home, "runs", run, "run.db")
    base = sqlite3.connect("file:%s?mode=ro" % path, uri=True, timeout=20)
    try:
        return base.execute(sql).fetchall()
    finally:
        base.close()


def check_files(home, run):
    for path in os.path.join(home, "runs", run, "run.db"), os.path.join(home, "foredeck.db"):
        base = sqlite3.connect("file:%s?mode=ro" % path, uri=True, timeout=20)
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)], path
        base.close()


class Told:
    """A window under the shim, and runs whose plans it is asked to approve."""

    def __init__(self, home):
        self.home = home
        self.folder = os.path.dirname(home)
        self.faults = faults.Faults(self.folder)
        self.env = {"LD_PRELOAD": SHIM, "HOME": self.folder, "FORE_STALL_MS": ""}

    def open(self, dead):
        """A run that waits, its plan on the screen, its runner killed if @dead."""
        run = start_waiting_demo(self.home)
        window = Window(self.home, run, **self.env)
        try:
            window.wait_text("waits for your approval", 60)
            window.open_plan()
            if dead:
                kill_runner(self.home, run)
            return run, window, window.approve()
        except Exception:
            window.process.kill()
            raise

    def press_and_end(self, run, window, button, end):
        """Presses Approve; END waits for the window to be killed, or to be through with it."""
        thread = threading.Thread(target=press_blindly, args=(button,), daemon=True)
        thread.start()
        end(lambda: window.process.poll() is not None
            or run_of(self.home, run)["status"] != "blocked")
        window.process.kill()
        window.process.wait()
        thread.join(60)
        self.faults.disarm()
        os.unlink(window.log.name)

    def check(self, run):
        """An answer that came to the store is carried out, once; where none did, all still waits."""
        home = self.home
        answers = query(home, run, "SELECT option FROM answers")
        assert answers in ([], [("approve",)]), answers
        check_files(home, run)
        if answers:
            wait_for("somebody who takes it up", lambda: run_of(home, run)["status"] != "blocked"
                     or ctl_raw(home, "resume", run).returncode == 0, 60)
        else:
            assert requests_of(home, run), run_of(home, run)
            assert not run_of(home, run)["approved"], run_of(home, run)
            assert not events_of(home, run, "request.answered"), events_of(home, run)
            ctl(home, "approve", run)
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
        for kind in "request.answered", "plan.approved":
            assert len(events_of(home, run, kind)) == 1, events_of(home, run)
        assert query(home, run, "SELECT option FROM answers") == [("approve",)]
        crashes = os.path.join(home, "crashes")
        assert not os.path.isdir(crashes) or not os.listdir(crashes), os.listdir(crashes)
        return bool(answers)


def count_calls(told):
    """How many calls that change files an approval is to the window."""
    run, window, button = told.open(False)
    told.faults.arm(faults.COUNT, 0, faults.APP)
    told.press_and_end(run, window, button, lambda done: wait_for("the approval", done, 60))
    count = told.faults[faults.COUNTER]
    assert told.check(run)
    assert count > 0
    print("# %d calls" % count, flush=True)
    return count


def case_killed_at_any_call(home):
    """At each call by which its answer comes to the disk; with and without a runner."""
    rng = faults.make_rng("killed at any call")
    told = Told(home)
    count = count_calls(told)
    moments = [(n, kind) for n in range(1, count + 1) for kind in KINDS]
    if MOMENTS != "all":
        moments = rng.sample(moments, min(int(MOMENTS), len(moments)))
    found = collections.Counter()
    for n, kind in moments:
        dead = rng.random() < 0.5
        run, window, button = told.open(dead)
        told.faults.arm(kind, n, faults.APP)
        told.press_and_end(run, window, button, lambda done: wait_for("the end", done, 60))
        try:
            found["answered" if told.check(run) else "not answered"] += 1
        except (Failure, AssertionError) as error:
            raise Failure("call %d, kind %d, dead %s: %s" % (n, kind, dead, error)) from None
    print("# %s" % dict(found), flush=True)
    # Both must have come, or the moments were all too late or too early.
    assert len(moments) < 16 or len(found) == 2, found


def case_killed_while_it_follows(home):
    """At any moment of a run that it shows: the run goes on, and the next window shows it."""
    rng = faults.make_rng("killed while it follows")
    for _ in range(3):
        run = ctl(home, "demo", "--approve", "auto", FOREDECK_DEMO_SPEED="10")["run"]
        wanted = rng.randrange(1, 60)
        window = Window(home, run)
        wait_for("some events", lambda: len(events_of(home, run)) >= wanted
                 or run_of(home, run)["class"] == "finished", 60)
        window.process.kill()
        window.process.wait()
        os.unlink(window.log.name)
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
        check_files(home, run)
        with Window(home, run) as window:
            window.wait_text("merged", 60)


def kept(home):
    path = os.path.join(home, "drafts.json")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [draft["text"] for draft in json.load(file)["drafts"]]


def kill_when_kept(home, window, words):
    wait_for("the draft on the disk", lambda: words in kept(home))
    window.process.kill()
    window.process.wait()
    os.unlink(window.log.name)


def case_drafts_outlive_it(home):
    """A goal, and what is to change about a plan, are there again though nobody closed anything."""
    project = make_repository(os.path.join(os.path.dirname(home), "one"))
    ctl(home, "list")
    window = Window(home, "--project", project)
    wait_for("the sheet", lambda: window.find("Goal", exact=False))
    window.write("mend it")
    kill_when_kept(home, window, "mend it")
    with Window(home, "--project", project) as window:
        wait_for("the goal", lambda: window.entry_text("Goal") == "mend it")

    run = start_waiting_demo(home)
    window = Window(home, run)
    window.open_plan()
    window.press_until("Ask for Changes…", lambda: window.find("What should change"))
    window.type_into("What should change", WORDS)
    kill_when_kept(home, window, WORDS)
    with Window(home, run) as window:
        window.open_plan()
        window.press_until("Ask for Changes…", lambda: window.find("What should change"))
        wait_for("the words", lambda: window.entry_text("What should change") == WORDS)
        window.press_until("Send", lambda: not window.find("What should change"))
        window.wait_text("Plan v2 waits", 60)
        # what was sent is no draft any more
        wait_for("no draft", lambda: kept(home) == ["mend it"])
    ctl_raw(home, "cancel", run)


def case_stopped(home):
    """A window that is stopped while it shows a run stops nobody; it goes on from there."""
    run = begin(home, [("a", {"command": hold(home, "go")})]
                + [("t%d" % i, {"command": "echo x", "dependsOn": "a"}) for i in range(40)])
    with Window(home, run) as window:
        wait_agent(home, run, "a")
        window.wait_text("Pause")
        window.freeze()
        try:
            release(home, "go")
            assert wait_end(home, run)["status"] == "completed", run_of(home, run)
            other = begin(home, [("b", {"command": "echo x"})])
            assert wait_end(home, other)["status"] == "completed", run_of(home, other)
        finally:
            window.thaw()
        window.wait_text("Completed")
        window.wait_gone("Pause")


if __name__ == "__main__":
    sys.exit(main(globals()))
