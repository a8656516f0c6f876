# SPDX-License-Identifier: GPL-3.0-or-later
"""Help of every verb, and what wrong use of each says."""

import os

import ctl_case

VERBS = (
    "run list show tasks graph events transcript prompt wait requests approve reject answer pause continue "
    "cancel resume retry plan diff merge worktrees library config decode doctor demo logs version steer "
    "messages trust interrupt clean rescue tokens stats goal recommend"
).split()


class HelpTest(ctl_case.CtlCase):
    def test_all_verbs_of_the_contract_are_there(self):
        listed = [verb["verb"] for verb in self.ok("--help", "--json").json["verbs"]]
        for verb in VERBS:
            self.assertIn(verb, listed)

    def test_help_needs_no_store(self):
        self.env["FOREDECK_HOME"] = "/proc/nothing/can/be/here"
        for verb in VERBS:
            answer = self.ok(verb, "--help")
            self.assertIn(f"foredeckctl {verb}", answer.out)
            self.assertIn("--json", answer.out)

    def test_the_manual_names_every_verb_and_option(self):
        path = os.path.join(os.path.dirname(__file__), "..", "..", "docs", "foredeckctl.1")
        with open(path, encoding="utf-8") as file:
            manual = file.read().replace("\\-", "-")
        for verb in self.ok("--help", "--json").json["verbs"]:
            section = manual.split('.SS "' + verb["verb"])
            self.assertGreater(len(section), 1, verb)
            section = section[1].split(".SS")[0]
            for option in self.ok(verb["verb"], "--help", "--json").json["options"]:
                self.assertIn("--" + option["name"], section, verb["verb"])

    def test_help_as_json(self):
        for verb in VERBS:
            shown = self.ok(verb, "--help", "--json").json
            self.assertEqual(shown["verb"], verb)
            self.assertTrue(shown["summary"])
            self.assertIsInstance(shown["options"], list)

    def test_unknown_verb_suggests_the_nearest(self):
        for wrong, right in (("lst", "list"), ("aprove", "approve"), ("cancle", "cancel"), ("graf", "graph")):
            answer = self.fails(2, wrong)
            self.assertIn(f"“{right}”", answer.err)

    def test_unknown_option_of_each_verb_suggests_the_nearest(self):
        for verb in VERBS:
            answer = self.fails(2, verb, "--jsno")
            self.assertIn("--json", answer.err, verb)
            error = self.fails(2, verb, "--json", "--xyzzyplugh").error
            self.assertEqual(error["code"], "usage", verb)
            self.assertIn("xyzzyplugh", error["message"])

    def test_a_time_needs_its_unit(self):
        """A bare number was taken for milliseconds: “wait --timeout 30” gave up at once."""
        for args in (("wait", "aaaaaaaa", "--timeout", "30"), ("rescue", "list", "--older", "5"),
                     ("prune", "--older", "7"), ("run", "x", "--timeout", "60")):
            error = self.fails(2, *args, "--json").error
            self.assertIn("90 s", error["message"], args)

    def test_a_damaged_run_does_not_send_one_in_a_circle(self):
        folder = os.path.join(self.home, "runs", "damagedx")
        self.ok("list")
        os.makedirs(folder)
        with open(os.path.join(folder, "run.db"), "wb") as file:
            file.write(b"garbage" * 1000)
        answer = self.fails(1, "doctor", "--check-store")
        self.assertIn("damagedx", answer.out)
        self.assertIn(os.path.join(self.home, "backup"), answer.out)

    def test_too_few_words(self):
        for verb in ("show", "tasks", "graph", "events", "transcript", "prompt", "wait", "approve", "reject",
                     "answer", "pause", "continue", "cancel", "resume", "retry", "plan", "diff", "merge",
                     "library", "config", "decode", "steer", "messages", "trust", "interrupt"):
            error = self.fails(2, verb, "--json").error
            self.assertEqual(error["code"], "usage", verb)

    def test_too_many_words(self):
        for verb in ("list", "show a", "tasks a", "graph a", "version", "doctor"):
            self.fails(2, *verb.split(), "one-too-many")

    def test_values_are_checked(self):
        for args, said in (
            (("run", "--approve", "atuo", "g"), "auto"),
            (("run", "--on-failure", "sto", "g"), "stop"),
            (("run", "--isolation", "worktree", "g"), "worktrees"),
            (("run", "--jobs", "many", "g"), "many"),
            (("run", "--jobs", "-1", "g"), "-1"),
            (("run", "--timeout", "soon", "g"), "soon"),
            (("run", "--budget-cost", "free", "g"), "free"),
            (("run", "--budget-cost", "nan", "g"), "nan"),
            (("run", "--workflow", "a", "--agent", "b", "g"), "--agent"),
            (("graph", "x", "--format", "dott"), "dot"),
            (("list", "--status", "runing"), "running"),
            (("list", "--limit", "ten"), "ten"),
            (("list", "--limit"), "limit"),
            (("list", "--json=yes"), "json"),
            (("library", "lsit"), "list"),
            (("library", "list", "agnets"), "agent"),
            (("config", "gett", "x"), "get"),
            (("decode", "claud", "/dev/null"), "claude"),
            (("merge", "x", "--squash", "--ff"), ""),
        ):
            answer = self.ctl(*args)
            self.assertIn(answer.code, (2, 4), f"{args}: {answer}")
            self.assertIn(said, answer.err)

    def test_nothing_to_do(self):
        self.fails(2)

    def test_nothing_of_that_name(self):
        for args in (("show", "zzzz"), ("tasks", "zzzz"), ("graph", "zzzz"), ("events", "zzzz"), ("plan", "zzzz"),
                     ("diff", "zzzz"), ("merge", "zzzz"), ("wait", "zzzz"), ("approve", "zzzz-1"), ("reject", "zzzz-1"),
                     ("cancel", "zzzz"), ("resume", "zzzz"), ("retry", "zzzz"), ("pause", "zzzz"), ("logs", "zzzz"),
                     ("transcript", "zzzz", "a"), ("prompt", "zzzz", "a"), ("library", "show", "team", "zzzz"),
                     ("config", "get", "zzzz.zzzz"), ("decode", "pi", "/nonexistent")):
            self.refused(4, *args)

    def test_ids_with_odd_characters_harm_nothing(self):
        for odd in ("../../etc/passwd", "a/b", "%s%n", "'; drop table runs; --", "é", " ", "*"):
            self.assertIn(self.ctl("show", odd).code, (2, 4))
            self.assertIn(self.ctl("approve", odd).code, (2, 4))

    def test_an_argument_that_is_not_utf8(self):
        self.assertEqual(self.ctl("show", b"\xff\xfe".decode("utf-8", "surrogateescape")).code, 2)

    def test_version(self):
        self.assertRegex(self.ok("version").out, r"^foredeckctl \d+\.\d+\.\d+\n$")
        self.assertIn("version", self.ok("version", "--json").json)
        self.ok("--version")

    def test_nobody_reads(self):
        """A reader that leaves early is no error."""
        code = os.system(f"'{ctl_case.CTL}' --help | head -1 >/dev/null")
        self.assertEqual(code, 0)

    def test_full_disk_on_stdout(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        self.assertNotEqual(os.system(f"'{ctl_case.CTL}' --help >/dev/full 2>/dev/null"), 0)

    def test_no_colour_off_a_terminal(self):
        self.assertNotIn("\033", self.ok("--help").out)

    def test_empty_store(self):
        self.assertEqual(self.ok("list", "--json").json, {"runs": []})
        self.assertEqual(self.ok("requests", "--json").json, {"requests": []})
        self.assertEqual(self.ok("worktrees", "--json").json, {"worktrees": []})
        self.assertEqual(self.ok("cancel", "--all", "--json").json, {"cancelled": 0})

    def test_library(self):
        items = self.ok("library", "list", "--json").json["items"]
        kinds = {item["kind"] for item in items}
        self.assertEqual(kinds, {"agent", "team", "workflow", "skill"})
        self.assertTrue(all(item["usable"] for item in items), items)
        self.assertIn("name: fast-fix", self.ok("library", "show", "workflow", "fast-fix").out)
        self.assertTrue(self.ok("library", "validate", "--json").json["valid"])
        self.assertIn("builtin", self.ok("library", "path", "--json").json)
        error = self.refused(4, "library", "show", "workflow", "fast-fx")
        self.assertIn("fast-fix", error["message"])

    def test_config(self):
        self.assertEqual(self.ok("config", "get", "limits.run_agents", "--json").json["value"], "4")
        self.ok("config", "set", "limits.run_agents", "7")
        got = self.ok("config", "get", "limits.run_agents", "--json").json
        self.assertEqual((got["value"], got["layer"]), ("7", "user"))
        self.ok("config", "unset", "limits.run_agents")
        self.assertEqual(self.ok("config", "get", "limits.run_agents").out, "4\n")
        self.assertIn("limits.run_agents", self.refused(4, "config", "get", "limits.run_agent")["message"])
        self.assertIn(self.ctl("config", "set", "limits.run_agents", "many").code, (2,))
        self.assertIn(self.ctl("config", "set", "limits.run_agents", "-3").code, (2,))
        keys = {row["key"] for row in self.ok("config", "list", "--json").json["settings"]}
        self.assertIn("approval.plan", keys)

    def test_doctor(self):
        shown = self.ok("doctor", "--json").json
        sections = {finding["section"] for finding in shown["findings"]}
        self.assertLessEqual({"agents", "git", "sandbox", "store", "system"}, sections)
        self.assertTrue(self.ok("doctor", "--check-store", "--json").json["sound"])

    def test_bundle_holds_no_secret(self):
        self.env["MY_API_KEY"] = "sk-very-secret-value-0123456789"
        self.ok("list")
        path = os.path.join(self.folder, "bundle.txt")
        self.ok("doctor", "--bundle", path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn("## Findings", text)
        self.assertNotIn("sk-very-secret", text)
        self.refused(1, "doctor", "--bundle", "/nonexistent/folder/x")


if __name__ == "__main__":
    ctl_case.main()
