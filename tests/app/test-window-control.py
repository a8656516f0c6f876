#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person does to a run at work, in the window: resume, cancel, retry, pause, discard, steer."""

import sys

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403

STALL = [{"steps": [{"stall": True}]}]


def starts(home, run):
    """How often each task was started."""
    counts = {}
    for event in events_of(home, run, "attempt.started"):
        counts[event["task"]] = counts.get(event["task"], 0) + 1
    return counts


def choose_in_menu(window, menu, item, check):
    window.press_until(menu, lambda: window.find(item, ("menu item",)))
    window.press_until(item, check, roles=("menu item",))


def case_resume(home):
    """A run whose process was killed shows as interrupted; Resume does nothing twice."""
    run = begin(home, [("a", {"command": "true"}),
                       ("b", {"command": hold(home, "go"), "dependsOn": "a"}),
                       ("c", {"command": "true", "dependsOn": "b"})])
    with Window(home, run) as window:
        wait_agent(home, run, "b")
        window.wait_text("Pause")
        kill_runner(home, run)
        window.wait_text("was interrupted")
        assert "Interrupted" in window.text(), window.text()
        window.press_until("Resume", lambda: owner_pid(home, run))
        window.wait_gone("was interrupted")
        release(home, "go")
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
        assert starts(home, run) == {"a": 1, "b": 1, "c": 1}, starts(home, run)
        assert len(events_of(home, run, "run.owned")) == 2
        window.wait_text("Completed")


def case_restart(home):
    """A runner that does not respond is named; Restart ends it, and nothing is done twice."""
    run = begin(home, [("a", {"command": hold(home, "go")}),
                       ("b", {"command": "true", "dependsOn": "a"})])
    with Window(home, run) as window:
        wait_agent(home, run, "a")
        window.wait_text("Pause")
        pid = owner_pid(home, run)
        os.kill(pid, signal.SIGSTOP)
        try:
            window.wait_text("This run does not respond")
            assert "Not Responding" in window.text() and "not responding" in window.text()
            window.press_until("Restart", lambda: not is_alive(pid), 60)
        finally:
            if is_alive(pid):
                os.kill(pid, signal.SIGKILL)
        window.wait_gone("This run does not respond")
        wait_for("another runner", lambda: owner_pid(home, run) not in (None, pid))
        release(home, "go")
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
        assert starts(home, run) == {"a": 1, "b": 1}, starts(home, run)


def case_cancel(home):
    """Cancel ends the whole tree of an agent that ignores polite signals."""
    run = begin(home, [("a", {}), ("b", {"dependsOn": "a"})],
                {"a": [{"steps": [{"stubborn": True}, {"stall": True}]}]})
    with Window(home, run) as window:
        # the runner, the guard, the agent, and its child in a session of its own
        wait_for("the agent's child", lambda: len(processes_of(home, run)) >= 4, 60)
        choose_in_menu(window, "More about This Run", "Cancel the Run…",
                       lambda: window.find("Keep Running", BUTTONS))
        window.press_until("Keep Running", lambda: not window.find("Keep Running", BUTTONS))
        assert run_of(home, run)["class"] == "active", run_of(home, run)
        choose_in_menu(window, "More about This Run", "Cancel the Run…",
                       lambda: window.find("Cancel the Run", BUTTONS))
        window.press_until("Cancel the Run",
                           lambda: run_of(home, run)["status"] == "cancelled", 60)
        wait_for("no process left", lambda: not processes_of(home, run), 60)
        window.wait_text("Cancelled")
        assert not window.find("Pause", BUTTONS)


def case_stop_everything(home):
    """The red button: every run, asked once."""
    first = begin(home, [("a", {})], {"a": STALL}, "worktrees")
    second = begin(home, [("a", {})], {"a": STALL}, "worktrees")
    with Window(home) as window:
        for run in first, second:
            wait_agent(home, run, "a")
        activate("stop-everything")
        window.press_until("Stop Everything", lambda: not window.find("Keep Running", BUTTONS))
        for run in first, second:
            assert wait_end(home, run)["status"] == "cancelled"
            wait_for("no process left", lambda: not processes_of(home, run), 60)


