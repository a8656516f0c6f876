# SPDX-License-Identifier: GPL-3.0-or-later
"""foredeck-script by itself: what answers its calls is this test."""

import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest

PROGRAM = os.environ["FORE_SCRIPT"]


class Answers:
    """Whoever answers: a function of the call, which returns a reply, or raises to refuse. `hold` says
    which calls wait until nothing else is asked."""

    def __init__(self, reply=None, start=None, hold=lambda call: 0, stop_after=None, patience=5):
        self.reply = reply or (lambda call: {"ok": True, "key": call.get("name") or "t" + call["id"][:6],
                                             "status": "completed", "text": call.get("task", "")})
        self.start = dict({"goal": "the goal", "seed": 7, "args": {}, "steps": 20_000_000,
                           "memory": 64 << 20}, **(start or {}))
        self.hold = hold
        self.stop_after = stop_after
        self.patience = patience
        self.calls = []
        self.most = 0
        self.answered = 0

    def answer(self, call):
        if call["kind"] == "script" and call["do"] == "start":
            return {"text": json.dumps(self.start)}
        try:
            reply = self.reply(call)
        except ValueError as problem:
            return {"error": str(problem)}
        return {"text": reply if isinstance(reply, str) else json.dumps(reply)}


class HostCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="foredeck-script-")
        self.memory = os.path.join(self.folder, "memory")
        self.n = 0

    def tearDown(self):
        shutil.rmtree(self.folder)

    def write(self, text):
        path = os.path.join(self.folder, "it.crew.lua")
        with open(path, "w") as file:
            file.write(text)
        return path

    def waiting(self, calls, seen):
        for name in os.listdir(calls):
            if name.endswith(".json") and name not in seen:
                with open(os.path.join(calls, name)) as file:
                    said = json.load(file)
                seen.add(name)
                call = {"kind": said["kind"], "id": name[:-5], "options": said["options"], "said": said["text"]}
                if said["kind"] == "script":
                    call.update(json.loads(said["text"]))
                yield call

    def run_script(self, text, answers=None):
        """Returns the lines that it printed, and its exit code."""
        answers = answers or Answers()
        self.n += 1
        calls = os.path.join(self.folder, f"calls-{self.n}")
        os.makedirs(os.path.join(calls, "answers"))
        env = dict(os.environ, FOREDECK_CALLS=calls, FOREDECK_TOKEN="x", FOREDECK_TASK="script")
        process = subprocess.Popen([PROGRAM, "--memory", self.memory, self.write(text)], env=env,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        seen, queue, output = set(), [], None
        deadline = time.monotonic() + 15
        while process.poll() is None and time.monotonic() < deadline:
            for call in self.waiting(calls, seen):
                queue.append(call)
                answers.calls.append(call)
            if queue:
                quiet = 0
                while quiet < answers.patience:
                    time.sleep(0.01)
                    more = [self.note(call, answers) for call in self.waiting(calls, seen)]
                    quiet = 0 if more else quiet + 1
                    queue.extend(more)
                answers.most = max(answers.most, len(queue))
                queue.sort(key=answers.hold)
                self.give(calls, queue.pop(0), answers)
                if answers.stop_after is not None and answers.answered > answers.stop_after:
                    time.sleep(0.05)
                    process.kill()
            time.sleep(0.002)
        if process.poll() is None:
            process.kill()
            self.fail("the script did not end")
        output = process.stdout.read()
        process.stdout.close()
        process.wait()
        return [json.loads(line) for line in output.splitlines()], process.returncode

    def note(self, call, answers):
        answers.calls.append(call)
        return call

    def give(self, calls, call, answers):
        path = os.path.join(calls, "answers", call["id"] + ".json")
        with open(path + ".new", "w") as file:
            json.dump(answers.answer(call), file)
        os.rename(path + ".new", path)
        answers.answered += 1

    def result(self, text, answers=None):
        lines, code = self.run_script(text, answers)
        self.assertEqual(code, 0, lines)
        return [line for line in lines if line["type"] == "result"][0]["text"]

    def error(self, text, answers=None):
        lines, code = self.run_script(text, answers)
        self.assertEqual(code, 1, lines)
        return [line for line in lines if line["type"] == "error"][0]["message"]

    def tasks(self, answers):
        return [call for call in answers.calls if call["kind"] == "script" and call["do"] in ("agent", "command")]


class ApiTest(HostCase):
    def test_one_task_after_the_other(self):
        answers = Answers()
        self.assertEqual(self.result("""
            local a = crew.agent { role = "explorer", task = "Look.", name = "a" }
            local b = crew.agent { role = "executor", task = "Do " .. a.text, name = "b" }
            crew.set_result (crew.goal .. ": " .. b.text)""", answers), "the goal: Do Look.")
        self.assertEqual([(call["name"], call["after"]) for call in self.tasks(answers)],
                         [("a", {}), ("b", ["a"])])

    def test_two_equal_calls_are_two(self):
        answers = Answers()
        self.result('for i = 1, 3 do crew.agent { task = "Same." } end', answers)
        self.assertEqual(len({call["id"] for call in self.tasks(answers)}), 3)

    def test_a_failure_is_an_error_with_its_line(self):
        answers = Answers(lambda call: {"ok": False, "key": "a", "status": "failed", "message": "no way"})
        self.assertEqual(self.error('local x = 1\ncrew.agent { task = "Do it." }', answers),
                         "it.crew.lua:2: “a” is failed: no way")

    def test_a_failure_that_is_expected_is_a_result(self):
        answers = Answers(lambda call: {"ok": False, "key": "a", "status": "failed", "message": "no way"})
        self.assertEqual(self.result('local r = crew.agent { task = "x", on_failure = "return" }\n'
                                     'crew.set_result (r.status .. " " .. r.message)', answers), "failed no way")

    def test_refusals_name_the_line_too(self):
        def refuse(call):
            raise ValueError("there is no role wizard")
        self.assertEqual(self.error('\n\ncrew.agent { role = "wizard", task = "x" }', Answers(refuse)),
                         "it.crew.lua:3: there is no role wizard")

    def test_fan_out_keeps_order_and_limit(self):
        answers = Answers(hold=lambda call: -int(call.get("name", "0")[-1]), patience=30)
        self.assertEqual(self.result("""
            local all = crew.fan_out ({ "x", "y", "z", "w" }, 3, function (item, i)
              return crew.agent { task = item, name = "n" .. i }.text
            end)
            local last = crew.agent { task = table.concat (all), name = "z9" }
            crew.set_result (last.text)""", answers), "xyzw")
        self.assertEqual(answers.most, 3)
        self.assertEqual(self.tasks(answers)[-1]["after"], ["n1", "n2", "n3", "n4"])

    def test_what_is_beside_builds_on_what_was_before(self):
        answers = Answers()
        self.result("""
            crew.agent { task = "first", name = "a" }
            crew.pipeline ({ 1, 2 }, function (v) return crew.agent { task = "s", name = "b" .. v } end,
                           function (r, v) return crew.agent { task = "s", name = "c" .. v } end)
            crew.agent { task = "last", name = "z", after = "a" }""", answers)
        after = {call["name"]: call["after"] for call in self.tasks(answers)}
        self.assertEqual(after, {"a": {}, "b1": ["a"], "b2": ["a"], "c1": ["b1"], "c2": ["b2"], "z": ["a"]})

    def test_a_pipeline_does_not_wait_for_the_slow(self):
        answers = Answers(hold=lambda call: 1 if call.get("name") == "one1" else 0, patience=30)
        self.result("""
            crew.pipeline ({ 1, 2 }, function (v) return crew.agent { task = "s", name = "one" .. v } end,
                           function (_, v) return crew.agent { task = "s", name = "two" .. v } end)""", answers)
        names = [call["name"] for call in self.tasks(answers)]
        self.assertEqual((set(names[:2]), names[2:]), ({"one1", "one2"}, ["two2", "two1"]))

    def test_one_that_fails_ends_a_fan_out(self):
        def reply(call):
            return {"ok": call["task"] != "b", "key": call["task"], "status": "failed", "message": "broken"}
        answers = Answers(reply)
        message = self.error("""crew.fan_out ({ "a", "b", "c", "d", "e", "f" }, 2, function (item)
              crew.agent { task = item }
            end)""", answers)
        self.assertEqual(message, "it.crew.lua:2: “b” is failed: broken")
        self.assertLess(len(self.tasks(answers)), 6)

    def test_retry_gives_the_problem_to_the_next_try(self):
        def reply(call):
            return {"ok": call["task"].endswith("broken"), "key": "k", "status": "failed", "message": "broken"}
        answers = Answers(reply)
        self.result("""crew.retry (3, function (n, problem)
              return crew.agent { task = "try " .. n .. (problem or "") }
            end)""", answers)
        self.assertEqual(len(self.tasks(answers)), 2)

    def test_json_is_read_and_asked_for_again(self):
        texts = iter(["Sure! No JSON.", 'Here:\n```json\n{"n": [1, 2]}\n```'])
        answers = Answers(lambda call: {"ok": True, "key": "k", "status": "completed", "text": next(texts)})
        self.assertEqual(self.result("""local r = crew.agent { task = "count", json = true }
            crew.set_result (r.json)""", answers), '{"n":[1,2]}')
        self.assertIn("held no JSON", self.tasks(answers)[1]["task"])

    def test_review_until_clean(self):
        found = iter(['{"findings": [{"file": "a.c", "line": 3, "problem": "off by one"}]}', '{"findings": []}'])

        def reply(call):
            text = next(found) if call.get("name") == "review" else "done"
            return {"ok": True, "key": "k" + call["id"], "status": "completed", "text": text, "role": "executor"}
        answers = Answers(reply)
        self.assertEqual(self.result("""
            local work = crew.agent { role = "executor", task = "Do it." }
            local r = crew.review (work)
            crew.set_result (tostring (r.clean) .. " " .. r.rounds)""", answers), "true 2")
        mend = self.tasks(answers)[2]
        self.assertEqual((mend["role"], mend["name"]), ("executor", "mend"))
        self.assertIn("- a.c:3 – off by one", mend["task"])

    def test_questions_and_mail_go_their_own_way(self):
        answers = Answers(lambda call: "Yes" if call["kind"] == "ask" else "sent" if call["kind"] == "mail" else {})
        self.assertEqual(self.result("""
            local answer = crew.ask ("May I?", { "Yes", "No" })
            crew.mail ("person", "I do.")
            crew.set_result (answer)""", answers), "Yes")
        self.assertEqual([(call["kind"], call["said"], call["options"]) for call in answers.calls[1:]],
                         [("ask", "May I?", ["Yes", "No"]), ("mail", "I do.", ["person"])])

    def test_what_a_script_says_is_in_its_transcript(self):
        lines, _ = self.run_script('crew.log ("a", 1, {}) print "b"\ncrew.agent { task = "x", title = "T" }')
        self.assertEqual([line["text"] for line in lines if line["type"] == "text"], ["a\t1\ttable", "b"])
        self.assertEqual([(line["name"], line["state"], line.get("title")) for line in lines if line["type"] == "tool"][2:],
                         [("agent", "running", "T"), ("agent", "done", "T")])

    def test_shards(self):
        self.assertEqual(self.result("""local parts = crew.shards ({ 1, 2, 3, 4, 5, 6, 7 }, 3)
            crew.set_result ({ parts, crew.shards ({ 1 }, 5), crew.shards ({}, 2) })"""),
            "[[[1,2],[3,4],[5,6,7]],[[1]],{}]")


class SafetyTest(HostCase):
    def test_nothing_reaches_out(self):
        self.assertEqual(self.result("""
            local there = {}
            for _, name in ipairs { "io", "os", "load", "loadfile", "dofile", "require", "package", "debug",
                                    "collectgarbage", "host", "loadstring" } do
              if _G[name] ~= nil then there[#there + 1] = name end
            end
            if string.dump or math.randomseed then there[#there + 1] = "dump" end
            crew.set_result ("[" .. table.concat (there) .. "]")"""), "[]")

    def test_bytecode_is_no_script(self):
        self.assertIn("attempt to load a binary chunk", self.error("\x1bLua"))

    def test_an_endless_loop(self):
        self.assertRegex(self.error("local x\nwhile true do x = 1 end"), r"^it\.crew\.lua:2: .* 20 million steps")

    def test_an_endless_loop_that_catches_everything(self):
        self.assertRegex(self.error("while true do\npcall (function () while true do end end)\nend"),
                         r"^it\.crew\.lua:\d: .* 20 million steps")

    def test_an_endless_loop_in_coroutines_of_its_own(self):
        self.assertRegex(self.error("while true do pcall (coroutine.wrap (function () while true do end end)) end"),
                         r"^it\.crew\.lua:1: .* 20 million steps")

    def test_a_function_that_computes_on(self):
        text = 'local s = string.rep ("a", 100)\nreturn string.find (s, string.rep ("a*", 40) .. "b")'
        self.assertRegex(self.error(text, Answers(start={"steps": 1_000_000})), r"^it\.crew\.lua:2: .* in one call")

    def test_a_memory_bomb(self):
        self.assertEqual(self.error('local t = {}\nwhile true do\n t[#t + 1] = string.rep ("x", 100000) .. #t\nend'),
                         "it.crew.lua:3: not enough memory")

    def test_one_string_that_is_too_long(self):
        self.assertRegex(self.error('local s = string.rep ("x", 1 << 30)'), r"^it\.crew\.lua:1: not enough memory")

    def test_deep_recursion(self):
        for memory, said in ((128 << 20, "stack overflow"), (16 << 20, "not enough memory")):
            with self.subTest(said):
                message = self.error("local function f () return 1 + f () end\nf ()", Answers(start={"memory": memory}))
                self.assertRegex(message, r"^it\.crew\.lua:1: " + said)
                os.remove(self.memory)

    def test_an_error_beside(self):
        self.assertEqual(self.error("crew.fan_out ({ 1, 2 }, function (i)\n local x = nil + i\nend)"),
                         "it.crew.lua:2: attempt to perform arithmetic on a nil value")

    def test_an_error_that_is_a_table(self):
        self.assertEqual(self.error("error { 1 }"), "table")

    def test_a_mistake_in_writing(self):
        self.assertRegex(self.error("local = 1"), r"^it\.crew\.lua:1: <name> expected")

    def test_waiting_in_a_coroutine_of_its_own(self):
        self.assertIn("a coroutine of its own",
                      self.error('local f = coroutine.wrap (function () crew.agent { task = "x" } end)\nf ()'))

    def test_yielding_to_nobody(self):
        self.assertRegex(self.error("local x\ncoroutine.yield ()"), r"^it\.crew\.lua:2: nobody lets this go on")

    def test_coroutines_of_its_own_work(self):
        self.assertEqual(self.result("""local n = 0
            for i in coroutine.wrap (function () for i = 1, 4 do coroutine.yield (i) end end) do n = n + i end
            crew.set_result (tostring (n))"""), "10")

    def test_what_cannot_be_handed_on(self):
        for value, said in [("{ print }", "function"), ("{ 0 / 0 }", "finite"), ("{ [true] = 1 }", "names"),
                            ('"\\xff"', "UTF-8"), ("{ 1, x = 2 }", None)]:
            lines, code = self.run_script(f'crew.agent {{ task = "x", name = {value} }}')
            with self.subTest(value):
                self.assertEqual(code, 0 if said is None else 1, lines)
                if said is not None:
                    self.assertIn(said, lines[-1]["message"])
            os.remove(self.memory)

    def test_a_table_in_itself(self):
        self.assertIn("at most 32 deep", self.error('local t = {} t.t = t\ncrew.agent { task = "x", t = t }'))


class SameEveryTimeTest(HostCase):
    def test_order_of_tables(self):
        self.assertEqual(self.result("""
            local t, out = { z = 1, a = 2, [3] = 3, [1.5] = 4, [true] = 5, m = 6 }, {}
            for k in pairs (t) do out[#out + 1] = tostring (k) end
            local k = next (t) out[#out + 1] = tostring (k)
            while k ~= nil do k = next (t, k) out[#out + 1] = tostring (k) end
            crew.set_result (table.concat (out, " "))"""),
            "1.5 3 a m z true 1.5 3 a m z true nil")

    def test_removing_in_the_middle(self):
        self.assertEqual(self.result("""
            local t, n = {}, 0
            for i = 1, 100 do t["k" .. i] = i end
            for k in pairs (t) do n = n + 1 t[k] = nil t["k50"] = nil end
            crew.set_result (tostring (n) .. tostring (next (t)))"""), "99nil")

    def test_keys_without_order(self):
        self.assertRegex(self.error("for k in pairs { [print] = 1 } do end"), "a key that is a function")

    def test_no_addresses(self):
        self.assertEqual(self.result("""crew.set_result (tostring (print) .. ("%s"):format ({}) .. tostring (
            setmetatable ({}, { __tostring = function () return "!" end })))"""), "functiontable!")
        self.assertRegex(self.error('return ("%p"):format ({})'), "addresses")

    def test_sorting_is_stable(self):
        self.assertEqual(self.result("""local t = {}
            for i = 1, 300 do t[i] = { k = i % 3, i = i } end
            table.sort (t, function (a, b) return a.k < b.k end)
            local good = true
            for i = 2, 300 do good = good and (t[i - 1].k < t[i].k or t[i - 1].i < t[i].i) end
            crew.set_result (tostring (good))"""), "true")

    def test_chance_belongs_to_the_run(self):
        text = "crew.set_result (math.random (1 << 40) .. ' ' .. math.random (1 << 40))"
        results = []
        for seed in (1, 1, 2):
            results.append(self.result(text, Answers(start={"seed": seed})))
            os.remove(self.memory)
        self.assertEqual(results[0], results[1])
        self.assertNotEqual(results[0], results[2])

    SCRIPT = """
        local order, n = {}, 0
        crew.fan_out ({ 1, 2, 3, 4 }, 3, function (i)
          local r = crew.agent { task = "t" .. i, name = "a" .. i }
          n = n + 1
          order[n] = i
          crew.agent { task = "number " .. n .. " at " .. crew.now () - crew.now (), name = "b" .. i }
          if n > 2 then crew.log ("past two") end
        end)
        crew.ask ("Go on?")
        local last = crew.agent { task = "all: " .. table.concat (order), name = "last" }
        crew.set_result (last.text)
        """

    def reply(self, call):
        return "yes" if call["kind"] == "ask" else {"ok": True, "key": call.get("name"), "status": "completed",
                                                    "text": call.get("task")}

    def test_killed_after_every_answer(self):
        hold = lambda call: -ord(call.get("name", "a")[-1]) % 7
        whole = Answers(self.reply, hold=hold)
        expected = self.result(self.SCRIPT, whole)
        os.remove(self.memory)
        self.assertEqual(whole.answered, 11)
        for n in range(11):
            with self.subTest(n):
                first = Answers(self.reply, hold=hold, stop_after=n)
                lines, code = self.run_script(self.SCRIPT, first)
                second = Answers(self.reply)
                result = self.result(self.SCRIPT, second) if code else expected
                self.assertEqual(result, self.last_of(first, second) if code else expected)
                asked = [call["id"] for call in first.calls + second.calls]
                self.assertEqual(len(set(asked)), 11)
                # What was answered is not asked again; what was not is known by its name.
                self.assertLessEqual(len(asked) - len(set(asked)), 4)
                os.remove(self.memory)

    @staticmethod
    def last_of(first, second):
        last, = {call["task"] for call in first.calls + second.calls if call.get("name") == "last"}
        return last

    def test_another_script_is_not_taken_for_the_same(self):
        self.run_script('crew.agent { task = "a" } crew.agent { task = "b" }', Answers(stop_after=1))
        message = self.error('crew.agent { task = "c" }')
        self.assertIn("does not go the way that it went before", message)

    def test_what_failed_is_called_for_again_by_the_next(self):
        text = """local a = crew.agent { task = "a" }
            local ok = pcall (crew.agent, { task = "expected" })
            crew.set_result (a.text .. tostring (ok) .. crew.agent { task = "b" }.text .. crew.agent { task = "c" }.text)"""
        bad = {"expected", "b"}

        def reply(call):
            return {"ok": call["task"] not in bad, "key": call["task"], "status": "failed", "message": "no login",
                    "text": call["task"]}
        first, second = Answers(reply), Answers(reply)
        self.assertIn("“b” is failed: no login", self.error(text, first))
        bad.remove("b")
        self.assertEqual(self.result(text, second), "afalsebc")
        self.assertEqual([call["task"] for call in self.tasks(first)], ["a", "expected", "b"])
        self.assertEqual([call["task"] for call in self.tasks(second)], ["b", "c"])
        third = Answers(reply)
        self.assertEqual(self.result(text, third), "afalsebc")
        self.assertEqual(third.calls, [])

    def test_a_line_that_was_being_written(self):
        self.result('crew.agent { task = "a" }')
        with open(self.memory, "rb+") as file:
            whole = file.read()
            for cut in (1, 2, 30):
                file.truncate(len(whole) - cut)
                answers = Answers()
                self.result('crew.agent { task = "a" }', answers)
                self.assertEqual(len(answers.calls), 1)


class CheckTest(HostCase):
    def check(self, text):
        done = subprocess.run([PROGRAM, "--check", self.write(text)], capture_output=True, text=True)
        return done.returncode, done.stderr.strip()

    def test_it_says_where_a_mistake_is(self):
        self.assertEqual(self.check("return 1"), (0, ""))
        code, message = self.check("local x = 1\nx = = 2")
        self.assertEqual(code, 1)
        self.assertRegex(message, r"^it\.crew\.lua:2: unexpected symbol")

    def test_nothing_is_run(self):
        self.assertEqual(self.check("while true do end")[0], 0)


if __name__ == "__main__":
    unittest.main()
