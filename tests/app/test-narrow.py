#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""No page makes the window wider than it was asked to be, down to 360 pixels and with long words.

usage: test-narrow.py FOREDECK MAKE-FIXTURE-HOME
"""

import os
import struct
import subprocess
import sys
import tempfile

FOREDECK, FIXTURE = sys.argv[1:3]
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
    ["--page", "run", "goneaaaa"],
]


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
        print("1..%d" % len(PAGES))
        for number, page in enumerate(PAGES, 1):
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