def case_retry(home):
    """A failed task is tried again from its panel, and the whole run from its header."""
    ready = os.path.join(os.path.dirname(home), "ready")
    run = begin(home, [("a", {"command": "test -e %s" % ready}),
                       ("b", {"command": "true", "dependsOn": "a"}),
                       ("c", {"command": "true"})])
    with Window(home, run) as window:
        wait_status(home, run, "failed")
        window.wait_text("Failed")
        count = starts(home, run)["a"]
        window.press_until("Retry", lambda: starts(home, run)["a"] > count)
        wait_status(home, run, "failed")
        with open(ready, "w"):
            pass
        count = starts(home, run)["a"]

        def in_panel():
            found = [node for node in window.walk()
                     if node.name == "Retry" and node.getRoleName() in BUTTONS
                     and window.showing(node)]
            return len(found) == 2 and max(found, key=lambda node: window.extents(node).y)

        button = wait_for("Retry of the task that failed", in_panel)
        button.queryAction().doAction(0)
        wait_status(home, run, "completed")
        counts = starts(home, run)
        assert counts == {"a": count + 1, "b": 1, "c": 1}, counts


def case_failed_command(home):
    """The transcript of a command that failed is what it printed, its standard error too."""
    run = begin(home, [("a", {"command": "sh -c 'echo one; echo two; echo no such flavour >&2; echo second >&2; exit 7'"})])
    assert wait_end(home, run)["status"] == "failed", run_of(home, run)
    with Window(home, run) as window:
        window.wait_text("Error output")
        window.wait_text("no such flavour\nsecond")
        assert "one\ntwo" in window.text()
        assert "No Transcript" not in window.text()


def case_checkout_changed(home):
    """What a task did to the person's own checkout is a mark on the run, with the paths."""
    project = os.path.join(os.path.dirname(home), "project")
    out = os.path.join(project, "escaped.txt")
    run = begin(home, [("a", {"command": "sh -c 'echo writing %s; echo x > %s'" % (out, out)})])
    assert wait_end(home, run)["status"] == "completed", run_of(home, run)
    with Window(home, run) as window:
        window.wait_text("Your own checkout changed while tasks ran: escaped.txt.")
        window.wait_text("What it said names files of your own checkout")
        window.press_until("Details", lambda: window.find("What Changed in Your Checkout"))
        window.press_until("Dismiss", lambda: "checkout changed" not in window.text())


def case_table_of_tasks(home):
    """No column of the table is cut, however much room the panel of a task leaves."""
    run = begin(home, [("a", {"command": "true"}), ("b", {"command": "true", "dependsOn": "a"})])
    wait_end(home, run)
    with Window(home, run) as window:
        window.press_until("Tasks", lambda: window.find("Agent"))

        def whole():
            edge = window.extents(window.find("Transcript", BUTTONS)).x
            heads = [window.extents(node) for node in window.walk()
                     if node.name in ("Task", "Role", "Agent", "Time", "Remark")
                     and window.showing(node)]
            return len(heads) >= 3 and all(head.x + head.width <= edge for head in heads)

        wait_for("whole columns", whole)


def case_failed_and_merged(home):
    """A failed run whose result was merged is still a failed one, and says why."""
    run = begin(home, [("a", {"command": "touch new"}),
                       ("b", {"command": "sh -c 'echo no such flavour >&2; exit 7'"})])
    assert wait_end(home, run)["status"] == "failed", run_of(home, run)
    assert ctl_raw(home, "merge", run).returncode == 0
    with Window(home, run) as window:
        window.wait_text("Failed, Merged")
        window.wait_text("1 task failed. What the other tasks did was merged into main.")
        window.wait_text("failed, merged")


def case_merge_of_a_failed_run(home):
    """Who merges what a failed run left is told what is missing in it."""
    run = begin(home, [("a", {"command": "touch new"}),
                       ("b", {"command": "sh -c 'echo no such flavour >&2; exit 7'"})])
    assert wait_end(home, run)["status"] == "failed", run_of(home, run)
    with Window(home, run) as window:
        window.press_until("Changes", lambda: window.usable("Merge into", exact=False))
        window.press_until("Merge into", lambda: window.find("It merges cleanly", exact=False),
                           exact=False)
        window.wait_text("1 task failed; its work is not in here.")


def case_pause_continue(home):
    """Nothing new starts while a run is paused."""
    run = begin(home, [("a", {"command": hold(home, "go")}),
                       ("b", {"command": "true", "dependsOn": "a"})])
    with Window(home, run) as window:
        wait_agent(home, run, "a")
        window.press_until("Pause", lambda: run_of(home, run)["status"] == "paused")
        window.wait_text("Paused")
        release(home, "go")
        wait_task(home, run, "a", "completed")
        assert task(home, run, "b")["status"] == "queued"
        window.press_until("Continue", lambda: run_of(home, run)["status"] != "paused")
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)


