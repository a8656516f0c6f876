# SPDX-License-Identifier: GPL-3.0-or-later
"""While agents work it is foreseen which of their changes will not fit together."""

import os

import engine_case


class ForesightTest(engine_case.EngineCase):
    def conflicts(self, run):
        return [(pair["tasks"], pair["paths"]) for pair in self.ok("graph", run, "--json").json["conflicts"]]

    def objects(self):
        return self.git("count-objects", "-v")

    def writer(self, text, gate, path="shared.txt"):
        return {"command": f"sh -c 'echo {text} > {path}; while [ ! -e {self.folder}/{gate} ]; do sleep 0.02; done'"}

    def open(self, name):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8"):
            pass

    def tree(self, run, key):
        return self.until(f"the tree of {key}", lambda: self.tasks(run)[key].get("worktree"))

    def write_in(self, folder, path, text):
        with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def test_two_at_work_that_will_not_fit_are_named_until_they_do(self):
        run = self.begin([("a", self.writer("one", "go")), ("b", self.writer("two", "go")),
                          ("c", self.writer("three", "go", "other.txt"))])
        pair = (["a", "b"], ["shared.txt"])
        self.until("the conflict", lambda: self.conflicts(run) == [pair])
        before = self.objects()
        shown = self.ok("show", run, "--json").json
        self.assertEqual([(found["tasks"], found["paths"]) for found in shown["conflicts"]], [pair])
        self.assertIn("shared.txt", self.ok("show", run).out)
        self.assertIn("a and b will not fit together", self.ok("graph", run).out)
        (event,) = [event for event in self.events(run) if event["type"] == "task.conflict"]
        self.assertEqual((event["task"], event["data"]), ("a", {"with": "b", "paths": ["shared.txt"]}))

        self.write_in(self.tree(run, "b"), "shared.txt", "one\n")
        self.until("no conflict", lambda: self.conflicts(run) == [])
        self.assertEqual(self.objects(), before)
        self.open("go")
        self.finish(run)
        self.assertNotIn("conflicts", self.show(run))

    def test_one_at_work_is_compared_with_those_that_have_finished(self):
        run = self.begin([("a", {"command": "sh -c 'echo one > shared.txt'"}), ("b", self.writer("two", "go"))])
        self.until_task(run, "a", "completed")
        self.until("the conflict", lambda: self.conflicts(run) == [(["a", "b"], ["shared.txt"])])
        self.ok("cancel", run)
        self.finish(run, "cancelled")
        self.assertEqual(self.conflicts(run), [])

    def test_what_builds_on_the_other_fits(self):
        run = self.begin([("a", {"command": "sh -c 'echo one > shared.txt'"}),
                          ("b", {**self.writer("two", "go"), "dependsOn": "a"}),
                          ("c", self.writer("three", "go", "third.txt")), ("d", self.writer("four", "go", "third.txt"))])
        self.until("the other conflict", lambda: self.conflicts(run) == [(["c", "d"], ["third.txt"])])
        self.assertEqual({event["task"] for event in self.events(run) if event["type"] == "task.conflict"}, {"c"})
        self.ok("cancel", run)
        self.finish(run, "cancelled")


if __name__ == "__main__":
    engine_case.main()
