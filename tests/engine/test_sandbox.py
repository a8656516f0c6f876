# SPDX-License-Identifier: GPL-3.0-or-later
"""Attempts in a sandbox: what they reach, how they end, and what is said of it."""

import os
import shutil
import signal
import subprocess
import unittest

import engine_case
from engine_case import say, script, write

BWRAP = shutil.which("bwrap")


def sandboxes_work():
    words = ["--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "true"]
    return BWRAP is not None and subprocess.run([BWRAP, *words], capture_output=True, check=False).returncode == 0


class SandboxCase(engine_case.EngineCase):
    sandbox = "required"

    def attempt(self, run, key="a"):
        return self.tasks(run)[key]["attempts"][-1]

    def access(self, run, path, key="a"):
        """How the nearest mount shows a path."""
        best = ("", None)
        for mount in self.attempt(run, key)["sandbox"]["mounts"]:
            root = mount["path"].rstrip("/") + "/"
            if (path + "/").startswith(root) and len(root) > len(best[0]):
                best = (root, mount["access"])
        return best[1]

    def stderr(self, run, key="a", n=1):
        return self.file(f"{key}.{n}.err", os.path.join(self.home, "runs", run, "attempts"))

    def script_file(self, text):
        """A program in the project; each tree has its own copy."""
        path = self.write("agent.sh", "#!/bin/sh\n" + text)
        os.chmod(path, 0o755)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "an agent")
        return "./agent.sh"


