# SPDX-License-Identifier: GPL-3.0-or-later
"""What cuts have found, each at the call where it was found."""

import errno
import os
import unittest

import faults
import story


class FoundTest(unittest.TestCase):
    def setUp(self):
        self.told = None
        self.addCleanup(lambda: self.told.close())

    def tell(self, mode, call, part, kind, at=1, programs=faults.CTL | faults.RUNNER | faults.GUARD, check=True):
        """A run that is cut at the @at-th @call of a file whose path holds @part."""
        if self.told is not None:
            self.told.close()
        self.told = told = story.Story(mode)
        told.faults.match(call, part)
        told.faults.arm(kind, at, programs)
        rng = faults.random.Random(1)
        told.drive(after_power=lambda: told.faults.cut_power("all", rng))
        self.assertTrue(told.faults[faults.FIRED])
        told.faults.disarm()
        if check:
            told.check()
        return told

    def test_a_run_whose_maker_died_is_whole_or_not_there(self):
        for call, part in (("rename", "spec.json"), ("open", "run.db"), ("fsync", "home/runs"), ("write", "run.db-wal")):
            with self.subTest(call=call, part=part):
                self.tell("ff", call, part, faults.KILL_AFTER, programs=faults.CTL)

    def test_a_run_that_cannot_be_carried_out_answers_and_lets_go(self):
        self.told = told = story.Story()
        told.begin()
        told.kill_all()
        os.unlink(os.path.join(told.home, "runs", told.run, "spec.json"))
        answer = told.ctl("resume", told.run)
        self.assertEqual(answer.returncode, 4, answer.stderr)
        self.assertIn("spec.json", answer.stderr)
        told.until("the end of the runner", lambda: not told.is_owned())
        n = told.query("SELECT count(*) FROM events WHERE type = 'run.owned'")[0][0]
        self.assertLessEqual(n, 3)
        self.assertNotEqual(told.ctl("cancel", told.run).returncode, 0)
        self.assertEqual(told.query("SELECT count(*) FROM commands WHERE state = 'queued'"), [(0,)])

    def test_a_merge_cut_between_the_files_and_the_branch_is_taken_back_and_made(self):
        for mode in story.MODES:
            with self.subTest(mode):
                self.tell(mode, "rename", "refs/heads/main", faults.KILL_BEFORE)

    def test_a_merge_cut_while_git_is_locked(self):
        self.tell("ff", "open", "project/.git/index.lock", faults.KILL_AFTER)
        self.tell("squash", "open", "refs/heads/main.lock", faults.KILL_AFTER)

    def test_a_merge_cut_in_the_middle_of_a_file(self):
        self.tell("ff", "write", "project/one", faults.KILL_MIDDLE)

    def test_a_merge_that_was_through_is_not_made_twice(self):
        for mode in story.MODES:
            with self.subTest(mode):
                self.tell(mode, "rename", "refs/heads/main", faults.KILL_AFTER)

    def test_a_merge_whose_branch_moved_is_not_taken_back(self):
        """The branch has its new name, and then its folder cannot be synced."""
        for at in (1, 2):
            with self.subTest(at=at):
                if self.told is not None:
                    self.told.close()
                self.told = told = story.Story("merge")
                told.drive_to_end_of_tasks()
                told.faults.match("fsync", "project/.git/refs/heads")
                told.faults.arm(faults.FAIL, at, faults.RUNNER, error=errno.EIO)
                told.drive()
                self.assertTrue(told.faults[faults.FIRED])
                told.faults.disarm()
                told.check()

    def test_a_merge_leaves_the_files_on_the_disk(self):
        """The power goes after the branch was moved: files, index and branch are there together."""
        self.tell("ff", "unlink", ".git/foredeck-merge", faults.POWER)

    def test_what_was_changed_since_a_cut_merge_stays(self):
        self.told = told = story.Story()
        told.faults.match("rename", "refs/heads/main")
        told.drive_to_end_of_tasks()
        told.faults.arm(faults.KILL_BEFORE, 1, lasting=1 << 30)
        told.start_ctl("merge", told.run, "--ff")
        told.until("the cut", lambda: told.faults[faults.FIRED])
        told.kill_all()
        told.faults.disarm()
        path = os.path.join(told.project, "one")
        with open(path, "r+", encoding="ascii") as file:
            self.assertEqual(file.read(), "one\n")
            file.write("mine\n")
        answer = told.ctl("merge", told.run, "--ff")
        self.assertEqual(answer.returncode, 5, answer.stderr)
        self.assertIn("one", answer.stderr)
        with open(path, encoding="ascii") as file:
            self.assertEqual(file.read(), "one\nmine\n")
        self.assertEqual(told.git("status", "--porcelain").split("\n"), ["?? one"])
        os.unlink(path)
        told.drive()
        told.check()

    def test_a_tree_that_a_power_cut_left_in_pieces_is_made_again(self):
        for call, part in (("write", "home/worktrees/project"), ("open", ".git/worktrees/"), ("mkdir", "home/worktrees"),
                           ("rename", "foredeck-index"), ("write", "exits")):
            for at in (2, 4):
                with self.subTest(call=call, part=part, at=at):
                    self.tell("ff", call, part, faults.POWER, at, faults.RUNNER | faults.GUARD)

    def test_an_entry_of_a_tree_goes_at_once(self):
        """git itself must work in a repository whatever was cut."""
        for at in (1, 4, 8):
            with self.subTest(at):
                self.tell("ff", "unlink", ".git/worktrees/foredeck", faults.KILL_AFTER, at, check=False)
                self.told.check_git()
                self.tell("ff", "unlink", ".git/foredeck-removed", faults.KILL_AFTER, at, check=False)
                self.told.check_git()

    def test_a_lock_of_git_that_a_dead_runner_held(self):
        for call, part in (("open", "foredeck-index.lock"), ("open", "HEAD.lock"), ("open", "/result.lock"),
                           ("open", "/one.lock"), ("link", "/result")):
            with self.subTest(call=call, part=part):
                self.tell("ff", call, part, faults.KILL_AFTER, programs=faults.RUNNER)

    def test_work_that_could_not_be_put_together_is_tried_again(self):
        self.told = told = story.Story()
        told.faults.match("open", "/result.lock")
        told.faults.arm(faults.FAIL, 1, faults.RUNNER, errno.EIO, lasting=3)
        told.drive()
        self.assertEqual(told.retried, 0)
        self.assertTrue(told.faults[faults.FIRED])
        told.faults.disarm()
        told.check()

    def test_a_run_whose_work_was_never_put_together_can_be_tried_again(self):
        self.told = told = story.Story()
        told.faults.match("open", "/result.lock")
        told.faults.arm(faults.FAIL, 1, faults.RUNNER, errno.EIO, lasting=8)
        told.may_fail = True
        told.drive()
        self.assertEqual(told.retried, 1)
        told.faults.disarm()
        told.check()

    def test_a_sync_that_failed_is_not_believed_the_next_time(self):
        for at in (3, 6, 9):
            with self.subTest(at):
                if self.told is not None:
                    self.told.close()
                self.told = told = story.Story()
                told.faults.match("fdatasync", "run.db-wal")
                told.faults.arm(faults.FAIL, at, faults.RUNNER, errno.EIO)
                told.faults[faults.JOURNAL] = 1
                told.may_fail = True
                rng = faults.random.Random(1)
                told.drive(after_power=lambda: self.cut(told, rng), cut_off=lambda: self.pull_plug(told))
                self.assertEqual(told.plug, "cut")
                told.check()

    def pull_plug(self, told):
        """Two syncs after the one that failed."""
        if told.plug is None and told.faults[faults.FIRED]:
            told.plug = "pulled"
            told.faults[faults.MODE] = faults.POWER
            told.faults[faults.AT] = told.faults[faults.COUNTER] + 3

    def cut(self, told, rng):
        told.faults.cut_power("all", rng)
        told.plug = "cut"


if __name__ == "__main__":
    unittest.main(verbosity=2)
