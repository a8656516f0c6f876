# SPDX-License-Identifier: GPL-3.0-or-later
"""Which project, settings and crew a run is made of, and what is said about what is left out."""

import json
import os

import ctl_case

WORKFLOW = "---\nname: two\ndescription: Two\n---\n\n## one\nrole: executor\nagent: executor\n\nDo it.\n"


class ProjectTest(ctl_case.CtlCase):
    def setUp(self):
        super().setUp()
        self.make_project()

    def run_args(self, *args):
        return ("run", "--project", self.project, "--workflow", "fast-fix", "--cli", "demo", *args, "A goal")

    def preview(self, *args):
        return self.ok(*self.run_args("--dry-run", "--json", *args)).json

    def write_settings(self, folder, text):
        path = os.path.join(folder, "config.json")
        os.makedirs(folder, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def user_settings(self, text):
        folder = os.path.dirname(self.ok("library", "path", "--json").json["user"] + "/")
        return self.write_settings(folder, text)

    def project_settings(self, text):
        return self.write_settings(os.path.join(self.project, ".foredeck"), text)

    def test_faulty_settings_of_the_person_stop_a_start(self):
        for text, word in (("{", "config.json"), ('{"limits": {"run_agents": "many"}}', "limits.run_agents")):
            path = self.user_settings(text)
            error = self.refused(2, *self.run_args())
            self.assertEqual(error["code"], "invalid")
            self.assertIn(path, error["message"])
            self.assertIn(word, error["message"])
            validated = self.fails(1, "library", "validate", "--project", self.project, "--json").json
            self.assertIn(path, [found.get("path") for found in validated["diagnostics"]])
            doctor = self.ctl("doctor", "--project", self.project, "--json").json
            self.assertIs(doctor["good"], False)
            self.assertIn(path, [found.get("hint") for found in doctor["findings"]])
        self.assertEqual(self.ok("list", "--json").json["runs"], [])

    def test_faulty_settings_of_a_trusted_project_stop_a_start(self):
        path = self.project_settings('{"checks": {"commands": "make check"}}')
        self.preview()
        self.ok("trust", self.project)
        error = self.refused(2, *self.run_args())
        self.assertIn(path, error["message"])
        self.assertIn("checks.commands", error["message"])

    def test_a_run_that_has_begun_goes_on_with_faulty_settings(self):
        scenario = self.make_scenario({})
        run = self.start("--workflow", "fast-fix", "--cli", "demo", "--scenario", scenario, "--approve", "ask", "A goal")
        request = self.open_request(run)
        self.kill_runner(run)
        self.user_settings("{")
        self.ok("approve", request["id"])
        self.until("an end", lambda: self.show(run)["status"] in ctl_case.FINISHED)

    def test_a_folder_inside_stands_for_the_repository(self):
        self.write("sub/deep/file", "x\n")
        deep = os.path.join(self.project, "sub", "deep")
        self.project_settings('{"limits": {"run_agents": 1}}')
        self.ok("trust", deep)
        shown = self.ok("run", "--dry-run", "--json", "--workflow", "fast-fix", "--cli", "demo", "x", cwd=deep).json
        self.assertEqual(shown["run"]["project"], self.project)
        got = self.ok("config", "get", "limits.run_agents", "--json", cwd=deep).json
        self.assertEqual((got["value"], got["layer"]), ("1", "project"))
        listed = self.ok("config", "list", "--json", cwd=deep).json["settings"]
        self.assertIn("project", [setting["layer"] for setting in listed])

    def test_what_is_not_trusted_is_named(self):
        self.write(".foredeck/workflows/two.workflow.md", WORKFLOW)
        error = self.refused(4, "run", "--project", self.project, "--workflow", "two", "--cli", "demo", "x")
        self.assertIn("trust " + self.project, error["message"])
        self.assertIn("two", error["message"])
        self.assertIn("trust " + self.project, "".join(self.preview()["warnings"]))
        self.assertIn("trust " + self.project, self.ok("library", "list", "--project", self.project).err)
        self.ok("trust", self.project)
        self.ok("run", "--project", self.project, "--workflow", "two", "--cli", "demo", "--dry-run", "x")
        self.assertEqual(self.ok("library", "list", "--project", self.project).err, "")

    def refuse_file(self, owner, *args, **kwargs):
        error = self.refused(5, "run", "--project", self.project, "--cli", "demo", *args, "x", **kwargs)
        self.assertIn("trust " + owner, error["message"])
        self.assertEqual(self.ok("list", "--json").json["runs"], [])

    def test_a_file_of_a_project_that_is_not_trusted_is_not_used_by_its_path_either(self):
        outside = self.make_workflow([("one", {"command": "touch ran"})])
        with open(outside, encoding="utf-8") as file:
            text = file.read()
        scenario = self.make_scenario({})
        inside = [self.write(path, text) for path in ("x.workflow.md", ".foredeck/workflows/x.workflow.md", "deep/x.md")]
        link = os.path.join(self.folder, "link.workflow.md")
        os.symlink(inside[0], link)
        for path in (*inside, link):
            self.refuse_file(self.project, "--workflow", path)
            self.refuse_file(self.project, "--workflow", path, "--dry-run")
        self.refuse_file(self.project, "--workflow", "./x.workflow.md", cwd=self.project)
        plan = self.write("plan.md", "# A plan\n\n- [ ] Do it\n")
        self.refuse_file(self.project, "--plan-file", plan)
        self.refuse_file(self.project, "--plan-file", "plan.md", cwd=self.project)
        played = self.write("played.json", "{}")
        self.refuse_file(self.project, "--workflow", "fast-fix", "--scenario", played)
        goal = self.refused(5, "goal", "start", "--project", self.project, "--workflow", inside[0], "--cli", "demo", "x")
        self.assertIn("trust " + self.project, goal["message"])

        self.ok("run", "--project", self.project, "--workflow", outside, "--cli", "demo", "--dry-run", "x")
        self.ok("trust", self.project)
        for path in (*inside, link):
            self.ok("run", "--project", self.project, "--workflow", path, "--cli", "demo", "--dry-run", "x")
        self.ok("run", "--project", self.project, "--plan-file", plan, "--scenario", scenario, "--cli", "demo",
                "--dry-run", "x")

    def test_a_folder_is_no_repository_for_an_empty_one_called_git(self):
        """Some sandboxes put one over the `.git` that is not to come about in a temporary folder."""
        outside = self.make_workflow([("one", {"command": "true"})])
        place = os.path.join(os.path.dirname(outside), ".git")
        os.mkdir(place)
        self.ok("run", "--project", self.project, "--workflow", outside, "--cli", "demo", "--dry-run", "x")
        os.symlink("/nowhere", os.path.join(place, "HEAD"))
        self.refuse_file(os.path.dirname(outside), "--workflow", outside)

    def test_a_file_of_another_repository_needs_that_to_be_trusted(self):
        mine = self.project
        other = self.make_project("other")
        path = self.write("flows/x.workflow.md", WORKFLOW)
        self.project = mine
        self.ok("trust", mine)
        self.refuse_file(other, "--workflow", path)
        self.ok("trust", other)
        self.ok("run", "--project", mine, "--workflow", path, "--cli", "demo", "--dry-run", "x")

    def test_a_folder_of_one_s_own_is_trusted_in_a_repository_too(self):
        library = self.ok("library", "path", "--json").json["user"]
        os.makedirs(os.path.join(library, "workflows"))
        self.git("init", "-q", cwd=library)
        path = os.path.join(library, "workflows", "x.workflow.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(WORKFLOW)
        self.ok("run", "--project", self.project, "--workflow", path, "--cli", "demo", "--dry-run", "x")

    def test_specs_of_a_project_that_is_not_trusted_are_not_read(self):
        self.write(".foredeck/specs/login.md", "- L1 MUST: hold\n")
        path = self.make_workflow([("one", {"role": "executor", "specRefs": "login"})])
        args = ("run", "--project", self.project, "--workflow", path, "--cli", "demo", "--dry-run", "x")
        error = self.refused(5, *args)
        self.assertIn("trust " + self.project, error["message"])
        self.ok("trust", self.project)
        self.ok(*args)

    def test_warnings_reach_a_real_start(self):
        self.write("README", "Changed.\n")
        workflow = self.make_workflow([("one", {"command": "true", "colour": "blue"})])
        args = ("run", "--project", self.project, "--workflow", workflow)
        answer = self.ok(*args, "--detach", "x")
        self.assertIn("(1 file)", answer.err)
        self.assertIn("colour", answer.err)
        warnings = "".join(self.ok(*args, "--detach", "--json", "x").lines[0]["warnings"])
        self.assertIn("(1 file)", warnings)
        self.assertIn("colour", warnings)

    def test_words_that_are_missing(self):
        self.refused(2, "run", "--project", self.project, "--cli", "demo", " \n\t")
        error = self.refused(2, "run", "--project", self.project, "--workflow", "direct-agent", "--cli", "demo", "x")
        self.assertIn("--agent", error["message"])

    def test_validate_says_what_an_untrusted_project_brings(self):
        path = self.write(".foredeck/agents/x.md", "---\nmaxTurns: lots\n---\nWork.\n")
        shown = self.fails(1, "library", "validate", self.project, "--json").json
        self.assertIs(shown["trusted"], False)
        wrong = [found for found in shown["diagnostics"] if found["severity"] == "error"]
        self.assertEqual([(found["line"], found["column"], found["key"]) for found in wrong], [(2, 1, "maxTurns")])

        self.write(".foredeck/agents/x.md", "---\nmaxTurns: 3\n---\nWork.\n")
        said = self.ok("library", "validate", "--project", self.project).out
        self.assertNotIn("Nothing is wrong", said)
        self.assertIn("foredeckctl trust", said)
        self.ok("trust", self.project)
        self.assertIn("Nothing is wrong", self.ok("library", "validate", "--project", self.project).out)

    def test_doctor_says_that_the_usual_folder_is_not_read(self):
        def folder():
            found = self.ctl("doctor", "--project", self.project, "--json").json["findings"]
            return [one for one in found if (one["section"], one["name"]) == ("settings", "folder")][0]

        self.assertEqual(folder()["level"], "good")
        usual = os.path.join(self.env["XDG_CONFIG_HOME"], "foredeck")
        os.makedirs(usual)
        self.assertEqual(folder()["level"], "note")
        self.assertIn(usual, folder()["hint"])
        self.assertIn(folder()["value"], folder()["hint"])

    def validate(self, code, *words):
        return self.fails(code, "library", "validate", *words, "--json").json

    def test_validate_knows_a_file_by_what_is_in_it(self):
        for kind, good, bad, line, key in (
            ("agent", "---\nname: x\nmodel: m\n---\n# Me\n\n## Style\nNote: be kind.\n",
             "---\nname: x\nmaxTurns: lots\n---\nWork.\n", 3, "maxTurns"),
            ("agent", "---\nname: x\ndescription: y\n---\nWork.\n", "---\nname: x\ncli: dmo\n---\nWork.\n", 3, "cli"),
            ("workflow", "---\nname: x\n---\n## a\nrole: executor\n\nWork.\n",
             "---\nname: x\n---\n## a\nrole: executor\ncli: dmo\n\nWork.\n", 6, "cli"),
            ("workflow", "## a\nrole: executor\n\nWork.\n", "## a\nrole: executor\ngate: perhaps\n\nWork.\n", 3, "gate"),
            ("team", "---\nname: x\n---\n## Roles\n- executor: agent=executor\n",
             "---\nname: x\nworkspaceMode: single\n---\n## Roles\n- executor: agent=exector\n", 6, "agent"),
        ):
            for path in ("x.md", "deep/notes.md"):
                shown = self.validate(0, self.write(path, good))
                self.assertEqual((shown["kind"], shown["valid"]), (kind, True), good)
                shown = self.validate(1, self.write(path, bad))
                wrong = [(d["line"], d["key"]) for d in shown["diagnostics"] if d["severity"] == "error"]
                self.assertEqual((shown["kind"], wrong), (kind, [(line, key)]), bad)
        self.assertIn("agent", self.ok("library", "validate", "me.md", cwd=os.path.dirname(
            self.write("me.md", "---\nname: me\n---\nWork.\n"))).out)

    def test_validate_takes_a_file_for_what_one_says(self):
        path = self.write("x.md", "---\nname: x\n---\nWork.\n")
        self.assertEqual(self.validate(0, "agent", path)["kind"], "agent")
        self.assertEqual(self.validate(0, "skill", path)["kind"], "skill")
        self.assertEqual(self.validate(1, "workflows", path)["kind"], "workflow")
        self.refused(2, "library", "validate", "step", path)
        self.refused(4, "library", "validate", "agent", path + ".md")

    def test_validate_checks_settings_by_path(self):
        for path in ("mine.json", ".foredeck/config.json"):
            shown = self.validate(1, self.write(path, '{"limits": {"run_agents": "many"}}'))
            self.assertEqual(shown["kind"], "settings")
            self.assertIn("limits.run_agents", str(shown["diagnostics"]))
            self.validate(0, self.write(path, '{"limits": {"run_agents": 2}}'))
            self.validate(1, self.write(path, '{'))

    def test_validate_knows_a_file_by_its_name(self):
        for name, text, line, key in (
            ("agents/x.md", "---\nname: x\ncli: dmo\neffort: huge\n---\nWork.\n", 4, "effort"),
            ("x.team.md", "---\nname: x\n---\n## Roles\n- executor: agent=exector\n", 5, "agent"),
            ("x.workflow.md", "---\nname: x\n---\n## a\nrole: executor\ncli: dmo\n\nWork.\n", 6, "cli"),
            ("x/SKILL.md", "---\nname: [x]\ndescription: d\n---\nKnow.\n", 2, "name"),
        ):
            with self.subTest(name=name):
                shown = self.fails(1, "library", "validate", self.write(name, text), "--json").json
                found = shown["diagnostics"][0]
                self.assertEqual((found["severity"], found["line"], found["key"]), ("error", line, key))
                self.assertGreater(found["column"], 0)
        data = os.path.join(os.environ["FOREDECK_DATA"], "crew")
        for name in ("agents/executor.md", "teams/default.team.md", "workflows/default.workflow.md",
                     "skills/careful-review/SKILL.md"):
            self.assertIn("Nothing is wrong", self.ok("library", "validate", os.path.join(data, name)).out)

    def test_validate_does_not_praise_what_it_warns_of(self):
        workflow = self.make_workflow([("one", {"command": "true", "colour": "blue"})])
        self.assertNotIn("Nothing is wrong", self.ok("library", "validate", workflow).out)


if __name__ == "__main__":
    ctl_case.main()
