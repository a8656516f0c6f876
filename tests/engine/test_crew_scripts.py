# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts that Foredeck ships, each carried out to its end by agents that say what they are told to."""

import json
import os

import engine_case

from engine_case import say, script, write


def answer(value):
    return script(say("```json\n" + json.dumps(value) + "\n```"))


class CrewScriptsTest(engine_case.EngineCase):
    def begin_named(self, name, scripts, args=None, goal="A goal", approve="auto"):
        more = ["--script-args", json.dumps(args)] if args is not None else []
        return self.start("--workflow", name, "--cli", "demo", "--scenario", self.make_scenario(scripts), "--approve",
                          approve, *more, goal)

    def result_of(self, run):
        return self.query(run, "SELECT result FROM tasks WHERE key = 'script'")[0][0]

    def files(self, *paths):
        for path in paths:
            self.write(path, path + "\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "files")

    def test_security_audit(self):
        self.files("src/a.c", "src/b.c", "src/c.txt")
        finding = {"file": "src/a.c", "line": 3, "severity": "low", "problem": "small", "attack": "so"}
        high = {"file": "src/b.c", "line": 9, "severity": "high", "problem": "big", "attack": "thus"}
        wrong = {"file": "src/b.c", "line": 1, "severity": "high", "problem": "none", "attack": "never"}
        run = self.begin_named("security-audit", {
            "look-1": [answer({"findings": [finding]})], "look-2": [answer({"findings": [high, wrong, high]})],
            "refute-1": [answer({"real": True, "reason": "seen", "repair": "check it"})],
            "refute-2": [answer({"real": True, "reason": "read", "repair": "close it"})],
            "refute-3": [answer({"real": False, "reason": "a check is before it"})],
        }, {"pattern": "*.c", "parts": 2})
        self.finish(run)
        text = self.result_of(run)
        self.assertIn("2 files, 3 findings, of which 2 held.", text)
        self.assertLess(text.index("src/b.c:9 – high"), text.index("src/a.c:3 – low"))
        self.assertNotIn("never", text)
        self.assertEqual(self.query(run, "SELECT count(*) FROM tasks WHERE writes"), [(0,)])

    def test_security_audit_says_what_nobody_looked_at(self):
        self.files("a.c", "b.c")
        run = self.begin_named("security-audit", {"look-1": [script(say("No JSON."))], "look-1-2": [script(say("None."))],
                                                  "look-2": [answer({"findings": []})]}, {"pattern": "*.c", "parts": 2})
        self.finish(run)
        self.assertIn("Nobody could look at: a.c.", self.result_of(run))

    def test_migrate_files(self):
        self.files("a.js", "b.js", "c.js", "d.md")
        run = self.begin_named("migrate-files", {
            "first": [script(write("a.js", "new a\n"), say("Done like this."))],
            "b-js": [script(write("b.js", "new b\n"))],
            "c-js": [script({"fail": {"message": "no way", "kind": "auth"}})],
            "c-js-2": [script(write("c.js", "new c\n"))],
            "together": [script(say("All alike."))],
        }, {"pattern": "*.js", "sample": 0})
        self.finish(run)
        self.assertEqual(self.result_of(run), "3 of 3 files were changed.\n\nAll alike.")
        for name in "abc":
            self.assertEqual(self.result(run, f"{name}.js"), f"new {name}")
        prompt = str(self.ok("prompt", run, "b-js"))
        self.assertIn("Done like this.", prompt)

    def test_migrate_files_asks_what_it_was_not_told(self):
        self.files("a.js", "b.js")
        run = self.begin_named("migrate-files", {"first": [script(write("a.js", "new\n"), say("So."))]}, {"sample": 2})
        self.ok("answer", self.request(run, "question")["id"], "*.js")
        request = self.until("the second question", lambda: [r for r in self.show(run)["requests"] if "Go on" in r["body"]
                                                             or "Go on" in r["title"]])[0]
        stop, = [option["id"] for option in request["options"] if option["name"] == "Stop here"]
        self.ok("answer", request["id"], stop)
        self.finish(run)
        self.assertEqual(self.result_of(run), "Stopped after a.js")

    def test_sourced_research(self):
        true = {"text": "It is read in main.", "source": "main.c:3"}
        false = {"text": "It is written.", "source": "main.c:9"}
        run = self.begin_named("sourced-research", {
            "split": [answer({"questions": ["Where?", "Who?"]})],
            "find-1": [answer({"statements": [true, false], "open": []})],
            "look-up-1": [answer({"confirmed": [1]})],
            "find-2": [answer({"statements": [], "open": ["by whom"]})],
            "report": [script(say("The report."))],
        })
        self.finish(run)
        self.assertEqual(self.result_of(run), "The report.")
        prompt = str(self.ok("prompt", run, "report"))
        self.assertIn("It is read in main. [main.c:3]", prompt)
        self.assertIn("open: by whom", prompt)
        self.assertNotIn("It is written.", prompt)
        self.assertIn("1\\tof\\t2\\tstatements", json.dumps(str(self.ok("transcript", run, "script"))).replace("\\\\", "\\"))

    def test_flaky_tests(self):
        count = os.path.join(self.folder, "count")
        # Every second run fails, whichever that is.
        self.write("test.sh", f"#!/bin/sh\n[ -f repaired ] && exit 0\nflock {count} sh -c 'n=$(cat {count}); echo $((n + 1)) > {count}; "
                              "exit $((n % 2))' || { echo broken; exit 1; }\n")
        os.chmod(os.path.join(self.project, "test.sh"), 0o755)
        with open(count, "w", encoding="ascii") as file:
            file.write("0\n")
        self.git("add", "-A")
        self.git("commit", "-qm", "tests")
        run = self.begin_named("flaky-tests", {"repair": [script(write("repaired"))]},
                               {"command": ["./test.sh"], "times": 6, "limit": 2})
        self.finish(run)
        self.assertEqual(self.result_of(run), "After 1 repairs all 6 runs passed.")
        self.assertEqual(self.result(run, "repaired"), "repaired")
        self.assertIn("failed in 3 of 6 runs", str(self.ok("prompt", run, "repair")))

    def test_until_clean(self):
        run = self.begin_named("until-clean", {
            "work": [script(write("a.c", "one\n"))],
            "review": [answer({"findings": [{"file": "a.c", "line": 1, "problem": "wrong"}]})],
            "mend": [script(write("a.c", "two\n"))],
            "review-2": [answer({"findings": []})],
            "review-3": [answer({"findings": []})],
        })
        self.finish(run)
        self.assertEqual(self.result_of(run), "Clean after 2 rounds of review, and for a second reviewer after 1.")
        self.assertEqual(self.result(run, "a.c"), "two")

    def test_until_clean_asks_when_it_does_not_become_clean(self):
        dirty = answer({"findings": [{"file": "a.c", "line": 1, "problem": "wrong"}]})
        run = self.begin_named("until-clean", {"work": [script(write("a.c", "one\n"))], "review": [dirty]}, {"rounds": 1})
        request = self.request(run, "question")
        self.assertIn("- a.c:1 wrong", request["body"])
        self.ok("answer", request["id"], request["options"][1]["id"])
        self.finish(run, "failed")


if __name__ == "__main__":
    engine_case.main()
