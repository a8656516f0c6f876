# SPDX-License-Identifier: GPL-3.0-or-later
"""Trees and what was committed in sandboxes, when the power goes or the runner dies in the middle.

Two commands commit in a sandbox, one a few objects, which come home one by one, one so many that they come in a pack.
Each point is a run of its own: it is cut at a call of the runner that makes or removes a tree, brings objects home or
moves a branch, is taken up again and driven to its end. CI takes a sample with a seed that is printed;
FORE_FAULT_POINTS=all takes all of them, FORE_FAULT_ONLY=power:317 one.
"""

import os
import shutil
import subprocess
import unittest

import faults
import story
import test_crash_points

PLACES = (".git/", "home/worktrees", "/attempts/")
N_MANY = 80
POINTS = os.environ.get("FORE_FAULT_POINTS") or "14"
SCRIPTS = {
    "few": "echo few > few && git add few && git commit -q --allow-empty -m mine",
    "many": f"i=0; while [ $i -lt {N_MANY} ]; do echo $i.{{words}} > many.$i; i=$((i+1)); done\n"
            "git add -A && git commit -q --allow-empty -m mine && echo later > later",
}


def sandboxes_work():
    program = shutil.which("bwrap")
    words = ["--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"]
    return program is not None and subprocess.run([program, *words], capture_output=True, check=False).returncode == 0


class Committed(story.Story):
    """Commands in sandboxes that commit themselves, and whose work is put together and merged."""

    def make_env(self):
        return dict(super().make_env(), FOREDECK_SANDBOX="required")

    def make_files(self):
        super().make_files()
        with open(self.workflow, "w", encoding="utf-8") as file:
            file.write("---\nname: w\ndescription: A test\n---\n# Test\n")
            for name, before in (("few", None), ("many", None), ("both", "few, many")):
                script = os.path.join(self.project, f"{name}.sh")
                with open(script, "w", encoding="utf-8") as script_file:
                    script_file.write(SCRIPTS.get(name, "test -e few && test -e many.0 && echo both > both")
                                      .replace("{words}", "x" * 200) + "\n")
                file.write(f"\n## {name}\nrole: executor\ncli: command\ncommand: sh {name}.sh\nretries: 3\n"
                           + (f"dependsOn: {before}\n" if before else "") + "\nDo it.\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "scripts")

    def begin(self):
        self.run = self.find_run()
        if self.run is None:
            self.ctl("run", "--json", "--detach", "--project", self.project, "--workflow", self.workflow, "--team",
                     "implementation", "--approve", "auto", "A goal")
            self.run = self.find_run()

    def check_all(self):
        self.check_tables()
        self.check_work()
        self.check_index()
        self.check_crashes()

    def check_tables(self):
        tasks = dict(self.query("SELECT key, status FROM tasks"))
        story.demand(tasks == dict.fromkeys(("few", "many", "both"), "completed"), f"tasks are {tasks}")
        finished = set()
        for kind, task, n, data in self.query("SELECT type, task, attempt, data FROM events ORDER BY seq"):
            story.demand(kind != "attempt.started" or task not in finished, f"{task}.{n} started when it had finished")
            if kind == "task.status" and '"to":"completed"' in data:
                finished.add(task)

    def check_work(self):
        demand = story.demand
        out = self.git("fsck", "--full", "--strict", "--no-dangling")
        demand(out == "", f"git fsck: {out}")
        for task in ("few", "many"):
            demand("mine" in self.git("log", "--format=%s", f"foredeck/{self.run}/{task}").split("\n"),
                   f"the commit of {task} is lost")
        wanted = {"few": "few", "both": "both", "later": "later"}
        wanted.update({f"many.{i}": f"{i}." + "x" * 200 for i in range(N_MANY)})
        for name, text in wanted.items():
            demand(self.git("show", f"main:{name}", check=False) == text, f"main:{name} is not what was written")
        demand(self.git("status", "--porcelain") == "", "the project is not clean: " + self.git("status", "--porcelain"))
        self.git("worktree", "prune", "--expire", "now")
        left = self.git("worktree", "list", "--porcelain").count("worktree ")
        known = sum(1 for _, names, _ in os.walk(os.path.join(self.home, "worktrees")) for name in names
                    if name in ("few", "many", "both"))
        demand(left <= 1 + known, f"{left} trees are on record, {known} are there")


@unittest.skipUnless(sandboxes_work(), "bubblewrap is missing, or this system forbids what it needs")
class TreesTest(test_crash_points.Points, unittest.TestCase):
    make = Committed
    programs = faults.RUNNER

    @staticmethod
    def is_wanted(call, path):
        return any(place in path for place in PLACES) and not path.endswith((".out", ".err", ".idx"))

    def test_power_cut_while_trees_and_commits_come_and_go(self):
        self.run_points(["power", "some-power"])

    def test_death_while_trees_and_commits_come_and_go(self):
        self.run_points(["before", "after", "middle"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
