#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading a result: marks that stay, comments that are sent as one follow-up, the list of files."""

import sys

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403


def step(path, text):
    return {"write": {"path": path, "text": text}}


def finished(home):
    """A run that made two files, and what its follow-up would do."""
    run = begin(home, [("a", {})], {
        "a": [{"steps": [step("one.txt", "first\nsecond\nthird\n"), step("two.txt", "other\n"),
                         {"say": "Written."}]}],
        "follow-up-1": [{"steps": [step("one.txt", "first\n2nd\nthird\n"),
                                   {"say": "Did it.\n1. Now it is a number.\n2. It stays.\n"}]}]})
    assert wait_end(home, run)["status"] == "completed", run_of(home, run)
    return run


def review(home, run):
    with open(os.path.join(home, "runs", run, "review.json")) as file:
        return json.load(file)


def comments(home, run):
    return ctl(home, "comment", run)["comments"]


def open_changes(window):
    window.press_until("Review Changes", lambda: window.find("Filter files", exact=False))
    window.wait_text("one.txt")


def rows(window):
    """Names of the files in the list."""
    found = [node.name for node in window.walk() if node.getRoleName() == "list item"
             and window.showing(node) and node.name]
    return [name for name in found if ".txt" in name and "line" not in name.lower()]


def case_comments_become_a_follow_up(home):
    """Comments are kept with the run, changed, removed, sent together, and answered one by one."""
    run = finished(home)
    ctl(home, "comment", run, "one.txt:2", "Use a number.")
    ctl(home, "comment", run, "one.txt:3", "Why three?")
    ctl(home, "comment", run, "two.txt:1", "Not needed.")
    with Window(home, run) as window:
        open_changes(window)
        window.wait_text("Use a number.", 60)
        window.wait_text("3 comments", 60)
        ctl(home, "comment", run, "--remove", comments(home, run)[2]["id"])
        window.press_until("Edit", lambda: window.find("Save", BUTTONS))
        window.type_into("Comment", "Use a digit.")
        window.press_until("Save", lambda: comments(home, run)[0]["text"] == "Use a digit.")
        window.wait_text("2 comments")
        window.press_until("Send as Follow-up", lambda: any(c.get("task") for c in comments(home, run)))
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
        prompt = ctl_raw(home, "prompt", run, "follow-up-1").stdout
        for words in "1. one.txt:2", "> second", "Use a digit.", "2. one.txt:3", "Why three?":
            assert words in prompt, prompt
        window.wait_text("Now it is a number.", 60)
        window.wait_text("It stays.", 60)
        window.wait_text("2nd", 60)
        wait_for("no bar", lambda: not window.find("Send as Follow-up", BUTTONS))
    assert [c["answer"] for c in comments(home, run)] == ["Now it is a number.", "It stays."]
    assert [t["key"] for t in tasks_of(home, run)] == ["a", "follow-up-1"]


def case_viewed_files_stay_viewed(home):
    """What was looked at is marked the next time too, until it changes."""
    run = finished(home)
    with Window(home, run) as window:
        open_changes(window)
        window.press_until("Viewed", lambda: list(review(home, run)["viewed"]) == ["one.txt"])
    with Window(home, run) as window:
        open_changes(window)
        wait_for("the mark", lambda: window.find("Viewed", BUTTONS).getState()
                 .contains(pyatspi.STATE_PRESSED))
        ctl(home, "follow-up", run, "a", "Change it.")
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
        window.wait_text("2nd", 60)
        wait_for("the mark to go", lambda: not window.find("Viewed", BUTTONS).getState()
                 .contains(pyatspi.STATE_PRESSED))


def case_files_are_filtered(home):
    run = finished(home)
    with Window(home, run) as window:
        open_changes(window)
        wait_for("both files", lambda: len(rows(window)) == 2)
        window.type_into("Filter files", "TWO")
        wait_for("one file", lambda: len(rows(window)) == 1 and "two.txt" in rows(window)[0])
        window.type_into("Filter files", "")
        wait_for("both files", lambda: len(rows(window)) == 2)


