# SPDX-License-Identifier: GPL-3.0-or-later
"""A small disk of its own for the store, which gets full while agents work."""

import os
import signal
import subprocess
import tempfile
import unittest

import engine_case
from engine_case import say, script, write


def can_mount():
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], capture_output=True, check=False)
        if done.returncode == 0:
            subprocess.run(["umount", folder], check=True)
        return done.returncode == 0


@unittest.skipUnless(os.name == "posix" and os.geteuid() == 0 and can_mount(), "needs the right to mount")
class DiskTest(engine_case.EngineCase):
    size = "700m"

    def setUp(self):
        super().setUp()
        self.disk = os.path.join(self.folder, "disk")
        os.mkdir(self.disk)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={self.size}", "none", self.disk], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", self.disk], check=False)
        self.home = os.path.join(self.disk, "home")
        self.env["FOREDECK_HOME"] = self.home
        self.settings({"retry.delay": 0})
        # What is warned of here is meant to be, and has to be read where there is room.
        self.env["G_DEBUG"] = ""
        os.mkdir(os.path.join(self.folder, "log"))
        os.symlink(os.path.join(self.folder, "log"), os.path.join(self.home, "log"))

    def fill(self, leave):
        """Takes all but @leave bytes of the disk."""
        stat = os.statvfs(self.disk)
        path = os.path.join(self.disk, "ballast")
        have = os.path.getsize(path) if os.path.exists(path) else 0
        with open(path, "ab") as file:
            os.posix_fallocate(file.fileno(), 0, have + stat.f_bavail * stat.f_frsize - leave)

    def empty(self):
        os.unlink(os.path.join(self.disk, "ballast"))

    def hold(self):
        return f"sh -c 'while [ ! -e {self.folder}/go ]; do sleep 0.02; done'"

    def go(self):
        with open(os.path.join(self.folder, "go"), "w", encoding="utf-8"):
            pass

    def test_little_space_starts_nothing_new_and_says_so(self):
        run = self.begin([("a", {"command": self.hold()}), ("b", {"command": "true", "dependsOn": "a"})])
        self.until_phase(run, "a", "agent")
        self.fill(100 << 20)
        self.until("the reason", lambda: "free on the disk" in str(self.show(run)))
        self.go()
        self.until_task(run, "a", "completed")
        error = self.refused(6, "run", "--project", self.project, "--workflow",
                             self.make_workflow([("a", {"cli": "command", "command": "true", "role": "executor"})]),
                             "--team", "implementation", "More")
        self.assertEqual(error["code"], "no-space")
        self.assertEqual(self.statuses(run)["b"], "queued")
        self.empty()
        self.finish(run)

    def test_a_full_disk_announces_nothing_that_is_not_durable(self):
        run = self.begin(
            [("a", {"command": self.hold()}), ("b", {"role": "executor", "dependsOn": "a"})],
            {"b": [script(write("x"), say())]})
        self.until_phase(run, "a", "agent")
        self.fill(0)
        before = self.query(run, "SELECT count(*) FROM events")[0][0]
        self.go()
        self.until("the end of the command", lambda: not self.marked(run, "a"))
        self.until("the trouble in the log", lambda: "cannot be written" in self.log())
        self.assertEqual(self.query(run, "SELECT status FROM tasks WHERE key = 'a'")[0][0], "running")
        self.assertLessEqual(self.query(run, "SELECT count(*) FROM events")[0][0], before + 2)
        # A large file goes page by page, and a tree wants more room than a row.
        runner = self.runner_pid(run)
        os.kill(runner, signal.SIGSTOP)
        self.empty()
        os.kill(runner, signal.SIGCONT)
        self.finish(run)
        self.assertEqual(self.result(run, "x"), "x")

    def log(self):
        folder = os.path.join(self.home, "log")
        return "".join(self.file(name, folder) for name in os.listdir(folder))


if __name__ == "__main__":
    engine_case.main()
