# SPDX-License-Identifier: GPL-3.0-or-later
"""What agents say to their run from inside a task: questions, results, by verb and by MCP."""

import json
import os
import shutil
import subprocess
import time
import unittest

import engine_case

from test_sandbox import sandboxes_work


def names_in(folder):
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []


class CallsCase(engine_case.EngineCase):
    def script_file(self, text):
        path = self.write("agent.sh", "#!/bin/sh\n" + text)
        os.chmod(path, 0o755)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "an agent")
        return "./agent.sh"

    def result_of(self, run, key="a"):
        return self.query(run, "SELECT result FROM tasks WHERE key = ?", key)[0][0]

    def question(self, run):
        return self.request(run, "question")


class CallsTest(CallsCase):
    sandbox = "auto"

    def test_a_question_waits_and_its_answer_arrives(self):
        run = self.begin([("a", {"command": self.script_file('echo "got: $($FOREDECK_CTL ask Which colour?)"')})])
        request = self.question(run)
        self.assertEqual((request["title"], request["task"]), ("Which colour?", "a"))
        self.until_task(run, "a", "waiting")
        self.until("nothing else to do", lambda: self.show(run)["status"] == "blocked")
        self.ok("answer", request["id"], "green, please")
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "got: green, please")
        self.assertEqual(self.types(run).count("request.answered"), 1)

    def test_a_question_is_not_answered_with_nothing(self):
        run = self.begin([("a", {"command": self.script_file('echo "got: $($FOREDECK_CTL ask Which colour?)"')})])
        request = self.question(run)
        for words in ([""], [" \n\t "], ["--option", "answer", ""], ["--option", "answer", " "]):
            self.assertIn("asks for words", self.refused(2, "answer", request["id"], *words)["message"])
        self.assertEqual(self.question(run)["state"], "open")
        self.ok("answer", request["id"], "blue")
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "got: blue")

    def test_one_of_its_options_is_chosen(self):
        run = self.begin([("a", {"command": self.script_file("$FOREDECK_CTL ask --options 'Red|Dark green' Which?")})])
        request = self.question(run)
        self.assertEqual([option["name"] for option in request["options"]], ["Red", "Dark green", "Answer"])
        self.ok("answer", request["id"], request["options"][1]["id"])
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "Dark green")
        self.assertEqual(self.query(run, "SELECT answer FROM requests"), [("2",)])

    def test_who_waits_gives_its_place_back(self):
        ask = self.script_file("$FOREDECK_CTL ask Which?")
        run = self.begin([("a", {"command": ask}), ("b", {"command": "true"})], None, "--jobs", "1")
        request = self.question(run)
        self.until_task(run, "b", "completed")
        self.assertEqual(self.statuses(run)["a"], "waiting")
        self.ok("answer", request["id"], "this")
        self.finish(run)

    def test_the_answer_arrives_though_the_runner_died(self):
        run = self.begin([("a", {"command": self.script_file("$FOREDECK_CTL ask Which?")})])
        request = self.question(run)
        self.until_task(run, "a", "waiting")
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)
        self.ok("answer", request["id"], "this one")
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "this one")
        self.assertEqual(len(self.tasks(run)["a"]["attempts"]), 1)
        self.assertEqual(len(self.query(run, "SELECT id FROM requests")), 1)

    def test_what_was_asked_while_nobody_listened_is_heard(self):
        gate = os.path.join(self.project, "gate")
        self.env["FOREDECK_SANDBOX"] = "off"
        agent = self.script_file(f"while [ ! -e {gate} ]; do sleep 0.05; done; $FOREDECK_CTL ask Which?")
        run = self.begin([("a", {"command": agent})])
        self.until("its start", lambda: self.marked(run, "a"))
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)
        self.write("gate", "")
        folder = os.path.join(self.home, "runs", run, "attempts", "a.1.calls")
        self.until("the call", lambda: [name for name in names_in(folder) if name.endswith(".json")])
        self.ok("resume", run)
        self.ok("answer", self.question(run)["id"], "that")
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "that")

    def test_the_answer_reaches_the_next_attempt_of_one_that_died(self):
        agent = self.script_file("$FOREDECK_CTL ask Which? > answer && cat answer")
        run = self.begin([("a", {"command": agent, "retries": "2"})])
        request = self.question(run)
        self.until_task(run, "a", "waiting")
        pid = self.tasks(run)["a"]["attempts"][0]["pid"]
        self.kill(pid)
        self.until("another attempt", lambda: len(self.tasks(run)["a"]["attempts"]) == 2)
        self.until_task(run, "a", "waiting")
        self.ok("answer", request["id"], "blue")
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "blue")
        self.assertEqual(self.query(run, "SELECT count(*) FROM requests"), [(1,)])

    def test_the_result_that_was_handed_in_counts(self):
        agent = self.script_file("echo 'the result' > r; $FOREDECK_CTL submit-result r; rm r; echo chatter")
        run = self.begin([("a", {"command": agent})])
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "the result")

    def test_a_wrong_token_and_rubbish_are_passed_over(self):
        agent = self.script_file(
            "cd $FOREDECK_CALLS; ln -s /etc/passwd 0123456789abcdef0123456789abcdef.json\n"
            "mkfifo 1123456789abcdef0123456789abcdef.json\n"
            "echo '[[[' > 2123456789abcdef0123456789abcdef.json\n"
            "echo '{\"token\":\"x\",\"kind\":\"submit\",\"text\":\"forged\"}' > 3123456789abcdef0123456789abcdef.json\n"
            "echo x > ../../x.json; cd /; FOREDECK_TOKEN=wrong $FOREDECK_CTL ask --timeout 300ms Which?\n"
            "echo \"left with $?\""
        )
        run = self.begin([("a", {"command": agent})])
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "left with 3")
        self.assertEqual(self.query(run, "SELECT count(*) FROM requests"), [(0,)])

    def test_there_is_an_end_to_asking(self):
        agent = self.script_file("for i in $(seq 22); do $FOREDECK_CTL ask --timeout 100ms q$i; done 2> said; cat said")
        run = self.begin([("a", {"command": agent})])
        self.finish(run)
        self.assertIn("asked enough", self.result_of(run))
        self.assertEqual(self.query(run, "SELECT count(*), min(state) FROM requests"), [(20, "withdrawn")])

    def test_who_calls_for_nothing_leaves_no_folder_for_it(self):
        self.env["FOREDECK_SANDBOX"] = "off"
        ask = self.script_file("[ ! -e $FOREDECK_CALLS ] && $FOREDECK_CTL ask Which?")
        run = self.begin([("a", {"command": ask}), ("b", {"command": "true"})])
        self.ok("answer", self.question(run)["id"], "that")
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "that")
        names = names_in(os.path.join(self.home, "runs", run, "attempts"))
        self.assertEqual([name for name in names if name.endswith(".calls")], ["a.1.calls"])

    def test_outside_of_a_sandbox_a_wrong_token_is_passed_over_too(self):
        self.env["FOREDECK_SANDBOX"] = "off"
        run = self.begin([("a", {"command": self.script_file(
            "FOREDECK_TOKEN=wrong $FOREDECK_CTL ask --timeout 300ms Which?; echo \"left with $?\"")})])
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "left with 3")
        self.assertEqual(self.query(run, "SELECT count(*) FROM requests"), [(0,)])

    def test_outside_of_a_task_nobody_is_there(self):
        self.refused(2, "ask", "Which?")
        self.refused(4, "submit-result", "/nowhere")