@unittest.skipUnless(sandboxes_work(), "bubblewrap is missing, or this system forbids what it needs")
class SandboxTest(SandboxCase):
    def test_a_role_that_only_reads_cannot_write_in_a_command(self):
        run = self.begin([("a", {"command": "touch planted", "role": "explorer"})])
        self.finish(run, "failed")
        self.assertIn("Read-only file system", self.stderr(run))
        self.assertEqual(self.attempt(run)["sandbox"]["profile"], "read-only")
        self.assertEqual(self.attempt(run)["exit"], 1)

    def test_commits_in_a_submodule_can_be_made(self):
        library = os.path.join(self.folder, "library")
        os.mkdir(library)
        for words in (("init", "-q", "-b", "main"), ("commit", "-q", "--allow-empty", "-m", "first")):
            self.git(*words, cwd=library)
        self.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub")
        self.git("commit", "-q", "-m", "submodule")
        run = self.begin([("a", {"command": "sh -c 'cd sub && touch new && git add new && git commit -qm new'"})])
        self.finish(run)
        self.assertIn("+Subproject commit", self.ok("diff", run).out)
        hooks = os.path.join(self.project, ".git", "modules", "sub", "hooks")
        self.assertEqual(self.access(run, hooks), "read")

    def test_a_role_that_only_reads_cannot_write_in_an_agent(self):
        for live in ("false", "true"):
            run = self.begin([("a", {"role": "explorer", "live": live})], {"a": [script(write("planted"), say())]})
            self.finish(run, "failed" if self.show(run)["status"] == "failed" else "completed")
            self.assertEqual(self.attempt(run)["sandbox"]["profile"], "read-only")
            self.assertEqual(self.attempt(run)["live"], live == "true")
            transcript = self.ok("transcript", run, "a", "--json").out
            self.assertIn("Read-only file system", transcript)
            self.assertEqual(self.tasks(run)["a"].get("files", []), [])

    def test_one_that_writes_does_so_in_its_tree_and_nowhere_else(self):
        outside = os.path.join(self.folder, "outside")
        agent = self.script_file(
            "echo work > work\n"
            f"for place in {outside} {self.project}/stray {self.home}/stray /usr/stray; do\n"
            "  (echo x > $place) 2> /dev/null && [ -s /proc/1/root$place ] && echo wrote $place\n"
            "done\n"
            f"ls -A {self.home} | sed 's/^/home: /'\n"
            "exit 0\n"
        )
        run = self.begin([("a", {"command": agent})])
        self.finish(run)
        self.assertEqual(self.result(run, "work"), "work")
        for place in (outside, f"{self.project}/stray", f"{self.home}/stray", "/usr/stray"):
            self.assertFalse(os.path.exists(place), place)
        seen = self.query(run, "SELECT result FROM tasks")[0][0]
        self.assertNotIn("index", seen)
        self.assertNotIn("log", seen)

    def test_what_prepares_a_tree_carries_out_what_agents_wrote(self):
        outside = os.path.join(self.folder, "outside")
        self.settings({"git.setup": ["sh", "-c", "[ ! -e install.sh ] || sh install.sh"]})
        hook = os.path.join(self.project, ".git", "hooks", "post-merge")
        text = f"(echo x > {outside}) 2>&1; (echo x > {hook}) 2>&1; echo installed > installed; exit 0"
        run = self.begin([("a", {"command": f"sh -c 'echo \"{text}\" > install.sh'"}),
                          ("b", {"command": "sh -c 'cp installed out.txt; rm installed'", "dependsOn": "a"})])
        self.finish(run)
        self.assertEqual(self.result(run, "out.txt"), "installed")
        self.assertFalse(os.path.exists(outside))
        self.assertFalse(os.path.exists(hook))

    def test_what_prepares_a_tree_is_told_what_was_in_the_way(self):
        self.settings({"git.setup": ["touch", f"{self.project}/planted"], "retry.attempts": 1})
        run = self.begin([("a", {"command": "true"})])
        self.finish(run, "failed")
        message = self.tasks(run)["a"]["message"]
        self.assertIn("checks.sandbox", message)
        self.assertIn("setup.log", message)

    def test_a_secret_of_the_home_is_not_there(self):
        with open(os.path.join(self.folder, "secret"), "w", encoding="utf-8") as file:
            file.write("key\n")
        run = self.begin([("a", {"command": self.script_file("cat ~/secret"), "role": "explorer"})])
        self.finish(run, "failed")
        self.assertIn("No such file", self.stderr(run))

    def test_what_the_settings_open_is_there(self):
        for name in ("notes", "cache"):
            os.mkdir(os.path.join(self.folder, name))
        with open(os.path.join(self.folder, "notes", "n"), "w", encoding="utf-8") as file:
            file.write("a note\n")
        self.settings({"sandbox.readable": ["~/notes"], "sandbox.writable": [os.path.join(self.folder, "cache")]})
        run = self.begin([("a", {"command": self.script_file("cat ~/notes/n > read && cp read ~/cache/kept")})])
        self.finish(run)
        self.assertEqual(self.result(run, "read"), "a note")
        self.assertEqual(self.file("kept", os.path.join(self.folder, "cache")), "a note\n")
        self.assertEqual(self.access(run, os.path.join(self.folder, "notes")), "read")

    def test_it_can_commit_and_cannot_plant_a_hook(self):
        agent = self.script_file(
            "echo one > one; git add one; git commit -q -m mine || exit 1\n"
            "common=$(git rev-parse --git-common-dir)\n"
            "echo evil > $common/hooks/post-checkout && exit 2\n"
            "git config core.fsmonitor /bin/evil && exit 3\n"
            "git update-ref refs/heads/main HEAD && exit 4\n"
            "rm -f $common/objects/*/pack/*.pack && exit 5\n"
            "rm -f $common/logs/HEAD && exit 7\n"
            "exit 0\n"
        )
        self.git("gc", "-q")
        head = self.git("rev-parse", "main")
        run = self.begin([("a", {"command": agent})])
        self.finish(run)
        self.assertEqual(self.result(run, "one"), "one")
        self.assertIn("mine", self.git("log", "--format=%s", f"foredeck/{run}/a"))
        self.assertEqual(self.git("rev-parse", "main"), head)
        self.assertFalse(os.path.exists(os.path.join(self.project, ".git", "hooks", "post-checkout")))
        self.assertNotIn("evil", self.file("config", os.path.join(self.project, ".git")))

    def test_a_check_reaches_no_more_than_an_agent(self):
        place = os.path.join(self.folder, "outside")
        check = self.script_file(f"touch {place}; touch .git/hooks/post-merge ~/planted; test -f work")
        for setting, reached in ({"checks.sandbox": True}, False), ({"checks.sandbox": False}, True):
            self.settings(setting)
            run = self.begin([("a", {"command": "touch work", "checks": [[check]]})])
            self.finish(run)
            self.assertEqual(self.tasks(run)["a"]["verified"], "verified")
            self.assertEqual(os.path.exists(place), reached)

    def test_a_check_of_a_merge_reaches_no_more_than_an_agent(self):
        place = os.path.join(self.folder, "outside")
        check = self.script_file(
            f"touch {place}; touch .git/hooks/post-merge ~/planted /usr/stray; test -f work || exit 1\n"
            "touch made && git add made && git commit -q --allow-empty -m checked"
        )
        for setting, reached in ({"checks.sandbox": True}, False), ({"checks.sandbox": False}, True):
            self.settings({**setting, "checks.commands": [[check]]})
            run = self.begin([("a", {"command": f"sh -c 'echo {reached} > work'"})])
            self.finish(run)
            if os.path.exists(place):
                os.remove(place)
            self.ok("merge", run, "--check")
            self.assertEqual(os.path.exists(place), reached)
            self.assertEqual(self.file("work"), f"{reached}\n")
            self.assertNotIn("merge-check", self.git("for-each-ref"))
            attempts = os.path.join(self.home, "runs", run, "attempts")
            self.assertEqual([name for name in os.listdir(attempts) if name.endswith(".git")], [])
            if os.path.exists("/usr/stray"):
                os.remove("/usr/stray")

    def test_a_script_before_a_step_reaches_no_more_than_an_agent(self):
        place = os.path.join(self.folder, "outside")
        for name, text in (("prepare", f". $(dirname $0)/words\ntouch {place}\necho $word > made\n"
                            "git add made && git commit -q -m prepared && echo done with $1\n"), ("words", "word=beside\n")):
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\n" + text)
            os.chmod(os.path.join(self.folder, name), 0o755)
        for setting, reached in ({"checks.sandbox": True}, False), ({"checks.sandbox": False}, True):
            self.settings(setting)
            run = self.begin([("a", {"command": "cat made", "preStepScript": "prepare", "preStepArgs": "it"})])
            self.finish(run)
            self.assertEqual(os.path.exists(place), reached)
            self.assertEqual(self.result(run, "made"), "beside")
            self.assertIn("prepared", self.git("log", "--format=%s", f"foredeck/{run}/a"))
            self.assertIn("done with it", self.file("a.1.in", os.path.join(self.home, "runs", run, "attempts")))

    def test_in_a_shared_tree_the_git_folder_stays_as_it_is(self):
        agent = self.script_file("echo work > work; echo evil > .git/hooks/post-commit && exit 2; exit 0")
        run = self.begin([("a", {"command": agent})], None, "--isolation", "none")
        self.finish(run)
        self.assertEqual(self.file("work"), "work\n")
        self.assertFalse(os.path.exists(os.path.join(self.project, ".git", "hooks", "post-commit")))

    def test_a_profile_is_chosen_for_a_role_of_a_run(self):
        self.settings({"sandbox.profile.executor": "full"})
        place = os.path.join(self.folder, "outside")
        run = self.begin([("a", {"command": f"touch {place}"})])
        self.finish(run)
        self.assertTrue(os.path.exists(place))
        self.assertEqual(self.attempt(run)["sandbox"]["profile"], "full")
        run = self.begin([("a", {"command": "touch x"})], None, "--args", '{"sandbox.profile.executor": "read-only"}')
        self.finish(run, "failed")
        self.assertEqual(self.attempt(run)["sandbox"]["profile"], "read-only")

    def test_a_step_that_says_that_it_writes_may_write_whatever_its_role(self):
        for role, writes, profile in (("notes", "yes", "workspace-write"), ("explorer", "yes", "workspace-write"),
                                      ("executor", "no", "read-only")):
            run = self.begin([("a", {"command": "true", "role": role, "writes": writes})])
            self.finish(run)
            self.assertEqual(self.attempt(run)["sandbox"]["profile"], profile, role)

    def test_commands_lose_the_network_where_the_settings_say_so(self):
        count = self.script_file("tail -n +3 /proc/net/dev | wc -l")
        for word, network in (("keep", True), ("cut", False)):
            self.settings({"sandbox.command_network": word})
            run = self.begin([("a", {"command": count})])
            self.finish(run)
            self.assertEqual(self.attempt(run)["sandbox"]["network"], network)
            if not network:
                self.assertEqual(self.query(run, "SELECT result FROM tasks")[0][0].strip(), "1")

    def test_the_exact_mounts_are_shown(self):
        run = self.begin([("a", {"command": "touch x"})])
        self.finish(run)
        tree = self.attempt(run)["cwd"]
        self.assertEqual(self.access(run, "/usr"), "read")
        self.assertEqual(self.access(run, tree), "write")
        self.assertEqual(self.access(run, self.home), "hidden")
        self.assertEqual(self.access(run, self.folder), "hidden")
        self.assertEqual(self.access(run, self.project), "read")
        self.assertEqual(self.access(run, os.path.join(self.project, ".git", "hooks")), "read")
        self.assertEqual(self.access(run, os.path.join(self.project, ".git", "objects")), "write")
        self.assertEqual(self.access(run, "/tmp"), "hidden")
        self.assertIs(self.data(run, "attempt.started")[0]["sandbox"], True)

    # What is said where it was in the way

    def test_a_person_is_told_what_the_sandbox_forbade(self):
        for role, setting in (("explorer", "sandbox.profile.explorer"), ("executor", "sandbox.writable")):
            run = self.begin([("a", {"command": "touch /usr/stray", "role": role})])
            self.finish(run, "failed")
            message = self.tasks(run)["a"]["message"]
            self.assertIn("Read-only file system", message)
            self.assertIn(setting, message)
            self.assertIn(f"sandbox.profile.{role}", message)
            self.assertIn(setting, self.ok("show", run).out)
            self.assertIn(setting, self.attempt(run)["message"])

    def test_an_agent_that_gave_up_over_it_says_so_too(self):
        agent = self.script_file("echo 'Error: EROFS: read-only file system, mkdir /opt/x' >&2\nfor n in 1 2 3; do echo $n; done\nexit 3\n")
        run = self.begin([("a", {"command": agent})])
        self.finish(run, "failed")
        self.assertIn("sandbox.writable", self.tasks(run)["a"]["message"])

    def test_of_a_check_it_is_said_too(self):
        check = self.script_file("touch /usr/stray")
        run = self.begin([("a", {"command": "touch work", "checks": [[check]]})])
        self.finish(run, "failed")
        self.assertIn("checks.sandbox", self.tasks(run)["a"]["message"])

    def test_of_a_check_of_a_merge_and_of_a_script_it_is_said_too(self):
        check = self.script_file("[ -e .git ] && case $PWD in *merge-check) touch /usr/stray;; esac")
        self.settings({"checks.commands": [[check]]})
        run = self.begin([("a", {"command": "touch work"})])
        self.finish(run)
        self.assertIn("checks.sandbox", self.refused(1, "merge", run, "--check")["message"])
        with open(os.path.join(self.folder, "prepare"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\ntouch /usr/stray\n")
        os.chmod(os.path.join(self.folder, "prepare"), 0o755)
        run = self.begin([("a", {"command": "touch work", "preStepScript": "prepare"})])
        self.finish(run, "failed")
        self.assertIn("checks.sandbox", self.tasks(run)["a"]["message"])

    def test_where_it_forbade_nothing_it_is_not_named(self):
        run = self.begin([("a", {"command": "sh -c 'exit 4'"})])
        self.finish(run, "failed")
        self.assertNotIn("sandbox", self.tasks(run)["a"]["message"])
        self.settings({"sandbox.profile.executor": "full"})
        agent = self.script_file("echo 'Read-only file system' >&2; exit 1")
        run = self.begin([("a", {"command": agent})])
        self.finish(run, "failed")
        self.assertNotIn("sandbox", self.tasks(run)["a"]["message"])

    # How it ends

    def test_its_own_exit_code_and_signal_are_told(self):
        run = self.begin([("a", {"command": "sh -c 'exit 7'"}), ("b", {"command": "sh -c 'kill -9 $$'"})])
        self.finish(run, "failed")
        self.assertEqual(self.attempt(run)["exit"], 7)
        self.assertEqual(self.attempt(run, "b")["signal"], 9)

    def test_it_is_asked_politely_first(self):
        agent = self.script_file("trap 'echo bye; exit 3' INT TERM\necho ready\nwhile :; do sleep 0.05; done")
        run = self.begin([("a", {"command": agent})])
        capture = os.path.join(self.home, "runs", run, "attempts")
        self.until("it is ready", lambda: os.path.exists(f"{capture}/a.1.out") and "ready" in self.file("a.1.out", capture))
        self.ok("cancel", run)
        self.finish(run, "cancelled")
        self.assertIn("bye", self.file("a.1.out", capture))
        self.assertEqual(self.marked(run), [])

    def test_nothing_survives_its_guard(self):
        agent = self.script_file("trap '' INT TERM HUP\n(setsid sleep 1000 &)\necho ready\nsleep 1000")
        run = self.begin([("a", {"command": agent})])
        capture = os.path.join(self.home, "runs", run, "attempts")
        self.until("it is ready", lambda: os.path.exists(f"{capture}/a.1.out") and "ready" in self.file("a.1.out", capture))
        inside = self.until("what it started", lambda: len(self.marked(run)) >= 4 and self.marked(run))
        agent_pid = self.until("its pid", lambda: self.attempt(run).get("pid"))
        with open(f"/proc/{agent_pid}/stat", encoding="ascii") as file:
            guard = int(file.read().rsplit(")", 1)[1].split()[1])
        self.kill(guard)
        self.until("the end of all", lambda: not set(inside) & set(self.marked(run)))
        self.finish(run, "failed")

    def test_one_that_ignores_everything_is_killed(self):
        agent = self.script_file("trap '' INT TERM HUP\necho ready\nwhile :; do sleep 1; done")
        run = self.begin([("a", {"command": agent})])
        capture = os.path.join(self.home, "runs", run, "attempts")
        self.until("it is ready", lambda: os.path.exists(f"{capture}/a.1.out") and "ready" in self.file("a.1.out", capture))
        self.ok("cancel", run)
        self.finish(run, "cancelled")
        self.assertEqual(self.attempt(run)["signal"], signal.SIGKILL)
        self.assertEqual(self.marked(run), [])

    def test_it_outlives_its_runner(self):
        agent = self.script_file("echo ready\nsleep 1\necho done > done")
        run = self.begin([("a", {"command": agent})])
        self.until("its start", lambda: self.marked(run, "a"))
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)
        self.ok("resume", run)
        self.finish(run)
        self.assertEqual(self.result(run, "done"), "done")
        self.assertEqual(len(self.tasks(run)["a"]["attempts"]), 1)
        self.assertIn("attempt.adopted", self.types(run))

    def test_a_live_session_is_spoken_with_and_outlives_its_runner(self):
        self.env["FOREDECK_DEMO_SPEED"] = "1"
        ask = {"ask": {"title": "May I?", "options": [{"id": "yes", "name": "Allow", "kind": "allow_once"}],
                       "then": {"yes": [write("allowed")]}}}
        run = self.begin([("a", {"live": "true"})], {"a": [script(ask, say())]})
        request = self.request(run, "permission")
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)
        self.ok("answer", request["id"], "yes")
        self.finish(run)
        self.assertEqual(self.result(run, "allowed"), "allowed")
        self.assertEqual(len(self.tasks(run)["a"]["attempts"]), 1)