def case_what_is_folded_is_shown(home):
    """Lines between changes are shown with one click, and a large file when it is asked for."""
    lines = ["line %d" % number for number in range(1, 201)]
    large = "".join("value %07d\n" % number for number in range(90000))
    make_repository(os.path.join(os.path.dirname(home), "project"),
                    {"long.txt": "\n".join(lines) + "\n", "large.txt": large})
    lines[9], lines[189] = "tenth", "near the end"
    run = begin(home, [("a", {})], {"a": [{"steps": [
        step("long.txt", "\n".join(lines) + "\n"), step("large.txt", large + "the last\n"),
        {"say": "Written."}]}]})
    assert wait_end(home, run)["status"] == "completed", run_of(home, run)
    with Window(home, run) as window:
        window.press_until("Review Changes", lambda: window.find("Filter files", exact=False))
        words = "This file is large: load it anyway"
        window.click(wait_for("the offer", lambda: window.find(words)))
        window.wait_text("Added line 90001: the last", 60)
        window.key("j")
        window.wait_text("Added line 190: near the end")
        assert "Line 100: line 100" not in window.text()
        fold = wait_for("the fold", lambda: [node for node in window.walk()
                                             if "unchanged lines" in (node.name or "")
                                             and window.showing(node)][-1])
        name = fold.name
        window.click(fold)
        window.wait_text("Line 20: line 20", 60)
        window.wait_gone(name)


def git(home, *words):
    project = os.path.join(os.path.dirname(home), "project")
    done = subprocess.run(["git", "-C", project, *words], check=True, capture_output=True, text=True)
    return done.stdout


def edit(home, name, text):
    with open(os.path.join(os.path.dirname(home), "project", name), "w") as file:
        file.write(text)


def open_merge(window):
    open_changes(window)
    window.press_until("Merge into", lambda: window.find("How to merge", exact=False), exact=False)


def case_merge_from_no_branch(home):
    """A run that started from no branch is merged into one that is chosen in the window."""
    make_repository(os.path.join(os.path.dirname(home), "project"))
    git(home, "branch", "other")
    git(home, "checkout", "-q", "--detach")
    run = finished(home)
    with Window(home, run) as window:
        open_merge(window)
        window.wait_text("It merges cleanly")
        assert window.find("Branch to merge into", exact=False)
        window.press_until("Merge", lambda: run_of(home, run).get("merged"))
    assert run_of(home, run)["merged"]["into"] == "main", run_of(home, run)
    assert "one.txt" in git(home, "ls-tree", "--name-only", "main")


def case_branch_moved_beside_the_merge(home):
    """What is merged into is what was looked at: a branch that moved meanwhile is not."""
    make_repository(os.path.join(os.path.dirname(home), "project"))
    run = finished(home)
    with Window(home, run) as window:
        open_merge(window)
        window.wait_text("It merges cleanly")
        git(home, "commit", "-q", "--allow-empty", "-m", "Meanwhile")
        head = git(home, "rev-parse", "HEAD")
        window.press("Merge")
        window.wait_text("was moved meanwhile")
        assert git(home, "rev-parse", "HEAD") == head
        window.press_until("Merge into", lambda: window.find("How to merge", exact=False), exact=False)
        window.wait_text("It merges cleanly")
        window.press_until("Merge", lambda: run_of(home, run).get("merged"))


def case_a_file_is_left_out_of_the_merge(home):
    """What is marked in the list is named in the question, is in nobody's way and stays out."""
    make_repository(os.path.join(os.path.dirname(home), "project"))
    run = finished(home)
    edit(home, "one.txt", "mine\n")
    with Window(home, run) as window:
        open_changes(window)
        window.press("Leave This File out of the Merge")
        wait_for("the mark", lambda: any("one.txt" in name and "left out" in name
                                         for name in rows(window)))
        open_merge(window)
        window.wait_text("1 file is left out:")
        window.wait_text("It merges cleanly")
        window.press_until("Merge", lambda: run_of(home, run).get("merged"))
    names = git(home, "ls-tree", "--name-only", "main").split()
    assert "two.txt" in names and "one.txt" not in names, names
    with open(os.path.join(os.path.dirname(home), "project", "one.txt")) as file:
        assert file.read() == "mine\n"


