# SPDX-License-Identifier: GPL-3.0-or-later
"""When a task starts: its own dependencies, a free place, the shared tree, the lease, the gate."""

import contextlib
import json
import os
import random
import sqlite3
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "bench"))

import bench_run  # noqa: E402
import engine_case  # noqa: E402
from engine_case import item, plan, say, script, write  # noqa: E402


class Reader(threading.Thread):
    """Reads a run again and again: in whatever state it is, a task is what its last event says it is."""

    def __init__(self, path):
        super().__init__(daemon=True)
        self.path, self.over, self.looks, self.fault = path, threading.Event(), 0, None

    def run(self):
        base = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True, timeout=60, isolation_level=None)
        while self.fault is None and not (self.over.is_set() and self.looks > 0):
            base.execute("BEGIN")
            table = dict(base.execute("SELECT key, status FROM tasks").fetchall())
            events = base.execute("SELECT task, data FROM events WHERE type = 'task.status' ORDER BY seq").fetchall()
            base.execute("COMMIT")
            folded = {key: "queued" for key in table}
            folded.update((task, json.loads(data)["to"]) for task, data in events)
            if folded != table:
                self.fault = {key: (table.get(key), folded[key]) for key in folded if table.get(key) != folded[key]}
            self.looks += 1
        base.close()


