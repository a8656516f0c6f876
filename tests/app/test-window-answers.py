#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Answers to a plan given in the window: approve, reject, ask for changes, twice, late, to nothing;
each while the run's process works and after it was killed."""

import os
import sys

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403

DEAD = (False, True)

# The window is stopped for as long as the other side takes: no stall of its own.
os.environ["FORE_STALL_FATAL"] = "0"
# What is answered here is the plan: the agents that work after it need not be watched.
os.environ["FOREDECK_DEMO_SPEED"] = "0"


def open_waiting_plan(window, home):
    """The page of a new run's plan, with buttons that can be pressed."""
    run = start_waiting_demo(home)
    window.open_run(run)
    window.wait_text("waits for your approval")
    window.open_plan()
    return run


def each_way(home, check):
    """CHECK with a runner that lives and with one that was killed while the page was shown."""
    with Window(home) as window:
        for dead in DEAD:
            run = open_waiting_plan(window, home)
            if dead:
                kill_runner(home, run)
            try:
                check(window, home, run)
            except (Failure, AssertionError) as error:
                error.args = ("with the runner %s: %s" % ("killed" if dead else "alive", error),)
                raise


def answers_of(home, run):
    return [(e["data"].get("option") or e["data"].get("answer"))
            for e in events_of(home, run, "request.answered")]


def check_approve(window, home, run):
    window.press_until("Approve ", lambda: run_of(home, run)["status"] != "blocked", 40,
                       exact=False)
    assert wait_end(home, run)["status"] == "completed", run_of(home, run)
    window.wait_text("Review Changes")


def case_approve(home):
    """Approve in the window: the plan's tasks run, whoever has to start a runner for it."""
    each_way(home, check_approve)


def check_reject(window, home, run):
    window.press_until("Reject", lambda: window.find("Reject the Plan", BUTTONS))
    window.press_until("Reject the Plan", lambda: run_of(home, run)["status"] == "cancelled", 40)
    window.wait_text("Cancelled")
    assert all(t["status"] in ("completed", "cancelled", "skipped")
               for t in tasks_of(home, run)), tasks_of(home, run)


def case_reject(home):
    """Rejecting cancels the run and its open tasks."""
    each_way(home, check_reject)


def check_changes(window, home, run):
    window.press_until("Ask for Changes…", lambda: window.find("What should change"))
    window.type_into("What should change", "Please leave the JSON report out.")
    window.press_until("Send", lambda: not window.find("What should change"))
    window.wait_text("Plan v2 waits", 60)
    window.open_plan()
    window.wait_text("Version 2")
    assert run_of(home, run)["plan"]["version"] == 2


def case_changes(home):
    """Feedback brings a second version, which is the one that waits then."""
    each_way(home, check_changes)


def case_refused_words_are_kept(home):
    """What was asked of a version that is not the newest any more is offered for the newest."""
    words = "Please leave the CSV report out."

    with Window(home) as window:
        run = open_waiting_plan(window, home)
        window.press_until("Ask for Changes…", lambda: window.find("What should change"))
        window.type_into("What should change", words)
        send = wait_for("Send", lambda: window.usable("Send"))
        window.freeze()
        try:
            ctl(home, "reject", run, "--feedback", "Something else.")
            wait_for("version 2", lambda: run_of(home, run)["plan"]["version"] == 2
                     and run_of(home, run)["status"] == "blocked", 60)
            press_blindly(send)
        finally:
            window.thaw()
        window.wait_text("Changes to this plan were asked for")
        window.press_until("Show Run", lambda: window.find("Review Plan", BUTTONS))
        window.open_plan()
        window.wait_text("Version 2")
        window.press_until("Ask for Changes…", lambda: window.find("What should change"))
        assert window.entry_text("What should change") == words
        window.press_until("Send", lambda: not window.find("What should change"))
        window.wait_text("Plan v3 waits", 60)
        window.open_plan()
        # and not once they were sent
        window.press_until("Ask for Changes…", lambda: window.find("What should change"))
        assert window.entry_text("What should change") == ""
        ctl_raw(home, "cancel", run)


def leave_out(window, title):
    """Unticks a task; a click while the page still finds its form may miss it."""
    for _ in range(5):
        window.click(wait_for(title, lambda: window.find(title, ("check box",))))
        try:
            return window.wait_text("you left this out", 10)
        except Failure:
            continue
    raise Failure("“%s” stays in the plan" % title)


def case_edits_go_along(home):
    """What was changed in the plan is not lost when more is asked for: the planner goes on from it."""
    with Window(home) as window:
        run = open_waiting_plan(window, home)
        window.approve()
        leave_out(window, "Measure the longest line")
        window.press_until("Ask for Changes…", lambda: window.find("What should change"))
        window.wait_text("your edits go to the planner")
        window.type_into("What should change", "Please leave the JSON report out.")
        window.press_until("Send", lambda: not window.find("What should change"))
        window.wait_text("Plan v3 waits", 60)
        edited = ctl(home, "plan", run, "--version", "2")
        assert len(edited["items"]) == 5, edited
        assert "edits that the person made" in str(ctl(home, "prompt", run, "plan"))