class McpTest(CallsCase):
    sandbox = "auto"

    def speak(self, *lines, env=None):
        """What the server says to these lines, by id."""
        text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        done = subprocess.run([engine_case.ctl_case.CTL, "mcp"], input=text, capture_output=True, text=True,
                              env=env or self.env, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def ask(self, method, params=None, ident=1):
        return {"jsonrpc": "2.0", "id": ident, "method": method, "params": params or {}}

    def test_versions_are_agreed_on(self):
        for wanted, got in (("2024-11-05", "2024-11-05"), ("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-06-18")):
            answer = self.speak(self.ask("initialize", {"protocolVersion": wanted, "capabilities": {}}))
            self.assertEqual(answer[0]["result"]["protocolVersion"], got)
            self.assertIn("tools", answer[0]["result"]["capabilities"])

    def test_its_tools_are_listed(self):
        answers = self.speak({"jsonrpc": "2.0", "method": "notifications/initialized"}, self.ask("tools/list", ident="x"))
        self.assertEqual(answers[0]["id"], "x")
        names = [tool["name"] for tool in answers[0]["result"]["tools"]]
        self.assertEqual(names, ["ask", "submit_result", "delegate", "submit_plan", "send_mail",
                                 "read_mail", "join_helpers"])
        self.assertTrue(all(tool["inputSchema"]["type"] == "object" for tool in answers[0]["result"]["tools"]))

    def test_nothing_that_is_said_breaks_it(self):
        answers = self.speak(
            "", "{", "[" * 4000, "[1]", "null", "\"\\ud800\"", "{}", '{"id":{}}', '{"id":true,"method":"ping"}',
            '{"id":1.5e300,"method":"ping"}', '{"method":7,"id":3}', '{"id":4,"method":"tools/call"}',
            '{"id":5,"method":"tools/call","params":[]}', self.ask("tools/call", {"name": "rm", "arguments": {}}, 6),
            self.ask("tools/call", {"name": "ask", "arguments": {"question": 7}}, 7), "x" * (2 << 20),
            self.ask("nothing", ident=8), {"jsonrpc": "2.0", "id": 9, "result": {}}, self.ask("ping", ident=10))
        by_id = {json.dumps(answer["id"]): answer for answer in answers}
        self.assertEqual(by_id["10"]["result"], {})
        self.assertEqual(by_id["8"]["error"]["code"], -32601)
        for ident in ("4", "5", "6", "7"):
            self.assertEqual(by_id[ident]["error"]["code"], -32602)
        self.assertNotIn("9", by_id)
        self.assertGreater([answer.get("error", {}).get("code") for answer in answers].count(-32700), 2)

    def test_a_tool_asks_the_person(self):
        calls = [self.ask("initialize", {"protocolVersion": "2025-06-18"}),
                 self.ask("tools/call", {"name": "ask", "arguments": {"question": "Which?", "options": ["A", "B"]}}, 2),
                 self.ask("ping", ident=3)]
        text = "\\n".join(json.dumps(call) for call in calls)
        # Without a sandbox a command has no folder with a token in it.
        gone = "-u FOREDECK_CALLS" + (" -u FOREDECK_TOKEN" if self.sandbox != "off" else "")
        agent = self.script_file(f"(printf '{text}\\n'; while ! grep -q '\"id\":2' said; do sleep 0.05; done)"
                                 f" | env {gone} $FOREDECK_CTL mcp --calls $FOREDECK_CALLS > said; cat said; rm said")
        run = self.begin([("a", {"command": agent})])
        request = self.question(run)
        self.ok("answer", request["id"], request["options"][0]["id"])
        self.finish(run)
        answers = [json.loads(line) for line in self.result_of(run).splitlines()]
        self.assertEqual([answer["id"] for answer in answers], [1, 3, 2])
        self.assertEqual(answers[2]["result"], {"content": [{"type": "text", "text": "A"}], "isError": False})

    def alone(self, *words):
        """A program that believes to be in a task; whose run is this test."""
        calls = os.path.join(self.folder, "calls")
        os.makedirs(os.path.join(calls, "answers"), exist_ok=True)
        env = dict(self.env, FOREDECK_CALLS=calls, FOREDECK_TOKEN="secret")
        process = subprocess.Popen([engine_case.ctl_case.CTL, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True, env=env)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process, calls

    def say_to(self, process, *messages):
        for message in messages:
            process.stdin.write(json.dumps(message) + "\n")
        process.stdin.flush()

    def hear(self, process):
        return json.loads(process.stdout.readline())

    def call_about(self, calls, text):
        """The id of the call that says @text, once it is there."""
        def find():
            for name in names_in(calls):
                if name.endswith(".json"):
                    with open(os.path.join(calls, name), encoding="utf-8") as file:
                        if json.load(file)["text"] == text:
                            return name[:-len(".json")]
            return None

        return self.until(f"the call {text}", find)

    def answer_call(self, calls, ident, text):
        path = os.path.join(calls, "answers", ident + ".json")
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump({"text": text}, file)
        os.rename(path + ".new", path)

    ACP_AGENT = """
import json, os, subprocess, sys

def call(server):
    env = {key: value for key, value in os.environ.items() if not key.startswith("FOREDECK_")}
    with subprocess.Popen([server["command"], *server["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True, env=env) as process:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "ask", "arguments": {"question": "Which?"}}}) + chr(10))
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        process.stdin.close()
    return answer["result"]["content"][0]["text"]

for line in sys.stdin:
    heard = json.loads(line)
    method, result = heard.get("method"), {}
    if method == "initialize":
        result = {"protocolVersion": 1, "agentCapabilities": {}}
    elif method == "session/new":
        server, = heard["params"]["mcpServers"]
        result = {"sessionId": "s"}
    elif method == "session/prompt":
        update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "got " + call(server)}}
        print(json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}))
        result = {"stopReason": "end_turn"}
    if "id" in heard:
        print(json.dumps({"jsonrpc": "2.0", "id": heard["id"], "result": result}), flush=True)
"""

    def test_an_agent_of_acp_is_given_the_tools(self):
        self.write("agent.py", self.ACP_AGENT)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "an agent")
        run = self.begin([("a", {"cli": "acp", "command": "python3 agent.py"})])
        self.ok("answer", self.question(run)["id"], "this one")
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "got this one")
        self.assertEqual(len(self.tasks(run)["a"]["attempts"]), 1)

    def cancelled(self, reason):
        """A run whose agent asked by a tool, and whose client then cancelled the call for that reason."""
        self.env["FOREDECK_SANDBOX"] = "off"
        gate = os.path.join(self.project, "gate")
        call = json.dumps(self.ask("tools/call", {"name": "ask", "arguments": {"question": "Which?"}}))
        cancel = json.dumps({"jsonrpc": "2.0", "method": "notifications/cancelled",
                             "params": {"requestId": 1, "reason": reason}})
        agent = self.script_file(f"(echo '{call}'; while [ ! -e {gate} ]; do sleep 0.05; done; echo '{cancel}')"
                                 " | $FOREDECK_CTL mcp; while [ ! -e " + gate + "2 ]; do sleep 0.05; done; echo end")
        run = self.begin([("a", {"command": agent})])
        self.until_task(run, "a", "waiting")
        self.write("gate", "")
        return run

    def request_states(self, run):
        return [row[0] for row in self.query(run, "SELECT state FROM requests")]

    def test_a_question_that_was_taken_back_is_open_no_more(self):
        run = self.cancelled("the person pressed Esc")
        self.until("its withdrawal", lambda: self.request_states(run) == ["withdrawn"])
        self.until_task(run, "a", "running")
        self.write("gate2", "")
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "end")

    def test_a_client_without_patience_takes_nothing_back(self):
        run = self.cancelled("McpError: MCP error -32001: Request timed out")
        self.ok("answer", self.question(run)["id"], "late")
        self.until_task(run, "a", "running")
        self.write("gate2", "")
        self.finish(run)
        self.assertEqual(self.request_states(run), ["answered"])

    def test_it_hears_others_while_a_question_waits(self):
        process, calls = self.alone("mcp")
        question = {"name": "ask", "arguments": {"question": "first"}}
        self.say_to(process, self.ask("tools/call", question, "one"), self.ask("ping", ident=2),
                    self.ask("tools/list", ident=3))
        self.assertEqual(self.hear(process)["id"], 2)
        self.assertEqual(self.hear(process)["id"], 3)
        first = self.call_about(calls, "first")
        question["arguments"]["question"] = "second"
        self.say_to(process, self.ask("tools/call", question, 4))
        self.answer_call(calls, self.call_about(calls, "second"), "two")
        self.assertEqual(self.hear(process)["result"]["content"][0]["text"], "two")
        self.answer_call(calls, first, "one")
        heard = self.hear(process)
        self.assertEqual((heard["id"], heard["result"]["content"][0]["text"]), ("one", "one"))

    def test_a_call_that_was_cancelled_is_not_answered(self):
        process, calls = self.alone("mcp")
        cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1, "reason": "x"}}
        self.say_to(process, self.ask("tools/call", {"name": "ask", "arguments": {"question": "first"}}, 1))
        first = self.call_about(calls, "first")
        for other in ("1", None, {}, 7):
            self.say_to(process, dict(cancel, params={"requestId": other}))
        self.say_to(process, {"jsonrpc": "2.0", "method": "notifications/cancelled"}, self.ask("ping", ident=2))
        self.assertEqual(self.hear(process)["id"], 2)
        threads = f"/proc/{process.pid}/task"
        self.assertIn("call", [self.name_of(threads, task) for task in os.listdir(threads)])
        self.say_to(process, cancel)
        self.until("its thread to end", lambda: len([task for task in os.listdir(threads)
                                                     if self.name_of(threads, task) == "call"]) == 0)
        self.answer_call(calls, first, "too late")
        self.say_to(process, cancel, self.ask("tools/call", {"name": "ask", "arguments": {"question": "next"}}, 3))
        self.answer_call(calls, self.call_about(calls, "next"), "in time")
        self.assertEqual(self.hear(process)["id"], 3)

    @staticmethod
    def name_of(threads, task):
        try:
            with open(os.path.join(threads, task, "comm"), encoding="utf-8") as file:
                return file.read().strip()
        except OSError:
            return ""

    def test_who_waits_for_an_answer_sleeps(self):
        process, calls = self.alone("ask", "Which?")
        ident = self.call_about(calls, "Which?")

        def switches():
            text = self.file("status", f"/proc/{process.pid}")
            return int(text.split("\nvoluntary_ctxt_switches:")[1].split()[0])

        def state():
            return self.file("stat", f"/proc/{process.pid}").rsplit(")", 1)[1].split()[0]

        self.until("it to sleep", lambda: state() == "S")
        end = time.monotonic() + 1
        before = switches()
        self.until("a second to pass", lambda: time.monotonic() > end)
        self.assertLess(switches() - before, 6)
        self.answer_call(calls, ident, "this")
        self.assertEqual(process.stdout.readline(), "this\n")
        self.assertEqual(process.wait(30), 0)

    def test_who_has_waited_long_enough_goes(self):
        process, _ = self.alone("ask", "--timeout", "200ms", "Which?")
        self.assertEqual(process.wait(30), 3)

    def test_outside_of_a_task_its_tools_say_so(self):
        proxy = shutil.which("sh")
        text = json.dumps(self.ask("tools/call", {"name": "submit_result", "arguments": {"result": "x"}}))
        done = subprocess.run([proxy, "-c", f"(echo '{text}'; sleep 1) | {engine_case.ctl_case.CTL} mcp"],
                              capture_output=True, text=True, env=self.env, timeout=60, check=False)
        self.assertIs(json.loads(done.stdout)["result"]["isError"], True)


if not sandboxes_work():
    CallsTest.sandbox = McpTest.sandbox = "off"


if __name__ == "__main__":
    engine_case.main()