class DispatchTest(engine_case.EngineCase):
    def gate(self, name):
        """A command that waits until the test makes the file @name."""
        path = os.path.join(self.folder, name)
        return f"sh -c 'while [ ! -e {path} ]; do sleep 0.02; done'"

    def open(self, name):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8"):
            pass

    def test_a_task_starts_when_its_own_dependencies_are_done(self):
        run = self.begin(
            [
                ("slow", {"command": self.gate("go")}),
                ("quick", {"command": "true"}),
                ("after", {"command": "true", "dependsOn": "quick"}),
                ("last", {"command": "true", "dependsOn": "slow, after"}),
            ]
        )
        self.until_task(run, "after", "completed")
        statuses = self.statuses(run)
        self.assertEqual((statuses["slow"], statuses["last"]), ("running", "queued"))
        self.assertIn("slow", self.tasks(run)["last"]["waits_for"])
        self.open("go")
        self.finish(run)

    def test_a_hundred_tasks_with_joins_while_eight_read(self):
        """Each after all that it waits for, and no reader sees half a change."""
        chance = random.Random(5)
        before = {}
        for i in range(100):
            near = range(max(0, i - 10), i)
            chosen = near if i % 10 == 9 else chance.sample(near, min(len(near), chance.randint(0, 4)))
            before[f"t{i}"] = [f"t{j}" for j in sorted(chosen)]
        self.settings({"limits.machine_commands": 128})
        run = self.begin([(key, {"command": "true", **({"dependsOn": ", ".join(keys)} if keys else {})})
                          for key, keys in before.items()], None, "--jobs", "100", "--isolation", "none")
        readers = [Reader(os.path.join(self.home, "runs", run, "run.db")) for _ in range(8)]
        for reader in readers:
            reader.start()
        self.finish(run)
        for reader in readers:
            reader.over.set()
            reader.join()
            self.assertIsNone(reader.fault)
        done = set()
        for task, data in self.query(run, "SELECT task, data FROM events WHERE type = 'task.status' ORDER BY seq"):
            to = json.loads(data)["to"]
            if to == "running":
                self.assertLessEqual(set(before[task]), done, task)
            elif to == "completed":
                done.add(task)
        self.assertEqual(done, set(before))

    def test_a_command_that_opens_its_output_anew_loses_nothing(self):
        run = self.begin([("a", {"command": "sh -c 'echo one; echo two > /dev/stdout; echo three'"})])
        self.finish(run)
        self.assertEqual(self.query(run, "SELECT result FROM tasks")[0][0].split(), ["one", "two", "three"])

    def started(self, run):
        return [e["task"] for e in self.events(run)
                if e["type"] == "task.status" and e["data"]["to"] == "running"]

    def test_the_longest_chain_starts_first_then_the_plan_decides(self):
        run = self.begin(
            [
                ("alone", {"command": "true"}),
                ("other", {"command": "true"}),
                ("first", {"command": "true"}),
                ("second", {"command": "true", "dependsOn": "first"}),
                ("third", {"command": "true", "dependsOn": "second"}),
            ], None, "--jobs", "1")
        self.finish(run)
        self.assertEqual(self.started(run), ["first", "second", "alone", "other", "third"])

    def test_what_took_long_before_starts_first(self):
        steps = [("quick", {"command": "true"}), ("slow", {"command": self.gate("go")})]
        run = self.begin(steps)
        self.until_task(run, "quick", "completed")
        self.until_phase(run, "slow", "agent")
        self.open("go")
        self.finish(run)
        again = self.begin(steps, None, "--jobs", "1")
        self.finish(again)
        self.assertEqual(self.started(again), ["slow", "quick"])

    def test_jobs_caps_one_run_and_says_what_a_task_waits_for(self):
        steps = [(f"t{i}", {"command": self.gate("go")}) for i in range(4)]
        run = self.begin(steps, None, "--jobs", "2")
        self.until("two at work", lambda: list(self.statuses(run).values()).count("running") == 2)
        waiting = [t for t in self.tasks(run).values() if t["status"] == "queued"]
        self.assertEqual(len(waiting), 2)
        self.until(
            "a reason", lambda: all("2 of 2" in t.get("waits_for", "") for t in self.tasks(run).values()
                                    if t["status"] == "queued"))
        self.open("go")
        self.finish(run)

    def at_work(self, run):
        return sorted(key for key, status in self.statuses(run).items() if status == "running")

    def begin_limited(self, limits, steps, team="---\nname: t\n{}---\n## Roles\n- executor: agent=executor {}\n"):
        """A run of commands and agents whose workflow, team or role says how many work at once."""
        folder = os.path.join(self.home, "library", "teams")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "t.team.md"), "w", encoding="utf-8") as file:
            file.write(team.format(limits.get("team", ""), limits.get("role", "")))
        path = self.make_workflow([(key, dict(keys, role="executor")) for key, keys in steps])
        with open(path, encoding="utf-8") as file:
            text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("description: A test\n", "description: A test\n" + limits.get("workflow", "")))
        scenario = self.make_scenario({}, [script({"run": ["sh", "-c", f"while [ ! -e {self.folder}/go ]; do sleep 0.02; done"]}, say())])
        return self.start("--workflow", path, "--team", "t", "--cli", "demo", "--scenario", scenario, "--approve",
                          "auto", "--isolation", "none", "A goal")

    def test_a_limit_of_workflow_team_or_role_holds_commands_too(self):
        commands = [(f"c{i}", {"cli": "command", "command": self.gate("go"), "writes": "no"}) for i in range(4)]
        for limits in ({"workflow": "maxConcurrency: 2\n"}, {"team": "maxConcurrency: 2\n"}, {"role": "maxConcurrency=2"},
                       {"workflow": "maxConcurrency: 3\n", "team": "maxConcurrency: 2\n"}):
            run = self.begin_limited(limits, commands)
            self.until("two at work", lambda: len(self.at_work(run)) == 2)
            self.until("reasons", lambda: all("free place" in task.get("waits_for", "") for task in
                                              self.tasks(run).values() if task["status"] == "queued"))
            self.assertEqual(len(self.at_work(run)), 2, limits)
            self.open("go")
            self.finish(run)
            os.unlink(os.path.join(self.folder, "go"))

    def test_a_limit_of_a_workflow_holds_agents_and_commands_together(self):
        steps = [("a1", {"writes": "no"}), ("a2", {"writes": "no"})]
        steps += [(f"c{i}", {"cli": "command", "command": self.gate("go"), "writes": "no"}) for i in range(2)]
        run = self.begin_limited({"workflow": "maxConcurrency: 2\n"}, steps)
        self.until("two at work", lambda: len(self.at_work(run)) == 2)
        self.until("reasons", lambda: all("2 of 2" in task.get("waits_for", "") for task in
                                          self.tasks(run).values() if task["status"] == "queued"))
        self.open("go")
        self.finish(run)

    def test_the_machine_limit_holds_over_two_runs(self):
        self.settings({"limits.machine_commands": 2})
        steps = [(f"t{i}", {"command": self.gate("go")}) for i in range(2)]
        first = self.begin(steps)
        self.until("two at work", lambda: list(self.statuses(first).values()).count("running") == 2)
        second = self.begin([("other", {"command": "true"})])
        self.until("a reason", lambda: "machine" in self.tasks(second)["other"].get("waits_for", ""))
        self.assertEqual(self.statuses(second)["other"], "queued")
        self.open("go")
        self.finish(first)
        self.finish(second)

    def test_twenty_runs_at_once_never_hold_more_places_than_there_are(self):
        """As their guards wrote it down; all are done in the end, so each place was free when its guard had ended."""
        places, n_tasks = 3, 3
        self.settings({"limits.machine_commands": places})
        holder = self.begin([(f"t{i}", {"command": self.gate("go")}) for i in range(places)])
        self.until("all places held", lambda: self.at_work(holder) == [f"t{i}" for i in range(places)])
        runs = []
        for i in range(20):
            project = os.path.join(self.folder, f"project-{i}")
            os.mkdir(project)
            runs.append(self.begin([(f"t{k}", {"command": "sleep 0.02"}) for k in range(n_tasks)], None, "--isolation",
                                   "none", project=project))
        for run in runs:
            self.until("a reason", lambda run=run: any("machine" in task.get("waits_for", "")
                                                       for task in self.tasks(run).values()))
        self.open("go")
        exits = []
        for run in [holder, *runs]:
            self.finish(run)
            exits.append(bench_run.read_exits(os.path.join(self.home, "runs", run, "exits")))
        self.assertEqual([len(of_run) for of_run in exits], [places] + [n_tasks] * len(runs))
        self.assertEqual(bench_run.count_at_once(sum(exits, [])), places)

    def test_jobs_above_the_machine_limit_are_capped_and_said(self):
        self.settings({"limits.machine_agents": 2})
        run = self.begin([("a", {"command": "true"})], None, "--jobs", "50")
        self.finish(run)
        capped = self.data(run, "limit.capped")[0]
        self.assertEqual((capped["asked"], capped["given"]), (50, 2))

    def test_a_full_role_holds_up_nobody_else(self):
        self.settings({"limits.cli_agents.demo": 1})
        self.env["FOREDECK_DEMO_SPEED"] = "1"
        run = self.begin(
            [("a", {}), ("b", {}), ("c", {"command": "true"})],
            {"a": [script({"sleep": 300}, say())], "b": [script({"sleep": 300}, say())]},
        )
        self.finish(run)
        order = [(e["task"], e["data"]["to"]) for e in self.events(run) if e["type"] == "task.status"]
        first = min(order.index(("a", "completed")), order.index(("b", "completed")))
        second = max(order.index(("a", "running")), order.index(("b", "running")))
        self.assertLess(first, second)

    def test_one_writer_at_a_time_in_a_shared_tree(self):
        self.env["FOREDECK_DEMO_SPEED"] = "1"
        run = self.begin(
            [("a", {}), ("b", {}), ("look", {"role": "explorer"})],
            {k: [script({"sleep": 200}, write(k), say())] for k in "ab"},
            "--isolation", "none",
        )
        self.finish(run)
        order = [(e["task"], e["data"]["to"]) for e in self.events(run) if e["type"] == "task.status"]
        writers = [entry for entry in order if entry[0] in "ab"]
        self.assertEqual([entry[1] for entry in writers], ["running", "completed"] * 2)
        self.assertEqual((self.file("a"), self.file("b")), ("a\n", "b\n"))

    def test_a_second_run_on_a_held_tree_is_refused_naming_the_holder(self):
        scripts = {"a": [script({"stall": True})]}
        first = self.begin([("a", {})], scripts, "--isolation", "none")
        self.until_phase(first, "a", "agent")
        second = self.begin([("a", {})], scripts, "--isolation", "none")
        shown = self.finish(second, "failed")
        self.assertIn(first, str(shown))
        self.ok("cancel", first)
        self.finish(first, "cancelled")

    def test_commands_hold_their_tree_too_by_any_name_and_part_of_it(self):
        first = self.begin([("a", {"command": self.gate("go")})], {}, "--isolation", "none")
        self.until_task(first, "a", "running")
        link = os.path.join(self.folder, "another-name")
        os.symlink(self.project, link)
        inside = os.path.join(self.project, "inside")
        os.mkdir(inside)
        self.git("init", "-q", "-b", "main", cwd=inside)
        for project in (self.project, link, inside):
            second = self.begin([("b", {"command": "touch wrote"})], {}, "--isolation", "none", project=project)
            self.assertIn(first, str(self.finish(second, "failed")))
            self.assertFalse(os.path.exists(os.path.join(project, "wrote")))
        self.open("go")
        self.finish(first)
        third = self.begin([("c", {"command": "true"})], {}, "--isolation", "none", project=inside)
        self.finish(third)

    def test_a_run_that_had_begun_waits_for_its_tree_and_names_the_holder(self):
        self.env["FOREDECK_PARK_MS"] = "100"
        scripts = {"a": [script(write("a"), say())], "b": [script({"stall": True})]}
        first = self.begin([("look", {"role": "explorer"}), ("a", {"dependsOn": "look"})], scripts,
                           "--isolation", "none", approve="ask")
        request = self.request(first, "gate")
        self.until("the runner parks", lambda: self.runner_pid(first) is None)
        second = self.begin([("b", {})], scripts, "--isolation", "none")
        self.until_phase(second, "b", "agent")
        self.ok("approve", request["id"])
        self.until("the holder's name", lambda: second in str(self.show(first)))
        self.assertEqual(self.statuses(first)["a"], "queued")
        self.ok("cancel", second)
        self.finish(first)
        self.assertEqual(self.file("a"), "a\n")

    def test_a_retried_run_holds_its_tree_again(self):
        scripts = {"a": [script({"fail": {"kind": "error"}}, attempt=1), script({"stall": True})]}
        first = self.begin([("a", {})], scripts, "--isolation", "none")
        self.finish(first, "failed")
        self.ok("retry", first)
        self.until_phase(first, "a", "agent")
        second = self.begin([("a", {})], scripts, "--isolation", "none")
        self.assertIn(first, str(self.finish(second, "failed")))
        self.ok("cancel", first)
        self.finish(first, "cancelled")

    def test_any_workflow_that_writes_asks_first_and_readers_go_on(self):
        run = self.begin(
            [("look", {"role": "explorer"}), ("change", {}), ("more", {"role": "explorer"})],
            {"change": [script(write("x"), say())]},
            approve="ask",
        )
        request = self.request(run, "gate")
        self.until_task(run, "look", "completed")
        self.until_task(run, "more", "completed")
        self.assertEqual(self.statuses(run)["change"], "queued")
        self.until("blocked", lambda: self.show(run)["status"] == "blocked")
        self.assertIn("approval", self.tasks(run)["change"]["waits_for"])
        self.ok("approve", request["id"])
        self.finish(run)
        self.assertEqual(self.result(run, "x"), "x")

    def test_approve_auto_asks_nobody(self):
        run = self.begin_plan(
            {"plan": [script(plan(item("one")))], "one": [script(write("one"), say())]}, approve="auto")
        self.finish(run)
        self.assertNotIn("request.opened", self.types(run))
        self.assertIn("plan.approved", self.types(run))
        self.assertEqual(self.result(run, "one"), "one")

    def open_requests(self, run):
        return [(r["kind"], r.get("task")) for r in self.show(run)["requests"]]

    def test_a_step_with_a_gate_asks_whatever_it_does(self):
        steps = {
            "read": {"role": "explorer", "gate": "ask"},
            "write": {"gate": "ask"},
            "command": {"command": "true", "writes": "no", "gate": "ask"},
        }
        for approve in ("auto", "ask"):
            run = self.begin([("first", {"role": "explorer"})] + [(key, dict(keys, dependsOn="first"))
                             for key, keys in steps.items()], {}, approve=approve)
            self.until("a question for each step", lambda: len(self.open_requests(run)) == len(steps))
            self.assertEqual(sorted(self.open_requests(run)), [("gate", key) for key in sorted(steps)])
            self.until("blocked", lambda: self.show(run)["status"] == "blocked")
            self.assertEqual(set(self.statuses(run).values()), {"completed", "queued"})
            for request in self.show(run)["requests"]:
                self.ok("approve", request["id"])
            self.finish(run)
            self.assertEqual(self.data(run, "gate.opened", "read"), [{"by": "foredeckctl", "version": 0}])

    def test_who_lets_a_command_write_sees_what_it_runs(self):
        for keys in ({}, {"gate": "ask"}):
            run = self.begin([("a", dict(keys, command="sh -c \"echo '```' > x\""))], None, approve="ask")
            body = self.request(run, "gate")["body"]
            self.assertRegex(body, r"\n````\nsh -c .*echo .*```.* > x'\n````\n")
            self.assertNotIn("found so far", body)
            self.ok("approve", self.request(run)["id"])
            self.finish(run)

    def test_a_gate_of_a_step_is_not_opened_by_another(self):
        run = self.begin([("change", {}), ("ship", {"role": "explorer", "gate": "ask", "dependsOn": "change"})],
                         {"change": [script(write("x"), say())]}, approve="ask")
        self.ok("approve", self.request(run, "gate")["id"])
        self.until_task(run, "change", "completed")
        self.until("asked again", lambda: self.open_requests(run) == [("gate", "ship")])
        self.assertEqual(self.statuses(run)["ship"], "queued")
        self.ok("approve", self.request(run)["id"])
        self.finish(run)

    def test_a_step_whose_gate_stays_shut_is_cancelled_and_the_rest_goes_on(self):
        run = self.begin(
            [("ship", {"role": "explorer", "gate": "ask"}), ("tell", {"role": "explorer", "dependsOn": "ship"}),
             ("look", {"role": "explorer"})], {})
        self.until_task(run, "look", "completed")
        self.ok("reject", self.request(run, "gate")["id"])
        self.until("an end", lambda: self.show(run)["class"] == "finished")
        self.assertEqual(self.statuses(run), {"ship": "cancelled", "tell": "skipped", "look": "completed"})

    def test_a_gate_in_front_of_what_will_not_start_asks_nobody_any_more(self):
        run = self.begin(
            [("slow", {"command": self.gate("go"), "onFailure": "stop"}),
             ("ship", {"role": "explorer", "gate": "ask"})], {})
        self.request(run, "gate")
        self.ok("cancel", run, "ship")
        self.assertEqual(self.open_requests(run), [])
        self.open("go")
        self.until("an end", lambda: self.show(run)["class"] == "finished")

    def test_a_gate_that_was_opened_stays_open_after_a_crash(self):
        run = self.begin([("look", {"command": self.gate("go"), "writes": "no", "gate": "ask"})], {})
        self.ok("approve", self.request(run, "gate")["id"])
        self.until_task(run, "look", "running")
        self.kill(self.runner_pid(run))
        for pid in self.marked(run):
            # An agent goes with its guard.
            with contextlib.suppress(ProcessLookupError):
                self.kill(pid)
        self.ok("resume", run)
        self.open("go")
        self.until("an end", lambda: self.show(run)["class"] == "finished")
        self.assertEqual(self.types(run).count("request.opened"), 1)

    def test_a_dry_run_says_that_a_step_waits(self):
        workflow = self.make_workflow([("look", {"role": "explorer", "gate": "ask"})])
        shown = self.ok("run", "--workflow", workflow, "--project", self.project, "--team", "implementation",
                        "--cli", "demo", "--approve", "auto", "--dry-run", "--json", "A goal").json
        self.assertTrue(shown["gated"])
        self.assertEqual(shown["gates"], ["look"])

    def test_a_tree_starts_from_the_merged_work_of_its_dependencies(self):
        run = self.begin(
            [("a", {}), ("b", {}), ("c", {"dependsOn": "a, b", "checks": "sh -c 'test -e a && test -e b'"})],
            {"a": [script(write("a"), say())], "b": [script(write("b"), say())],
             "c": [script({"run": ["sh", "-c", "cat a b > c"]}, say())]},
        )
        self.finish(run)
        self.assertEqual(self.result(run, "c"), "a\nb")
        tree = self.tasks(run)["c"]
        self.assertEqual(tree["verified"], "verified", tree)


if __name__ == "__main__":
    engine_case.main()
