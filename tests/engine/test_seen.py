# SPDX-License-Identifier: GPL-3.0-or-later
"""What an agent was told is seen once its session says it again, and not before."""

import fake_case


class SeenTest(fake_case.FakeCase):
    """A person speaks with a live agent that is at work."""

    def messages(self, run):
        return [(m["text"], m["state"]) for m in self.ok("messages", run, "--json").json["messages"]]

    def test_what_a_session_says_again_was_seen(self):
        for cli in ("pi", "claude", "codex"):
            with self.subTest(cli):
                run = self.begin_live(cli, "slow")
                self.ok("steer", run, "a", "Mind the gap. [steered]")
                self.finish(run)
                self.assertEqual(self.messages(run), [("Mind the gap. [steered]", "seen")])
                self.assertEqual(self.types(run).count("message.seen"), 1)
                self.assertLess(self.types(run).index("message.delivered"), self.types(run).index("message.seen"))

    def test_what_a_session_never_says_again_was_only_delivered(self):
        run = self.begin_live("acp", "slow")
        self.ok("steer", run, "a", "Mind the gap. [steered]")
        self.until("its delivery", lambda: "message.delivered" in self.types(run))
        self.assertEqual(self.messages(run), [("Mind the gap. [steered]", "delivered")])
        self.ok("cancel", run)
        self.finish(run, "cancelled")


if __name__ == "__main__":
    fake_case.engine_case.main()
