# SPDX-License-Identifier: GPL-3.0-or-later
"""What agents print: kept byte for byte, written once, and lost alone where it cannot be kept."""

import errno
import os
import unittest

import faults
import story

N_LINES = 1000


class CapturesTest(unittest.TestCase):
    def setUp(self):
        self.told = story.Story()
        self.addCleanup(lambda: self.told.close())

    def make_talkative(self, told):
        """The command of the run prints a thousand lines, one by one."""
        with open(told.workflow, encoding="utf-8") as file:
            text = file.read()
        loop = f"i=0; while [ $i -lt {N_LINES} ]; do echo line $i; i=$((i+1)); done"
        self.assertIn("echo Prepared.", text)
        with open(told.workflow, "w", encoding="utf-8") as file:
            file.write(text.replace("echo Prepared.", loop))

    @staticmethod
    def capture(told, name):
        return os.path.join(told.home, "runs", told.run, "attempts", name)

    def test_a_thousand_lines_are_written_once(self):
        """Each as it was, by whoever keeps it and nobody else, with no more calls than the command made."""
        told = self.told
        self.make_talkative(told)
        told.faults[faults.TRACE] = 1
        told.faults.arm(faults.COUNT, 1)
        told.drive_to_end_of_tasks()
        with open(self.capture(told, "prep.1.out"), "rb") as file:
            self.assertEqual(file.read(), b"".join(b"line %d\n" % i for i in range(N_LINES)))
        writes = [(program, path.rsplit("/", 1)[1]) for program, call, path in told.faults.read_trace()
                  if "write" in call and "/attempts/prep.1." in path]
        kept = [who for who in writes if who == (faults.GUARD, "prep.1.out")]
        self.assertGreater(len(kept), 0)
        self.assertLessEqual(len(kept), N_LINES)
        self.assertEqual([(program, name.split(".")[0]) for program, name in writes if (program, name) not in kept],
                         [(faults.RUNNER, "prep")])
        print(f"# {len(kept)} writes for {N_LINES} lines", flush=True)

    def test_a_capture_that_fails_alone_fails_no_task(self):
        for call, error in (("open", errno.EIO), ("write", errno.EIO), ("write", errno.ENOSPC)):
            with self.subTest(call=call, error=errno.errorcode[error]):
                self.told.close()
                self.told = told = story.Story()
                told.faults.match(call, "attempts/prep.1.out")
                told.faults.arm(faults.FAIL, 1, faults.GUARD, error=error, lasting=1 << 30)
                told.drive_to_end_of_tasks()
                self.assertTrue(told.faults[faults.FIRED])
                told.faults.disarm()
                told.check_tasks()
                self.assertEqual(told.query("SELECT n, cause FROM attempts WHERE task = 'prep'"), [(1, "none")])
                notices = told.query("SELECT data FROM events WHERE type = 'notice' AND task = 'prep'")
                self.assertEqual(len(notices), 1, notices)
                self.assertIn(os.strerror(error), notices[0][0])


if __name__ == "__main__":
    unittest.main(verbosity=2)
