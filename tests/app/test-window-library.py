#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The library in its window: what there is, what is wrong with it, an own copy, deleting and putting back."""

import sys

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403

def own(home, name):
    return os.path.join(home, "library", name)


def write(home, name, text):
    path = own(home, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def open_library(window):
    activate("library")
    window.wait_text("Agents", 30)
    window.wait_text("Choose something to read it", 30)


def show(window, name):
    """Looks a file up and shows it."""
    window.type_into("Search the Library", name)

    def shown():
        lists = [node for node in window.walk() if node.name == "Library"
                 and "Selection" in pyatspi.listInterfaces(node)]
        for place, row in enumerate(lists[0] if lists else []):
            if any(part.name == name for part in window.walk(row)):
                lists[0].querySelection().selectChild(place)
                return window.find("Duplicate", BUTTONS) and window.find(name)
        return False

    wait_for("%s to be shown" % name, shown, 40)


def source_of(window):
    """What the view of the source holds."""
    return "\n".join(node.queryText().getText(0, -1) for node in window.walk()
                     if node.name == "Source" and "Text" in pyatspi.listInterfaces(node))


def case_everything_is_there(home):
    """All kinds, where they come from, and their text."""
    with Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        open_library(window)
        window.wait_text("explorer")
        show(window, "plan-execute")
        window.wait_text("sequential", 20)
        window.wait_text("Steps", 20)
        show(window, "security-review")
        window.wait_text("Comes with Foredeck")
        window.wait_text("security-review", 20)
        assert not window.find("Delete", BUTTONS), "what came along cannot be deleted"
        window.press_until("Source", lambda: "description:" in source_of(window))


def case_copy_delete_undo(home):
    """A copy counts instead; it is deleted, and comes back."""
    with Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        open_library(window)
        show(window, "safe-git")
        path = own(home, "skills/safe-git/SKILL.md")
        window.press_until("Duplicate", lambda: os.path.exists(path), 30)
        window.wait_text("Yours, instead of the one that comes along", 30)
        window.press_until("Delete", lambda: not os.path.exists(path), 30)
        wait_for("the offer", lambda: window.find("Undo")).parent.queryAction().doAction(0)
        wait_for("the file to be back", lambda: os.path.exists(path), 20)
        window.wait_text("Yours, instead of the one that comes along", 30)


def case_faults_follow_the_file(home):
    """What an editor writes is checked at once."""
    path = write(home, "teams/mine.team.md", "---\nname: mine\n---\n## Roles\n\n- explorer: agent=explorer\n")
    with Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        open_library(window)
        show(window, "mine")
        assert "needs the agent" not in window.text()
        write(home, "teams/mine.team.md", "---\nname: mine\n---\n## Roles\n\n- explorer: agent=exploer\n")
        window.wait_text("needs the agent `exploer`", 40)
        write(home, "teams/mine.team.md", "---\nname: mine\n---\n## Roles\n\n- explorer: agent=explorer\n")
        window.wait_gone("needs the agent `exploer`", 40)
        os.remove(path)
        window.wait_gone("mine", 40)


if __name__ == "__main__":
    sys.exit(main(globals()))
