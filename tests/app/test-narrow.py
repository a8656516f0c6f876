#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""No page makes the window wider than it was asked to be, down to 360 pixels and with long words.

usage: test-narrow.py FOREDECK FOREDECKCTL MAKE-FIXTURE-HOME
"""

import os
import struct
import subprocess
import sys
import tempfile

FOREDECK, CTL, FIXTURE = sys.argv[1:4]
WIDTH = 360
PAGES = [
    ["--page", "welcome"],
    ["--page", "inbox"],
    ["--page", "request:planaaaa-1"],
    ["--page", "request:asksaaaa-3"],
    ["--page", "run", "csvaaaaa"],
    ["--page", "tasks", "csvaaaaa"],
    ["--page", "changes", "csvaaaaa"],
    ["--page", "log", "csvaaaaa"],
    ["--page", "conversation", "csvaaaaa"],
    ["--page", "run", "goneaaaa"],
    ["--page", "run", "loopaaaa"],
    ["--page", "run", "clasaaaa"],
]


WORKFLOW = """---
name: w
description: A test
---
# Test

## write
role: executor
cli: command
command: touch new
Do it.
"""


def make_finished_run(home, root):
    """One whose changes wait to be merged, into a branch with a long name."""
    project = os.path.join(root, "p")
    branch = "a-branch-with-a-name-that-is-longer-than-a-narrow-window"
    subprocess.run(["git", "init", "-q", "-b", branch, project], check=True)
    for name, value in (("user.name", "A"), ("user.email", "a@example.org")):
        subprocess.run(["git", "-C", project, "config", name, value], check=True)
    subprocess.run(["git", "-C", project, "commit", "-q", "--allow-empty", "-m", "First"],
                   check=True)
    workflow = os.path.join(root, "w.workflow.md")
    with open(workflow, "w") as file:
        file.write(WORKFLOW)
    done = subprocess.run([CTL, "run", "--project", project, "--workflow", workflow, "--cli",
                           "command", "--approve", "auto", "A goal"], check=True,
                          env=dict(os.environ, FOREDECK_HOME=home), stdout=subprocess.PIPE,
                          text=True)
    return done.stdout.split()[0]


def read_width(path):
    with open(path, "rb") as picture:
        return struct.unpack(">I", picture.read(24)[16:20])[0]


def main():
    with tempfile.TemporaryDirectory(prefix="foredeck-narrow-") as root:
        home = os.path.join(root, "home")
        project = os.path.join(root, "webshop")
        subprocess.run(["git", "init", "-q", "-b", "main", project], check=True)
        subprocess.run([FIXTURE, home, project], check=True)
        env = dict(os.environ, FOREDECK_HOME=home)
        env.pop("G_DEBUG", None)
        failed = 0
        run = make_finished_run(home, root)
        pages = PAGES + [["--page", "changes", run], ["--page", "run", run]]
        print("1..%d" % len(pages))
        for number, page in enumerate(pages, 1):
            picture = os.path.join(root, "%d.png" % number)
            done = subprocess.run(
                [FOREDECK, "--screenshot", picture, "--size", "%dx700" % WIDTH, *page],
                env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            width = read_width(picture) if os.path.exists(picture) else None
            ok = done.returncode == 0 and width == WIDTH
            failed += not ok
            print("%sok %d - %s is %d wide" % ("" if ok else "not ", number, " ".join(page[1:]),
                                               WIDTH))
            if not ok:
                print("# it is %s\n# %s" % (width, done.stdout.replace("\n", "\n# ")))
        return 1 if failed else 0


sys.exit(main())
