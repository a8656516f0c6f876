#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What Foredeck says by itself: notifications of requests, reports of crashes, errors with their log."""

import ctypes
import sys
import threading

sys.dont_write_bytecode = True
from windowtest import *  # noqa: E402,F403

HERE = os.path.dirname(os.path.abspath(__file__))


class Notifications:
    """The notification server of the session, and what it was told."""

    def __init__(self):
        self.told = []
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "notification-daemon.py")], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self.read, daemon=True).start()
        wait_for("the notification server", lambda: self.said("ready"))

    def read(self):
        for line in self.process.stdout:
            self.told.append(json.loads(line))

    def said(self, what):
        return [line for line in list(self.told) if line["what"] == what]

    def invoke(self, number, action):
        self.process.stdin.write("%d %s\n" % (number, action))
        self.process.stdin.flush()

    def __enter__(self):
        return self

    def __exit__(self, *what):
        self.process.stdin.close()
        self.process.wait(10)


def set_focus(window, wanted):
    """What a window manager does, which the virtual display has none of."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    display = ctypes.c_void_p(x11.XOpenDisplay(None))
    nobody, nobody_but_pointer = ctypes.c_ulong(0), ctypes.c_ulong(1)
    x11.XSetInputFocus(display, nobody_but_pointer if wanted else nobody, 1, 0)
    x11.XCloseDisplay(display)
    wait_for("the focus", lambda: wanted == any(
        window.app.getChildAtIndex(i).getState().contains(pyatspi.STATE_ACTIVE)
        for i in range(window.app.childCount)))


def case_notification(home):
    """A request raises one; Open, and nothing that decides, shows the page of it."""
    with Notifications() as desktop, Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        set_focus(window, False)
        start_waiting_demo(home)
        shown = wait_for("a notification", lambda: desktop.said("notify"))
        assert len(shown) == 1, shown
        assert "tally" in shown[0]["title"], shown
        names = shown[0]["actions"][1::2]
        assert names[-1] == "Open" and "Approve" not in names, shown
        desktop.invoke(shown[0]["id"], shown[0]["actions"][-2])
        wait_for("the plan's page", lambda: window.usable("Ask for Changes…"))


def case_notification_taken_back(home):
    """One whose request was answered elsewhere does not stay on the desktop."""
    with Notifications() as desktop, Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        set_focus(window, False)
        run = start_waiting_demo(home)
        shown = wait_for("a notification", lambda: desktop.said("notify"))
        assert not desktop.said("close")
        ctl(home, "reject", run)
        closed = wait_for("it to be taken back", lambda: desktop.said("close"))
        assert [note["id"] for note in closed] == [shown[0]["id"]], desktop.told


def case_notification_default(home):
    """A click on the notification itself opens the request too."""
    with Notifications() as desktop, Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        set_focus(window, False)
        start_waiting_demo(home)
        shown = wait_for("a notification", lambda: desktop.said("notify"))
        assert "default" in shown[0]["actions"], shown
        desktop.invoke(shown[0]["id"], "default")
        wait_for("the plan's page", lambda: window.usable("Ask for Changes…"))


def case_no_notification_in_front(home):
    """Whoever looks at the window sees the inbox count; nothing pops up over it."""
    with Notifications() as desktop, Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        set_focus(window, True)
        start_waiting_demo(home)
        window.wait_text("1 request waits for you")
        assert not desktop.said("notify"), desktop.told


def case_runs_go_on(home):
    """A window that is closed while a run is at work says once that it goes on."""
    with Notifications() as desktop:
        run = None
        for _ in range(2):
            with Window(home, GSETTINGS_BACKEND="keyfile") as window:
                if run is None:
                    window.wait_text("A Crew for Your Repository")
                    run = start_waiting_demo(home)
                    window.wait_text("1 request waits for you")
                window.wait_text("Inbox")
                window.press_until("Close", lambda: window.process.poll() is not None)
            said = [note for note in desktop.said("notify") if "Runs Go On" in note["title"]]
            assert len(said) == 1, said


def case_crash_report(home):
    """A report that nobody has seen is offered at the next start, once, and can be copied."""
    crashes = os.path.join(home, "crashes")
    with Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        os.kill(window.process.pid, signal.SIGSEGV)
        window.process.wait()
        window.process.returncode = 0
    assert len(os.listdir(crashes)) == 1, os.listdir(crashes)
    with Window(home) as window:
        window.wait_text("ended unexpectedly last time")
        window.press_until("View Report", lambda: window.find("Copy", BUTTONS))
        report = wait_for("the report", lambda: next(
            node.queryText().getText(0, -1) for node in window.walk()
            if "Text" in pyatspi.listInterfaces(node) and node.name == "Text"))
        assert "foredeck" in report and "SIGSEGV" in report.upper() or "11" in report, report
    with Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        assert "ended unexpectedly" not in window.text()


def case_error_details(home):
    """An error says what happened; its details can be copied, and lead to the log."""
    with Window(home) as window:
        window.wait_text("A Crew for Your Repository")
        window.open_run("nonesuch")
        window.press("Details", exact=False)
        wait_for("the details", lambda: window.find("Copy Details", BUTTONS))
        text = window.text()
        assert "Foredeck 0" in text and "not-found" in text, text
        window.press_until("Copy Details", lambda: not window.find("Copy Details", BUTTONS))
        window.open_run("nonesuch")
        window.press("Details", exact=False)
        window.press_until("Show Log", lambda: window.find("Copy", BUTTONS))
        log = wait_for("the log", lambda: next(
            node.queryText().getText(0, -1) for node in window.walk()
            if "Text" in pyatspi.listInterfaces(node) and node.name == "Text"))
        assert "nonesuch" in log, log


if __name__ == "__main__":
    sys.exit(main(globals()))
