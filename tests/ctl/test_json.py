# SPDX-License-Identifier: GPL-3.0-or-later
"""The JSON of each verb, on one run of commands and scripted agents."""

import json
import os
import re
import signal
import subprocess

import ctl_case

TIME = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")


def catches_interrupt(pid):
    """Whether the process has a handler for SIGINT."""
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        caught = [line for line in file if line.startswith("SigCgt:")][0]
    return int(caught.split()[1], 16) & (1 << (signal.SIGINT - 1))


class JsonTest(ctl_case.CtlCase):
    def setUp(self):
        super().setUp()
        self.make_project()

    def command_workflow(self):
        return self.make_workflow(
            [
                ("one", {"command": "sh -c 'echo one > one.txt; echo wrote'", "role": "executor"}),
                ("two", {"command": "sh -c 'echo two > two.txt'", "role": "executor", "dependsOn": "one"}),
                ("three", {"command": "cat one.txt", "dependsOn": "one"}),
            ]
        )

    def finished_run(self):
        run = self.start("--workflow", self.command_workflow(), "--approve", "auto", "Write files")
        self.ok("wait", run, "--timeout", "50 s")
        return run

    def check_times(self, node, names=("created", "started", "finished", "time")):
        if isinstance(node, dict):
            for key, value in node.items():
                self.assertIsNotNone(value, f"{key}: what is unknown is left out")
                if key in names and not isinstance(value, (int, dict)):
                    self.assertRegex(value, TIME)
                self.check_times(value, names)
        elif isinstance(node, list):
            for value in node:
                self.check_times(value, names)

    def test_everything_about_a_finished_run(self):
        run = self.finished_run()

        shown = self.show(run)
        self.check_times(shown)
        self.assertEqual((shown["id"], shown["status"], shown["class"]), (run, "completed", "finished"))
        self.assertIs(shown["interrupted"], False)
        self.assertEqual(shown["project"], self.project)
        self.assertEqual(shown["counts"], {"completed": 3})
        self.assertEqual(shown["requests"], [])
        self.assertEqual(shown["base"]["branch"], "main")
        self.assertEqual(shown["base"]["commit"], self.git("rev-parse", "HEAD"))
        self.assertEqual(shown["result"]["files"], 2)
        self.assertEqual(shown["result"]["insertions"], 2)
        self.assertNotIn("cost", shown["usage"])
        self.assertIs(shown["usage"]["cost_known"], False)
        self.assertEqual(self.show(run[:4])["id"], run)

        listed = self.ok("list", "--json").json
        self.assertEqual([row["id"] for row in listed["runs"]], [run])
        self.assertEqual(self.ok("list", "--project", self.project, "--json").json, listed)
        self.assertEqual(self.ok("list", "--status", "failed", "--json").json["runs"], [])

        tasks = self.tasks(run)
        self.check_times(tasks)
        self.assertEqual(list(tasks), ["one", "two", "three"])
        one = tasks["one"]
        self.assertEqual(one["depends_on"], [])
        self.assertEqual(tasks["two"]["depends_on"], ["one"])
        self.assertEqual(one["cli"], "command")
        self.assertEqual([(a["n"], a["exit"]) for a in one["attempts"]], [(1, 0)])
        self.assertEqual(one["files"], [dict(path="one.txt", status="A", insertions=1, deletions=0, binary=False)])
        self.assertEqual(one["effect"], "changed")
        self.assertEqual(tasks["three"]["effect"], "none")
        self.assertIn("one", tasks["three"]["result"])

        graph = self.ok("graph", run, "--json").json
        self.assertEqual({(e["from"], e["to"]) for e in graph["edges"]}, {("one", "two"), ("one", "three")})
        self.assertEqual([n["layer"] for n in graph["nodes"]], [0, 1, 1])
        self.assertIn("digraph", self.ok("graph", run, "--format", "dot").out)
        svg = self.ok("graph", run, "--format", "svg").out
        self.assertTrue(svg.startswith("<svg") and svg.rstrip().endswith("</svg>"))
        self.assertIn("one", self.ok("graph", run).out)

        events = self.events(run)
        self.check_times(events)
        self.assertEqual([e["seq"] for e in events], list(range(1, len(events) + 1)))
        self.assertEqual(events[0]["type"], "run.created")
        since = self.ok("events", run, "--since", events[4]["seq"], "--json").json["events"]
        self.assertEqual(since, events[5:])
        page = self.ok("events", run, "--limit", "3", "--json").json
        self.assertEqual((page["events"], page["cursor"]), (events[:3], str(events[2]["seq"])))

        entries = self.ok("transcript", run, "one", "--json").json["entries"]
        self.assertIn("wrote", json.dumps(entries))
        self.assertEqual(self.ok("transcript", run, "one", "--raw").out, "wrote\n")
        self.ok("transcript", run, "one", "--follow")
        self.refused(4, "transcript", run, "one", "--attempt", "9")
        self.refused(4, "transcript", run, "onx")

        prompt = self.ok("prompt", run, "one", "--json").json
        self.assertIs(prompt["sent"], True)

        diff = self.ok("diff", run, "--json").json
        self.assertEqual([f["path"] for f in diff["files"]], ["one.txt", "two.txt"])
        self.assertEqual(diff["files"][0]["hunks"][0]["lines"][0]["text"], "one")
        stat = self.ok("diff", run, "one", "--stat", "--json").json
        self.assertEqual([(f["path"], f["status"], f["insertions"]) for f in stat["files"]], [("one.txt", "A", 1)])
        self.assertNotIn("hunks", stat["files"][0])
        self.assertIn("+one", self.ok("diff", run).out)

        self.refused(4, "plan", run)
        self.assertEqual(self.ok("messages", run, "--json").json["messages"], [])
        self.assertEqual(self.ok("requests", run, "--json").json["requests"], [])
        for tree in self.ok("worktrees", run, "--json").json["worktrees"]:
            self.assertLessEqual({"run", "task", "path", "exists"}, set(tree))

        predicted = self.ok("merge", run, "--dry-run", "--json").json
        self.assertEqual((predicted["clean"], predicted["into"], predicted["conflicts"]), (True, "main", []))
        self.assertFalse(os.path.exists(os.path.join(self.project, "one.txt")))
        merged = self.ok("merge", run, "--json").json
        self.assertEqual(merged["into"], "main")
        self.assertEqual(merged["commit"], self.git("rev-parse", "HEAD"))
        self.assertTrue(os.path.exists(os.path.join(self.project, "one.txt")))
        self.assertEqual(self.show(run)["merged"]["into"], "main")

    def numbers(self, value, name, found):
        """Whatever is called @name, however deep, in a document."""
        if isinstance(value, dict):
            found += [inner for key, inner in value.items() if key == name]
        for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
            self.numbers(inner, name, found)
        return found

    def test_a_pid_is_a_number_everywhere(self):
        run = self.start("--workflow", self.make_workflow([("one", {"command": "true"})]), "--approve", "auto", "x")
        self.ok("wait", run, "--timeout", "50 s")
        for verb in (("events", run), ("show", run), ("tasks", run), ("list",), ("logs", run)):
            found = self.numbers(self.ok(*verb, "--json").json, "pid", [])
            self.assertTrue(all(isinstance(pid, int) for pid in found), f"{verb}: {found}")
        self.assertTrue(self.numbers(self.ok("events", run, "--json").json, "pid", []))

    def test_pages_of_a_listing(self):
        runs = [self.start("--workflow", self.command_workflow(), "--approve", "auto", f"Run {n}") for n in range(3)]
        for run in runs:
            self.ok("wait", run, "--timeout", "50 s")
        seen, cursor = [], None
        while True:
            args = ["list", "--limit", "1", "--json"] + (["--cursor", cursor] if cursor else [])
            page = self.ok(*args).json
            seen += [row["id"] for row in page["runs"]]
            cursor = page.get("cursor")
            if cursor is None:
                break
        self.assertEqual(seen, runs[::-1])
        self.refused(4, "list", "--cursor", "nothing")

    def test_run_prints_its_id_first_and_the_run_last(self):
        answer = self.ok("run", "--json", "--project", self.project, "--workflow", self.command_workflow(),
                         "--approve", "auto", "Write files")
        lines = answer.lines
        self.assertEqual((list(lines[0]), lines[0]["warnings"]), (["id", "warnings"], []))
        self.assertEqual(lines[-1]["status"], "completed")
        types = [line["type"] for line in lines[1:-1]]
        self.assertIn("task.status", types)
        self.assertEqual(types[0], "run.created")
        text = self.ok("run", "--project", self.project, "--workflow", self.command_workflow(),
                       "--approve", "auto", "Write files")
        self.assertRegex(text.out.splitlines()[0], r"^[a-z][a-z0-9]{7}$")

    def test_a_failed_run(self):
        path = self.make_workflow([("one", {"command": "sh -c 'exit 3'"}),
                                   ("two", {"command": "true", "dependsOn": "one"})])
        answer = self.fails(1, "run", "--json", "--project", self.project, "--workflow", path, "--approve", "auto", "x")
        run = answer.lines[0]["id"]
        tasks = self.tasks(run)
        self.assertEqual((tasks["one"]["status"], tasks["two"]["status"]), ("failed", "skipped"))
        self.assertEqual(tasks["one"]["attempts"][-1]["exit"], 3)
        self.assertTrue(tasks["one"]["message"])
        self.fails(1, "wait", run)

    def test_dry_run_starts_nothing(self):
        preview = self.ok("run", "--dry-run", "--json", "--project", self.project, "--workflow", "fast-fix",
                          "--cli", "demo", "x").json
        self.assertEqual([t["key"] for t in preview["tasks"]], ["explore", "execute", "verify"])
        self.assertIs(preview["gated"], True)
        self.assertEqual(self.ok("list", "--json").json["runs"], [])

    def test_a_run_that_waits(self):
        path = self.make_workflow([("one", {"command": "true", "role": "executor"})])
        answer = self.fails(3, "run", "--json", "--project", self.project, "--workflow", path, "x")
        run = answer.lines[0]["id"]
        self.assertEqual(answer.lines[-1]["status"], "blocked")
        request = answer.lines[-1]["requests"][0]
        self.assertLessEqual({"id", "run", "kind", "title", "options", "created", "state"}, set(request))
        self.assertTrue(all({"id", "name", "kind"} <= set(option) for option in request["options"]))
        waits = self.tasks(run)["one"]
        self.assertTrue(waits["waits_for"])
        self.assertEqual(waits["class"], "pending")
        prompt = self.ok("prompt", run, "one", "--json").json
        self.assertIs(prompt["sent"], False)
        self.assertIn("Do it.", prompt["prompt"])
        self.refused(4, "transcript", run, "one")
        self.refused(4, "diff", run)
        self.refused(4, "merge", run, "--dry-run")
        self.assertEqual(self.ok("requests", "--json").json["requests"][0]["id"], request["id"])
        self.ok("approve", request["id"])
        self.ok("wait", run, "--timeout", "50 s")
        self.assertEqual(self.ok("requests", "--json").json["requests"], [])
        self.assertEqual(self.ok("requests", "--all", "--json").json["requests"][0]["state"], "answered")

    def test_a_live_session_that_asks(self):
        ask = {"title": "May I?", "options": [{"id": "y", "name": "Yes", "kind": "allow_once"},
                                              {"id": "n", "name": "No", "kind": "reject_once"}],
               "then": {"y": [{"say": "Thanks."}], "n": [{"say": "Pity."}]}}
        scenario = self.make_scenario({"a": [{"steps": [{"say": "Hello."}, {"ask": ask}, {"say": "End."}]}]})
        path = self.make_workflow([("a", {"role": "executor", "cli": "demo", "live": "true"})])
        answer = self.fails(3, "run", "--json", "--project", self.project, "--workflow", path, "--approve", "auto",
                            "--scenario", scenario, "x")
        run = answer.lines[0]["id"]
        request = answer.lines[-1]["requests"][0]
        self.assertEqual((request["kind"], request["title"], request["task"]), ("permission", "May I?", "a"))
        self.assertEqual(self.fails(3, "wait", run, "--json").json["runs"][0]["id"], run)
        self.refused(2, "answer", request["id"], "perhaps")
        self.ok("answer", request["id"], "y")
        self.ok("wait", run, "--timeout", "50 s")
        self.assertIn("Thanks.", self.ok("transcript", run, "a").out)

    def test_steer(self):
        scenario = self.make_scenario({"a": [{"steps": [{"say": "Hello."}, {"sleep": 600000}]}]})
        self.env["FOREDECK_DEMO_SPEED"] = "1"
        path = self.make_workflow([("a", {"role": "executor", "cli": "demo", "live": "true"}),
                                   ("b", {"role": "executor", "cli": "demo", "dependsOn": "a"})])
        run = self.start("--workflow", path, "--approve", "auto", "--scenario", scenario, "x")
        self.until("the agent", lambda: self.tasks(run)["a"].get("phase") == "agent")
        self.ok("steer", run, "b", "Mind the gap")
        self.assertIn("Mind the gap", self.ok("prompt", run, "b").out)
        self.ok("steer", run, "a", "Be quick")
        self.refused(4, "steer", run, "c", "Text")
        self.ok("cancel", run)

    def long_run(self):
        path = self.make_workflow([("long", {"command": "sleep 1000"}), ("after", {"command": "true", "dependsOn": "long"})])
        run = self.start("--workflow", path, "--approve", "auto", "Sleep")
        self.until("the task to run", lambda: self.tasks(run)["long"]["status"] == "running")
        return run

    def test_interrupting_a_follower_leaves_the_run(self):
        run = self.long_run()
        for verb in ("wait", "events --follow", "transcript --follow"):
            words = verb.split()
            args = [words[0], run] + (["long"] if words[0] == "transcript" else []) + words[1:]
            process = subprocess.Popen([ctl_case.CTL, *args], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            self.until("it to follow", lambda: catches_interrupt(process.pid), 20)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=20)
            self.assertEqual(process.returncode, 130, f"{verb}: {err}")
        self.assertEqual(self.show(run)["status"], "running")
        self.assertEqual(self.fails(1, "wait", run, "--timeout", "300 ms", "--json").error["code"], "failed")
        self.ok("cancel", run)

    def test_cancel(self):
        run = self.long_run()
        self.ok("cancel", run, "--json")
        self.assertEqual(self.ctl("wait", run, "--timeout", "40 s").code, 130)
        self.assertEqual({t["status"] for t in self.tasks(run).values()}, {"cancelled"})
        self.until("the end of all processes", lambda: not self.find_ours())
        self.refused(5, "cancel", run)

    def test_cancel_all(self):
        runs = [self.long_run(), self.long_run()]
        self.assertEqual(self.ok("cancel", "--all", "--json").json["cancelled"], 2)
        for run in runs:
            self.assertEqual(self.ctl("wait", run, "--timeout", "40 s").code, 130)

    def test_pause_and_continue(self):
        path = self.make_workflow([("one", {"command": "sleep 1"}), ("two", {"command": "true", "dependsOn": "one"})])
        run = self.start("--workflow", path, "--approve", "auto", "x")
        self.until("the task to run", lambda: self.tasks(run)["one"]["status"] == "running")
        self.assertEqual(self.ok("pause", run, "--json").json["status"], "paused")
        self.until("the first task's end", lambda: self.tasks(run)["one"]["status"] == "completed")
        self.assertEqual(self.tasks(run)["two"]["status"], "queued")
        self.ok("continue", run)
        self.ok("wait", run, "--timeout", "40 s")

    def test_kill_the_runner_and_resume(self):
        path = self.make_workflow(
            [
                ("first", {"command": "sh -c 'echo x >> once.txt'", "role": "executor"}),
                ("slow", {"command": "sh -c 'while ! test -e ../go; do sleep 0.05; done'", "dependsOn": "first"}),
                ("last", {"command": "cat once.txt", "dependsOn": "slow"}),
            ]
        )
        flag = os.path.join(self.folder, "go")
        with open(path, encoding="utf-8") as file:
            text = file.read().replace("../go", flag)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        run = self.start("--workflow", path, "--approve", "auto", "x")
        self.until("the slow task", lambda: self.tasks(run)["slow"]["status"] == "running")
        self.kill_runner(run)
        shown = self.show(run)
        self.assertIs(shown["interrupted"], True)
        self.assertEqual(shown["status"], "running")
        self.assertNotIn("owner", shown)
        reruns = self.ok("resume", run, "--dry-run", "--json").json["reruns"]
        self.assertNotIn("first", reruns)
        self.ok("resume", run)
        self.assertIs(self.show(run)["interrupted"], False)
        with open(flag, "w", encoding="utf-8"):
            pass
        waited = self.ctl("wait", run, "--timeout", "50 s")
        tasks = self.tasks(run)
        self.assertEqual(waited.code, 0, json.dumps([self.events(run)[-14:], tasks], indent=1))
        self.assertEqual({t["status"] for t in tasks.values()}, {"completed"})
        self.assertEqual(len(tasks["first"]["attempts"]), 1)
        self.assertEqual(tasks["last"]["result"].strip(), "x")

    def test_kill_the_runner_after_any_event(self):
        """Half-made trees, branches and their locks are in nobody's way afterwards."""
        flag = os.path.join(self.folder, "go")
        path = self.make_workflow(
            [
                ("one", {"command": "sh -c 'echo x >> one.txt'", "role": "executor"}),
                ("two", {"command": f"sh -c 'cat one.txt; while ! test -e {flag}; do sleep 0.05; done'", "dependsOn": "one"}),
            ]
        )
        for n in range(3, 17, 2):
            run = self.start("--workflow", path, "--approve", "auto", f"Kill after {n} events")
            self.until("the events", lambda: len(self.events(run)) >= n)
            self.kill_runner(run)
            self.ok("resume", run)
            with open(flag, "w", encoding="utf-8"):
                pass
            waited = self.ctl("wait", run, "--timeout", "50 s")
            self.assertEqual(waited.code, 0, json.dumps([self.events(run)[-14:], self.tasks(run)], indent=1))
            self.assertEqual(self.tasks(run)["two"]["result"].strip(), "x")
            os.unlink(flag)

    def test_retry(self):
        flag = os.path.join(self.folder, "flag")
        path = self.make_workflow([("one", {"command": f"test -e {flag}"}), ("two", {"command": "true", "dependsOn": "one"})])
        run = self.start("--workflow", path, "--approve", "auto", "x")
        self.fails(1, "wait", run, "--timeout", "40 s")
        with open(flag, "w", encoding="utf-8"):
            pass
        self.ok("retry", run)
        self.ok("wait", run, "--timeout", "40 s")
        self.assertEqual({t["status"] for t in self.tasks(run).values()}, {"completed"})
        self.refused(5, "retry", run, "one")

    def test_logs(self):
        path = self.make_workflow([("one", {"command": "sh -c 'exit 3'"})])
        run = self.start("--workflow", path, "--approve", "auto", "A goal that stays at home")
        self.fails(1, "wait", run, "--timeout", "50 s")
        other = self.finished_run()
        lines = self.ok("logs", run, "--json").json["lines"]
        self.assertEqual({line["run"] for line in lines}, {run})
        self.assertTrue(all({"time", "level", "program", "pid", "text"} <= set(line) for line in lines))
        self.assertIn(("one", "warning"), [(line.get("task"), line["level"]) for line in lines])
        self.assertNotIn("stays at home", json.dumps(lines))
        runs = {line.get("run") for line in self.ok("logs", "--json").json["lines"]}
        self.assertLessEqual({run, other}, runs)
        self.assertIn(run, self.ok("logs").out)

    def test_a_guard_above_refuses_decisions(self):
        run = self.start("--workflow", self.make_workflow([("one", {"command": "true", "role": "executor"})]), "x")
        request = self.open_request(run)
        calls = (
            f"approve {request['id']}",
            f"reject {request['id']}",
            f"merge {run}",
            f"trust {self.project}",
            "config set approval.plan auto",
            f"run --project {self.project} --workflow fast-fix --cli demo --approve auto x",
        )
        script = os.path.join(self.folder, "try.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"export FOREDECK_HOME={self.home}\n")
            file.writelines(f"{ctl_case.CTL} {call} --json 2>&1; echo exit $?\n" for call in calls)
        second = self.start("--workflow", self.make_workflow([("try", {"command": f"sh {script}"})], "v"),
                            "--approve", "auto", "x")
        self.ctl("wait", second, "--timeout", "40 s")
        said = self.ok("transcript", second, "try", "--raw").out
        self.assertEqual(said.count("exit 5"), len(calls), said)
        self.assertEqual(self.show(run)["status"], "blocked")
        self.assertEqual(len(self.ok("list", "--json").json["runs"]), 2)
        self.ok("cancel", run)


if __name__ == "__main__":
    ctl_case.main()
