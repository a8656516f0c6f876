# SPDX-License-Identifier: GPL-3.0-or-later
"""Each test that the pages of promises name is there: `suite`: what it says; what another says."""

import glob
import os
import re

import tree

PAGES = ('docs/durability.md', 'docs/library-checks.md', 'docs/durability-cuts.md', 'docs/dispatch.md')
SUITE = re.compile(r'`([a-z][\w-]+)`:? ?([^`]*)')
NAME = re.compile(r'def (?:test|case)_(\w+)|\btest_(\w+) \(|"(?:/[\w/-]*/)?([\w-]+)"')
PREFIXES = ('engine-', 'faults-', 'store-', '')


def simplify(text):
    return re.sub(r'[\W_]+', ' ', text.lower()).strip()


def find_file(suite):
    """The file of a suite of `meson test`: engine-run-state is tests/engine/test-run-state.c."""
    for prefix in PREFIXES:
        if not suite.startswith(prefix):
            continue
        folder, name = prefix.rstrip('-') or '*', suite[len(prefix):]
        for form in ('test-' + name + '.c', 'test-' + name + '.py', 'test_' + name.replace('-', '_') + '.py'):
            found = glob.glob(os.path.join(tree.ROOT, 'tests', folder, form))
            if found:
                return found[0]
    return None


def list_names(path):
    with open(path, encoding='utf-8') as file:
        return [simplify(next(filter(None, groups), '')) for groups in NAME.findall(file.read())]


def judge_cell(where, cell):
    faults = []
    for suite, cases in SUITE.findall(cell):
        path = find_file(suite)
        if path is None:
            faults.append('%s: there is no test “%s”' % (where, suite))
            continue
        names = list_names(path)
        for case in filter(None, map(simplify, re.split(r'[;,]', cases))):
            if not any(case in name for name in names):
                faults.append('%s: “%s” has no test “%s”' % (where, suite, case))
    return faults


def judge(path, text):
    """The last cell of each row of a table, but for the first two rows."""
    faults = []
    for number, line in enumerate(text.split('\n'), 1):
        cells = line.strip().strip('|').split('|')
        if line.startswith('| ') and len(cells) == 2 and '`' in cells[-1]:
            faults += judge_cell('%s:%d' % (path, number), cells[-1])
    return faults


if __name__ == '__main__':
    tree.report([fault for page in PAGES for fault in judge(page, tree.read(page))], 'promises without their test')
