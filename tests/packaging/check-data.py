# SPDX-License-Identifier: GPL-3.0-or-later
"""check-data.py desktop|metainfo|schema|man [PROGRAM]: what the system reads of us is well-formed.

Skipped where the program that checks them is missing.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

import tree

SKIPPED = 77
APP = 'app.foredeck.Foredeck'


def files(ending):
    """The files to check; that there are none is itself a fault."""
    paths = [path for path in tree.tracked_files()
             if path.startswith(('data/', 'docs/')) and path.endswith(ending)]
    if not paths:
        print('there is no file that ends with %s' % (ending,))
        sys.exit(1)
    return paths


def run(*argv):
    done = subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout.decode(errors='replace')


def need(program):
    if shutil.which(program) is None:
        print('%s is not installed' % program)
        sys.exit(SKIPPED)


def copied(path, folder, name):
    """A copy under the name that it is installed by: the checkers look at names, too."""
    target = os.path.join(folder, name)
    shutil.copyfile(os.path.join(tree.ROOT, path), target)
    return target


def check_desktop(folder):
    need('desktop-file-validate')
    faults = []
    for path in files(('.desktop', '.desktop.in')):
        code, said = run('desktop-file-validate', copied(path, folder, APP + '.desktop'))
        faults += [] if code == 0 else ['%s: %s' % (path, said)]
    return faults


def check_metainfo(folder):
    need('appstreamcli')
    faults = []
    for path in files(('.metainfo.xml', '.metainfo.xml.in')):
        code, said = run('appstreamcli', 'validate', '--no-net', '--no-color',
                         copied(path, folder, APP + '.metainfo.xml'))
        faults += [] if code == 0 else ['%s: %s' % (path, said)]
    return faults


def check_schema(folder):
    need('glib-compile-schemas')
    paths = files('.gschema.xml')
    for path in paths:
        copied(path, folder, os.path.basename(path))
    code, said = run('glib-compile-schemas', '--strict', '--dry-run', folder)
    return [] if code == 0 else [said]


def check_man(folder):
    need('groff')
    faults = []
    for path in files(('.1', '.1.in')):
        _, said = run('groff', '-man', '-Tutf8', '-ww', '-z', os.path.join(tree.ROOT, path))
        faults += ['%s: %s' % (path, said)] if said.strip() else []
    return faults


def check_xml(folder):
    """Templates and drawings parse, and every template says its type once."""
    faults = []
    paths = [path for path in tree.tracked_files()
             if path.endswith(('.ui', '.svg', '.gresource.xml', '.gschema.xml'))]
    for path in paths:
        try:
            root = ElementTree.fromstring(tree.read(path).encode())
        except ElementTree.ParseError as error:
            faults.append('%s: %s' % (path, error))
            continue
        ids = [element.get('id') for element in root.iter() if element.get('id')]
        twice = sorted({name for name in ids if ids.count(name) > 1})
        faults += ['%s: the id “%s” is there twice' % (path, name) for name in twice]
    return faults


def check_manifest(folder):
    """The Flatpak manifest is JSON, for the same app id, and its modules name their sources."""
    faults = []
    for path in [path for path in tree.tracked_files() if re.match(r'flatpak/.*\.json$', path)]:
        manifest = json.loads(tree.read(path))
        if manifest.get('app-id', manifest.get('id')) != APP:
            faults.append('%s: the app id is not %s' % (path, APP))
        for module in manifest.get('modules', []):
            if not module.get('sources'):
                faults.append('%s: the module “%s” has no sources' % (path, module.get('name')))
    return faults


CHECKS = {
    'desktop': check_desktop,
    'metainfo': check_metainfo,
    'schema': check_schema,
    'man': check_man,
    'xml': check_xml,
    'manifest': check_manifest,
}

if __name__ == '__main__':
    with tempfile.TemporaryDirectory() as scratch:
        found = CHECKS[sys.argv[1]](scratch)
    tree.report(found, 'faults of the %s files' % sys.argv[1])
