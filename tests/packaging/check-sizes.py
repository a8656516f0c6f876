# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of at most 600 lines (tests, which are lists of cases, 800), functions of at most 60, lines of at
most 100 columns."""

import re
import unicodedata

import tree

FILE_LINES = 600
TEST_LINES = 800
FUNCTION_LINES = 60
COLUMNS = 100
# Longer files and functions, each with the reason why it is one piece.
LONG_FILES = {
    'src/app/fore-window.c': 'one class: the window and where its pages come from',
}
LONG_FUNCTIONS = {
}
NAME = re.compile(r'^([A-Za-z_]\w*) \(|^(?:static|int|void|char|gboolean|guint)\b[^;={]*?\b([a-z_]\w*) ?\(')


def columns(line):
    wide = sum(1 for char in line if unicodedata.east_asian_width(char) in 'WF')
    marks = sum(1 for char in line if unicodedata.combining(char))
    return len(line) + wide - marks


def functions(text):
    """(name, first line, number of lines from brace to brace) of each function of a file in our style."""
    name, opened = None, None
    for number, line in enumerate(tree.strip_c(text).splitlines(), 1):
        match = NAME.match(line)
        if match:
            name = match.group(1) or match.group(2)
        elif line.startswith('{'):
            opened = number
        elif line.startswith('}') and opened is not None:
            if name is not None and line.strip() == '}':
                yield name, opened, number - opened - 1
            name, opened = None, None


def judge_file(path, text):
    lines = text.count('\n')
    most = TEST_LINES if path.startswith('tests/') else FILE_LINES
    if lines > most and path not in LONG_FILES:
        return ['%s: %d lines' % (path, lines)]
    return []


def judge_functions(path, text):
    return ['%s:%d: %s has %d lines' % (path, line, name, length)
            for name, line, length in functions(text)
            if length > FUNCTION_LINES and '%s:%s' % (path, name) not in LONG_FUNCTIONS]


def judge_columns(path, text):
    return ['%s:%d: %d columns' % (path, number, columns(line))
            for number, line in enumerate(text.splitlines(), 1) if columns(line) > COLUMNS]


def judge(path, text):
    return judge_file(path, text) + judge_functions(path, text) + judge_columns(path, text)


if __name__ == '__main__':
    tree.report([fault for path in tree.c_files() for fault in judge(path, tree.read(path))],
                'pieces that are too long')
