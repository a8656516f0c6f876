#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What keys do that a keyboard gives: focus is in what was opened, and what was typed arrives."""

import sys

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403


def step(path, text):
    return {"write": {"path": path, "text": text}}


def finished(home):
    """A run that made two files."""
    run = begin(home, [("a", {})], {
        "a": [{"steps": [step("one.txt", "first\nsecond\nthird\n"), step("two.txt", "other\n"),
                         {"say": "Written."}]}]})
    assert wait_end(home, run)["status"] == "completed", run_of(home, run)
    return run


def case_a_comment_takes_what_is_typed(home):
    """The first blank that is typed into a comment is a blank, not a press on Save."""
    run = finished(home)
    with Window(home, run) as window:
        window.press_until("Review Changes", lambda: window.find("Filter files", exact=False))
        window.wait_text("one.txt")
        window.click(wait_for("a line", lambda: window.find("Added line 2: second")))
        window.press_until("Comment on the Selected Lines", lambda: window.find("Save", BUTTONS))
        window.write("so be it")
        wait_for("the words", lambda: window.entry_text("Comment") == "so be it")
        window.press_until("Save", lambda: ctl(home, "comment", run)["comments"])
    assert [c["text"] for c in ctl(home, "comment", run)["comments"]] == ["so be it"]


def case_a_question_needs_words(home):
    """A question is answered once there are words to answer it with."""
    run = begin(home, [("a", {"command": "sh -c '$FOREDECK_CTL ask Which?'"})])
    request = wait_for("the question", lambda: requests_of(home, run))[0]["id"]
    with Window(home, run) as window:
        window.key("ctrl+j")
        wait_for("its page", lambda: window.find("Answer in words", exact=False))
        # every button that can be used is, once the guard has let go of them
        wait_for("an answer of no use", lambda: window.find("Answer", BUTTONS))
        window.write(" ")
        wait_for("the blank", lambda: window.entry_text("Answer in words") == " ")
        assert not window.usable("Answer")
        window.write("red")
        wait_for("the words", lambda: window.entry_text("Answer in words") == " red")
        window.press_until("Answer", lambda: not any(request["state"] == "open"
                                                     for request in requests_of(home, run)))
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
    assert task(home, run, "a")["result"].strip() == "red", (request, task(home, run, "a"))


def case_a_plan_is_approved_by_keys(home):
    """From the inbox to the approved plan without a pointer."""
    run = start_waiting_demo(home)
    with Window(home, run) as window:
        window.wait_text("waits for your approval")
        window.key("ctrl+j")
        window.approve()
        window.key("ctrl+Return")
        wait_for("the approval", lambda: run_of(home, run)["status"] != "blocked", 40)
        ctl_raw(home, "cancel", run)


def panes_from(window, key, n):
    """What has the focus after each of N presses of KEY."""
    found = []
    for _ in range(n):
        before = window.focused()
        window.key(key)
        wait_for("another focus", lambda: window.focused() not in (None, before))
        found.append(window.focused())
    return found


def case_parts_of_the_window_by_f6(home):
    """F6 goes around the parts of the window, Shift+F6 the other way around."""
    run = finished(home)
    with Window(home, run) as window:
        window.wait_text("Review Changes")
        window.key("alt+1")
        wait_for("the graph's focus", window.focused)
        first = panes_from(window, "F6", 3)
        assert len(set(first)) == 3, first
        # once around
        assert panes_from(window, "F6", 3) == first, first
        assert panes_from(window, "shift+F6", 3) == [first[1], first[0], first[2]], first


def files(window):
    """How many files the list shows."""
    return len({node.name for node in window.walk() if node.getRoleName() == "list item"
                and window.showing(node) and ".txt," in (node.name or "")})


def case_changes_are_read_by_keys(home):
    """Keys of a view work once it was opened by a key, wherever the focus was before."""
    run = finished(home)
    with Window(home, run) as window:
        window.wait_text("Review Changes")
        window.key("alt+3")
        window.wait_text("Added line 2: second")
        window.key("j")
        window.wait_text("Added line 1: other")
        window.key("k")
        window.wait_text("Added line 1: first")
        # and after a button somewhere else had the focus
        window.click(window.find("New Run", BUTTONS))
        wait_for("the sheet", lambda: window.find("Goal", exact=False))
        window.key("Escape")
        wait_for("no sheet", lambda: not window.find("Start", BUTTONS, exact=False))
        window.key("j")
        window.wait_text("Added line 1: other")
        # letters that are written are letters
        window.key("slash")
        window.write("jc")
        wait_for("no file with these letters", lambda: not files(window))
        assert "Added line 1: other" in window.text()
        window.key("Escape")
        wait_for("all files", lambda: files(window) == 2)
        window.key("alt+4")
        window.wait_text("Decisions and results only")
        window.click_into(lambda: window.find("Search events"))
        window.write("zzz")
        window.wait_text("Nothing Found")
        window.key("Escape")
        window.wait_gone("Nothing Found")


def case_a_question_is_read_as_markdown(home):
    """What an agent asks is shown as its Markdown means it."""
    ask = os.path.join(os.path.dirname(home), "ask.sh")
    with open(ask, "w") as file:
        file.write("$FOREDECK_CTL ask 'Which of these?\n\n- **first** one\n- `second` one\n'\n")
    run = begin(home, [("a", {"command": "sh %s" % ask})])
    wait_for("the question", lambda: requests_of(home, run))
    with Window(home, run) as window:
        window.key("ctrl+j")
        window.wait_text("first one")
        assert "**" not in window.text() and "`" not in window.text(), window.text()
        ctl_raw(home, "cancel", run)


def case_a_plan_stays_where_it_is_read(home):
    """Leaving a task out that lies far down does not scroll the plan."""
    run = start_waiting_demo(home)
    with Window(home, run) as window:
        window.wait_text("waits for your approval")
        window.key("ctrl+j")
        window.approve()
        checks = [node for node in window.walk() if node.getRoleName() == "check box"
                  and window.showing(node)]
        window.click(window.find("Tasks of the plan"))
        subprocess.run(["xdotool", "click", "--repeat", "30", "--delay", "20", "5"], check=True)
        wait_for("the end of the plan", lambda: window.extents(checks[-1]).y < 700)
        place = window.extents(checks[-2]).y
        window.click(checks[-2])
        window.wait_text("you left this out")
        assert abs(window.extents(checks[-2]).y - place) < 150, (window.extents(checks[-2]).y, place)
        ctl_raw(home, "cancel", run)


def settings(home):
    try:
        with open(os.path.join(home, "library", "config.json")) as file:
            return json.load(file)
    except OSError:
        return {}


def open_limit(window):
    activate("preferences")
    window.wait_text("Limits")
    window.press_until("Limits", lambda: window.find("Most in a day"), roles=None)
    return wait_for("the limit", lambda: window.find("Most in a day", ("spin button",), False))


def case_a_limit_can_be_none(home):
    """A limit that is not set says so, and can be made so again, but not by a slip of the keyboard."""
    run = finished(home)
    with Window(home, run) as window:
        limit = open_limit(window)
        limit.queryValue().currentValue = 12
        wait_for("a limit", lambda: settings(home).get("limits", {}).get("day_cost") == 12)
        window.click(limit)
        window.key("ctrl+a", "a", "b", "c", "Tab", "Escape")
        window.wait_gone("Most in a day")
        assert settings(home)["limits"].get("day_cost") == 12, settings(home)
        open_limit(window).queryValue().currentValue = 0
        wait_for("no limit", lambda: "day_cost" not in settings(home).get("limits", {}))


if __name__ == "__main__":
    sys.exit(main(globals()))
