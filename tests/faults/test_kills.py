# SPDX-License-Identifier: GPL-3.0-or-later
"""SIGKILL at random moments for runner, guards, agents, their children and foredeckctl, under many tasks.

FORE_FAULT_KILLS says how many (300), FORE_FAULT_SEED repeats the choices. Each task holds a lock as long as anything of
it lives, its children too: a second attempt beside the first would find it taken.
"""

import collections
import contextlib
import json
import os
import signal
import time
import unittest

import faults
import story

KILLS = int(os.environ.get("FORE_FAULT_KILLS") or 300)
TASKS = int(os.environ.get("FORE_FAULT_TASKS") or 100)
# What flock ends with where another has the lock; one that is killed itself says nothing and is asked again.
TAKEN = 77
SCRIPT = """
exec 9> "{folder}/locks/$FOREDECK_TASK"
while :; do
  flock -n -E {taken} 9
  case $? in
    0) break ;;
    {taken}) echo "$FOREDECK_TASK.$FOREDECK_ATTEMPT" >> {folder}/doubled; break ;;
  esac
done
echo "$FOREDECK_ATTEMPT" >> {folder}/ran.$FOREDECK_TASK
setsid sh -c 'while :; do sleep 0.5; done' &
sleep 2
echo done
"""


class Crowd(story.Story):
    """A run of commands that have children, side by side."""

    def make_files(self):
        os.makedirs(os.path.join(self.home, "library"))
        os.mkdir(os.path.join(self.folder, "locks"))
        with open(os.path.join(self.home, "library", "config.json"), "w", encoding="utf-8") as file:
            json.dump({"retry": {"delay": 0, "attempts": 20}, "limits": {"machine_commands": TASKS}}, file)
        script = os.path.join(self.folder, "task.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write(SCRIPT.format(folder=self.folder, taken=TAKEN))
        self.workflow = os.path.join(self.folder, "w.workflow.md")
        with open(self.workflow, "w", encoding="utf-8") as file:
            file.write("---\nname: w\ndescription: A test\n---\n# Test\n")
            for i in range(TASKS):
                before = f"dependsOn: t{i - 40}\n" if i >= 40 else ""
                file.write(f"\n## t{i}\nrole: executor\ncli: command\nretries: 10\n{before}command: sh {script}\n\nDo.\n")
        self.faults[faults.PROGRAMS] = 0

    def begin(self):
        self.run = self.find_run()
        if self.run is None:
            self.ctl("run", "--json", "--detach", "--project", self.project, "--workflow", self.workflow, "--team",
                     "implementation", "--isolation", "none", "--approve", "auto", "--jobs", str(TASKS), "A goal")
            self.run = self.find_run()
            story.demand(self.run is not None, lambda: f"no run: {self.calls}")

    def list_victims(self):
        """The processes of the run by what they are."""
        found = collections.defaultdict(list)
        for pid in self.find_ours():
            command = story.read_command(pid)
            for kind, part in (("runner", "foredeck-runner "), ("guard", "foredeck-guard "), ("ctl", "foredeckctl "),
                               ("child", "while :"), ("agent", "task.sh")):
                if part in command:
                    found[kind].append(pid)
                    break
        return found

    def kill_one(self, rng):
        found = self.list_victims()
        kind = rng.choice(("runner", "runner", "guard", "agent", "child", "ctl"))
        if not found[kind]:
            return None
        with contextlib.suppress(ProcessLookupError):
            os.kill(rng.choice(sorted(found[kind])), signal.SIGKILL)
        return kind

    def is_finished(self):
        row = self.ask("SELECT status FROM run")
        return bool(row) and row[0][0] in story.FINISHED

    def check_starts_of_all(self):
        demand = story.demand
        demand(not os.path.exists(os.path.join(self.folder, "doubled")), "two attempts of a task lived at once")
        ended = {}
        for seq, kind, task, n, data in self.query("SELECT seq, type, task, attempt, data FROM events ORDER BY seq"):
            if kind == "task.status":
                ended[task] = json.loads(data)["to"] == "completed"
            demand(kind != "attempt.started" or not ended.get(task), f"{task}.{n} was started when it had finished")
        attempts = dict(self.query("SELECT task, count(*) FROM attempts GROUP BY task"))
        for task, n in attempts.items():
            path = os.path.join(self.folder, f"ran.{task}")
            with open(path, encoding="ascii") as file:
                ran = file.read().split()
            demand(len(ran) == len(set(ran)), f"an attempt of {task} ran twice: {ran}")
            demand(len(ran) <= n, f"{task} ran {len(ran)} times in {n} attempts")


class KillsTest(unittest.TestCase):
    def setUp(self):
        self.rng = faults.make_rng(self.id())
        self.told = None
        self.counts = collections.Counter()
        self.addCleanup(lambda: self.told.close())

    def begin(self):
        if self.told is not None:
            self.told.close()
        self.told = Crowd()
        self.told.begin()

    def spread_death(self, kills):
        """Kills at random, and goes on as a person would, up to the end of the run."""
        told = self.told
        end = time.monotonic() + 600
        while sum(self.counts.values()) < kills and time.monotonic() < end and not told.is_finished():
            kind = told.kill_one(self.rng)
            if kind is not None:
                self.counts[kind] += 1
            if not told.is_owned():
                told.start_ctl("resume", told.run)
            time.sleep(self.rng.random() * 0.05)

    def finish(self):
        """What was killed too often is tried again."""
        told = self.told
        end = time.monotonic() + 300
        while not (told.ask("SELECT status FROM run") == [("completed",)] and not told.is_owned()):
            self.assertLess(time.monotonic(), end, told.describe())
            if not told.is_owned():
                told.ctl("retry" if told.is_finished() else "resume", told.run)
            time.sleep(0.05)

    def test_nothing_is_doubled_and_nobody_is_left(self):
        while sum(self.counts.values()) < KILLS:
            self.begin()
            self.spread_death(KILLS)
            self.finish()
            try:
                self.assertEqual(self.told.query("SELECT status, count(*) FROM tasks GROUP BY 1"), [("completed", TASKS)])
                self.told.check_starts_of_all()
                self.told.check_crashes()
            except (story.Broken, AssertionError) as broken:
                self.fail(f"{broken}\n{self.told.describe()}")
        print(f"# killed {dict(self.counts)}", flush=True)

    def test_nobody_outlives_a_cancelled_run(self):
        self.begin()
        told = self.told
        self.spread_death(20)
        told.until("a cancel", lambda: told.ctl("cancel", told.run).returncode == 0 or told.is_finished())
        began = time.monotonic()
        told.until("the end of all", lambda: not told.find_ours())
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(told.query("SELECT status FROM run"), [("cancelled",)])


if __name__ == "__main__":
    unittest.main(verbosity=2)
