# SPDX-License-Identifier: GPL-3.0-or-later
"""What a sandbox leaves of a repository: objects, branches and settings that are not the task's own."""

import hashlib
import os
import unittest

import engine_case
from test_sandbox import SandboxCase, sandboxes_work

COMMON = "common=$(git rev-parse --git-common-dir)\n"
COMMIT = "echo one > one; git add one; git commit -q -m mine || exit 1\n"


@unittest.skipUnless(sandboxes_work(), "bubblewrap is missing, or this system forbids what it needs")
class SandboxGitTest(SandboxCase):
    def work(self, text, *args, status="completed"):
        """A run of one command; its id."""
        run = self.begin([("a", {"command": self.script_file(text)})], None, *args)
        self.finish(run, status)
        return run

    def files(self, *parts, without=()):
        """What stands in the common git folder, with its contents."""
        root = os.path.join(self.project, ".git", *parts)
        found = {}
        for folder, _, names in os.walk(root):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, root)] = hashlib.sha1(file.read()).hexdigest()
        return {name: content for name, content in found.items() if not name.startswith(tuple(without))}

    def check_home(self, run, folder=None):
        """Nothing of a repository is missing, and nothing waits to be brought there."""
        self.git("fsck", "--full", "--no-dangling", cwd=folder)
        attempts = os.path.join(self.home, "runs", run, "attempts")
        self.assertEqual([name for name in os.listdir(attempts) if name.endswith(".git")], [])
        for _, _, names in os.walk(os.path.join(folder or self.project, ".git", "refs")):
            self.assertEqual([name for name in names if name.endswith(".lock")], [])

    def talk(self):
        """A folder that a test and its agent both see."""
        folder = os.path.join(self.folder, "talk")
        os.mkdir(folder)
        self.settings({"sandbox.writable": [folder]})
        return folder

    def until_file(self, path):
        self.until(path, lambda: os.path.exists(path))

    # Objects

    def test_objects_of_others_can_neither_be_removed_nor_overwritten(self):
        agent = self.script_file(
            COMMON
            + "for object in $common/objects/??/* $common/objects/*/??/* $common/objects/*/pack/*; do\n"
            "  chmod u+w $object; echo junk > $object; rm -f $object\n"
            "done 2> /dev/null\n"
            "rm -rf $common/objects/* 2> /dev/null\n"
            + COMMIT
        )
        before = self.files("objects")
        self.assertGreater(len(before), 3)
        run = self.begin([("a", {"command": agent})])
        self.finish(run)
        after = self.files("objects")
        self.assertEqual({name: after.get(name) for name in before}, before)
        self.assertEqual(self.result(run, "one"), "one")
        self.assertIn("mine", self.git("log", "--format=%s", f"foredeck/{run}/a"))
        self.check_home(run)

    def test_what_it_packs_and_prunes_is_its_own(self):
        self.git("gc", "-q")
        run = self.work(
            "for n in 1 2 3 4 5; do\n"
            "  echo $n > f$n; git add f$n; git commit -q -m number-$n || exit 1\n"
            "done\n"
            "git repack -a -d -q || exit 2\n"
            "git gc -q 2> /dev/null\n"
            "git prune --expire=now || exit 3\n"
            "git fsck --full || exit 4\n"
            "echo 6 > f6; git add f6; git commit -q -m number-6 || exit 5\n"
        )
        log = self.git("log", "--format=%s", f"foredeck/{run}/a")
        self.assertEqual([f"number-{n}" in log for n in range(1, 7)], [True] * 6)
        self.check_home(run)

    def test_a_big_object_arrives_whole(self):
        run = self.work("head -c 30000000 /dev/urandom > big; sha1sum < big; git add big; git commit -q -m big")
        content = self.git_bytes("cat-file", "blob", f"foredeck/{run}/a:big")
        self.assertEqual(len(content), 30000000)
        self.assertIn(hashlib.sha1(content).hexdigest(), self.query(run, "SELECT result FROM tasks")[0][0])
        self.check_home(run)

    def git_bytes(self, *words):
        import subprocess

        return subprocess.run(["git", *words], cwd=self.project, env=self.env, capture_output=True, check=True).stdout

    def test_a_repository_may_take_its_objects_from_another(self):
        for number, relative in enumerate((False, True)):
            run = self.check_borrower(f"borrower {number}", relative)
            path = os.path.join(self.home, "runs", run, "attempts", "a.1.err")
            self.assertNotIn("alternate", self.stderr(run) if os.path.exists(path) else "")

    def check_borrower(self, name, relative):
        borrower = os.path.join(self.folder, name)
        self.git("clone", "-q", "--shared", self.project, borrower)
        alternates = os.path.join(borrower, ".git", "objects", "info", "alternates")
        if relative:
            with open(alternates, "w", encoding="utf-8") as file:
                file.write("../../../project/.git/objects\n")
        with open(alternates, encoding="utf-8") as file:
            before = file.read()
        agent = "sh -c 'git log --stat && git fsck && echo one > one && git add one && git commit -q -m mine'"
        run = self.begin([("a", {"command": agent})], project=borrower)
        self.finish(run)
        self.assertIn("mine", self.git("log", "--format=%s", f"foredeck/{run}/a", cwd=borrower))
        with open(alternates, encoding="utf-8") as file:
            self.assertEqual(file.read(), before)
        self.check_home(run, borrower)
        return run

    def test_a_submodule_keeps_its_objects_too(self):
        library = os.path.join(self.folder, "library")
        os.mkdir(library)
        for words in (("init", "-q", "-b", "main"), ("commit", "-q", "--allow-empty", "-m", "first")):
            self.git(*words, cwd=library)
        self.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub")
        self.git("commit", "-q", "-m", "submodule")
        agent = self.script_file(
            "cd sub && rm -rf $(git rev-parse --git-common-dir)/objects/* 2> /dev/null\n"
            "touch new && git add new && git commit -q -m new"
        )
        before = self.files("modules", "sub", "objects")
        run = self.begin([("a", {"command": agent})])
        self.finish(run)
        self.assertIn("+Subproject commit", self.ok("diff", run).out)
        after = self.files("modules", "sub", "objects")
        self.assertEqual({name: after.get(name) for name in before}, before)
        self.check_home(run, os.path.join(self.project, "sub"))
        self.check_home(run)

    def test_what_a_check_commits_arrives(self):
        check = self.script_file("test -f one && touch two && git add two && git commit -q -m checked")
        run = self.begin([("a", {"command": f"sh -c 'echo one > one'", "checks": [[check]]})])
        self.finish(run)
        self.assertEqual(self.tasks(run)["a"]["verified"], "verified")
        self.assertIn("checked", self.git("log", "--format=%s", f"foredeck/{run}/a"))
        self.check_home(run)

    def test_in_a_shared_tree_nothing_of_the_git_folder_can_be_written(self):
        text = COMMON + "rm -rf $common/objects/* $common/refs/* 2> /dev/null; git hash-object -w agent.sh && exit 2; exit 0"
        agent = self.script_file(text)
        before = self.files(without=["foredeck"])
        run = self.begin([("a", {"command": agent})], None, "--isolation", "none")
        self.finish(run)
        self.assertEqual(self.files(without=["foredeck"]), before)

    # Branches, trees of others, settings

    def test_nothing_else_of_the_repository_can_be_changed(self):
        self.git("branch", "foredeck/other/task")
        self.git("branch", "feature")
        self.git("worktree", "add", "-q", os.path.join(self.folder, "tree of mine"), "feature")
        talk = self.talk()
        agent = self.script_file(
            COMMIT + COMMON + "own=$(git rev-parse --absolute-git-dir)\n" + f"touch {talk}/$FOREDECK_TASK\n"
            "[ $FOREDECK_TASK = a ] || exit 0\n"
            f"while [ ! -e {talk}/go ]; do sleep 0.05; done\n"
            "cd $common\n"
            "for place in refs/heads/main refs/heads/feature refs/heads/foredeck/other/task refs/heads/new refs/tags/new \\\n"
            "    logs/HEAD logs/refs/heads/main logs/refs/heads/foredeck/other/task packed-refs HEAD config description \\\n"
            "    hooks/post-checkout hooks/pre-commit info/exclude info/attributes modules/x objects/info/alternates \\\n"
            "    worktrees/*/HEAD worktrees/*/index worktrees/*/commondir worktrees/*/gitdir worktrees/*/config.worktree; do\n"
            "  case $place in worktrees/*-a/HEAD|worktrees/*-a/index) continue;; esac\n"
            "  echo evil > $place; rm -f $place\n"
            "done 2> /dev/null\n"
            "echo '[core] fsmonitor = /bin/evil' > $own/config.worktree && exit 3\n"
            "mv $own/config.worktree $own/away && exit 4\n"
            "for ref in main feature foredeck/other/task; do git update-ref refs/heads/$ref HEAD && exit 5; done\n"
            "git update-ref refs/heads/foredeck/$FOREDECK_RUN/b HEAD\n"
            "rm -rf refs/heads/foredeck/*/b refs/heads/foredeck/other logs/* 2> /dev/null\n"
            "exit 0\n"
        )
        run = self.begin([("a", {"command": agent}), ("b", {"command": agent})])
        own = (f"worktrees/foredeck-{run}-a", "logs/refs/heads/foredeck", "objects", "foredeck", "refs/heads/foredeck")
        self.until_task(run, "b", "completed")
        self.until_file(f"{talk}/a")
        before = self.files(without=own)
        refs = self.git("for-each-ref", "--format=%(refname) %(objectname)")
        with open(f"{talk}/go", "w", encoding="utf-8"):
            pass
        self.finish(run)
        self.assertEqual(self.files(without=own), before)
        for line in refs.splitlines():
            if not line.startswith(f"refs/heads/foredeck/{run}/a "):
                self.assertIn(line, self.git("for-each-ref", "--format=%(refname) %(objectname)"))
        self.assertIn("mine", self.git("log", "--format=%s", f"foredeck/{run}/a"))
        self.check_home(run)

    def test_work_on_a_branch_of_its_own_is_kept(self):
        run = self.work(
            "git checkout -q -b foredeck/$FOREDECK_RUN/mine || exit 1\n" + COMMIT + "echo two > two\n"
        )
        self.assertEqual(self.result(run, "one"), "one")
        self.assertEqual(self.result(run, "two"), "two")
        self.assertIn("mine", self.git("log", "--format=%s", f"foredeck/{run}/a"))
        self.check_home(run)

    # When it arrives

    def test_a_commit_can_be_seen_while_it_works_on(self):
        talk = self.talk()
        agent = self.script_file(COMMIT + f"while [ ! -e {talk}/go ]; do sleep 0.05; done\n")
        run = self.begin([("a", {"command": agent})])
        branch = f"refs/heads/foredeck/{run}/a"
        self.until("its commit", lambda: "mine" in self.git("for-each-ref", "--format=%(subject)", branch))
        self.git("gc", "-q")
        with open(f"{talk}/go", "w", encoding="utf-8"):
            pass
        self.finish(run)
        self.assertEqual(self.result(run, "one"), "one")
        self.check_home(run)

    def test_nothing_is_lost_when_its_runner_dies(self):
        for guard_too in (False, True):
            self.check_death(guard_too)

    def check_death(self, guard_too):
        talk = os.path.join(self.folder, "talk")
        if not os.path.isdir(talk):
            self.talk()
        for name in os.listdir(talk):
            os.remove(os.path.join(talk, name))
        agent = self.script_file(
            f"# {guard_too}\n"
            f"while [ ! -e {talk}/go ]; do sleep 0.05; done\n"
            "ls one 2> /dev/null && exit 0\n" + COMMIT + f"echo rest > rest; touch {talk}/done\n"
            f"while [ ! -e {talk}/end ]; do sleep 0.05; done\n"
        )
        run = self.begin([("a", {"command": agent})])
        self.until("its start", lambda: self.marked(run, "a") and self.attempt(run).get("pid"))
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)
        open(f"{talk}/go", "w", encoding="utf-8").close()
        self.until_file(f"{talk}/done")
        if guard_too:
            with open(f"/proc/{self.attempt(run)['pid']}/stat", encoding="ascii") as file:
                self.kill(int(file.read().rsplit(")", 1)[1].split()[1]))
        open(f"{talk}/end", "w", encoding="utf-8").close()
        self.until("the end of all", lambda: self.marked(run) == [])
        self.assertNotIn("mine", self.git("log", "--format=%s", f"foredeck/{run}/a"))
        self.ok("resume", run)
        self.finish(run)
        self.assertEqual(self.result(run, "one"), "one")
        self.assertEqual(self.result(run, "rest"), "rest")
        self.assertIn("mine", self.git("log", "--format=%s", f"foredeck/{run}/a"))
        self.check_home(run)


if __name__ == "__main__":
    engine_case.main()
