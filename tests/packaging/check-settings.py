# SPDX-License-Identifier: GPL-3.0-or-later
"""check-settings.py: every setting that can be set has somebody who reads it."""

import re
import sys

import tree

TABLE = 'src/model/fore-settings-keys.c'


def main():
    names = re.findall(r'^  \{ "([a-z_.A-Z]+)"', tree.read(TABLE), re.MULTILINE)
    code = ''.join(tree.read(path) for path in tree.tracked_files()
                   if path.startswith('src/') and path.endswith('.c') and path != TABLE)
    unread = [name for name in names
              if '"' + re.split(r'(NAME|ROLE)', name)[0].rstrip('.') not in code]
    for name in unread:
        print('%s: the setting %s can be set and nothing reads it' % (TABLE, name))
    if not names:
        print('%s: no setting was found' % TABLE)
    return 1 if unread or not names else 0


if __name__ == '__main__':
    sys.exit(main())
