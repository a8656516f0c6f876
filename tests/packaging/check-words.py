# SPDX-License-Identifier: GPL-3.0-or-later
"""The source speaks of itself: no folder of one machine, no unfinished business, no conflict marks."""

import re

import tree

WORDS = [
    (re.compile(r'(?<![\w.])/(?:work|home/\w+|Users/\w+)/'), 'a folder of one machine'),
    (re.compile(r'\b(?:TODO|FIXME|XXX|HACK)\b[:( ]'), 'unfinished business'),
    (re.compile(r'^(?:<<<<<<<|>>>>>>>) ', re.MULTILINE), 'a conflict mark'),
    (re.compile(r'[ \t]+$', re.MULTILINE), 'blanks at the end of a line'),
]
TEXT = ('.c', '.h', '.ui', '.py', '.sh', '.build', '.md', '.xml', '.css', '.txt', '.mjs', '.in')
# Recorded bytes, and tests that need such words as input.
EXEMPT = ('tests/packaging/', 'tests/fuzz/corpus/', 'data/demo/', 'po/')


def is_text(path):
    if path.startswith(EXEMPT):
        return False
    return path.endswith(TEXT) or path.startswith(('build-aux/', '.ci/'))


def judge(path, text):
    faults = []
    for pattern, what in WORDS:
        if what.startswith('blanks') and path.endswith('.md'):
            continue
        for match in pattern.finditer(text):
            faults.append('%s:%d: %s' % (path, text.count('\n', 0, match.start()) + 1, what))
    return faults


if __name__ == '__main__':
    tree.report([fault for path in tree.tracked_files() if is_text(path)
                 for fault in judge(path, tree.read(path))],
                'words that do not belong here')
