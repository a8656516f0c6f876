#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A notification server as desktops have one (org.freedesktop.Notifications 1.2), without a screen:
prints what it is told as lines of JSON, and lets its standard input press buttons:

    ID ACTION
"""

import json
import sys

from gi.repository import Gio, GLib

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"
INTERFACE = """<node><interface name="org.freedesktop.Notifications">
  <method name="GetCapabilities"><arg type="as" direction="out"/></method>
  <method name="GetServerInformation"><arg type="s" direction="out"/><arg type="s" direction="out"/>
    <arg type="s" direction="out"/><arg type="s" direction="out"/></method>
  <method name="Notify"><arg type="s" direction="in"/><arg type="u" direction="in"/>
    <arg type="s" direction="in"/><arg type="s" direction="in"/><arg type="s" direction="in"/>
    <arg type="as" direction="in"/><arg type="a{sv}" direction="in"/><arg type="i" direction="in"/>
    <arg type="u" direction="out"/></method>
  <method name="CloseNotification"><arg type="u" direction="in"/></method>
  <signal name="NotificationClosed"><arg type="u"/><arg type="u"/></signal>
  <signal name="ActionInvoked"><arg type="u"/><arg type="s"/></signal>
</interface></node>"""


class Server:
    def __init__(self):
        self.last = 0
        self.connection = None
        self.loop = GLib.MainLoop()
        Gio.bus_own_name(Gio.BusType.SESSION, NAME, Gio.BusNameOwnerFlags.NONE, self.on_bus,
                         lambda *_: self.say("ready"), lambda *_: self.loop.quit())
        GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, self.on_input)

    def say(self, what, **more):
        print(json.dumps(dict({"what": what}, **more)), flush=True)

    def on_bus(self, connection, name):
        self.connection = connection
        node = Gio.DBusNodeInfo.new_for_xml(INTERFACE)
        connection.register_object(PATH, node.interfaces[0], self.on_call, None, None)

    def on_call(self, connection, sender, path, interface, method, arguments, invocation):
        values = arguments.unpack()
        if method == "GetCapabilities":
            answer = GLib.Variant("(as)", (["actions", "body", "persistence"],))
        elif method == "GetServerInformation":
            answer = GLib.Variant("(ssss)", ("test", "test", "1", "1.2"))
        elif method == "Notify":
            program, replaces, icon, title, body, actions, hints, timeout = values
            if not replaces:
                self.last += 1
            number = replaces or self.last
            self.say("notify", id=number, title=title, body=body, actions=actions)
            answer = GLib.Variant("(u)", (number,))
        else:
            self.say("close", id=values[0])
            self.emit("NotificationClosed", GLib.Variant("(uu)", (values[0], 3)))
            answer = None
        invocation.return_value(answer)

    def emit(self, signal, values):
        self.connection.emit_signal(None, PATH, NAME, signal, values)

    def on_input(self, fd, condition):
        line = sys.stdin.readline()
        if not line:
            self.loop.quit()
            return False
        number, _, action = line.strip().partition(" ")
        self.emit("ActionInvoked", GLib.Variant("(us)", (int(number), action)))
        return True


Server().loop.run()
