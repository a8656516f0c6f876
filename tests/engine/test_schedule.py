# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs that are started at certain times."""

import concurrent.futures
import json
import os
import re
import socket
import stat
import time

import engine_case


class ScheduleTest(engine_case.EngineCase):
    sandbox = "off"

    def setUp(self):
        super().setUp()
        self.ok("config", "set", "schedules.enabled", "true")

    def add(self, when, *options, command="true", steps=None):
        workflow = self.make_workflow(steps or [("a", {"command": command, "cli": "command", "role": "executor"})])
        return self.ok("schedule", "add", *options, "--json", when, "--", "run", "--workflow", workflow,
                       "--team", "implementation", "--project", self.project, "--approve", "auto", "A goal").json

    def make_waiter(self, gate):
        """A program that ends once GATE is there."""
        path = os.path.join(self.folder, "waiter")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nwhile [ ! -e {gate} ]; do sleep 0.05; done\n")
        os.chmod(path, stat.S_IRWXU)
        return path

    def tick(self):
        return self.ok("schedule", "tick", "--json").json

    def look(self, schedule):
        return self.ok("schedule", "show", "--json", schedule["id"]).json

    def edit(self, schedule, **values):
        """As if time had passed."""
        path = os.path.join(self.home, "schedules.json")
        with open(path, encoding="utf-8") as file:
            whole = json.load(file)
        for one in whole["schedules"]:
            if one["id"] == schedule["id"]:
                one.update(values)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(whole, file)

    def set_due(self, schedule, seconds_ago=1):
        """The schedule is `every 1h`, and its hour was over so long ago."""
        begun = time.time() - 3600 - seconds_ago
        self.edit(schedule, created_us=int(begun * 1e6), seen_us=int(begun * 1e6))

    def runs(self):
        return self.ok("list", "--json").json["runs"]

    def test_it_is_added_shown_switched_and_removed(self):
        added = self.add("0 9 * * mon-fri", "--name", "mornings")
        self.assertEqual((added["name"], added["enabled"], len(added["next"])), ("mornings", True, 5))
        self.assertTrue(all("T09:00:00" in at for at in added["next"]), added["next"])
        self.assertIn("mornings", self.ok("schedule").out)
        self.assertFalse(self.ok("schedule", "disable", "mornings", "--json").json["enabled"])
        self.ok("schedule", "enable", added["id"][:4])
        self.assertTrue(self.look(added)["enabled"])
        self.ok("schedule", "remove", "mornings")
        self.assertEqual(self.ok("schedule", "list", "--json").json["schedules"], [])

    def test_what_is_wrong_is_said_at_once(self):
        for words, code, said in [
            (["0 0 30 2 *", "--", "run", "x"], 2, "never comes"),
            (["tomorrow", "--", "run", "x"], 2, "is no time"),
            (["2001-01-01 09:00", "--", "run", "x"], 2, "is over"),
            (["@daily", "--", "forget", "abc"], 2, "starts runs"),
            (["@daily", "--", "goal", "status", "abc"], 2, "starts runs"),
            (["@daily", "--", "run", "--tem", "x"], 2, "--team"),
            (["@daily"], 2, "then what"),
        ]:
            with self.subTest(words=words):
                done = self.ctl("schedule", "add", *words)
                self.assertEqual(done.code, code, done.err)
                self.assertIn(said, done.err)
        self.assertEqual(self.ctl("schedule", "show", "nothing").code, 4)
        self.assertEqual(self.ctl("schedule", "frobnicate", "x").code, 2)

    def test_what_is_due_starts_once_however_many_look(self):
        schedule = self.add("every 1h", "--name", "hourly")
        self.assertEqual(self.tick()["started"], [])
        self.set_due(schedule)
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            ticks = list(pool.map(lambda _: self.tick(), range(6)))
        started = [one for tick in ticks for one in tick["started"]]
        self.assertEqual(len(started), 1, ticks)
        self.finish(started[0]["run"])
        self.assertEqual(len(self.runs()), 1)
        shown = self.look(schedule)
        self.assertEqual((shown["run"], shown["outcome"], shown["started"], shown["missed"]),
                         (started[0]["run"], "started", 1, 0))
        self.assertEqual(self.tick()["started"], [])

    def test_what_was_missed_is_missed_or_made_up_for_once(self):
        lost = self.add("every 1h", "--name", "lost")
        late = self.add("every 1h", "--name", "late", "--make-up")
        for schedule in lost, late:
            self.set_due(schedule, 3 * 3600 + 1800)
        started = self.tick()["started"]
        self.assertEqual([one["name"] for one in started], ["late"])
        self.assertEqual((self.look(lost)["outcome"], self.look(lost)["missed"]), ("missed", 4))
        self.assertEqual((self.look(late)["outcome"], self.look(late)["missed"]), ("started", 3))
        self.finish(started[0]["run"])

    def test_it_waits_for_no_run_of_its_own(self):
        gate = os.path.join(self.folder, "gate")
        schedule = self.add("every 1h", command=self.make_waiter(gate))
        self.set_due(schedule)
        run = self.tick()["started"][0]["run"]
        self.set_due(schedule)
        self.assertEqual(self.tick()["started"], [])
        self.assertEqual((self.look(schedule)["outcome"], self.look(schedule)["missed"]), ("busy", 1))
        open(gate, "w", encoding="utf-8").close()
        self.finish(run)
        self.set_due(schedule)
        self.finish(self.tick()["started"][0]["run"])

    def test_one_that_is_being_started_is_not_started_again(self):
        schedule = self.add("every 1h")
        self.edit(schedule, outcome="claimed", claimed_us=int(time.time() * 1e6))
        self.set_due(schedule)
        self.assertEqual(self.tick()["started"], [])
        self.assertEqual((self.look(schedule)["outcome"], self.look(schedule)["missed"]), ("claimed", 1))
        self.edit(schedule, outcome="claimed", claimed_us=int((time.time() - 300) * 1e6))
        self.set_due(schedule)
        self.finish(self.tick()["started"][0]["run"])

    def test_a_clock_that_is_put_back_repeats_nothing(self):
        schedule = self.add("every 1h")
        now = time.time()
        self.edit(schedule, created_us=int((now - 7201) * 1e6), seen_us=int((now + 3600) * 1e6))
        self.assertEqual(self.tick()["started"], [])
        self.edit(schedule, seen_us=int((now + 90 * 86400) * 1e6))
        self.tick()
        self.assertLess(abs(self.look(schedule)["seen_us"] / 1e6 - now), 600)

    def test_one_that_is_off_or_all_that_are_start_nothing(self):
        schedule = self.add("every 1h")
        self.ok("schedule", "disable", schedule["id"])
        self.set_due(schedule)
        self.assertEqual(self.tick()["started"], [])
        self.ok("schedule", "enable", schedule["id"])
        self.assertEqual(self.tick()["started"], [], "what came while it was off was not missed")
        self.set_due(schedule)
        self.ok("config", "set", "schedules.enabled", "false")
        self.assertEqual(self.ctl("schedule", "tick").code, 5)
        self.assertEqual(self.runs(), [])

    def test_what_cannot_be_started_says_why(self):
        schedule = self.add("every 1h")
        self.edit(schedule, folder="/nowhere/at/all")
        self.set_due(schedule)
        self.assertEqual(self.tick()["started"][0]["outcome"], "failed")
        self.assertIn("/nowhere/at/all", self.look(schedule)["message"])
        done = self.ctl("schedule", "now", schedule["id"])
        self.assertEqual(done.code, 1, done.err)

    def test_why_is_a_sentence(self):
        schedule = self.add("every 1h")
        folder = self.project + "-moved"
        os.rename(self.project, folder)
        for place in ("the project", "the folder that it was added in"):
            with self.subTest(place):
                self.fails(1, "schedule", "now", schedule["id"])
                message = self.look(schedule)["message"]
                self.assertNotIn("{", message)
                self.assertIn("folder", message)
                self.edit(schedule, folder="/nowhere")
        os.rename(folder, self.project)

    def test_a_folder_that_is_not_there_is_said_at_once(self):
        self.assertIn("/nowhere", self.fails(4, "schedule", "add", "in 1h", "--", "run", "--project", "/nowhere", "g").err)

    def test_whoever_only_looks_writes_nothing(self):
        self.add("every 1h")
        path = os.path.join(self.home, "schedules.json")
        before = os.stat(path)
        self.assertEqual(self.tick()["started"], [])
        after = os.stat(path)
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))

    def test_it_can_be_started_now(self):
        schedule = self.add("@yearly")
        run = self.ok("schedule", "now", "--json", schedule["id"]).json["run"]
        self.finish(run)

    def test_a_damaged_file_is_said_and_left_alone(self):
        path = os.path.join(self.home, "schedules.json")
        os.makedirs(self.home, exist_ok=True)
        for text in "{", '{"schedules":[{}]}', "[" * 5000:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.assertNotEqual(self.ctl("schedule", "list").code, 0)
            self.assertNotEqual(self.ctl("schedule", "tick").code, 0)
            self.assertEqual(self.file("schedules.json", self.home), text)

    def test_systemd_is_asked_where_it_is(self):
        folder = os.path.join(self.env["XDG_RUNTIME_DIR"], "systemd")
        os.makedirs(folder)
        with socket.socket(socket.AF_UNIX) as private:
            private.bind(os.path.join(folder, "private"))
        calls = os.path.join(self.folder, "calls")
        bin_folder = os.path.join(self.folder, "bin")
        os.makedirs(bin_folder, exist_ok=True)
        fake = os.path.join(bin_folder, "systemctl")
        with open(fake, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\necho "$*" >>{calls}\n')
        os.chmod(fake, stat.S_IRWXU)
        self.env["PATH"] = bin_folder + ":" + self.env["PATH"]
        units = os.path.join(self.env["XDG_CONFIG_HOME"], "systemd", "user")

        schedule = self.add("2099-12-01 09:00")
        timer = [name for name in os.listdir(units) if name.endswith(".timer")]
        self.assertEqual(len(timer), 1)
        self.assertRegex(self.file(timer[0], units), r"OnCalendar=2099-12-01 \d\d:00:00 UTC")
        self.assertIn("schedule tick", self.file(timer[0].replace(".timer", ".service"), units))
        self.assertIn(f"--user restart {timer[0]}", self.file("calls", self.folder))
        self.ok("schedule", "disable", schedule["id"])
        self.assertEqual(os.listdir(units), [])
        self.assertTrue(re.search(r"--user disable --now .*\.timer", self.file("calls", self.folder)))


if __name__ == "__main__":
    engine_case.main()