def case_pause_outlives_runner(home):
    """A paused run whose process was killed is continued all the same."""
    run = begin(home, [("a", {"command": hold(home, "go")}),
                       ("b", {"command": "true", "dependsOn": "a"})])
    with Window(home, run) as window:
        wait_agent(home, run, "a")
        window.press_until("Pause", lambda: run_of(home, run)["status"] == "paused")
        kill_runner(home, run)
        release(home, "go")
        window.press_until("Continue", lambda: run_of(home, run)["status"] != "paused", 60)
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
        assert starts(home, run) == {"a": 1, "b": 1}, starts(home, run)


def case_discard(home):
    """Discarded changes have no working tree any more, and are not offered for merging."""
    run = begin(home, [("a", {})], {"a": [{"steps": [{"write": {"path": "new", "text": "x\n"}},
                                                     {"say": "Written."}]}]})
    with Window(home, run) as window:
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
        tree = task(home, run, "a").get("worktree")
        assert tree and os.path.exists(tree), task(home, run, "a")
        window.press_until("Review Changes", lambda: window.find("Discard…", BUTTONS))
        window.press_until("Discard…", lambda: window.find("Keep Them", BUTTONS))
        window.press_until("Discard", lambda: events_of(home, run, "run.discarded"), 40)
        wait_for("no tree", lambda: not os.path.exists(tree))
        window.wait_text("were discarded")
        wait_for("no “Merge”", lambda: not window.find("Merge into", BUTTONS, exact=False))
        assert not window.find("Discard…", BUTTONS)
        assert ctl_raw(home, "merge", run).returncode == 5
        window.press_until("Undo", lambda: window.find("Merge into", BUTTONS, exact=False), 40)
        assert ctl_raw(home, "merge", run).returncode == 0
        window.wait_text("Merged")


def case_steer(home):
    """Words to an agent that cannot hear them come with its next attempt, and are kept."""
    run = begin(home, [("a", {})],
                {"a": [{"when": {"attempt": 1}, "steps": [{"stall": True}]},
                       {"steps": [{"say": "Done."}]}]})
    with Window(home, run) as window:
        wait_agent(home, run, "a")
        window.wait_text("it gets your words with its next attempt")
        window.type_into("Message to this task", "Mind the umlauts.")
        window.press_until("Send", lambda: messages(home, run))
        assert [(m["to"], m["text"]) for m in messages(home, run)] == [("a", "Mind the umlauts.")]
        os.kill(task(home, run, "a")["attempts"][-1]["pid"], signal.SIGKILL)
        wait_for("the next attempt", lambda: starts(home, run)["a"] == 2, 90)
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
        prompt = ctl_raw(home, "prompt", run, "a").stdout
        assert "Mind the umlauts." in prompt, prompt
        assert not window.find("Message to this task")


def verdict(achieved, reason, **more):
    answer = dict({"achieved": achieved, "reason": reason, "evidence": ["the changes"]}, **more)
    return [{"steps": [{"spend": {"input": 10, "output": 1, "cost": 0.25}}, {"say": json.dumps(answer)}]}]


def case_goal_loop(home):
    """The turns of a goal loop with verdict, evidence and cost; a hint makes a blocked one go on."""
    run = begin(home, [("work", {})], {
        "judge-1": verdict(False, "The lexer is missing."),
        "judge-2": verdict(False, "The password is needed.", blocked=True),
        "judge-3": verdict(True, "All is there."),
    }, options=("--goal-loop", "--max-turns", "7"))
    with Window(home, run) as window:
        window.wait_text("Turn 2 of 7: blocked", 60)
        window.press_until("Turn 2 of 7: blocked", lambda: "The lexer is missing." in window.text())
        text = window.text()
        for words in ("Turn 1: not achieved, not verified, $0.25", "The password is needed.",
                      "Turn 2: needs a person", "– the changes"):
            assert words in text, text
        ctl(home, "goal", "resume", run, "--hint", "It is in the vault.")
        window.wait_text("Turn 3 of 7: achieved", 60)
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)


def messages(home, run):
    return ctl(home, "messages", run)["messages"]


if __name__ == "__main__":
    sys.exit(main(globals()))
