# SPDX-License-Identifier: GPL-3.0-or-later
"""Results and plans that agents hand in as a call, and what becomes of those who do not."""

import json
import os

import engine_case

from engine_case import item, plan, say, script, write
from test_calls import CallsCase
from test_sandbox import sandboxes_work

SUBMIT = {"run": ["sh", "-c", "echo handed in > r; $FOREDECK_CTL submit-result r; rm r"]}
A_PLAN = {"title": "A plan", "summary": "Two steps.", "items": [
    {"id": "one", "title": "One", "role": "executor", "task": "Do one."},
    {"id": "two", "title": "Two", "role": "executor", "task": "Do two.", "dependsOn": ["one"]}]}


class YieldTest(CallsCase):
    sandbox = "auto"

    def events_of(self, run, kind):
        return self.query(run, "SELECT attempt FROM events WHERE type = ? ORDER BY seq", kind)

    def demand(self, **more):
        self.settings(dict({"agents.submit": True}, **{f"agents.{key}": value for key, value in more.items()}))

    def last_prompt(self, run, attempt):
        return self.file(f"a.{attempt}.in", os.path.join(self.home, "runs", run, "attempts"))

    def test_off_nothing_is_asked_for(self):
        run = self.begin([("a", {})], {"a": [script(say("Done."))]})
        self.finish(run)
        self.assertEqual(self.result_of(run), "Done.")
        self.assertNotIn("submit_result", self.last_prompt(run, 1))

    def test_who_hands_it_in_is_not_reminded(self):
        self.demand()
        run = self.begin([("a", {})], {"a": [script(SUBMIT, say("Chatter."))]})
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "handed in")
        self.assertIn("submit_result", self.last_prompt(run, 1))
        self.assertEqual(self.events_of(run, "task.reminded"), [])

    def test_who_forgot_is_reminded_by_the_next_attempt(self):
        self.demand()
        run = self.begin([("a", {})], {"a": [script(write("x"), say("Done."), attempt=1), script(SUBMIT, say())]})
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "handed in")
        self.assertIn("without handing your result in", self.last_prompt(run, 2))
        self.assertEqual(self.events_of(run, "task.reminded"), [(1,)])
        self.assertEqual(self.result(run, "x"), "x")

    def test_reminders_have_an_end(self):
        self.demand(submit_reminders=2)
        run = self.begin([("a", {}), ("b", {"command": "true", "dependsOn": "a"})], {"a": [script(say("Done."))]})
        request = self.request(run, "failure")
        task = self.tasks(run)["a"]
        self.assertEqual((task["status"], task["cause"], len(task["attempts"])), ("needs_attention", "no-yield", 3))
        self.assertEqual(self.events_of(run, "task.reminded"), [(1,), (2,)])
        self.ok("answer", request["id"], "accept")
        self.finish(run)
        self.assertEqual(self.statuses(run), {"a": "completed", "b": "completed"})

    def test_another_try_is_reminded_anew(self):
        self.demand(submit_reminders=1)
        run = self.begin([("a", {})], {"a": [script(SUBMIT, say(), attempt=4), script(say())]})
        self.ok("answer", self.request(run, "failure")["id"], "retry")
        self.finish(run)
        self.assertEqual(len(self.tasks(run)["a"]["attempts"]), 4)
        self.assertEqual(self.result_of(run).strip(), "handed in")

    def test_it_may_fail_or_count_all_the_same(self):
        self.demand(submit_reminders=0, submit_missing="fail")
        self.finish(self.begin([("a", {})], {"a": [script(say("Done."))]}), "failed")
        self.demand(submit_reminders=0, submit_missing="accept")
        run = self.begin([("a", {})], {"a": [script(say("Done."))]})
        self.finish(run)
        self.assertEqual(self.result_of(run), "Done.")
        self.assertIn("notice", self.types(run))

    ACP_AGENT = """
import json, os, subprocess, sys

prompts = 0
for line in sys.stdin:
    heard = json.loads(line)
    method, result = heard.get("method"), {}
    if method == "initialize":
        result = {"protocolVersion": 1, "agentCapabilities": {}}
    elif method == "session/new":
        result = {"sessionId": "s"}
    elif method == "session/prompt":
        prompts += 1
        if prompts == 3:
            with open("/tmp/result", "w") as file:
                file.write("handed in")
            subprocess.run([os.environ["FOREDECK_CTL"], "submit-result", "/tmp/result"], stdout=subprocess.DEVNULL)
        update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": f"Turn {prompts}."}}
        print(json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}))
        result = {"stopReason": "end_turn"}
    if "id" in heard:
        print(json.dumps({"jsonrpc": "2.0", "id": heard["id"], "result": result}), flush=True)
"""

    def test_a_session_is_reminded_while_it_lives(self):
        self.demand()
        self.write("agent.py", self.ACP_AGENT)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "an agent")
        run = self.begin([("a", {"cli": "acp", "command": "python3 agent.py"})])
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "handed in")
        self.assertEqual(len(self.tasks(run)["a"]["attempts"]), 1)
        self.assertEqual(self.events_of(run, "task.reminded"), [(1,), (1,)])

    def test_a_session_that_never_does_needs_a_look(self):
        self.demand(submit_reminders=2)
        run = self.begin([("a", {"live": "true"})], {"a": [script(say("Never."))]})
        self.request(run, "failure")
        self.assertEqual(self.tasks(run)["a"]["cause"], "no-yield")
        self.assertEqual(len(self.tasks(run)["a"]["attempts"]), 1)
        self.assertEqual(len(self.events_of(run, "task.reminded")), 2)
        self.ok("cancel", run)
        self.finish(run, "cancelled")

    def test_it_can_be_wanted_of_one_agent_alone(self):
        self.settings({"agents.overrides": {"explorer": {"submit": True}}, "agents.submit_reminders": 0,
                       "agents.submit_missing": "fail"})
        run = self.begin([("a", {}), ("b", {"role": "explorer"})], {})
        self.finish(run, "failed")
        self.assertEqual(self.statuses(run), {"a": "completed", "b": "failed"})

    def test_a_command_and_a_failure_owe_nothing(self):
        self.demand()
        run = self.begin([("a", {"command": "echo out"}), ("b", {})],
                         {"b": [script({"fail": {"message": "no way", "kind": "auth"}})]})
        self.finish(run, "failed")
        self.assertEqual(self.tasks(run)["b"]["cause"], "auth")
        self.assertEqual(self.statuses(run)["a"], "completed")

    def peak_kib(self, pid):
        try:
            return int(self.file("status", f"/proc/{pid}").split("VmHWM:")[1].split()[0])
        except (OSError, IndexError):
            return 0

    def hundred(self):
        """Peak memory of the runner of a hundred tasks, and what came of them."""
        gate = os.path.join(self.folder, "last")
        steps = [(f"t{i}", {}) for i in range(99)] + [("last", {"command": f"sh -c 'while [ ! -e {gate} ]; do sleep 0.1; done'"})]
        run = self.begin(steps, {f"t{i}": [script(SUBMIT, say(f"Said {i}."))] for i in range(99)}, "--jobs", "4")
        self.until("all but the last", lambda: list(self.statuses(run).values()).count("completed") == 99, 300)
        peak = self.peak_kib(self.runner_pid(run))
        with open(gate, "w", encoding="utf-8"):
            pass
        self.finish(run)
        os.unlink(gate)
        rows = self.query(run, "SELECT key, status, result, effect, attempts FROM tasks WHERE key != 'last' ORDER BY key")
        return peak, rows

    def test_it_changes_nothing_for_those_who_hand_in(self):
        self.env["FOREDECK_SANDBOX"] = "off"
        off, before = self.hundred()
        self.demand()
        on, after = self.hundred()
        print(f"\npeak memory of the runner of 100 tasks: {off} KiB without, {on} KiB with agents.submit")
        self.assertEqual(before, after)


