# SPDX-License-Identifier: GPL-3.0-or-later
"""Working trees of runs: what is told of them, what cleaning keeps, and getting it back."""

import os
import shutil
import subprocess

import ctl_case


class TreesTest(ctl_case.CtlCase):
    def setUp(self):
        super().setUp()
        self.make_project()
        self.write(".gitignore", "notes\nhuge.bin\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "ignore")

    def begin(self, command, *more):
        path = self.make_workflow([("one", {"command": command, "role": "executor"}), *more])
        return self.start("--workflow", path, "--approve", "auto", "Write")

    def finished_run(self, command="sh -c 'echo ours > one.txt; mkdir notes; echo found > notes/a.md'", code=0):
        run = self.begin(command)
        self.fails(code, "wait", run, "--timeout", "50 s")
        self.until("the runner's end", lambda: self.tree(run)["obstacles"] != ["the run has not finished"])
        return run

    def tree(self, run, key="one"):
        trees = self.ok("worktrees", run, "--json").json["worktrees"]
        return {tree["task"]: tree for tree in trees}[key]

    def rescued(self):
        return [rescue["name"] for rescue in self.ok("rescue", "list", "--json").json["rescues"]]

    def test_a_tree_says_what_would_be_kept(self):
        run = self.finished_run()
        tree = self.tree(run)
        self.assertTrue(tree["safe"], tree)
        self.assertEqual((tree["exists"], tree["leftover"], tree["obstacles"]), (True, False, []))
        self.assertEqual((tree["uncommitted"], tree["unreached"]), (0, 0))
        self.assertEqual([(entry["path"], entry["fate"]) for entry in tree["ignored"]], [("notes", "kept")])
        self.assertIn("1 ignored file or folder is kept", self.ok("worktrees", run).out)

    def test_clean_keeps_what_only_the_tree_held(self):
        run = self.finished_run()
        folder = self.tree(run)["path"]
        dry = self.ok("clean", run, "--dry-run", "--json").json
        self.assertEqual((dry["dry_run"], dry["removed"], dry["stay"]), (True, 1, 0))
        self.assertTrue(os.path.isdir(folder))
        self.assertEqual(self.refused(5, "clean", run)["code"], "refused")
        self.assertTrue(os.path.isdir(folder))

        cleaned = self.ok("clean", run, "--yes", "--json").json
        self.assertEqual((cleaned["removed"], cleaned["stay"]), (1, 0))
        self.assertFalse(os.path.isdir(folder))
        self.assertEqual(cleaned["trees"][0]["refs"], [f"refs/foredeck/rescue/{run}/one/1"])
        self.assertEqual(self.git("show", f"foredeck/{run}/one:one.txt"), "ours")

        rescues = self.ok("rescue", "list", "--json").json
        self.assertFalse(rescues["over_quota"])
        (rescue,) = rescues["rescues"]
        self.assertEqual((rescue["name"], rescue["files"], rescue["bytes"]), (f"{run}/one/1", 1, 6))
        self.assertIn(rescue["name"], self.ok("rescue", "list").out)
        self.assertEqual(self.ok("rescue", "list", "--older", "1 h", "--json").json["rescues"], [])

        back = os.path.join(self.folder, "back")
        self.ok("rescue", "restore", rescue["name"], "--to", back)
        with open(os.path.join(back, "notes", "a.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "found\n")
        branch = self.ok("rescue", "restore", rescue["name"], "--json").json["branch"]
        self.assertEqual(self.git("show", f"{branch}:notes/a.md"), "found")
        self.refused(4, "rescue", "restore", "nothing/there/1")
        self.refused(2, "rescue", "restore")

        self.refused(2, "rescue", "drop", "--yes")
        self.assertEqual(len(self.ok("rescue", "drop", rescue["name"], "--dry-run", "--json").json["dropped"]), 1)
        self.ok("rescue", "drop", rescue["name"], "--yes")
        self.assertEqual(self.ok("rescue", "list", "--json").json["rescues"], [])

    def put_aside(self, run, first, last):
        """Rescued work of 8 MiB each, which git keeps once."""
        self.write("block", "\0" * (8 << 20))
        blob = self.git("hash-object", "-w", "block")
        made = subprocess.run(["git", "mktree"], cwd=self.project, env=self.env, input=f"100644 blob {blob}\tblock\n",
                              check=True, capture_output=True, text=True).stdout.strip()
        commit = self.git("commit-tree", "-m", "put aside", made)
        refs = "".join(f"create refs/foredeck/rescue/{run}/one/{n} {commit}\n" for n in range(first, last + 1))
        subprocess.run(["git", "update-ref", "--stdin"], cwd=self.project, env=self.env, input=refs, check=True, text=True)
        self.git("repack", "-a", "-d", "-q")

    def test_more_than_a_gibibyte_of_rescued_work_is_said(self):
        run = self.finished_run("sh -c true")
        warning = "takes up more than 1 GiB"
        self.put_aside(run, 1, 128)
        shown = self.ok("rescue", "list", "--json").json
        self.assertEqual((shown["bytes"], shown["over_quota"]), (1 << 30, False))
        self.assertNotIn(warning, self.ok("rescue", "list").out)

        self.put_aside(run, 129, 129)
        shown = self.ok("rescue", "list", "--json").json
        self.assertEqual((shown["bytes"], shown["over_quota"]), (129 * (8 << 20), True))
        self.assertIn(warning, self.ok("rescue", "list").out)

        self.ok("rescue", "drop", f"{run}/one/129", "--yes")
        self.assertFalse(self.ok("rescue", "list", "--json").json["over_quota"])

    def add_submodule(self):
        library = os.path.join(self.folder, "library")
        os.mkdir(library)
        self.git("init", "-q", "-b", "main", cwd=library)
        with open(os.path.join(library, "lib.txt"), "w", encoding="utf-8") as file:
            file.write("one\n")
        self.git("add", "-A", cwd=library)
        self.git("commit", "-q", "-m", "first", cwd=library)
        self.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub")
        self.git("commit", "-q", "-m", "submodule")

    def test_work_in_a_submodule_is_in_the_result(self):
        self.add_submodule()
        run = self.begin("sh -c 'cd sub && echo two > lib.txt && git commit -qam two && echo new > new.txt'")
        self.ok("wait", run, "--timeout", "50 s")
        shown = self.ok("show", run, "--json").json
        self.assertEqual(shown["result"]["files"], 1, shown)
        (note,) = shown["notes"]
        self.assertEqual(note["task"], "one")
        self.assertIn("“sub”", note["note"])
        self.assertIn("“sub”", self.ok("show", run).out)
        added = [event for event in self.ok("events", run, "--json").json["events"] if event["type"] == "tree.added"]
        with open(added[0]["data"]["setup_log"], encoding="utf-8") as file:
            self.assertIn("submodule sub: ", file.read())

        patch = self.ok("diff", run)
        self.assertIn("+Subproject commit", patch.out)
        self.assertIn("Note on one", patch.err)
        self.assertEqual(len(self.ok("diff", run, "--json").json["notes"]), 1)
        self.assertEqual(len(self.ok("merge", run, "--dry-run", "--json").json["notes"]), 1)
        self.assertEqual(len(self.ok("merge", run, "--json").json["notes"]), 1)
        self.git("submodule", "update")
        for name, text in (("lib.txt", "two\n"), ("new.txt", "new\n")):
            with open(os.path.join(self.project, "sub", name), encoding="utf-8") as file:
                self.assertEqual(file.read(), text)
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_what_a_merge_cannot_bring_is_said(self):
        self.add_submodule()
        self.git("submodule", "--quiet", "deinit", "-f", "sub")
        shutil.rmtree(os.path.join(self.project, ".git", "modules"))
        run = self.begin(
            "sh -c 'git -c protocol.file.allow=always submodule --quiet update --init && "
            "echo two > sub/lib.txt && echo ours > one.txt'"
        )
        self.ok("wait", run, "--timeout", "50 s")
        folder = self.tree(run)["path"]
        (note,) = self.ok("show", run, "--json").json["notes"]
        self.assertIn(os.path.join(folder, "sub"), note["note"])
        self.assertIn("“sub”", self.ok("tasks", run).out)
        self.assertIn("Note on one", self.ok("merge", run).err)
        self.assertTrue(os.path.isfile(os.path.join(folder, "sub", "lib.txt")))
        self.assertIn("sub", " ".join(self.tree(run)["obstacles"]))

    def test_the_tree_of_a_working_run_stays(self):
        run = self.begin("sleep 1000")
        self.until("the tree", lambda: self.ok("worktrees", run, "--json").json["worktrees"])
        cleaned = self.ok("clean", run, "--yes", "--json").json
        self.assertEqual((cleaned["removed"], cleaned["stay"]), (0, 1))
        self.assertTrue(os.path.isdir(self.tree(run)["path"]))
        self.ok("cancel", run)

    def test_what_would_be_lost_stays_after_a_merge_too(self):
        run = self.finished_run("sh -c 'echo ours > one.txt; truncate -s 20M huge.bin'")
        tree = self.tree(run)
        self.assertFalse(tree["safe"])
        self.assertIn("huge.bin", tree["obstacles"][0])
        self.ok("merge", run)
        self.until("the runner's end", lambda: self.runner_pid(run) is None)
        self.assertTrue(os.path.exists(os.path.join(tree["path"], "huge.bin")))
        self.assertEqual(self.ok("clean", run, "--yes", "--json").json["stay"], 1)
        self.assertEqual(self.ok("clean", run, "--everything", "--yes", "--json").json["removed"], 1)
        self.assertFalse(os.path.exists(tree["path"]))

    def test_a_merge_leaves_rescued_work(self):
        run = self.finished_run()
        self.ok("merge", run)
        self.until("the trees to be gone", lambda: not self.tree(run)["exists"])
        self.assertEqual(self.rescued(), [f"{run}/one/1"])

    def test_a_failed_task_is_tried_again_after_cleaning(self):
        run = self.finished_run("sh -c 'echo try >> one.txt; test -e ../../../../go'", code=1)
        self.ok("clean", run, "--yes")
        with open(os.path.join(self.home, "go"), "w", encoding="utf-8") as file:
            file.write("")
        self.ok("retry", run, "one")
        self.ok("wait", run, "--timeout", "50 s")
        self.assertEqual(self.tasks(run)["one"]["status"], "completed")
        self.assertTrue(self.tree(run)["exists"])
        # The tree is made again from its branch, with what the first attempt left.
        self.assertEqual(len(self.git("rev-list", f"main..foredeck/{run}/one").split()), 2)

    def test_a_tree_that_no_task_knows_is_found(self):
        run = self.finished_run()
        folder = os.path.join(self.folder, "left")
        self.git("worktree", "add", "-q", "-b", f"foredeck/{run}/other", folder)
        tree = self.tree(run, "other")
        self.assertTrue(tree["leftover"])
        cleaned = self.ok("clean", run, "--yes", "--json").json
        self.assertEqual(cleaned["removed"], 2)
        self.assertFalse(os.path.exists(folder))


if __name__ == "__main__":
    ctl_case.main()
