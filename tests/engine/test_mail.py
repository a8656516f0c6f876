# SPDX-License-Identifier: GPL-3.0-or-later
"""Mail between the tasks of a run and the person, and agents that wait for several helpers."""

import json
import os

import engine_case

from engine_case import say, script
from test_calls import CallsCase
from test_sandbox import sandboxes_work


class MailCase(CallsCase):
    sandbox = "auto"

    def scripts(self, **texts):
        """Programs of tasks, by the names of the tasks."""
        for name, text in texts.items():
            os.chmod(self.write(f"{name}.sh", "#!/bin/sh\n" + text), 0o755)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "agents")
        return [(name, {"command": f"./{name}.sh"}) for name in texts]

    def mail(self, run):
        return self.query(run, "SELECT sender, receiver, text, state FROM messages WHERE kind = 'mail' ORDER BY time, id")

    def die(self, run):
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)


class MailTest(MailCase):
    def test_one_task_writes_to_another_that_waits(self):
        run = self.begin(self.scripts(a="$FOREDECK_CTL mail inbox --wait", b="$FOREDECK_CTL mail send a It is in main.c."))
        self.finish(run)
        self.assertIn("from b:\nIt is in main.c.", self.result_of(run))
        self.assertEqual(self.result_of(run, "b").strip(), "It was sent.")
        self.assertEqual(self.mail(run), [("b", "a", "It is in main.c.", "seen")])

    def test_who_waits_for_mail_gives_its_place_back(self):
        run = self.begin(self.scripts(a="$FOREDECK_CTL mail inbox --wait", b="$FOREDECK_CTL mail send a Go."), None, "--jobs", "1")
        self.finish(run)
        self.assertIn("Go.", self.result_of(run))

    def test_mail_is_read_once(self):
        run = self.begin(self.scripts(a="$FOREDECK_CTL mail inbox --wait; $FOREDECK_CTL mail inbox; $FOREDECK_CTL mail inbox",
                                      b="$FOREDECK_CTL mail send a First."))
        self.finish(run)
        self.assertEqual(self.result_of(run).count("First."), 1)
        self.assertEqual(self.result_of(run).count("There is no mail."), 2)

    def test_the_person_writes_and_is_written_to(self):
        run = self.begin(self.scripts(a="$FOREDECK_CTL mail send person May I?; $FOREDECK_CTL mail inbox --wait"))
        self.until_task(run, "a", "waiting")
        heard, = self.ok("mail", "inbox", run, "--json").json["messages"]
        self.assertEqual((heard["from"], heard["text"]), ("a", "May I?"))
        self.ok("mail", "send", run, "a", "You", "may.")
        self.finish(run)
        self.assertIn("from the person who directs the run:\nYou may.", self.result_of(run))
        self.ok("mail", "ack", run, str(heard["id"]))
        self.assertEqual(self.ok("mail", "inbox", run, "--json").json["messages"], [])
        self.refused(4, "mail", "ack", run, str(heard["id"]))
        self.refused(5, "mail", "send", run, "a", "Too late.")

    def test_what_was_seen_while_it_runs_is_on_record(self):
        run = self.begin(self.scripts(a="$FOREDECK_CTL mail send person May I?; $FOREDECK_CTL mail inbox --wait"))
        self.until_task(run, "a", "waiting")
        heard, = self.ok("mail", "inbox", run, "--json").json["messages"]
        self.ok("mail", "ack", run, str(heard["id"]))
        self.until("the mark", lambda: self.mail(run)[0][3] == "seen")
        self.ok("mail", "send", run, "a", "Yes.")
        self.finish(run)

    def test_nobody_of_that_name(self):
        run = self.begin(self.scripts(a="$FOREDECK_CTL mail send nobody Hello. 2>&1; echo left with $?; $FOREDECK_CTL mail send a Me. 2>&1; echo left with $?"))
        self.finish(run)
        self.assertIn("Nobody called “nobody” would read it; you can write to: person.", self.result_of(run))
        self.assertEqual(self.result_of(run).count("left with 5"), 2)
        self.assertEqual(self.mail(run), [])

    def test_there_is_an_end_to_mail(self):
        run = self.begin(self.scripts(a="for i in $(seq 102); do $FOREDECK_CTL mail send person $i > said 2>&1 || echo left with $?; done; cat said; rm said"))
        self.finish(run)
        self.assertEqual(self.result_of(run).count("left with 5"), 2)
        self.assertEqual(len(self.mail(run)), 100)

    def test_a_wait_has_an_end(self):
        run = self.begin(self.scripts(a="$FOREDECK_CTL mail inbox --wait --timeout 300ms; echo left with $?"))
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "left with 3")

    def test_mail_to_one_that_has_not_begun_is_in_its_prompt(self):
        agents = self.scripts(a="$FOREDECK_CTL mail send b Mind the gap.")
        run = self.begin([*agents, ("b", {"dependsOn": "a"})], {"b": [script(say("Minded."))]})
        self.finish(run)
        prompt = self.file("b.1.in", os.path.join(self.home, "runs", run, "attempts"))
        self.assertIn("# Mail\n", prompt)
        self.assertEqual(prompt.count("Mind the gap."), 1)
        self.assertEqual(self.mail(run), [("a", "b", "Mind the gap.", "delivered")])

    def test_a_live_session_is_told_at_once(self):
        gate = os.path.join(self.project, "gate")
        agents = self.scripts(b=f"while [ ! -e {gate} ]; do sleep 0.05; done; $FOREDECK_CTL mail send a Mind the gap.")
        self.env["FOREDECK_SANDBOX"] = "off"
        run = self.begin([("a", {"live": "true"}), *agents],
                         {"a": [script(say("Thanks."), prompt="Mind the gap."), script({"run": ["sh", "-c", f"while [ ! -e {gate}2 ]; do sleep 0.05; done"]}, say("Slept."))]})
        self.until("its session", lambda: self.data(run, "session.said", "a"))
        self.write("gate", "")
        self.until("it to be told", lambda: self.mail(run) and self.mail(run)[0][3] == "delivered")
        self.write("gate2", "")
        self.finish(run)
        told = [said["text"] for said in self.data(run, "session.said", "a") if said["kind"] == "steer"]
        self.assertEqual(len(told), 1)
        self.assertIn("from b:\nMind the gap.", told[0])
        self.assertEqual(self.mail(run)[0][3], "delivered")
        self.assertEqual(len(self.tasks(run)["a"]["attempts"]), 1)

    def test_everybody_is_written_to(self):
        run = self.begin(self.scripts(a="$FOREDECK_CTL mail send all Stop.") + [
            ("b", {"dependsOn": "a"}), ("c", {"dependsOn": "a"})], {})
        self.finish(run)
        self.assertEqual([(to, state) for _, to, _, state in self.mail(run)], [("b", "delivered"), ("c", "delivered")])

    def test_mail_arrives_once_though_the_runner_died(self):
        self.env["FOREDECK_SANDBOX"] = "off"
        gate = os.path.join(self.project, "gate")
        run = self.begin(self.scripts(
            a="$FOREDECK_CTL mail inbox --wait; $FOREDECK_CTL mail inbox",
            b=f"while [ ! -e {gate} ]; do sleep 0.05; done; $FOREDECK_CTL mail send a It is in main.c."))
        self.until_task(run, "a", "waiting")
        self.die(run)
        self.write("gate", "")
        folder = os.path.join(self.home, "runs", run, "attempts", "b.1.calls")
        self.until("the call", lambda: os.path.isdir(folder) and [name for name in os.listdir(folder) if name.endswith(".json")])
        self.ok("resume", run)
        self.finish(run)
        self.assertEqual(self.result_of(run).count("It is in main.c."), 1)
        self.assertIn("There is no mail.", self.result_of(run))
        self.assertEqual(len(self.mail(run)), 1)
        self.assertEqual([len(task["attempts"]) for task in self.tasks(run).values()], [1, 1])

    def test_runners_that_die_all_the_time_lose_and_double_nothing(self):
        self.env["FOREDECK_SANDBOX"] = "off"
        run = self.begin(self.scripts(
            # What was sent before it began stands in its prompt.
            a="grep -o 'Number [1-6][.]' - > all; n=$(grep -c ^Number all); "
              "while [ $n -lt 6 ]; do $FOREDECK_CTL mail inbox --wait >> all; n=$(grep -c ^Number all); done; cat all; rm all",
            b="for i in 1 2 3 4 5 6; do $FOREDECK_CTL mail send a Number $i.; done"))
        for _ in range(4):
            pid = self.until("a runner, or the end", lambda: self.runner_pid(run) or self.show(run)["status"] == "completed")
            if pid is True:
                break
            self.kill(pid)
            self.until("nobody owns it", lambda: self.runner_pid(run) is None)
            if self.show(run)["status"] == "completed":
                break
            self.ctl("resume", run)
        self.finish(run)
        said = self.result_of(run)
        for i in range(1, 7):
            self.assertEqual(said.count(f"Number {i}."), 1, said)
        self.assertEqual(len(self.mail(run)), 6)

    def test_the_next_attempt_of_one_that_died_has_all_its_mail(self):
        agent = "[ $FOREDECK_ATTEMPT != 1 ] || { $FOREDECK_CTL mail inbox --wait; exit 7; }; grep -c 'It is in main.c.' -"
        steps = self.scripts(a=agent, b="$FOREDECK_CTL mail send a It is in main.c.")
        steps[0][1]["retries"] = "2"
        run = self.begin(steps)
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "1")

    def test_a_tool_writes_and_reads(self):
        calls = [{"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                  "params": {"name": "send_mail", "arguments": {"to": "person", "text": "Hello."}}},
                 {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                  "params": {"name": "read_mail", "arguments": {"wait": True}}}]
        text = "\\n".join(json.dumps(call) for call in calls)
        run = self.begin(self.scripts(a=f"(printf '{text}\\n'; while ! grep -q '\"id\":2' said; do sleep 0.05; done)"
                                        " | $FOREDECK_CTL mcp > said; cat said; rm said"))
        self.until("its mail", lambda: self.mail(run))
        self.ok("mail", "send", run, "a", "Hello yourself.")
        self.finish(run)
        answers = {answer["id"]: answer["result"]["content"][0]["text"]
                   for answer in map(json.loads, self.result_of(run).splitlines())}
        self.assertEqual(answers[1], "It was sent.")
        self.assertIn("Hello yourself.", answers[2])


class JoinTest(MailCase):
    HELP = "$FOREDECK_CTL delegate --detach --role explorer"

    def test_all_of_several_helpers_are_waited_for(self):
        run = self.begin(self.scripts(a=f"one=$({self.HELP} One.); two=$({self.HELP} Two.); $FOREDECK_CTL join $one $two"),
                         {"helper-1": [script(say("It is one."))], "helper-2": [script(say("It is two."))]}, "--jobs", "1")
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(),
                         "helper-1 (completed):\nIt is one.\n\nhelper-2 (completed):\nIt is two.")

    def test_the_first_of_several_helpers(self):
        run = self.begin(self.scripts(a=f"{self.HELP} One. >&2; {self.HELP} Two. >&2; $FOREDECK_CTL join --any helper-1 helper-2"),
                         {"helper-1": [script({"stall": True})], "helper-2": [script(say("It is two."))]})
        self.until_task(run, "a", "completed")
        self.assertEqual(self.result_of(run).strip(), "helper-2 (completed):\nIt is two.")
        self.ok("cancel", run, "helper-1")
        self.finish(run)

    def test_a_helper_that_failed_is_over_too(self):
        run = self.begin(self.scripts(a=f"{self.HELP} One. >&2; $FOREDECK_CTL join helper-1"),
                         {"helper-1": [script({"fail": {"message": "no way", "kind": "auth"}})]})
        self.finish(run)
        self.assertIn("helper-1 (failed):\n", self.result_of(run))

    def test_only_helpers_of_its_own_are_waited_for(self):
        run = self.begin(self.scripts(a="$FOREDECK_CTL join b 2>&1; echo left with $?", b="true"))
        self.finish(run)
        self.assertIn("no helper of this task", self.result_of(run))
        self.assertIn("left with 5", self.result_of(run))

    def test_a_join_goes_on_though_the_runner_died(self):
        self.env["FOREDECK_SANDBOX"] = "off"
        gate = os.path.join(self.project, "gate")
        run = self.begin(self.scripts(a=f"{self.HELP} One. >&2; $FOREDECK_CTL join helper-1"),
                         {"helper-1": [script({"run": ["sh", "-c", f"while [ ! -e {gate} ]; do sleep 0.05; done"]}, say("Late."))]})
        self.until_task(run, "a", "waiting")
        self.die(run)
        self.write("gate", "")
        self.ok("resume", run)
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "helper-1 (completed):\nLate.")


if not sandboxes_work():
    MailCase.sandbox = "off"


if __name__ == "__main__":
    engine_case.main()
