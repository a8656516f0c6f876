# SPDX-License-Identifier: GPL-3.0-or-later
"""The machine around a run: restarted, its clock set, two runners at once, somebody stopped, its folder gone."""

import contextlib
import errno
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

import faults
import story

HOUR = 3600 * 1000000
DAY = 24 * HOUR
RACES = int(os.environ.get("FORE_FAULT_RACES") or 100)


class MachineTest(unittest.TestCase):
    def setUp(self):
        self.told = story.Story()
        self.addCleanup(lambda: self.told.close())

    def drive_until(self, told, condition):
        """As a person, up to some moment."""
        end = time.monotonic() + story.DEADLINE
        while told.run is None or not condition():
            self.assertLess(time.monotonic(), end, told.describe())
            if told.run is None:
                told.begin()
            else:
                told.step()

    def is_running(self, task):
        return self.told.ask("SELECT 1 FROM tasks WHERE key = ? AND status IN ('running', 'completed')", task)

    def test_the_machine_restarts_at_any_task(self):
        for task in ("plan", "one", "prep", "check"):
            with self.subTest(task):
                self.told.close()
                self.told = told = story.Story()
                self.drive_until(told, lambda: self.is_running(task))
                told.kill_all()
                told.faults.change_boot()
                told.drive()
                told.check()

    def test_a_run_that_waits_for_a_person_outlives_a_restart_and_a_month(self):
        told = self.told
        self.drive_until(told, lambda: told.ask("SELECT 1 FROM requests WHERE state = 'open'"))
        told.kill_all()
        told.faults.change_boot()
        told.faults[faults.CLOCK] = 30 * DAY
        self.check_waits(told)
        told.ctl("resume", told.run)
        self.check_waits(told)
        told.until("the end of its runner", lambda: not told.is_owned())
        self.check_waits(told)
        listed = json.loads(told.ctl("list", "--json").stdout)["runs"]
        self.assertEqual([(run["id"], run["status"]) for run in listed], [(told.run, "blocked")])
        told.drive()
        told.check()

    def check_waits(self, told):
        """Nobody has judged it stale, and nothing of it was given up."""
        shown = json.loads(told.ctl("show", told.run, "--json").stdout)
        self.assertEqual((shown["status"], shown["interrupted"]), ("blocked", False), shown)
        self.assertEqual(told.query("SELECT state FROM requests"), [("open",)])
        self.assertEqual(told.query("SELECT 1 FROM tasks WHERE mark IS NOT NULL"), [])
        self.assertEqual(told.query("SELECT task FROM events WHERE type = 'recovery.lost'"), [])

    def test_the_clock_is_set(self):
        for offset in (-HOUR, DAY):
            with self.subTest(offset):
                self.told.close()
                self.told = told = story.Story()
                self.drive_until(told, lambda: self.is_running("one") or self.is_running("two"))
                told.faults[faults.CLOCK] = offset
                told.drive()
                told.check()

    def test_two_runners_at_once(self):
        """As often as asked for: exactly one owns the run, the other goes and says who does."""
        told = self.told
        self.drive_until(told, lambda: told.ask("SELECT 1 FROM requests WHERE state = 'open'"))
        env = dict(told.env, FOREDECK_PARK_MS="60000")
        runner = os.path.join(told.programs, "foredeck-runner")
        for i in range(RACES):
            told.kill_all()
            # A process that was killed is out of sight a moment before its files are closed.
            told.until("the lock", lambda: not told.is_owned())
            both = [subprocess.Popen([runner, told.run], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                    for _ in range(2)]
            told.until("one that goes", lambda: any(process.poll() is not None for process in both))
            gone = [process for process in both if process.poll() is not None]
            self.assertEqual(len(gone), 1, f"race {i}")
            self.assertEqual(gone[0].returncode, 5, f"race {i}")
            self.assertIn(b"process", gone[0].stderr.read())
            self.assertTrue(told.is_owned(), f"race {i}")
            for process in both:
                process.kill()
                process.wait()
                process.stderr.close()
        told.drive()
        told.check()

    def test_who_is_stopped_slows_nobody(self):
        """A foredeckctl that follows, and the runner of another run, are stopped where they stand."""
        told = self.told
        self.drive_until(told, lambda: told.ask("SELECT 1 FROM requests WHERE state = 'open'"))
        first = told.run
        told.ctl("resume", first)
        follower = told.start_ctl("events", first, "--follow")
        stopped = []
        # where a window or a foredeckctl is stopped in the middle of reading
        readers = [sqlite3.connect(f"file:{told.home}/{path}?mode=ro", uri=True)
                   for path in ("foredeck.db", f"runs/{first}/run.db")]
        for reader in readers:
            self.addCleanup(reader.close)
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM requests").fetchall()
        for pid in told.find_ours():
            if "foredeck-runner" in story.read_command(pid) or pid == follower.pid:
                os.kill(pid, signal.SIGSTOP)
                stopped.append(pid)
        self.assertGreaterEqual(len(stopped), 2)
        began = time.monotonic()
        told.ctl("run", "--json", "--detach", "--project", told.project, "--workflow", told.workflow, "--team",
                 "implementation", "--cli", "demo", "--scenario", told.scenario, "--approve", "auto", "Another goal")
        runs = set(os.listdir(os.path.join(told.home, "runs"))) - {first}
        self.assertEqual(len(runs), 1, told.calls)
        told.run = runs.pop()
        told.until("the end of the other", lambda: told.ask("SELECT status FROM run") == [("completed",)])
        self.assertLess(time.monotonic() - began, 40)
        for pid in stopped:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        # the run that was read goes on while its reader still stands there
        told.run = first
        told.drive_to_end_of_tasks()

    def test_the_home_is_moved_away_and_comes_back(self):
        told = self.told
        self.drive_until(told, lambda: self.is_running("one") or self.is_running("two"))
        away = told.home + ".away"
        os.rename(told.home, away)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            self.assertFalse(os.path.isdir(os.path.join(told.folder, "crashes")))
            time.sleep(0.1)
        if os.path.isdir(told.home):
            shutil.rmtree(told.home)
        os.rename(away, told.home)
        told.may_fail = True
        told.drive()
        told.check()

    def test_the_home_is_read_only_for_a_while(self):
        """Nothing that is not on the disk is announced meanwhile; the run's owner stays and goes on."""
        told = self.told
        told.may_fail = True
        self.drive_until(told, lambda: self.is_running("one") and self.is_running("two"))
        told.until("its runner", told.is_owned)
        told.faults.arm(faults.FAIL, 1, programs=faults.RUNNER | faults.GUARD | faults.CTL, error=errno.EROFS,
                        lasting=1 << 30)
        told.until("the trouble", lambda: told.faults[faults.FIRED])
        before = self.take_picture(told)
        answer = told.ctl("steer", told.run, "check", "Not now.")
        self.assertNotEqual(answer.returncode, 0)
        self.assertGreater(len(answer.stderr), 10)
        count = told.faults[faults.COUNTER]
        told.until("that it is tried again", lambda: told.faults[faults.COUNTER] > count + 3)
        self.assertTrue(told.is_owned())
        self.assertEqual(self.take_picture(told), before)
        told.faults.disarm()
        told.drive()
        told.check()

    def take_picture(self, told):
        return [told.query(f"SELECT * FROM {table}") for table in ("run", "tasks", "attempts", "events", "messages")]

    def test_the_home_is_deleted(self):
        """Nothing is left that could go on: everybody ends, and nothing crashes."""
        told = self.told
        self.drive_until(told, lambda: self.is_running("one") or self.is_running("two"))
        shutil.rmtree(told.home, ignore_errors=True)
        self.assertIn(told.ctl("list", "--json").returncode, (0, 6))
        self.assertEqual(told.ctl("show", told.run).returncode, 4)


if __name__ == "__main__":
    unittest.main(verbosity=2)
