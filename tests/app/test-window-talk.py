#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the person and the agents of a run say to each other, as the window shows it."""

import os
import sys

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403

TALK = """#!/bin/sh
$FOREDECK_CTL mail send person "The old format is read in two places."
$FOREDECK_CTL mail send b "Mind the gap."
$FOREDECK_CTL ask "Which colour?"
$FOREDECK_CTL mail inbox --wait
"""


def begin_talk(home):
    folder = os.path.dirname(home)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "talk.sh")
    with open(path, "w") as file:
        file.write(TALK)
    os.chmod(path, 0o755)
    return begin(home, [("a", {"command": path}), ("b", {"command": hold(home, "go"), "dependsOn": "a"})])


def read_drafts(home):
    try:
        with open(os.path.join(home, "drafts.json"), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def in_order(window, *words):
    text = window.text()
    places = [text.find(part) for part in words]
    return -1 not in places and places == sorted(places)


def case_conversation(home):
    """Mail, a question, its answer and mail of the person stand in the order in which they were said."""
    run = begin_talk(home)
    wait_for("the question", lambda: requests_of(home, run), 60)
    with Window(home) as window:
        window.open_run(run)
        window.press("Conversation")
        window.wait_text("asks you")
        window.wait_text("not delivered yet")
        window.wait_text("new")
        request, = requests_of(home, run)
        ctl(home, "answer", request["id"], "Green.")
        window.wait_text("asked you")
        ctl(home, "mail", "send", run, "a", "Then", "stop.")
        window.wait_text("Then stop.")
        assert in_order(window, "The old format is read in two places.", "Mind the gap.", "Which colour?", "Green.",
                        "Then stop."), window.text()
        assert in_order(window, "a → You", "a → b", "You → a"), window.text()
        wait_task(home, run, "a", "completed")
        release(home, "go")
        wait_end(home, run)
        window.wait_gone("asks you")
        window.warnings()


def case_a_message_is_written(home):
    """To one task, and to everyone who is not over; where nobody would read there is nothing to write in."""
    run = begin_talk(home)
    wait_for("the question", lambda: requests_of(home, run), 60)
    with Window(home) as window:
        window.open_run(run)
        window.press("Conversation")
        window.wait_text("Everyone", 30)
        window.type_into("Message", "Mind both of them.")
        window.press_until("Send", lambda: "Mind both of them." in str(ctl(home, "messages", run)), 30)
        window.wait_text("Mind both of them.", 30)
        sent = [m for m in ctl(home, "messages", run)["messages"] if m["text"] == "Mind both of them."]
        assert sorted(m["to"] for m in sent) == ["a", "b"], sent
        window.type_into("Message", "Not sent yet")
        wait_for("the draft", lambda: "Not sent yet" in read_drafts(home))
    with Window(home) as window:
        window.open_run(run)
        window.press("Conversation")
        window.press_until("Send", lambda: "Not sent yet" in str(ctl(home, "messages", run)), 30)
        wait_for("no draft", lambda: "Not sent yet" not in read_drafts(home))
        request, = requests_of(home, run)
        ctl(home, "answer", request["id"], "Green.")
        ctl(home, "mail", "send", run, "a", "Then", "stop.")
        wait_task(home, run, "a", "completed")
        release(home, "go")
        wait_end(home, run)
        wait_for("nothing to write in", lambda: not window.find("Everyone"), 30)


def case_decisions_stand_there_too(home):
    """What was asked for and decided: a gate before a task, and the answer."""
    run = begin(home, [("a", {"command": "true", "gate": "ask"})])
    wait_for("the gate", lambda: requests_of(home, run), 60)
    with Window(home) as window:
        window.open_run(run)
        window.press("Conversation")
        window.wait_text("asks you")
        request, = requests_of(home, run)
        ctl(home, "approve", request["id"])
        window.wait_text("answered")
        wait_end(home, run)
        assert in_order(window, "a → You", "You → a"), window.text()


def case_nothing_said(home):
    """A run in which nobody said anything says so."""
    run = begin(home, [("a", {"command": "true"})])
    wait_end(home, run)
    with Window(home) as window:
        window.open_run(run)
        window.press("Conversation")
        window.wait_text("Nothing Said Yet")


if __name__ == "__main__":
    sys.exit(main(globals()))
