# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on agents, teams, workflows and skills: it names every key, and its examples work."""

import os
import re

import ctl_case

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "library.md")
EXAMPLE = re.compile(r"^```markdown (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTIONS = {"agent": "## Agents", "team": "## Teams", "role": "### Roles", "workflow": "## Workflows",
            "step": "### Steps", "skill": "## Skills"}


class LibraryPageTest(ctl_case.CtlCase):
    def setUp(self):
        super().setUp()
        self.make_project()
        with open(PAGE, encoding="utf-8") as file:
            self.page = file.read()

    def examples(self):
        found = EXAMPLE.findall(self.page)
        self.assertGreaterEqual(len(found), 6)
        return found

    def write_examples(self):
        return [self.write(os.path.join(".foredeck", name), text) for name, text in self.examples()]

    def section(self, heading):
        page = EXAMPLE.sub("", self.page)
        text = page[page.index(f"\n{heading}\n") + 1:]
        level = heading.split(" ")[0]
        ends = [text.find(f"\n{mark} ", 1) for mark in ("##", "###") if len(mark) <= len(level) or mark == "###"]
        ends = [end for end in ends if end > 0]
        return text[:min(ends)] if ends else text

    def test_every_key_is_named_where_it_belongs(self):
        for kind, heading in SECTIONS.items():
            named = set()
            for line in self.section(heading).splitlines():
                if line.startswith("| `"):
                    named.update(re.findall(r"`([^`]+)`", line.split("|")[1]))
            keys = set(self.ok("library", "keys", kind, "--json").json["keys"])
            with self.subTest(kind=kind):
                self.assertEqual(named, keys)

    def test_every_key_stands_in_an_example(self):
        texts = {"agent": "", "team": "", "workflow": "", "skill": ""}
        for name, text in self.examples():
            kind = {"agents": "agent", "teams": "team", "workflows": "workflow", "skills": "skill"}[name.split("/")[0]]
            texts[kind] += text
        aliases = {"skill", "trigger", "fallbackModels", "disabled", "enabled", "systemPromptMode", "inheritSkills"}
        only_yours = {"preStepScript", "preStepArgs", "preStepTimeout", "preStepOptional", "specRefs", "seedPaths"}
        for kind, where in (("agent", "agent"), ("team", "team"), ("workflow", "workflow"), ("step", "workflow"),
                            ("skill", "skill")):
            for key in self.ok("library", "keys", kind, "--json").json["keys"]:
                if key not in aliases | only_yours:
                    self.assertRegex(texts[where], rf"(?m)^{key}:", kind)

    def test_every_example_is_valid(self):
        paths = self.write_examples()
        shown = self.ok("library", "validate", self.project, "--json").json
        about = [found for found in shown["diagnostics"] if found.get("path") in paths and found["severity"] != "note"]
        self.assertEqual(about, [])
        self.assertIs(shown["valid"], True)
        self.ok("trust", self.project)
        for path in paths:
            with self.subTest(path=path):
                shown = self.ok("library", "validate", path, "--project", self.project, "--json").json
                self.assertEqual([f for f in shown["diagnostics"] if f["severity"] != "note"], [])

    def test_the_crew_in_three_files_runs(self):
        self.write_examples()
        self.ok("trust", self.project)
        scenario = self.make_scenario({
            "survey": [{"steps": [{"say": "- abc: a fix"}]}],
            "write": [{"steps": [{"write": {"path": "CHANGELOG.md", "text": "A fix.\n"}}, {"say": "Written."}]}],
        })
        done = self.ok("run", "--project", self.project, "--workflow", "release-notes", "--cli", "demo", "--scenario",
                       scenario, "--approve", "auto", "--json", "The release 1.2")
        run = done.lines[0]["id"]
        self.assertEqual(self.show(run)["status"], "completed")
        tasks = self.tasks(run)
        self.assertEqual([tasks[key]["agent"] for key in ("survey", "write", "check")],
                         ["explorer", "changelog-writer", "verifier"])
        self.assertEqual(tasks["check"]["verified"], "verified")
        prompt = self.ok("prompt", run, "write").out
        self.assertIn("## changes.md\n- abc: a fix", prompt)
        self.assertIn("for what follows: The release 1.2", prompt)

    def test_a_team_is_recommended_for_a_goal(self):
        found = self.ok("recommend", "Fix", "a", "typo", "--project", self.project, "--json").json
        self.assertEqual((found["team"], found["workflow"], found["parts"]), ("fast-fix", "fast-fix", []))
        self.assertIn("small", found["reason"])
        found = self.ok("recommend", "--json", "--", "- add a\n- test b\n- document c").json
        self.assertEqual((found["team"], found["confidence"]), ("implementation", "high"))
        self.assertEqual([part["role"] for part in found["parts"]], ["executor", "test-engineer", "writer"])
        self.assertIn("run --workflow review", self.ok("recommend", "Security review of the diff").out)
        self.write_examples()
        self.assertNotEqual(self.ok("recommend", "Port the client", "--project", self.project, "--json").json["team"], "migration")
        self.ok("trust", self.project)
        self.assertEqual(self.ok("recommend", "Port the client", "--project", self.project, "--json").json["team"], "migration")

    def test_files_are_copied_removed_and_put_back(self):
        path = self.ok("library", "copy", "workflow", "review", "mine", "--json").json["path"]
        shown = self.ok("library", "show", "workflow", "mine", "--json").json
        self.assertEqual((shown["layer"], shown["path"], shown["usable"]), ("user", path, True))
        self.fails(5, "library", "copy", "workflow", "review", "mine")
        backup = self.ok("library", "remove", "workflow", "mine", "--json").json["backup"]
        self.fails(4, "library", "show", "workflow", "mine")
        self.assertTrue(os.path.exists(backup))
        self.assertEqual(self.ok("library", "restore").out.strip(), path)
        self.ok("library", "show", "workflow", "mine")
        self.fails(4, "library", "restore")
        self.fails(5, "library", "remove", "workflow", "review")

    def test_what_is_not_held_to_is_said(self):
        path = self.write("x.workflow.md", "---\nname: x\nspecStrict: true\ncoalesceMicroTasks: true\n---\n## a\n"
                          "role: executor\nspecStrict: true\nworktree: no\n\nx\n")
        shown = self.fails(1, "library", "validate", path, "--json").json
        said = {(f["line"], f["key"], f["severity"]) for f in shown["diagnostics"]}
        self.assertEqual(said, {(3, "specStrict", "error"), (4, "coalesceMicroTasks", "warning"),
                                (8, "specStrict", "error"), (9, "worktree", "error")})


if __name__ == "__main__":
    ctl_case.main()
