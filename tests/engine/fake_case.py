# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of agents that speak as the real ones do."""

import os
import shutil

import engine_case

FAKE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "agents", "fake-agent.py")


class FakeCase(engine_case.EngineCase):
    """What an agent does stands in brackets in the text of its task."""

    def setUp(self):
        super().setUp()
        self.bin = os.path.join(self.folder, "bin")
        os.makedirs(self.bin)
        for name in ("pi", "claude", "codex", "gemini", "opencode", "acp-agent"):
            path = os.path.join(self.bin, name)
            shutil.copy(FAKE, path)
            os.chmod(path, 0o755)
        self.env["PATH"] = self.bin + os.pathsep + self.env["PATH"]
        self.env["FOREDECK_SANDBOX"] = "off"

    def begin_live(self, cli, word):
        """A run of one live agent that said its first words."""
        keys = {"live": "true", "task": f"Do it. [{word}]"}
        if cli == "acp":
            keys.update({"cli": "acp", "command": os.path.join(self.bin, "acp-agent")})
        run = self.begin([("a", keys)], None, "--cli", "demo" if cli == "acp" else cli)
        capture = os.path.join(self.home, "runs", run, "attempts", "a.1.out")
        self.until("what it says", lambda: os.path.exists(capture) and "I " in self.file(capture))
        self.until("its session", lambda: self.query(run, "SELECT session FROM attempts")[0][0])
        return run
