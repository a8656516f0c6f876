# SPDX-License-Identifier: GPL-3.0-or-later
"""Agents that turn to whoever supervises them by a line that they print."""

import json
import os

import engine_case

from test_calls import CallsCase
from test_sandbox import sandboxes_work


def contact(reason, message, kind="supervisor_contact", **more):
    return json.dumps(dict({"type": kind, "taskId": "a", "reason": reason, "message": message}, **more))


class ContactTest(CallsCase):
    sandbox = "auto"

    def agent(self, *lines, after=""):
        printed = "".join(f"cat <<'END'\n{line}\nEND\n" for line in lines)
        return {"command": self.script_file(printed + after)}

    def mail(self, run):
        return self.query(run, "SELECT sender, receiver, text FROM messages WHERE kind = 'mail' ORDER BY time, id")

    def test_it_is_an_event_and_mail_to_the_person(self):
        run = self.begin([("a", self.agent("before", contact("custom", "Half of it is done.", data={"done": 3}), "after"))])
        self.finish(run)
        mine = json.dumps({"done": 3})
        self.assertEqual(self.data(run, "supervisor.contact"),
                         [{"reason": "custom", "message": "Half of it is done.", "data": mine}])
        self.assertEqual(self.mail(run), [("a", "person", "Half of it is done.")])
        self.assertEqual(self.result_of(run).split(), ["before", "after"])
        self.assertEqual(self.query(run, "SELECT count(*) FROM requests"), [(0,)])

    def test_a_decision_is_asked_for_and_its_answer_is_mail(self):
        run = self.begin([("a", self.agent(contact("decision_needed", "Keep it or drop it?"),
                                           after="$FOREDECK_CTL mail inbox --wait"))])
        request = self.question(run)
        self.assertEqual((request["title"], request["task"]), ("Keep it or drop it?", "a"))
        self.ok("answer", request["id"], "Drop it.")
        self.finish(run)
        self.assertIn("You asked: Keep it or drop it?\n\nDrop it.", self.result_of(run))

    def test_leave_is_given_or_not(self):
        run = self.begin([("a", self.agent(contact("approval", "May I?", kind="crew_supervisor_contact"),
                                           after="$FOREDECK_CTL mail inbox --wait"))])
        request = self.question(run)
        self.assertEqual([option["name"] for option in request["options"]], ["Yes", "No", "Answer"])
        self.ok("answer", request["id"], "yes")
        self.finish(run)
        self.assertIn("You asked: May I?\n\nYes", self.result_of(run))

    def test_whoever_is_not_answered_goes_on(self):
        run = self.begin([("a", self.agent(contact("clarification", "Which?"), after="echo done"))])
        self.finish(run)
        self.assertEqual(self.result_of(run).strip(), "done")
        self.assertEqual(self.query(run, "SELECT state FROM requests"), [("withdrawn",)])

    def test_the_answer_reaches_the_next_attempt(self):
        gate = os.path.join(self.project, "gate")
        self.env["FOREDECK_SANDBOX"] = "off"
        after = (f"[ $FOREDECK_ATTEMPT != 1 ] && cat - && exit 0; while [ ! -e {gate} ]; do sleep 0.05; done; exit 7")
        step = dict(self.agent(contact("error_escalation", "It does not build."), after=after), retries="2")
        run = self.begin([("a", step)])
        self.ok("answer", self.question(run)["id"], "Use the other one.")
        self.until("the mail", lambda: len(self.mail(run)) == 2)
        self.write("gate", "")
        self.finish(run)
        self.assertIn("You asked: It does not build.\n\nUse the other one.", self.result_of(run))

    def test_it_is_taken_once_though_the_runner_died(self):
        gate = os.path.join(self.project, "gate")
        self.env["FOREDECK_SANDBOX"] = "off"
        run = self.begin([("a", self.agent(contact("decision_needed", "Keep it?"),
                                           after=f"while [ ! -e {gate} ]; do sleep 0.05; done"))])
        self.question(run)
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)
        self.ok("resume", run)
        self.until("another runner", lambda: self.runner_pid(run))
        self.write("gate", "")
        self.finish(run)
        self.assertEqual(len(self.data(run, "supervisor.contact")), 1)
        self.assertEqual(len(self.mail(run)), 1)
        self.assertEqual(self.query(run, "SELECT count(*) FROM requests"), [(1,)])

    def test_what_only_looks_like_one_is_output(self):
        lines = ['{"type":"supervisor_contact"}', '{"type":"supervisor_contact","message":7}', '{"type":"supervisor_contact"',
                 '{"kind":"supervisor_contact","message":"x"}', ' {"type":"supervisor_contact","message":"x"}', "supervisor_contact"]
        run = self.begin([("a", self.agent(*lines))])
        self.finish(run)
        self.assertEqual(self.result_of(run).strip().splitlines(), lines)
        self.assertEqual(self.mail(run), [])

    def test_there_is_an_end_to_it(self):
        run = self.begin([("a", self.agent(*[contact("custom", f"Message {i}.") for i in range(60)]))])
        self.finish(run)
        self.assertEqual(len(self.mail(run)), 50)


if not sandboxes_work():
    ContactTest.sandbox = "off"


if __name__ == "__main__":
    engine_case.main()