class PlanTest(CallsCase):
    sandbox = "auto"

    def submit(self, *texts):
        """Planners that hand in these plans, one after the other, and say afterwards how that went."""
        parts = []
        for text in texts:
            parts.append(f"cd /tmp; cat > p <<'END'\n{text}\nEND\n$FOREDECK_CTL submit-plan p >> said 2>&1; echo left with $? >> said")
        return {"run": ["sh", "-c", "\n".join(parts) + "\nrm p; cat said >&2"]}

    def test_a_plan_is_handed_in_and_waits_for_the_person(self):
        run = self.begin_plan({"plan": [script(self.submit(json.dumps({"plan": A_PLAN})), say("I handed it in."))]})
        request = self.request(run, "plan")
        self.assertEqual(request["title"], "Plan: A plan")
        self.assertEqual(self.types(run).count("plan.proposed"), 1)
        self.assertNotIn("one", self.statuses(run))
        self.ok("approve", request["id"])
        self.finish(run)
        self.assertEqual(self.statuses(run)["two"], "completed")

    def test_what_is_wrong_is_said_at_once(self):
        broken = dict(A_PLAN, items=[dict(A_PLAN["items"][0], dependsOn=["two"]), A_PLAN["items"][1]])
        run = self.begin_plan({"plan": [script(self.submit(json.dumps({"plan": broken}), json.dumps({"plan": A_PLAN})), say())]})
        self.ok("reject", self.request(run, "plan")["id"])
        self.finish(run, "cancelled")
        said = self.file("plan.1.out", os.path.join(self.home, "runs", run, "attempts"))
        self.assertIn("left with 5", said)
        self.assertIn("left with 0", said)
        self.assertEqual(self.query(run, "SELECT count(*) FROM plans"), [(1,)])

    def test_who_was_not_asked_for_one_is_told(self):
        run = self.begin([("a", {"command": self.script_file(
            "echo '{}' > p; $FOREDECK_CTL submit-plan p 2>&1; echo left with $?; rm p")})])
        self.finish(run)
        self.assertIn("not asked for a plan", self.result_of(run))
        self.assertIn("left with 5", self.result_of(run))

    def test_a_planner_must_hand_in_a_plan(self):
        self.settings({"agents.overrides": {"planner": {"submit": True}}, "agents.submit_reminders": 1})
        run = self.begin_plan({"plan": [script(plan(item("one")), attempt=1), script(self.submit(json.dumps({"plan": A_PLAN})), say())]})
        self.ok("reject", self.request(run, "plan")["id"])
        self.finish(run, "cancelled")
        self.assertEqual(len(self.tasks(run)["plan"]["attempts"]), 2)

    def test_a_tool_hands_one_in(self):
        call = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                           "params": {"name": "submit_plan", "arguments": {"plan": A_PLAN}}})
        talk = (f"cd /tmp; (echo '{call}'; while ! grep -q '\"id\":1' said; do sleep 0.05; done)"
                " | $FOREDECK_CTL mcp > said; rm said")
        run = self.begin_plan({"plan": [script({"run": ["sh", "-c", talk]}, say())]})
        self.ok("reject", self.request(run, "plan")["id"])
        self.finish(run, "cancelled")
        self.assertEqual(self.query(run, "SELECT title FROM plans"), [("A plan",)])


if not sandboxes_work():
    YieldTest.sandbox = PlanTest.sandbox = "off"


if __name__ == "__main__":
    engine_case.main()