def case_what_is_in_the_way_is_said(home):
    """Edits of one's own and conflicts are told apart, and neither is merged."""
    make_repository(os.path.join(os.path.dirname(home), "project"))
    run = finished(home)
    edit(home, "one.txt", "mine\n")
    with Window(home, run) as window:
        open_merge(window)
        window.wait_text("has changes of your own that are not committed")
        window.wait_text("Commit or move them first.")
        assert not window.usable("Merge") and "same lines" not in window.text()
        window.press_until("Cancel", lambda: not window.find("How to merge", exact=False))
        git(home, "add", "one.txt")
        git(home, "commit", "-qm", "Mine")
        open_merge(window)
        window.wait_text("was changed on main as well")
        window.wait_text("run “git merge foredeck/")
        assert not window.usable("Merge")


def side(window, name):
    """What stands in one of the three columns."""
    for node in window.walk():
        if node.name == name and "Text" in pyatspi.listInterfaces(node) \
                and node.getRoleName() != "label":
            return node.queryText().getText(0, -1)
    return None


def case_a_conflict_is_resolved_by_hand(home):
    """The three sides are shown, the tree is named, and what is left is asked about again."""
    project = make_repository(os.path.join(os.path.dirname(home), "project"),
                              {"one.txt": "top\nbase\n"})
    run = begin(home, [("a", {}), ("b", {}), ("c", {"dependsOn": "a, b"})],
                {key: [{"steps": [step("one.txt", "top\n%s\n" % key), {"say": "Written."}]}]
                 for key in "ab"})
    wait_for("the conflict", lambda: requests_of(home, run))
    with Window(home, run) as window:
        window.wait_text("Conflict before “c”")
        window.press_until("Answer", lambda: "Second side: b" in window.text(), 60)
        for name, text in (("What both began with", "top\nbase\n"), ("First side", "top\na\n"),
                           ("Second side", "top\nb\n")):
            wait_for(name, lambda name=name, text=text: side(window, name) == text)
        assert not window.find("Open in Editor", BUTTONS)
        window.press_until("Resolve It by Hand", lambda: task(home, run, "c").get("worktree"))
        tree = task(home, run, "c")["worktree"]
        wait_for("the next request", lambda: any("edit these files" in r["body"]
                                                 for r in requests_of(home, run) if r["state"] == "open"))
        window.wait_text("Resolve the conflict before “c”")
        window.press_until("Answer", lambda: tree in window.text(), 60)
        wait_for("a way to the editor", lambda: window.find("Open in Editor", BUTTONS))
        with open(os.path.join(tree, "one.txt"), "w") as file:
            file.write("top\nby hand\n")
        window.press_until("It Is Resolved", lambda: run_of(home, run)["status"] != "blocked")
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
    shown = git(home, "show", "foredeck/%s/result:one.txt" % run)
    assert shown == "top\nby hand\n", (project, shown)


def case_what_a_cancelled_run_left_can_be_merged(home):
    """Work of a run that did not end well can be merged and discarded, but not tried again."""
    run = begin(home, [("a", {}), ("b", {"command": "false", "dependsOn": "a"}),
                       ("c", {"command": hold(home, "go"), "dependsOn": "a"})],
                {"a": [{"steps": [step("one.txt", "first\n"), {"say": "Written."}]}]})
    wait_task(home, run, "b", "failed")
    ctl(home, "cancel", run)
    assert wait_end(home, run)["status"] == "cancelled", run_of(home, run)
    release(home, "go")
    with Window(home, run) as window:
        window.wait_text("Cancelled")
        assert not window.usable("Retry")
        open_changes(window)
        assert window.usable("Discard…")
        window.press_until("Merge into main…", lambda: window.find("How to merge", exact=False))
        window.press_until("Merge", lambda: run_of(home, run).get("merged"))
    assert "one.txt" in git(home, "ls-tree", "--name-only", "main")


if __name__ == "__main__":
    sys.exit(main(globals()))
