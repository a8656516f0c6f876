# SPDX-License-Identifier: GPL-3.0-or-later
"""Scripts: runs whose tasks `NAME.crew.lua` calls for, one after the other and side by side."""

import os
import signal

import engine_case

from engine_case import say, script, write


class ScriptCase(engine_case.EngineCase):
    def script(self, text, name="it.crew.lua"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def begin_script(self, text, scripts=None, *args, approve="auto", goal="A goal"):
        return self.start("--script", self.script(text), "--team", "implementation", "--cli", "demo", "--scenario",
                          self.make_scenario(scripts or {}), "--approve", approve, *args, goal)

    def result_of(self, run, key="script"):
        return self.query(run, "SELECT result FROM tasks WHERE key = ?", key)[0][0]

    def message_of(self, run, key="script"):
        return self.query(run, "SELECT message FROM tasks WHERE key = ?", key)[0][0]

    def fails_with(self, text, *args):
        run = self.begin_script(text, None, *args)
        self.finish(run, "failed")
        self.until("the script's end", lambda: not self.marked(run))
        return self.message_of(run)


class ScriptTest(ScriptCase):
    def test_what_was_done_side_by_side_comes_together(self):
        run = self.begin_script("""
            crew.phase "Write"
            local done = crew.fan_out ({ "x", "y" }, 2, function (name)
              return crew.agent { role = "executor", name = "write-" .. name, task = "Write " .. name }
            end)
            crew.phase "Look"
            local seen = crew.command { run = { "cat", "x.txt", "y.txt" }, name = "look" }
            crew.set_result (crew.goal .. ": " .. seen.text .. " " .. done[2].files[1])""",
            {"write-x": [script(write("x.txt", "its x\n"))], "write-y": [script(write("y.txt", "its y\n"))]})
        self.finish(run)
        self.assertEqual(self.statuses(run), dict.fromkeys(("script", "write-x", "write-y", "look"), "completed"))
        self.assertEqual(self.result_of(run), "A goal: its x\nits y y.txt")
        self.assertEqual(self.query(run, "SELECT depends_on FROM tasks WHERE key = 'look'"), [('["write-x","write-y"]',)])
        self.assertEqual([event["title"] for event in self.data(run, "script.phase")], ["Write", "Look"])
        self.assertEqual(self.result(run, "y.txt"), "its y")
        text = str(self.ok("transcript", run, "script"))
        self.assertIn("write-x", text)

    def test_two_equal_calls_are_two_tasks(self):
        run = self.begin_script('for i = 1, 3 do crew.agent { role = "explorer", task = "Same.", name = "look" } end')
        self.finish(run)
        self.assertEqual(set(self.statuses(run)), {"script", "look", "look-2", "look-3"})

    def test_what_failed_is_a_result_for_who_expects_it(self):
        run = self.begin_script("""
            local r = crew.command { "sh", "-c", "echo out; exit 3" }
            local a = crew.agent { role = "explorer", task = "x", name = "a", on_failure = "return", retries = 0 }
            crew.set_result (tostring (r.ok) .. r.status .. " " .. a.status .. " " .. a.message)""",
            {"a": [script({"fail": {"message": "no way", "kind": "auth"}})]}, "--on-failure", "stop")
        self.finish(run)
        self.assertRegex(self.result_of(run), "^falsefailed failed .*no way")

    def test_what_a_script_is_given(self):
        self.write("docs/a.md", "a")
        self.git("add", "-A")
        self.git("commit", "-qm", "a text")
        run = self.begin_script("""
            local b = crew.budget ()
            crew.set_result (crew.args.name .. crew.args.n + 1 .. " " .. table.concat (crew.files ("*.md"), " ")
                             .. " " .. b.tokens .. " " .. tostring (crew.now () > 1e9) .. " " .. crew.roles[1])""",
            None, "--script-args", '{"name": "n", "n": 2}', "--budget-tokens", "5000")
        self.finish(run)
        self.assertRegex(self.result_of(run), r"^n3 docs/a\.md 5000 true \w+$")

    def test_a_question_and_mail(self):
        run = self.begin_script("""
            local a = crew.ask ("Which colour?", { "Red", "Blue" })
            crew.mail ("person", "I take " .. a)
            crew.set_result (a)""")
        request = self.request(run, "question")
        self.assertEqual((request["task"], request["title"]), ("script", "Which colour?"))
        self.until("nothing else to do", lambda: self.show(run)["status"] == "blocked")
        self.ok("answer", request["id"], request["options"][1]["id"])
        self.finish(run)
        self.assertEqual(self.result_of(run), "Blue")
        self.assertEqual(self.query(run, "SELECT sender, receiver, text FROM messages"), [("script", "person", "I take Blue")])

    def test_two_equal_questions_are_two(self):
        run = self.begin_script('crew.set_result (crew.ask ("Go on?") .. crew.ask ("Go on?"))')
        for n, word in enumerate(("first ", "second")):
            request = self.until("a question", lambda: [r for r in self.show(run)["requests"]
                                                        if r["id"] not in seen] if n else self.show(run)["requests"])[0]
            seen = {request["id"]}
            self.ok("answer", request["id"], word)
        self.finish(run)
        self.assertEqual(self.result_of(run), "first second")

    def test_tried_again_it_goes_on_where_it_failed(self):
        run = self.begin_script("""
            local a = crew.agent { role = "explorer", task = "x", name = "a" }
            local b = crew.agent { role = "explorer", task = "y", name = "b", retries = 0 }
            crew.set_result (a.text .. b.text)""",
            {"a": [script(say("one "))], "b": [script({"fail": {"message": "no login", "kind": "auth"}})],
             "b-2": [script(say("two"))]})
        self.finish(run, "failed")
        self.assertRegex(self.message_of(run), r"^it\.crew\.lua:3: “b” is failed")
        self.ok("retry", run, "script")
        self.finish(run)
        self.assertEqual(self.result_of(run), "one two")
        self.assertEqual(self.statuses(run), {"script": "completed", "a": "completed", "b": "failed", "b-2": "completed"})
        self.assertEqual(self.query(run, "SELECT attempts FROM tasks WHERE key = 'a'"), [(1,)])

    def test_tried_again_after_a_mistake_of_its_own_it_makes_it_again(self):
        run = self.begin_script('crew.agent { role = "explorer", task = "x", name = "a" }\nerror ("oh")')
        self.finish(run, "failed")
        self.ok("retry", run, "script")
        self.until("the end", lambda: self.show(run)["status"] == "failed"
                   and self.query(run, "SELECT attempts FROM tasks WHERE key = 'script'") == [(2,)])
        self.finish(run, "failed")
        self.assertEqual(self.statuses(run), {"script": "failed", "a": "completed"})

    def test_nothing_is_written_before_a_person_lets_it(self):
        run = self.begin_script('crew.agent { role = "explorer", task = "x", name = "look" }\n'
                                'crew.agent { role = "executor", task = "y", name = "do" }',
                                {"do": [script(write("x.txt"))]}, approve="ask")
        request = self.request(run, "gate")
        self.assertEqual(self.statuses(run), {"script": "waiting", "look": "completed", "do": "queued"})
        self.until("nothing else to do", lambda: self.show(run)["status"] == "blocked")
        self.ok("answer", request["id"], "approve")
        self.finish(run)
        self.assertEqual(self.result(run, "x.txt"), "x.txt")

    def test_checks_of_a_task(self):
        run = self.begin_script("""
            local good = crew.agent { role = "executor", task = "x", name = "a", checks = { { "test", "-f", "x.txt" } } }
            local bad = crew.agent { role = "executor", task = "x", name = "b", checks = { { "false" } },
                                     on_failure = "return", retries = 0 }
            crew.set_result (good.verified .. " " .. bad.status .. " " .. tostring (bad.ok))""",
            {"a": [script(write("x.txt"))], "b": [script(write("y.txt"))]})
        self.finish(run)
        self.assertRegex(self.result_of(run), "^verified failed false")

    def test_it_is_cancelled_with_all_its_tasks(self):
        run = self.begin_script("""crew.fan_out ({ 1, 2, 3 }, 2, function (i)
              crew.agent { role = "explorer", task = "x", name = "n" .. i } end)""",
            {"n1": [script({"stall": True})], "n2": [script({"stall": True})]})
        self.until_task(run, "n1", "running")
        self.until_task(run, "n2", "running")
        self.ok("cancel", run)
        self.finish(run, "cancelled")
        self.until("no process", lambda: not self.marked(run))
        self.assertEqual(set(self.statuses(run).values()), {"cancelled"})

    def test_it_goes_on_after_the_budget_was_raised(self):
        spend = {"spend": {"input": 900, "output": 50, "cost": 0.01}}
        run = self.begin_script("""
            crew.agent { role = "explorer", task = "x", name = "a" }
            local b = crew.budget ()
            crew.agent { role = "explorer", task = "y", name = "b" }
            crew.set_result (b.spent_tokens .. " of " .. b.tokens)""",
            {"a": [script(spend, say())]}, "--budget-tokens", "980")
        self.request(run, "budget")

        def over():
            shown = self.show(run)
            for request in shown["requests"]:
                self.ok("answer", request["id"], "raise")
            return shown["status"] == "completed"

        self.until("the end", over)
        self.finish(run)
        self.assertEqual(self.statuses(run), {"script": "completed", "a": "completed", "b": "completed"})
        self.assertRegex(self.result_of(run), r"^\d+ of \d+$")

    def test_many_at_once_with_two_places(self):
        run = self.begin_script("""
            local list = {}
            for i = 1, 40 do list[i] = i end
            local n = 0
            crew.pipeline (list, 10, function (i)
              return crew.command { run = { "echo", tostring (i) }, name = "one", writes = false }
            end, function (r) n = n + tonumber (r.text) return crew.command { run = { "true" }, name = "two", writes = false } end)
            crew.set_result (tostring (n))""", None, "--jobs", "2")
        self.finish(run)
        self.assertEqual(self.result_of(run), "820")
        self.assertEqual(len(self.statuses(run)), 81)

    def test_who_builds_on_something_that_is_not_there(self):
        self.assertRegex(self.fails_with('crew.agent { task = "x", after = { "nobody" } }'),
                         r"^it\.crew\.lua:1: There is no task “nobody”")
        self.assertRegex(self.fails_with('\ncrew.agent { role = "wizard", task = "x" }'),
                         r"^it\.crew\.lua:2: The team has no role “wizard”")
        self.assertRegex(self.fails_with('crew.agent { agent = "wizard", task = "x" }'), "no agent “wizard”")
        self.assertRegex(self.fails_with('crew.agent { cli = "wizard", task = "x" }'), "no agent CLI “wizard”")
        self.assertRegex(self.fails_with('crew.agent { task = "x", checks = { "make" } }'), "a list of words")

    def test_mistakes_end_the_run_and_harm_nothing_else(self):
        self.settings({"limits.script_steps": 2, "limits.script_memory": "8 MiB"})
        before = self.git("status", "--porcelain")
        for text, said in [("local x = nil\nx.y = 1", r"^it\.crew\.lua:2: attempt to index"),
                           ("while true do end", r"^it\.crew\.lua:1: .* 2 million steps"),
                           ("local t = {}\nwhile true do t[#t + 1] = ('x'):rep (10000) .. #t end", r"^it\.crew\.lua:2: not enough memory"),
                           ("local function f () return 1 + f () end f ()", r"^it\.crew\.lua:1: "),
                           ("crew.fan_out ({ 1 }, 1, function ()\nerror 'oh' end)", r"^it\.crew\.lua:2: oh"),
                           ("return io.open ('x')", r"^it\.crew\.lua:1: .*global 'io'")]:
            with self.subTest(text):
                self.assertRegex(self.fails_with(text), said)
        self.assertEqual(self.git("status", "--porcelain"), before)

    def test_its_own_tasks_end_when_it_fails(self):
        run = self.begin_script("""crew.fan_out ({ 1, 2 }, 2, function (i)
              if i == 2 then crew.agent { role = "explorer", task = "x", name = "quick" } error ("oh") end
              crew.agent { role = "explorer", task = "x", name = "slow" } end)""",
            {"slow": [script(say("a"), {"wait": 500}, say("b"))]})
        self.finish(run, "failed")
        self.assertEqual(self.message_of(run), "it.crew.lua:2: oh")
        self.assertEqual(self.statuses(run), {"script": "failed", "quick": "completed", "slow": "completed"})

    def test_there_is_an_end_to_calls(self):
        self.settings({"limits.script_calls": 3})
        self.assertRegex(self.fails_with('while true do crew.phase ("x") end'), r"^it\.crew\.lua:1: .*limits\.script_calls")


class MadeOfTest(ScriptCase):
    """Where scripts lie, and what is said before one starts."""

    def test_mistakes_in_writing_are_found_before(self):
        error = self.refused(2, "run", "--project", self.project, "--script", self.script("x = = 1"), "--cli",
                             "demo", "--approve", "auto", "g")
        self.assertRegex(error["message"], r"^it\.crew\.lua:1: unexpected symbol")
        self.assertEqual(self.ok("list", "--json").json["runs"], [])

    def test_scripts_of_the_library_have_names(self):
        folder = os.path.join(self.home, "library", "workflows")
        os.makedirs(folder)
        with open(os.path.join(folder, "twice.crew.lua"), "w", encoding="utf-8") as file:
            file.write("-- ---\n-- description: Says it twice\n-- team: implementation\n-- ---\n"
                       'crew.set_result (crew.goal .. crew.goal)\n')
        names = {item["name"]: item for item in self.ok("library", "list", "workflow", "--json").json["items"]}
        self.assertEqual(names["twice"]["description"], "Says it twice")
        run = self.start("--workflow", "twice", "--cli", "demo", "--approve", "auto", "go")
        self.finish(run)
        self.assertEqual(self.result_of(run), "gogo")
        self.assertEqual((self.show(run)["workflow"], self.show(run)["team"]), ("twice", "implementation"))

    def test_a_run_keeps_the_script_that_it_began_with(self):
        path = self.script('crew.ask ("Go on?")\ncrew.set_result ("old")')
        run = self.start("--script", path, "--cli", "demo", "--approve", "auto", "g")
        request = self.request(run, "question")
        self.script('crew.set_result ("new")')
        self.kill_runner(run)
        self.ok("answer", request["id"], "yes")
        self.finish(run)
        self.assertEqual(self.result_of(run), "old")

    def test_a_project_s_script_wants_trust(self):
        self.write(".foredeck/workflows/own.crew.lua", 'crew.set_result ("own")')
        self.git("add", "-A")
        self.git("commit", "-qm", "a script")
        path = os.path.join(self.project, ".foredeck/workflows/own.crew.lua")
        for code, *how in (4, "--workflow", "own"), (5, "--script", path):
            self.assertIn("trust", self.refused(code, "run", "--project", self.project, *how, "--cli", "demo", "g")["message"])
        self.ok("trust", self.project)
        run = self.start("--workflow", "own", "--cli", "demo", "g")
        self.finish(run)
        self.assertEqual(self.result_of(run), "own")

    def test_what_would_start_is_shown(self):
        shown = self.ok("run", "--project", self.project, "--script", self.script("return 1"), "--cli", "demo", "--dry-run",
                        "g")
        self.assertIn("The script will add tasks", str(shown))
        self.assertIn("waits for approval", str(shown))

    def test_what_is_wrong_with_it_is_said_by_library_validate(self):
        good = self.ok("library", "validate", self.script("return 1"), "--json").json
        self.assertEqual((good["valid"], good["kind"]), (True, "workflow"))
        bad = self.fails(1, "library", "validate", self.script("x = = 1"), "--json").json
        self.assertIn("it.crew.lua:1: unexpected symbol", bad["diagnostics"][0]["message"])
        head = self.fails(1, "library", "validate", self.script("-- ---\n-- topology: nonsense\n-- ---\nreturn 1"), "--json").json
        self.assertEqual(head["diagnostics"][0]["line"], 2)

    def test_only_a_script_calls_as_one(self):
        steps = [("a", {"cli": "script"})]
        self.assertIn("NAME.crew.lua", self.refused(2, "run", "--project", self.project, "--workflow",
                                                    self.make_workflow(steps), "--cli", "demo", "g")["message"])

    def test_it_is_no_turn_of_a_goal_loop(self):
        self.assertIn("goal loop", self.refused(2, "run", "--project", self.project, "--script", self.script("return 1"),
                                                "--goal-loop", "--cli", "demo", "g")["message"])

    def test_arguments_are_an_object(self):
        for args in ("[1]", "{", "1"):
            self.refused(2, "run", "--project", self.project, "--script", self.script("return 1"),
                         "--script-args", args, "--cli", "demo", "g")


class SandboxTest(ScriptCase):
    sandbox = "auto"

    def test_it_works_inside_a_sandbox(self):
        run = self.begin_script("""
            local files = crew.files ()
            local a = crew.agent { role = "explorer", task = "x", name = "a" }
            crew.set_result (#files .. " " .. a.text)""", {"a": [script(say("seen"))]})
        self.finish(run)
        self.assertRegex(self.result_of(run), r"^\d+ seen$")


class DeathTest(ScriptCase):
    """Whatever dies: nothing that was done is done again, and nothing is forgotten."""

    TEXT = """
        local order = {}
        crew.phase "One"
        crew.fan_out ({ 1, 2, 3 }, 2, function (i)
          local r = crew.command { run = { "sh", "-c", "echo " .. i .. " >> $MARKS; sleep 0.2; echo " .. i }, name = "n" .. i,
                                   writes = false }
          order[#order + 1] = r.text
        end)
        local all = crew.command { run = { "sh", "-c", "echo all >> $MARKS; echo " .. table.concat (order) }, name = "all",
                                   writes = false }
        crew.set_result (all.text)
        """

    def begin_marked(self):
        self.marks = os.path.join(self.folder, "marks")
        return self.begin_script(self.TEXT.replace("$MARKS", self.marks))

    def check(self, run):
        self.finish(run)
        text = self.result_of(run)
        self.assertEqual(sorted(text), ["1", "2", "3"])
        self.assertEqual(self.statuses(run), dict.fromkeys(("script", "n1", "n2", "n3", "all"), "completed"))
        with open(self.marks, encoding="ascii") as file:
            self.assertEqual(sorted(file.read().split()), ["1", "2", "3", "all"])
        self.assertEqual(self.query(run, "SELECT max(attempts) FROM tasks WHERE key != 'script'"), [(1,)])

    def test_the_runner_is_killed(self):
        for n in range(4):
            with self.subTest(n):
                run = self.begin_marked()
                self.until("some of it", lambda: len(self.statuses(run)) > n)
                self.kill_runner(run)
                self.ok("resume", run)
                self.check(run)
                os.remove(self.marks)

    def test_the_script_is_killed(self):
        for n in range(4):
            with self.subTest(n):
                run = self.begin_marked()
                self.until("some of it", lambda: len(self.statuses(run)) > n)
                pids = [pid for pid in self.marked(run, "script") if "foredeck-script" in self.name(pid)]
                for pid in pids:
                    os.kill(pid, signal.SIGKILL)
                self.check(run)
                os.remove(self.marks)
                if pids:
                    self.assertGreater(self.query(run, "SELECT attempts FROM tasks WHERE key = 'script'")[0][0], 1)

    def test_both_are_killed(self):
        run = self.begin_marked()
        self.until_task(run, "n1", "running")
        pid = self.runner_pid(run)
        for other in [*self.marked(run, "script"), pid]:
            try:
                os.kill(other, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.until("the runner's end", lambda: self.runner_pid(run) is None)
        self.ok("resume", run)
        self.check(run)

    def name(self, pid):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                return file.read().split(b"\0")[0].decode()
        except OSError:
            return ""


class ParkTest(ScriptCase):
    park_ms = 100

    def test_a_run_that_waits_for_a_person_needs_nobody(self):
        run = self.begin_script("""
            local a = crew.agent { role = "explorer", task = "x", name = "look" }
            local b = crew.agent { role = "executor", task = "y", name = "do" }
            crew.set_result (a.text .. b.text)""",
            {"look": [script(say("seen "))], "do": [script(write("x.txt"), say("done"))]}, approve="ask")
        request = self.request(run, "gate")
        self.until("the runner's end", lambda: self.runner_pid(run) is None)
        self.ok("answer", request["id"], "approve")
        self.finish(run)
        self.assertEqual(self.result_of(run), "seen done")
        self.assertEqual(self.query(run, "SELECT max(attempts) FROM tasks WHERE key != 'script'"), [(1,)])


if __name__ == "__main__":
    engine_case.main()
