# SPDX-License-Identifier: GPL-3.0-or-later
"""C files look as clang-format 14 leaves them. Skipped where that version is not installed."""

import re
import shutil
import subprocess
import sys

import tree

VERSION = '14'
SKIPPED = 77


def find_formatter():
    for name in ('clang-format-' + VERSION, 'clang-format'):
        path = shutil.which(name)
        if path is None:
            continue
        said = subprocess.run([path, '--version'], stdout=subprocess.PIPE, check=True).stdout.decode()
        if re.search(r'version %s\.' % VERSION, said):
            return path
    return None


def judge(formatter, paths):
    faults = []
    for start in range(0, len(paths), 40):
        done = subprocess.run([formatter, '--dry-run', '-Werror', *paths[start:start + 40]],
                              cwd=tree.ROOT, stderr=subprocess.PIPE, check=False)
        faults += re.findall(r'^(\S+\.[ch]):\d+:\d+: error', done.stderr.decode(), re.MULTILINE)
    return sorted(set(faults))


if __name__ == '__main__':
    found = find_formatter()
    if found is None:
        print('clang-format %s is not installed' % VERSION)
        sys.exit(SKIPPED)
    tree.report(['%s: run clang-format -i' % path for path in judge(found, tree.c_files())],
                'files that clang-format would change')
