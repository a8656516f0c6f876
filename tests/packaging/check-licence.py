# SPDX-License-Identifier: GPL-3.0-or-later
"""Every file says its licence, by a line near its top, or beside it where its format has no comments."""

import os

import tree

LINE = 'SPDX-License-Identifier: GPL-3.0-or-later'
# Formats without comments, and files whose bytes are the matter of a test. LICENSE is the licence itself.
NO_COMMENTS = ('.json', '.png', '.gif', '.ico', '.icns', '.jsonl', '.gitkeep', '.in', '.out', '.raw',
               '.vocabulary')
EXEMPT = ('LICENSE', 'po/LINGUAS')
EXEMPT_FOLDERS = ('tests/fuzz/corpus/', 'tests/agents/fixtures/', 'data/demo/sample/')


def needs_line(path):
    if path in EXEMPT or path.startswith(EXEMPT_FOLDERS) or '/corpus/' in path:
        return False
    return os.path.splitext(path)[1] not in NO_COMMENTS


def judge(path, text):
    if not needs_line(path) or LINE in text[:2000]:
        return []
    return ['%s: has no line “%s”' % (path, LINE)]


if __name__ == '__main__':
    tree.report([fault for path in tree.tracked_files() for fault in judge(path, tree.read(path))],
                'files without a licence')