class NoSandboxTest(SandboxCase):
    """A machine without bubblewrap, and one that forbids it."""

    def without(self, program=None):
        """A PATH with everything but bubblewrap, or with one in its place."""
        folder = os.path.join(self.folder, "programs")
        os.mkdir(folder)
        for place in reversed(self.env["PATH"].split(":")):
            for name in os.listdir(place) if os.path.isdir(place) else []:
                link = os.path.join(folder, name)
                if os.path.lexists(link):
                    os.remove(link)
                if name != "bwrap":
                    os.symlink(os.path.join(place, name), link)
        if program is not None:
            with open(os.path.join(folder, "bwrap"), "w", encoding="utf-8") as file:
                file.write(program)
            os.chmod(os.path.join(folder, "bwrap"), 0o755)
        self.env["PATH"] = folder

    def check_marked(self, word):
        self.env["FOREDECK_SANDBOX"] = "auto"
        workflow = self.make_workflow([("a", {"cli": "command", "command": "touch x", "role": "executor"})])
        plan = self.ok("run", "--dry-run", "--json", "--project", self.project, "--workflow", workflow, "x").json
        self.assertTrue(any(word in warning for warning in plan["warnings"]), plan["warnings"])
        run = self.begin([("a", {"command": "touch x"})])
        self.finish(run)
        self.assertEqual(self.attempt(run)["sandbox"], {"profile": "none"})
        started = self.data(run, "attempt.started")[0]
        self.assertIs(started["sandbox"], False)
        self.assertIn(word, started["sandbox_problem"])
        found = [f for f in self.ok("doctor", "--json").json["findings"] if f["section"] == "sandbox"]
        self.assertIn(word, found[0]["hint"])

    def test_it_is_said_that_there_is_none(self):
        self.without()
        self.check_marked("not installed")

    def test_it_is_said_that_the_system_forbids_it(self):
        self.without("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
        self.check_marked("does not let")

    def test_where_one_is_required_nothing_starts(self):
        self.without()
        workflow = self.make_workflow([("a", {"cli": "command", "command": "touch x", "role": "executor"})])
        error = self.refused(6, "run", "--project", self.project, "--workflow", workflow, "--approve", "auto", "x")
        self.assertIn("not installed", error["message"])
        self.assertEqual(self.ok("list", "--json").json["runs"], [])

    def test_it_is_not_named_where_there_is_none(self):
        self.env["FOREDECK_SANDBOX"] = "off"
        run = self.begin([("a", {"command": self.script_file("echo 'Read-only file system' >&2; exit 1")})])
        self.finish(run, "failed")
        self.assertNotIn("sandbox", self.tasks(run)["a"]["message"])

    def test_a_mode_that_is_none_is_refused(self):
        self.env["FOREDECK_SANDBOX"] = "bogus"
        workflow = self.make_workflow([("a", {"cli": "command", "command": "touch x", "role": "executor"})])
        error = self.refused(2, "run", "--project", self.project, "--workflow", workflow, "--approve", "auto", "x")
        for word in ("FOREDECK_SANDBOX", "bogus", "required", "auto", "off"):
            self.assertIn(word, error["message"])
        self.assertEqual(self.ok("list", "--json").json["runs"], [])
        found = [f for f in self.ctl("doctor", "--json").json["findings"] if f["section"] == "sandbox"]
        self.assertIn("bogus", found[0]["hint"])
        self.assertEqual(found[0]["level"], "bad")

    def test_a_runner_starts_nothing_by_a_mode_that_is_none(self):
        self.env["FOREDECK_SANDBOX"] = "off"
        workflow = self.make_workflow([("a", {"cli": "command", "command": "touch x", "role": "executor", "gate": "yes"})])
        run = self.start("--workflow", workflow, "--approve", "ask", "x")
        self.request(run)
        self.kill(self.until("a runner", lambda: self.runner_pid(run)))
        self.until("nobody owns it", lambda: self.runner_pid(run) is None)
        self.env["FOREDECK_SANDBOX"] = "bogus"
        self.ok("approve", run)
        self.finish(run, "failed")
        self.assertIn("required, auto, off", self.tasks(run)["a"]["message"])

    def test_a_profile_of_a_role_that_nobody_has_is_refused(self):
        names = ("executor", "explorer", "reviewer")
        error = self.refused(2, "config", "set", "sandbox.profile.BOGUS", "full")
        for word in ("BOGUS", *names):
            self.assertIn(word, error["message"])
        workflow = self.make_workflow([("a", {"cli": "command", "command": "touch x", "role": "executor"})])
        words = ("--project", self.project, "--workflow", workflow, "--approve", "auto")
        error = self.refused(2, "run", *words, "--args", '{"sandbox.profile.bogus": "full"}', "x")
        for word in ("bogus", *names):
            self.assertIn(word, error["message"])
        self.settings({"sandbox.profile.bogus": "full"})
        plan = self.ok("run", "--dry-run", "--json", *words, "x").json
        self.assertTrue(any("sandbox.profile.bogus" in warning for warning in plan["warnings"]), plan["warnings"])
        found = [f for f in self.ok("doctor", "--json").json["findings"] if f["section"] == "sandbox"]
        self.assertTrue(any("sandbox.profile.bogus" in (f.get("hint") or "") for f in found), found)
        self.ok("config", "unset", "sandbox.profile.bogus")
        self.ok("config", "set", "sandbox.profile.executor", "workspace-write")

    def test_a_role_of_a_team_of_ones_own_has_a_profile(self):
        folder = os.path.join(self.home, "library", "teams")
        os.makedirs(folder)
        with open(os.path.join(folder, "mine.team.md"), "w", encoding="utf-8") as file:
            file.write("# Mine\n\n## Roles\n\n- gardener: agent=executor\n")
        self.ok("config", "set", "sandbox.profile.gardener", "workspace-write")

    def test_a_profile_that_is_none_is_refused(self):
        error = self.refused(2, "config", "set", "sandbox.profile.executor", "bogus")
        for word in ("read-only", "workspace-write", "full"):
            self.assertIn(word, error["message"])

    def test_it_can_be_turned_off(self):
        self.env["FOREDECK_SANDBOX"] = ""
        self.settings({"sandbox.mode": "off"})
        run = self.begin([("a", {"command": f"touch {self.folder}/outside"})])
        self.finish(run)
        self.assertEqual(self.attempt(run)["sandbox"], {"profile": "none"})
        found = [f for f in self.ok("doctor", "--json").json["findings"] if f["section"] == "sandbox"]
        self.assertIn("sandbox.mode is off", found[0]["hint"])


if __name__ == "__main__":
    engine_case.main()
