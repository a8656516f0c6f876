# SPDX-License-Identifier: GPL-3.0-or-later
"""Every file with words for a person is in po/POTFILES, nothing else is, and translations compile."""

import os
import re
import subprocess
import sys
import tempfile

import tree

MARKED = re.compile(r'\b(?:_|N_|C_|Q_|NC_|ngettext|dngettext|dgettext|g_dngettext|g_dpgettext2?) ?\(')
DEFINES = re.compile(r'^\s*#\s*define\b.*$', re.MULTILINE)
UI_MARKED = re.compile(r'translatable="(?:yes|true)"')


def has_words(path, text):
    if path.startswith('src/') and path.endswith(('.c', '.h')):
        return MARKED.search(DEFINES.sub('', tree.strip_c(text))) is not None
    if path.startswith('src/') and path.endswith('.ui'):
        return UI_MARKED.search(text) is not None
    if path.startswith('data/'):
        return path.endswith(('.desktop.in', '.metainfo.xml.in', '.gschema.xml'))
    return False


def judge_list(listed, wanted):
    faults = ['po/POTFILES lacks %s' % path for path in sorted(wanted - listed)]
    return faults + ['po/POTFILES lists %s, which has no words' % path
                     for path in sorted(listed - wanted)]


def listed_files(text):
    return {line.strip() for line in text.splitlines() if line.strip() and not line.startswith('#')}


def wanted_files():
    return {path for path in tree.tracked_files()
            if path.startswith(('src/', 'data/')) and has_words(path, tree.read(path))}


def judge_language(language):
    path = 'po/%s.po' % language
    if not os.path.exists(os.path.join(tree.ROOT, path)):
        return ['po/LINGUAS names %s, but %s is not there' % (language, path)]
    with tempfile.NamedTemporaryFile() as output:
        done = subprocess.run(['msgfmt', '--check', '-o', output.name, os.path.join(tree.ROOT, path)],
                              stderr=subprocess.PIPE, check=False)
    return [] if done.returncode == 0 else [done.stderr.decode().strip()]


def judge_strings(paths):
    """What xgettext finds wrong with the strings themselves, such as one that a macro cuts short."""
    marks = [*('--keyword=' + word for word in ('_', 'N_', 'C_:1c,2', 'NC_:1c,2', 'g_dngettext:2,3')),
             '--flag=g_set_error:4:c-format', '--flag=g_strdup_printf:1:c-format',
             '--flag=g_string_append_printf:2:c-format', '--flag=g_error_new:3:c-format']
    done = subprocess.run(['xgettext', '--from-code=UTF-8', '-o', os.devnull, *marks, *paths],
                          cwd=tree.ROOT, stderr=subprocess.PIPE, check=False)
    said = [line for line in done.stderr.decode().splitlines() if 'extension' not in line]
    return [] if done.returncode == 0 and not said else said


def write_list(paths):
    with open(os.path.join(tree.ROOT, 'po', 'POTFILES'), 'w', encoding='utf-8') as file:
        file.write('# SPDX-License-Identifier: GPL-3.0-or-later\n')
        file.writelines(path + '\n' for path in sorted(paths))


if __name__ == '__main__':
    if sys.argv[1:] == ['--write']:
        write_list(wanted_files())
    found = judge_list(listed_files(tree.read('po/POTFILES')), wanted_files())
    found += judge_strings(sorted(path for path in wanted_files() if path.endswith('.c')))
    for name in sorted(listed_files(tree.read('po/LINGUAS'))):
        found += judge_language(name)
    tree.report(found, 'faults of translations; tests/packaging/check-translations.py --write lists the files')