def read_drafts(home):
    path = os.path.join(home, "drafts.json")
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def case_edits_outlive_the_window(home):
    """What was changed in a plan and not sent is there again, and can be dropped."""
    with Window(home) as window:
        run = open_waiting_plan(window, home)
        window.approve()
        leave_out(window, "Measure the longest line")
        wait_for("the draft", lambda: '\\"dropped\\"' in read_drafts(home))
        window.process.kill()
        window.process.wait()

    with Window(home, run) as window:
        window.wait_text("waits for your approval", 60)
        window.open_plan()
        window.wait_text("Your edits of this plan are here again")
        window.wait_text("you left this out")
        window.wait_text("Approve 5 Tasks")
        window.press_until("Drop the Edits", lambda: not window.find("you left this out"))
        window.wait_text("Approve 6 Tasks")
        leave_out(window, "Measure the longest line")
        window.press_until("Approve ", lambda: run_of(home, run)["status"] != "blocked", 40,
                           exact=False)
        assert len(ctl(home, "plan", run)["items"]) == 5
    wait_end(home, run)


def check_twice(window, home, run):
    button = window.approve()
    press_blindly(button)
    press_blindly(button)
    wait_for("the approval", lambda: run_of(home, run)["status"] != "blocked", 40)
    assert wait_end(home, run)["status"] == "completed", run_of(home, run)
    assert len(events_of(home, run, "request.answered")) == 1, events_of(home, run)
    assert len(events_of(home, run, "plan.approved")) == 1, events_of(home, run)
    assert "Something Did Not Work" not in window.text()


def case_pressed_twice(home):
    """Two presses in a row are one approval."""
    each_way(home, check_twice)


def race(window, home, run, elsewhere, dead):
    """ELSEWHERE happens after the page was drawn; the press on Approve is in the queue before the
    window learns of it."""
    button = window.approve()
    window.freeze()
    try:
        elsewhere(run)
        if dead:
            kill_runner(home, run)
        press_blindly(button)
    finally:
        window.thaw()


def case_approved_elsewhere(home):
    """A plan that foredeckctl approved after the page was drawn is not approved again."""
    with Window(home) as window:
        for dead in DEAD:
            run = open_waiting_plan(window, home)
            race(window, home, run, lambda run: ctl(home, "approve", run), dead)
            window.wait_text("This plan was approved with foredeckctl")
            assert "to come after approval" not in window.text(), window.text()
            assert not window.find("Approve ", BUTTONS, exact=False)
            if dead:
                ctl(home, "resume", run)
            assert wait_end(home, run)["status"] == "completed", run_of(home, run)
            assert len(events_of(home, run, "request.answered")) == 1, events_of(home, run)
            again = ctl_raw(home, "approve", run + "-1")
            assert again.returncode == 5, again


def case_stale_version(home):
    """An approval of version 1 that comes after version 2 was written approves neither."""
    def replan(run):
        ctl(home, "reject", run, "--feedback", "Please leave the JSON report out.")
        wait_for("version 2", lambda: run_of(home, run)["plan"]["version"] == 2
                 and run_of(home, run)["status"] == "blocked", 60)

    with Window(home) as window:
        for dead in DEAD:
            run = open_waiting_plan(window, home)
            race(window, home, run, replan, dead)
            window.wait_text("Changes to this plan were asked for")
            assert not window.find("Approve ", BUTTONS, exact=False)
            assert not run_of(home, run)["approved"], run_of(home, run)
            assert [r["plan"]["version"] for r in requests_of(home, run)] == [2]
            assert len(events_of(home, run, "plan.approved")) == 0, events_of(home, run)
            window.press_until("Show Run", lambda: window.find("Review Plan", BUTTONS))
            window.wait_text("Plan v2 waits")
            window.open_plan()
            check_approve(window, home, run)


def case_nothing_pending(home):
    """An approval of a run that was cancelled meanwhile changes nothing and says so."""
    with Window(home) as window:
        for dead in DEAD:
            run = open_waiting_plan(window, home)

            def cancel(run):
                ctl(home, "cancel", run)
                wait_status(home, run, "cancelled")

            race(window, home, run, cancel, dead)
            window.wait_text("This plan was withdrawn")
            assert not window.find("Approve ", BUTTONS, exact=False)
            assert run_of(home, run)["status"] == "cancelled", run_of(home, run)
            assert len(events_of(home, run, "plan.approved")) == 0
            window.press_until("Show Run", lambda: window.find("Cancelled"))
            assert not window.find("Review Plan", BUTTONS)


def case_killed_window_and_runner(home):
    """Both are killed while the plan waits; a new window approves it, and the run goes on."""
    run = start_waiting_demo(home)
    with Window(home, run) as window:
        window.wait_text("waits for your approval", 60)
        kill_runner(home, run)
        window.process.kill()
        window.process.wait()

    with Window(home, run) as window:
        window.wait_text("waits for your approval", 60)
        window.open_plan()
        check_approve(window, home, run)


if __name__ == "__main__":
    sys.exit(main(globals()))
