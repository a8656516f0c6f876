# SPDX-License-Identifier: GPL-3.0-or-later
"""What the checks share: which files belong to the source, and how a check reports."""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIP_FOLDERS = {'.git', '__pycache__', 'node_modules'}


def _walk():
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders
                      if name not in SKIP_FOLDERS and
                      (name == 'build-aux' or not name.startswith('build'))]
        for name in files:
            yield os.path.relpath(os.path.join(folder, name), ROOT)


def tracked_files():
    """Paths of the source's files from its root: those git knows, or all of an unpacked archive."""
    try:
        output = subprocess.run(['git', '-c', 'safe.directory=*', '-C', ROOT, 'ls-files', '-z'],
                                check=True, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL).stdout
        paths = [path for path in output.decode().split('\0') if path]
    except (OSError, subprocess.CalledProcessError):
        paths = list(_walk())
    return sorted(path for path in paths if os.path.isfile(os.path.join(ROOT, path)))


def read(path):
    with open(os.path.join(ROOT, path), encoding='utf-8', errors='replace') as file:
        return file.read()


def c_files(*folders):
    return [path for path in tracked_files()
            if path.endswith(('.c', '.h')) and path.startswith(folders or ('src/', 'tests/'))]


def strip_c(text):
    """The text with comments, strings and characters blanked; every line keeps its place."""
    pattern = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
    return pattern.sub(lambda match: re.sub(r'[^\n]', ' ', match.group(0)), text)


def report(faults, what):
    """Prints the faults and ends the program with a status that says whether there were any."""
    for fault in faults:
        print(fault)
    if faults:
        print('%d %s' % (len(faults), what))
    sys.exit(1 if faults else 0)
