# SPDX-License-Identifier: GPL-3.0-or-later
"""Bad input gets a clear error and harms nothing."""

import json
import os
import shutil
import subprocess

import ctl_case


class BadInputTest(ctl_case.CtlCase):
    def setUp(self):
        super().setUp()
        self.make_project()

    def nothing_was_made(self):
        self.assertEqual(self.ok("list", "--json").json["runs"], [])
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("branch", "--list", "foredeck/*"), "")

    def workflow_text(self, text, name="bad.workflow.md"):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def run_args(self, *args):
        return ("run", "--project", self.project, *args, "A goal")

    def test_malformed_workflows(self):
        head = "---\nname: w\n---\n"
        step = "\n## a\nrole: executor\n\nDo it.\n"
        for text, said in (
            ("", ""),
            ("no front matter at all", ""),
            ("---\nname: w\n", ""),
            ("---\nname: [\n---\n" + step, ""),
            (head, ""),
            (head + step + step, "a"),
            (head + "\n## a\ndependsOn: b\n\nx\n", "b"),
            (head + "\n## a\ndependsOn: a\n\nx\n", "a"),
            (head + "\n## a\ndependsOn: b\n\nx\n\n## b\ndependsOn: c\n\nx\n\n## c\ndependsOn: a\n\nx\n", "a"),
            (head + "\n## a\nrole: no-such-role-anywhere\n\nx\n", "no-such-role-anywhere"),
            (head + "\n## a\nagent: no-such-agent\n\nx\n", "no-such-agent"),
            (head + "\n## a\nrole: executor\ncli: no-such-cli\n\nx\n", "no-such-cli"),
            (head + "\n## a\nrole: executor\nretries: many\n\nx\n", "retries"),
            (head + "\n## a\ncommand: sh -c 'unclosed\n\nx\n", ""),
            (b"\x00\x01\x02\xff\xfe", ""),
            (head + "\n## " + "a" * 200 + "\n\nx\n", ""),
            (head + "\n## result\nrole: executor\n\nx\n", "result"),
        ):
            path = self.workflow_text(text)
            with self.subTest(text=text[:120]):
                error = self.refused(2, *self.run_args("--workflow", path))
                self.assertIn(said, error["message"])
                self.nothing_was_made()

    def test_front_matter_that_refers_to_itself(self):
        text = "---\nname: w\n" + "a: &a [*a, *a]\nb: &b [*a, *b]\n" * 20 + "---\n\n## a\nrole: executor\n\nx\n"
        self.assertIn(self.ctl("library", "validate", self.workflow_text(text)).code, (0, 1))

    def test_validate_says_what_is_wrong_and_where(self):
        path = self.workflow_text("---\nname: w\n---\n\n## a\nrole: executor\nretries: many\n\nx\n")
        shown = self.fails(1, "library", "validate", path, "--json").json
        self.assertIs(shown["valid"], False)
        self.assertEqual((shown["diagnostics"][0]["line"], shown["diagnostics"][0]["severity"]), (7, "error"))

    def test_a_workflow_file_that_is_none(self):
        self.refused(4, *self.run_args("--workflow", "/nonexistent/x.workflow.md"))
        self.assertIn(self.ctl(*self.run_args("--workflow", self.folder + "/")).code, (2, 4))
        self.assertIn(self.ctl(*self.run_args("--workflow", "/dev/zero")).code, (2, 4))
        self.nothing_was_made()

    def test_a_huge_workflow(self):
        path = self.workflow_text("---\nname: w\n---\n" + "\n## a\nrole: executor\n\n" + "x" * 20_000_000)
        self.refused(2, *self.run_args("--workflow", path))
        self.nothing_was_made()

    def test_unknown_names(self):
        for option, wrong, right in (
            ("--workflow", "fast-fx", "fast-fix"),
            ("--team", "implementatoin", "implementation"),
            ("--agent", "exploer", "explorer"),
            ("--cli", "claud", "claude"),
        ):
            answer = self.ctl(*self.run_args(option, wrong, "--json"))
            self.assertIn(answer.code, (2, 4), f"{option}: {answer}")
            self.assertIn(right, answer.error["message"])
            self.nothing_was_made()

    def test_bad_args(self):
        for args in ("{", "[]", "3", '{"limits.run_agent": 3}', '{"limits.run_agents": "many"}', "[" * 100000):
            self.refused(2, *self.run_args("--workflow", "fast-fix", "--cli", "demo", "--args", args))
            self.nothing_was_made()

    def test_no_goal(self):
        self.refused(2, "run", "--project", self.project, "--workflow", "fast-fix")
        self.nothing_was_made()

    def test_not_a_repository(self):
        plain = os.path.join(self.folder, "plain")
        os.mkdir(plain)
        error = self.refused(5, "run", "--project", plain, "--workflow", "fast-fix", "--cli", "demo", "x")
        self.assertIn("git", error["message"].lower())
        self.assertEqual(os.listdir(plain), [])

    def test_git_does_not_know_who_commits(self):
        os.unlink(os.path.join(self.folder, ".gitconfig"))
        error = self.refused(6, *self.run_args("--workflow", "fast-fix", "--cli", "demo"))
        self.assertIn("user.name", error["message"])
        self.nothing_was_made()

    def test_no_such_project(self):
        self.refused(4, "run", "--project", "/nonexistent/project", "--workflow", "fast-fix", "x")

    def test_a_repository_without_a_commit(self):
        empty = os.path.join(self.folder, "empty")
        os.mkdir(empty)
        self.git("init", "-q", cwd=empty)
        answer = self.ctl("run", "--project", empty, "--workflow", "fast-fix", "--cli", "demo", "--json", "x")
        self.assertNotEqual(answer.code, 0)
        self.assertIn("commit", answer.error["message"])

    def test_unwritable_home(self):
        if os.geteuid() == 0:
            self.env["FOREDECK_HOME"] = "/proc/foredeck"
        else:
            os.mkdir(self.home, 0o500)
        self.assertEqual(self.refused(6, "list")["code"], "environment")
        self.refused(6, *self.run_args("--workflow", "fast-fix", "--cli", "demo"))

    def test_home_is_a_file(self):
        with open(self.home, "w", encoding="utf-8") as file:
            file.write("mine")
        self.refused(6, "list")
        with open(self.home, encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")
        os.unlink(self.home)

    def test_damaged_index(self):
        self.ok("list")
        with open(os.path.join(self.home, "foredeck.db"), "wb") as file:
            file.write(b"not a database" * 1000)
        for suffix in ("-wal", "-shm"):
            if os.path.exists(os.path.join(self.home, "foredeck.db" + suffix)):
                os.unlink(os.path.join(self.home, "foredeck.db" + suffix))
        self.refused(6, "list")
        self.ctl("doctor", "--check-store")
        self.ok("list")

    def test_agent_binary_missing(self):
        self.env["PATH"] = "/nonexistent"
        error = self.refused(4, *self.run_args("--workflow", "fast-fix", "--cli", "claude", "--approve", "auto"))
        self.assertIn("npm install -g @anthropic-ai/claude-code", error["message"])
        self.assertEqual(self.ok("list", "--json").json["runs"], [])

    def test_no_agents_at_once(self):
        self.refused(2, *self.run_args("--workflow", "fast-fix", "--cli", "demo", "--jobs", "0"))

    def test_command_that_cannot_be_executed(self):
        self.write("plain.sh", "#!/bin/sh\n")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "plain")
        path = self.make_workflow([("a", {"command": "./plain.sh"})])
        answer = self.ctl(*self.run_args("--workflow", path, "--approve", "auto", "--json"))
        self.assertEqual(answer.code, 1, answer)
        self.assertIn("chmod +x", json.dumps(self.tasks(answer.lines[0]["id"])["a"], ensure_ascii=False))

    def test_command_missing(self):
        path = self.make_workflow([("a", {"command": "no-such-program-anywhere --x"})])
        answer = self.ctl(*self.run_args("--workflow", path, "--approve", "auto", "--json"))
        self.assertEqual(answer.code, 1, answer)
        run = answer.lines[0]["id"]
        task = self.tasks(run)["a"]
        self.assertEqual(task["status"], "failed")
        self.assertIn("no-such-program-anywhere", json.dumps(task))

    def play(self, steps, *args, timeout=None):
        """Runs one scripted agent that ends badly; returns the failed task."""
        scenario = self.make_scenario({"a": [{"steps": steps}]})
        path = self.make_workflow([("a", {"role": "executor", "cli": "demo", "retries": "0"})])
        answer = self.ctl(*self.run_args("--workflow", path, "--approve", "auto", "--scenario", scenario, "--json", *args),
                          timeout=timeout or ctl_case.DEADLINE)
        self.assertEqual(answer.code, 1, answer)
        run = answer.lines[0]["id"]
        task = self.tasks(run)["a"]
        self.assertEqual(task["status"], "failed", task)
        self.assertTrue(task["message"])
        self.ok("transcript", run, "a", "--json")
        self.until("the end of all processes", lambda: not self.find_ours())
        return task

    def test_agent_prints_garbage(self):
        self.play([{"fail": {"kind": "garbage"}}])

    def test_agent_without_output(self):
        self.assertEqual(self.play([{"fail": {"kind": "no-output"}}])["cause"], "no-output")

    def test_agent_crashes(self):
        self.assertEqual(self.play([{"say": "I begin"}, {"fail": {"kind": "crash"}}])["cause"], "crash")

    def test_agent_prints_a_hundred_thousand_brackets(self):
        self.play([{"brackets": 100000}, {"fail": {"kind": "error", "message": "x"}}])

    def test_agent_prints_seventy_megabytes_on_one_line(self):
        self.play([{"long-line": 70_000_000}, {"fail": {"kind": "error", "message": "x"}}])

    def test_endless_output(self):
        self.ok("config", "set", "limits.capture_size", "8 MiB")
        self.assertEqual(self.play([{"endless": True}])["cause"], "output-limit")

    def test_an_agent_that_will_not_end(self):
        scenario = self.make_scenario({"a": [{"steps": [{"stubborn": True}, {"stall": True}]}]})
        path = self.make_workflow([("a", {"role": "executor", "cli": "demo"})])
        run = self.start("--workflow", path, "--approve", "auto", "--scenario", scenario, "x")
        self.until("the agent", lambda: self.tasks(run)["a"]["status"] == "running" and self.tasks(run)["a"]["attempts"])
        self.ok("cancel", run)
        self.assertEqual(self.ctl("wait", run, "--timeout", "50 s").code, 130)
        self.until("the end of all processes", lambda: not self.find_ours())

    def plan_run(self, plan):
        scenario = self.make_scenario({"plan": [{"steps": [{"plan": plan}]}]})
        run = self.start("--workflow", "implementation", "--cli", "demo", "--scenario", scenario, "x")
        request = self.open_request(run)
        self.assertNotEqual(request["kind"], "plan", "a plan like this must not be put to a person as it is")
        types = [event["type"] for event in self.events(run)]
        self.assertIn("adaptive.plan_repair_failed", types)
        self.ok("cancel", run)

    def test_plan_with_a_cycle(self):
        items = [{"id": a, "title": a, "role": "executor", "task": "x", "dependsOn": [b]} for a, b in ("ab", "ba")]
        self.plan_run({"title": "t", "summary": "s", "items": items})

    def test_plan_of_ten_thousand_items(self):
        items = [{"id": f"t{n}", "title": f"t{n}", "role": "executor", "task": "x", "dependsOn": []} for n in range(10000)]
        self.plan_run({"title": "t", "summary": "s", "items": items})

    def test_full_disk(self):
        mount = os.path.join(self.folder, "small")
        os.mkdir(mount)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", mount], capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest("no file system of our own can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", mount], check=False, capture_output=True)
        self.env["FOREDECK_HOME"] = os.path.join(mount, "home")
        answer = self.ctl(*self.run_args("--workflow", "fast-fix", "--cli", "demo", "--json"))
        self.assertEqual(answer.code, 6, answer)
        self.assertEqual(answer.error["code"], "no-space")

    def test_no_git_program(self):
        """Nothing of ours needs the program git."""
        bin_folder = os.path.join(self.folder, "bin")
        os.mkdir(bin_folder)
        for name in ("sh", "cat", "true", "env"):
            os.symlink(shutil.which(name), os.path.join(bin_folder, name))
        path = self.make_workflow([("a", {"command": "sh -c 'echo x > x'", "role": "executor"})])
        env = dict(self.env, PATH=bin_folder)
        self.ok(*self.run_args("--workflow", path, "--approve", "auto"), env=env)

    def test_the_next_option_is_no_value(self):
        for words in (("--scenario", "--dry-run"), ("--model", "--cli", "demo"), ("--args", "--json"), ("--cli", "--approve=ask")):
            error = self.refused(2, "run", "--project", self.project, "x", *words)
            self.assertIn(words[0], error["message"])
        self.refused(2, "reject", "abc", "--feedback", "--json")
        said = self.refused(4, "reject", "abcdefgh-1", "--feedback", "--but not this")
        self.assertNotEqual(said["code"], "usage")
        self.refused(4, "reject", "abcdefgh-1", "--feedback=--json")

    def test_a_scenario_that_is_not_there_or_none(self):
        args = ("run", "--project", self.project, "--workflow", "fast-fix", "--cli", "demo", "x", "--scenario")
        self.assertIn("nowhere", self.refused(4, *args, "nowhere")["message"])
        path = os.path.join(self.folder, "scenario.json")
        for text in ("", "[]", "{"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.assertIn(path, self.refused(2, *args, path)["message"])

    def test_a_skill_that_nobody_has_is_warned_of(self):
        workflow = self.make_workflow([("one", {"role": "executor", "skills": "nope"})])
        shown = self.ok("run", "--project", self.project, "--workflow", workflow, "--cli", "demo", "--dry-run", "--json", "x").json
        self.assertIn("nope", str(shown["warnings"]))
        folder = os.path.join(self.home, "library", "agents")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "me.md"), "w", encoding="utf-8") as file:
            file.write("---\nname: me\nskills: absent\n---\nWork.\n")
        shown = self.ok("run", "--project", self.project, "--agent", "me", "--cli", "demo", "--dry-run", "--json", "x").json
        self.assertIn("absent", str(shown["warnings"]))


if __name__ == "__main__":
    ctl_case.main()
