# SPDX-License-Identifier: GPL-3.0-or-later
"""Decoding recorded output, and output that nobody should print."""

import json
import os
import resource
import subprocess

import ctl_case

ADAPTERS = ("pi", "claude", "demo", "command")


class DecodeTest(ctl_case.CtlCase):
    def record(self, data, name="recorded.jsonl"):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def decode(self, cli, path, limit_mb=None):
        """Decodes, with a limit on memory where one is asked for."""

        def limit():
            resource.setrlimit(resource.RLIMIT_DATA, (limit_mb * 2**20, limit_mb * 2**20))

        sanitized = "asan" in os.environ.get("FORE_CTL", "") or "ASAN_OPTIONS" in os.environ
        done = subprocess.run(
            [ctl_case.CTL, "decode", cli, path, "--json"], capture_output=True, env=self.env,
            timeout=ctl_case.DEADLINE, check=False, preexec_fn=limit if limit_mb and not sanitized else None,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_tokens(self):
        paths = [self.record(b"Hello, world! It's  fine.\n  ok\n", "a"), self.record("é\0é".encode(), "b")]
        one = self.ok("tokens", paths[0], "--model", "gpt-5", "--json").json
        self.assertEqual(one, {"file": paths[0], "tokens": 11, "kind": "exact", "model": "gpt-5"})
        several = self.ok("tokens", *paths, "--json").json
        self.assertEqual([row["kind"] for row in several], ["guessed", "guessed"])
        self.assertEqual([row["model"] for row in several], [None, None])
        self.assertIn("exact", self.ok("tokens", *paths, "--model", "o3").out)
        self.assertEqual(self.fails(4, "tokens", "/nonexistent", "--json").error["code"], "not-found")
        self.env["FOREDECK_DATA"] = self.folder
        self.assertEqual(self.ok("tokens", paths[0], "--model", "gpt-5", "--json").json["kind"], "guessed")

    def test_shape(self):
        path = self.record(b'{"type":"result","subtype":"success","is_error":false,"result":"Hello."}\n')
        decoded = self.decode("claude", path)
        self.assertEqual(decoded["summary"]["outcome"], "completed")
        self.assertEqual(decoded["summary"]["final_text"], "Hello.")
        self.assertEqual(decoded["summary"]["errors"], [])
        self.assertIn("cost_known", decoded["summary"]["usage"])
        self.assertNotIn("model", decoded["summary"])

    def test_nothing_at_all(self):
        path = self.record(b"")
        for cli in ADAPTERS:
            self.assertEqual(self.decode(cli, path)["entries"], [])

    def test_garbage(self):
        path = self.record(bytes(range(256)) * 50 + b"\n{]\n\xff\xfe\n")
        for cli in ADAPTERS:
            decoded = self.decode(cli, path)
            self.assertNotEqual(decoded["summary"]["outcome"], "completed" if cli != "command" else "")

    def test_a_hundred_thousand_brackets(self):
        for data in (b"[" * 100000, b'{"a":' * 100000, b'{"type":"x","y":' + b"[" * 100000 + b"]" * 100000 + b"}"):
            path = self.record(data + b"\n")
            for cli in ADAPTERS:
                self.decode(cli, path)

    def test_seventy_megabytes_on_one_line(self):
        path = self.record(b'{"type":"assistant","text":"' + b"a" * 70_000_000 + b'"}\n')
        for cli in ADAPTERS:
            self.decode(cli, path, limit_mb=256)

    def test_no_final_newline_and_cr_lf(self):
        line = b'{"type":"result","subtype":"success","is_error":false,"result":"R"}'
        for data in (line, line + b"\r\n", b"\n\n" + line + b"\n\n"):
            self.assertEqual(self.decode("claude", self.record(data))["summary"]["final_text"], "R")

    def test_standard_input(self):
        answer = self.ok("decode", "command", "-", "--json", stdin="some text\n")
        self.assertIn("some text", json.dumps(answer.json))

    def test_a_folder(self):
        self.refused(4, "decode", "pi", self.folder)

    def test_control_characters_do_not_reach_a_person(self):
        path = self.record(b"\x1b]0;title\x07\x1b[31mred\x1b[0m \xe2\x80\xaeevil\n")
        out = self.ok("decode", "command", path).out
        self.assertNotIn("\x1b", out)
        self.assertNotIn("\u202e", out)


if __name__ == "__main__":
    ctl_case.main()
