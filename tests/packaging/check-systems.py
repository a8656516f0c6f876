# SPDX-License-Identifier: GPL-3.0-or-later
"""What differs between systems lies in src/platform, in files of their own; nowhere else is a system asked for."""

import re

import tree

SYSTEM = re.compile(r'^\s*#\s*(?:if|ifdef|ifndef|elif)\b.*\b(?:__linux__|__linux|linux|__APPLE__|__MACH__'
                    r'|_WIN32|_WIN64|WIN32|__CYGWIN__|__MINGW32__|__FreeBSD__|__OpenBSD__|__NetBSD__'
                    r'|__unix__|__unix|__ANDROID__|G_OS_\w+)\b', re.MULTILINE)
SYSTEM_FILE = re.compile(r'-(?:linux|posix|darwin|windows)\.[ch]$')


def is_allowed(path):
    if path.startswith('src/platform/'):
        return True
    return path.startswith('src/guard/') and SYSTEM_FILE.search(path) is not None


def judge(path, text):
    if is_allowed(path):
        return []
    return ['%s:%d: asks which system it is' % (path, text.count('\n', 0, match.start()) + 1)
            for match in SYSTEM.finditer(tree.strip_c(text))]


if __name__ == '__main__':
    tree.report([fault for path in tree.c_files() for fault in judge(path, tree.read(path))],
                'questions for a system outside of src/platform')
