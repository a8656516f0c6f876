# SPDX-License-Identifier: GPL-3.0-or-later
"""A folder includes only folders below it (docs/architecture.md), and GTK stays in src/app."""

import re

import tree

ORDER = ['app', 'ctl', 'runner', 'guard', 'engine', 'bridge', 'agents', 'git', 'library', 'store',
         'text', 'platform', 'model']
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
WINDOW = re.compile(r'^(gtk|gdk|gsk|adwaita|gtksourceview)\b')
SYSTEM_C = re.compile(r'^[a-z0-9_]+(/[a-z0-9_.]+)*\.h$')
# What both sides of a guard must agree on lies where the other side may see it.
GUARD_MAY_SEE = ('platform/fore-guard-protocol.h',)
GLIB = ('glib.h', 'glib-object.h', 'glib/')
C_LIBRARY = ('string.h', 'stdlib.h', 'stdint.h', 'stdio.h', 'math.h', 'errno.h', 'limits.h', 'ctype.h',
             'stdbool.h', 'stddef.h', 'float.h', 'inttypes.h', 'time.h')


def _is_folder(name):
    return name in ORDER


def judge_own(folder, target):
    """What is wrong with a file of @folder that includes "@target", or nothing."""
    if '/' not in target:
        if target == 'config.h':
            return None
        if folder == 'app' and target.endswith(('-resources.h', '-icons.h')):
            return None
        return 'includes "%s" without its folder' % target
    top = target.split('/', 1)[0]
    home = folder.split('/', 1)[0]
    if not _is_folder(top):
        return 'includes "%s", which is no folder of ours' % target
    if top == 'guard' and home != 'guard':
        return 'includes the guard, which nobody may'
    if home == 'guard' and top != 'guard' and target not in GUARD_MAY_SEE:
        return 'is the guard and includes "%s"' % target
    if ORDER.index(top) < ORDER.index(home):
        return 'includes "%s", which is above it' % target
    if target.endswith('-private.h') and top != home:
        return 'includes "%s", which is private to src/%s' % (target, top)
    return None


def judge_foreign(folder, target):
    if folder.split('/', 1)[0] != 'app' and WINDOW.match(target):
        return 'includes <%s> outside of src/app' % target
    if folder == 'model' and not target.startswith(GLIB) and target not in C_LIBRARY:
        return 'is the model and includes <%s>' % target
    if folder == 'guard' and not SYSTEM_C.match(target):
        return 'is the guard and includes <%s>' % target
    if folder == 'guard' and target.startswith(('glib', 'gio', 'json-glib')):
        return 'is the guard and includes <%s>' % target
    return None


def judge(path, text):
    """The faults of one file of src/."""
    folder = path.rsplit('/', 1)[0][len('src/'):]
    faults = []
    for match in INCLUDE.finditer(text):
        kind, target = match.groups()
        fault = judge_own(folder, target) if kind == '"' else judge_foreign(folder, target)
        if fault:
            line = text.count('\n', 0, match.start(1)) + 1
            faults.append('%s:%d: %s' % (path, line, fault))
    return faults


if __name__ == '__main__':
    tree.report([fault for path in tree.c_files('src/') for fault in judge(path, tree.read(path))],
                'includes against the order of the folders')
