#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The first start and New Run: agents that are tested and used, folders that do and do not fit."""

import sys
import urllib.request

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403

SOURCES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AGENTS = os.path.join(os.environ.get("FOREDECK_AGENTS_DIR", ""), "bin")


class Model:
    """The scripted model server, and pi set up to talk to it and to nothing else."""

    def __init__(self, home):
        if not os.access(os.path.join(AGENTS, "pi"), os.X_OK):
            raise Skip("pi is not installed; tests/e2e/install-agents.sh installs it")
        folder = os.path.dirname(home)
        node = os.path.join(AGENTS, "node")
        self.process = subprocess.Popen(
            [node, os.path.join(SOURCES, "model-server", "server.mjs"), "--quiet",
             "--until-stdin-ends"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = json.loads(self.process.stdout.readline())["url"]
        subprocess.run([node, os.path.join(SOURCES, "model-server", "write-configs.mjs"), folder,
                        self.url], check=True, stdout=subprocess.DEVNULL)
        programs = os.path.join(folder, "bin")
        os.makedirs(programs)
        for name in "pi", "node":
            os.symlink(os.path.realpath(os.path.join(AGENTS, name)) if name == "node"
                       else os.path.join(AGENTS, name), os.path.join(programs, name))
        self.environment = {
            "PATH": programs + ":/usr/bin:/bin", "PI_CODING_AGENT_DIR": os.path.join(folder, "pi"),
            "PI_OFFLINE": "1", "PI_TELEMETRY": "0", "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1"}

    def answer(self, scenario, **args):
        """From now on every prompt is answered with SCENARIO."""
        rules = [{"match": {}, "scenario": scenario, "args": args}] if scenario else []
        request = urllib.request.Request(self.url + "/__mock/rules",
                                         json.dumps({"rules": rules}).encode(),
                                         {"Content-Type": "application/json"})
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=10)

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.process.stdin.close()
        self.process.wait(10)


def agents_at_work(home):
    """Processes in a folder of a test of an agent."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            where = os.readlink("/proc/%s/cwd" % pid)
        except OSError:
            continue
        if where.startswith(os.path.dirname(home)) and "foredeck-test-" in where:
            found.append(int(pid))
    return [pid for pid in found if is_alive(pid)]


def case_test_agent(home):
    """Test on the first page: an answer, a refusal in words, and taken back while it waits."""
    with Model(home) as model, Window(home, **model.environment) as window:
        window.wait_text("A Crew for Your Repository")
        model.answer("simple", text="READY & <i>willing</i>")
        window.press_until("Test pi", lambda: "answered “READY & <i>willing</i>”" in window.text(),
                           60)
        model.answer("fatal-401")
        window.press_until("Test pi", lambda: "It does not work:" in window.text(), 60)
        assert "answered “READY" not in window.text()
        model.answer("hang")
        window.press_until("Test pi", lambda: window.usable("Cancel the Test of pi"), 30)
        wait_for("the agent", lambda: agents_at_work(home), 30)
        window.press_until("Cancel the Test of pi", lambda: window.usable("Test pi"))
        window.wait_text("The test was cancelled.")
        wait_for("the agent's end", lambda: not agents_at_work(home), 30)
        model.answer("simple", text="READY")
        window.press_until("Test pi", lambda: "answered “READY”" in window.text(), 60)


def case_an_agent_without_a_login_can_be_tried(home):
    """Whether it is logged in is a guess, and the test is what tells."""
    folder = os.path.join(os.path.dirname(home), "bin")
    os.mkdir(folder)
    program = os.path.join(folder, "claude")
    with open(program, "w") as file:
        file.write("#!/bin/sh\necho '2.0.14 (Claude Code)'\n")
    os.chmod(program, 0o755)
    with Window(home, PATH=folder + ":" + os.environ["PATH"], HOME=folder, CLAUDE_CONFIG_DIR=folder,
                ANTHROPIC_API_KEY="") as window:
        window.wait_text("no login found")
        wait_for("its test", lambda: window.usable("Test Claude Code"))


TEAM = """---
name: implementation
description: A small repair
defaultWorkflow: fast-fix
---
# Team

## Roles

- explorer: agent=explorer
- executor: agent=executor
- verifier: agent=verifier
"""


def own_team(home, text=TEAM):
    """The team that New Run begins with, without a planner: a team of one's own by the same name."""
    folder = os.path.join(home, "library", "teams")
    os.makedirs(folder)
    with open(os.path.join(folder, "implementation.team.md"), "w") as file:
        file.write(text)


def fake_agent(home, name):
    """The folder of a program that is found as an agent, and does nothing else."""
    folder = os.path.join(os.path.dirname(home), "programs")
    os.makedirs(folder)
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write("#!/bin/sh\necho 0.74.0\n")
    os.chmod(path, 0o755)
    return folder


def new_run(window):
    window.press_until("New Run", lambda: window.find("Goal"))


def graph(window):
    """What the graph of the preview says of itself."""
    node = window.find("Task graph:", exact=False)
    return node.name if node else ""


def case_new_run_with_pi(home):
    """A real agent: the preview shows its graph, Start shows the run, its words come live."""
    own_team(home)
    project = make_repository(os.path.join(os.path.dirname(home), "project"))
    with Model(home) as model, \
         Window(home, "--project", project, **model.environment) as window:
        model.answer("simple", text="The cause is a blank.")
        wait_for("the preview", lambda: "Task graph: 5 tasks" in graph(window), 60)
        window.wait_text("explorer: pi", 60)
        # Nothing of what is to be filled in has been scrolled away when the sheet opens.
        heading = wait_for("the heading", lambda: window.find("Goal", ("label",)))
        assert 0 < window.extents(heading).y < 120, window.extents(heading)
        assert not window.usable("Start")
        window.type_into("Model, if not the agents' own", "m-1")
        window.wait_text("explorer: pi (m-1)")
        window.type_into("Model, if not the agents' own", "")
        wait_for("the preview to follow", lambda: "(m-1)" not in window.text())
        window.type_into("Goal", "The second page is empty")
        window.press_until("Start", lambda: runs(home))
        run = only_run(home)["id"]
        window.wait_text("The cause is a blank.", 60)
        window.press_until("Answer", lambda: window.usable("Approve"), 60)
        window.press_until("Approve", lambda: not requests_of(home, run))
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
        assert {t["cli"] for t in tasks_of(home, run)} == {"pi"}, tasks_of(home, run)
        window.wait_text("Completed")


def cannot_start(window, why):
    """Start cannot be pressed, and WHY is on the sheet and what the button says of itself."""
    def described():
        button = window.find("Start", BUTTONS)
        return why in button.description and not button.getState().contains(pyatspi.STATE_SENSITIVE)

    wait_for("“%s” said of Start" % why, described, 60)
    window.wait_text(why, 60)


def case_new_run_says_what_is_lacking(home):
    """What is still to be filled in is said beside Start, until it can be pressed."""
    project = make_repository(os.path.join(os.path.dirname(home), "project"))
    programs = {"PATH": fake_agent(home, "pi") + ":/usr/bin:/bin"}
    with Window(home, **programs) as window:
        new_run(window)
        cannot_start(window, "choose a project")
    with Window(home, "--project", project, **programs) as window:
        cannot_start(window, "write down the goal")
        window.type_into("Goal", "Anything")
        wait_for("a usable Start", lambda: window.usable("Start"), 60)
        window.wait_gone("write down the goal", 60)
        window.type_into("Goal", " ")
        cannot_start(window, "write down the goal")


def case_new_run_agent_that_is_not_here(home):
    """An agent of the team that is not on this machine is named before the run fails on it."""
    own_team(home)
    with open(os.path.join(home, "library", "config.json"), "w") as file:
        json.dump({"agents": {"default_cli": "codex"}}, file)
    project = make_repository(os.path.join(os.path.dirname(home), "project"))
    programs = {"PATH": fake_agent(home, "pi") + ":/usr/bin:/bin"}
    with Window(home, "--project", project, **programs) as window:
        window.type_into("Goal", "Anything")
        cannot_start(window, "which was not found on this machine")


def case_new_run_refused(home):
    """No agent, no repository, a file: the sheet says what is wrong and stays; nothing is made."""
    folder = os.path.join(os.path.dirname(home), "plain")
    os.makedirs(folder)
    programs = {"PATH": "/usr/bin:/bin"}
    with Window(home, "--project", folder, **programs) as window:
        window.wait_text("It needs an agent, and none was found on this machine.", 60)
        window.type_into("Goal", "Anything")
        cannot_start(window, "It needs an agent, and none was found on this machine.")


def case_new_run_unknown_agent(home):
    """A team that names an agent which is not there is refused with that name, before the start."""
    own_team(home, TEAM.replace("agent=explorer", "agent=nonesuch"))
    project = make_repository(os.path.join(os.path.dirname(home), "project"))
    with Model(home) as model, \
         Window(home, "--project", project, **model.environment) as window:
        window.wait_text("This Cannot Start Like That", 60)
        assert "nonesuch" in window.text(), window.text()
        window.type_into("Goal", "Anything")
        cannot_start(window, "nonesuch")


def case_new_run_not_a_repository(home):
    with Model(home) as model:
        folder = os.path.join(os.path.dirname(home), "plain")
        os.makedirs(folder)
        with Window(home, "--project", folder, **model.environment) as window:
            window.wait_text("This Cannot Start Like That", 60)
            assert "repository" in window.text(), window.text()
            window.type_into("Goal", "Anything")
            cannot_start(window, "repository")
            subprocess.run(["git", "-C", folder, "init", "-q"], check=True)
            window.type_into("Model, if not the agents' own", "m-1")
            cannot_start(window, "has no commit yet")


def case_new_run_warns(home):
    """Local changes that the run will not see are said before and after the start."""
    own_team(home)
    project = make_repository(os.path.join(os.path.dirname(home), "project"))
    with open(os.path.join(project, "README.md"), "a") as file:
        file.write("More\n")
    with Model(home) as model, \
         Window(home, "--project", project, **model.environment) as window:
        model.answer("simple", text="Nothing to do.")
        window.wait_text("local changes that the run will not see (1 file)", 60)
        window.type_into("Goal", "Anything")
        window.press_until("Start", lambda: runs(home))
        window.press_until("Show", lambda: window.find("Copy", BUTTONS), exact=False)


def scripted(home):
    """The agents of the demo do all tasks, so that nothing but Foredeck is needed."""
    os.makedirs(os.path.join(home, "library"))
    with open(os.path.join(home, "library", "config.json"), "w") as file:
        json.dump({"agents": {"default_cli": "demo"}, "approval": {"plan": "auto"}}, file)
    return make_repository(os.path.join(os.path.dirname(home), "project"))


def start(window, home):
    window.press_until("Start", lambda: runs(home), 60)
    return only_run(home)["id"]


def case_new_run_chain(home):
    """A chain: what is wrong with it is said with its column, its links are the graph."""
    project = scripted(home)
    with Window(home, "--project", project) as window:
        window.press_until("Chain", lambda: "write down the chain" in window.text(), 60)
        cannot_start(window, "write down the chain")
        assert not window.find("Workflow"), "a chain has no workflow"
        window.type_into("Chain", "explorer -> -> writer")
        cannot_start(window, "column 13")
        window.type_into("Chain", 'explorer -> "repair what was found"')
        wait_for("the preview", lambda: "Task graph: 3 tasks" in graph(window), 60)
        run = start(window, home)
        assert wait_end(home, run)["goal"] == 'explorer -> "repair what was found"'
        assert [t["role"] for t in tasks_of(home, run)] == ["explorer", "executor"], \
            tasks_of(home, run)


ASKING = """-- ---
-- description: Asks first
-- ---
local colour = crew.ask ("Which colour?", { "Red", "Blue" })
crew.fan_out ({ "roof", "door" }, 2, function (part)
  crew.command { run = { "echo", part, colour }, name = part, title = "Paint the " .. part }
end)
crew.set_result ("It is " .. colour)
"""


def case_new_run_script(home):
    """A script: started like a workflow, asks, is answered, and what it calls for is in the graph."""
    project = scripted(home)
    own_team(home, TEAM.replace("fast-fix", "asking"))
    os.makedirs(os.path.join(home, "library", "workflows"))
    with open(os.path.join(home, "library", "workflows", "asking.crew.lua"), "w") as file:
        file.write(ASKING)
    with Window(home, "--project", project) as window:
        window.type_into("Goal", "The house has a colour")
        wait_for("the preview", lambda: "Task graph: 2 tasks" in graph(window), 60)
        run = start(window, home)
        request = wait_for("the question", lambda: requests_of(home, run), 60)[0]
        assert request["title"] == "Which colour?", request
        window.key("ctrl+j")
        wait_for("its page", lambda: window.usable("Blue"))
        window.press_until("Blue", lambda: not any(r["state"] == "open" for r in requests_of(home, run)))
        assert wait_end(home, run)["status"] == "completed", run_of(home, run)
        assert {"Paint the roof", "Paint the door"} <= {t["title"] for t in tasks_of(home, run)}
    with Window(home, run) as window:
        # What was made is a node as well.
        wait_for("its graph", lambda: "Task graph: 4 tasks" in graph(window), 60)


def case_new_run_goal_loop(home):
    """A goal loop: one step in turns, with the checks and the judge; its turns are numbered."""
    project = scripted(home)
    with Window(home, "--project", project) as window:
        window.type_into("Goal", "All tests pass")
        window.press_until("Repeat until the goal is achieved",
                           lambda: window.find("Most turns", ("spin button",)), 60,
                           roles=("switch", "toggle button", "check box"))
        window.wait_text("Turns like this one follow until the goal is achieved.", 60)
        spin = window.find("Most turns", ("spin button",))
        spin.queryValue().currentValue = 3
        run = start(window, home)
        window.wait_text("Turn 1: Judge the turn", 60)
        wait_for("its tasks", lambda: {"checks-1", "judge-1"}
                 <= {t["key"] for t in tasks_of(home, run)}, 60)
        window.wait_text("Turn 1 of 3", 60)


def case_new_run_plan_file(home):
    """A plan in Markdown: its tasks are in the preview, its headline is the goal, faults have a line."""
    project = scripted(home)
    path = os.path.join(os.path.dirname(home), "plan.md")
    with Window(home, "--project", project) as window:
        window.press_until("Plan", lambda: "choose the file of the plan" in window.text(), 60)
        cannot_start(window, "choose the file of the plan")
        assert not window.find("Repeat until the goal is achieved"), "a plan has no turns"
        window.type_into("File of the plan", path)
        cannot_start(window, "The plan cannot be read")
        with open(path, "w") as file:
            file.write("# A plan\n\n1. One (after: nothing-of-that-name)\n")
        window.type_into("File of the plan", path + " ")
        cannot_start(window, "plan.md:3:")
        with open(path, "w") as file:
            file.write("# The report speaks German\n\n1. Move the texts\n2. Translate them\n")
        window.type_into("File of the plan", path)
        assert window.usable("Choose a Plan…"), "the button has no name"
        wait_for("the preview", lambda: window.usable("Start"), 60)
        run = start(window, home)
        assert wait_end(home, run)["goal"] == "The report speaks German"
        assert {"Move the texts", "Translate them"} <= {t["title"] for t in tasks_of(home, run)}


def case_new_run_follows_the_project(home):
    """What a trusted project brings is offered once the project is chosen, however it is chosen."""
    project = scripted(home)
    folder = os.path.join(project, ".foredeck", "workflows")
    os.makedirs(folder)
    with open(os.path.join(folder, "house-rules.workflow.md"), "w") as file:
        file.write("---\nname: house-rules\ndescription: Ours\n---\n# Ours\n\n## a\n"
                   "role: executor\n\nDo it.\n")
    ctl(home, "trust", project)
    assert wait_end(home, begin(home, [("a", {"command": "true"})]))["class"] == "finished"
    with Window(home) as window:
        window.press_until("New Run", lambda: window.find("Goal", exact=False))
        window.wait_text("To start, write down the goal.", 60)
        window.click(wait_for("the project", lambda: window.find("Project", ("label",))))
        subprocess.run(["xdotool", "click", "--repeat", "30", "--delay", "20", "5"], check=True)
        row = wait_for("the workflows", lambda: window.find("Workflow", ("combo box",)))
        wait_for("its row in sight", lambda: window.extents(row).y < 600)
        window.click(row)
        window.wait_text("house-rules", 60)


PROJECT_TEAM = """---
name: ours
description: The project's own
defaultWorkflow: fast-fix
---
# Team

## Roles

- explorer: agent=explorer
- executor: agent=executor
- verifier: agent=verifier
"""


def case_a_goal_is_kept(home):
    """Escape in New Run loses nothing: the words are there again, for their own project."""
    base = os.path.dirname(home)
    ctl(home, "list")
    for name in ("one", "two"):
        make_repository(os.path.join(base, name))
    project = os.path.join(base, "one")
    with Window(home, "--project", project) as window:
        wait_for("the sheet", lambda: window.find("Goal", exact=False))
        window.write("mend it")
        wait_for("the words", lambda: window.entry_text("Goal") == "mend it")
        window.key("Escape")
        wait_for("no sheet", lambda: window.entry_text("Goal") is None)
        for name, words in (("two", ""), ("one", "mend it")):
            subprocess.run([FOREDECK, "--project", os.path.join(base, name)], check=True,
                           env=dict(os.environ, FOREDECK_HOME=home), timeout=40)
            wait_for("the draft for " + name, lambda: window.entry_text("Goal") == words)
            window.key("Escape")
            wait_for("no sheet", lambda: window.entry_text("Goal") is None)


def case_trust(home):
    """What a project brings is left out until the person trusts it, which the window can do."""
    project = make_repository(os.path.join(os.path.dirname(home), "project"))
    folder = os.path.join(project, ".foredeck", "teams")
    os.makedirs(folder)
    with open(os.path.join(folder, "ours.team.md"), "w") as file:
        file.write(PROJECT_TEAM)

    def teams():
        return [item["name"] for item in ctl(home, "library", "list", "team", "--project",
                                             project)["items"]]

    with Window(home, "--project", project) as window:
        window.wait_text("You have not trusted it", 60)
        window.press_until("Trust…", lambda: window.find("Trust", BUTTONS))
        window.wait_text("Checks and hooks are programs")
        # only asking changes nothing
        window.key("Escape")
        wait_for("no question", lambda: not window.find("Trust", BUTTONS))
        assert "ours" not in teams()
        window.press_until("Trust…", lambda: window.find("Trust", BUTTONS))
        window.press_until("Trust", lambda: not window.find("Trust", BUTTONS))
        window.wait_gone("You have not trusted it")
        assert "ours" in teams()
        window.key("Escape")
        activate("preferences")
        window.press_until("Revoke", lambda: "ours" not in teams())
        window.press_until("Trust…", lambda: window.find("Trust", BUTTONS))
        window.key("Escape")


if __name__ == "__main__":
    sys.exit(main(globals()))
