# SPDX-License-Identifier: GPL-3.0-or-later
"""What is for Windows compiles, as far as its syntax and its types go: by MinGW's compiler and headers, with
this machine's GLib headers made to look like those of Windows. Usage: check-windows.py BUILD-FOLDER [FILE...]"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile

import tree

COMPILER = 'x86_64-w64-mingw32-gcc'
# Folders all of whose sources are for every system, or choose by the end of a file's name.
FOLDERS = ('src/model', 'src/platform', 'src/guard', 'src/text', 'src/store', 'src/library', 'src/agents', 'src/engine',
           'src/runner', 'src/ctl', 'src/git', 'src/app')
OTHER_SYSTEMS = re.compile(r'-(linux|darwin|posix|private-posix)\.c$')
# The guard is a program of its own on Windows.
GUARD = ('src/guard/guard-options.c', 'src/guard/guard-windows.c')
SKIP = 77
MULTIARCH = sysconfig.get_config_var('MULTIARCH') or 'x86_64-linux-gnu'
C_LIBRARY = ('-I/usr/include', '-I/usr/include/' + MULTIARCH)

# How GLib's configuration on Windows (64 bits) differs from that of Linux (64 bits).
CHANGES = (
    (r'#define GLIB_SIZEOF_LONG\s+8', '#define GLIB_SIZEOF_LONG 4'),
    (r'(typedef (?:un)?signed) long (gint64|guint64|gssize|gsize|gintptr|guintptr);', r'\1 long long \2;'),
    (r'(#define G_G(?:U?INT64|S?SIZE|U?INTPTR)_(?:MODIFIER|FORMAT)\s+)"l', r'\1"ll'),
    (r'\(g(u?)long\) \((p|i|u)\)', r'(g\1int64) (\2)'),
    (r'#define (G_G(?:U?)INT64_CONSTANT)\(val\)\s+\(val##(U?)L\)', r'#define \1(val) (val##\2LL)'),
    (r'#define G_OS_UNIX', '#define G_OS_WIN32\n#define G_PLATFORM_WIN32'),
    (r'typedef int GPid;', 'typedef void *GPid;'),
    (r'#define G_PID_FORMAT "i"', '#define G_PID_FORMAT "p"'),
    (r'#define G_GINT64_CONSTANT\(val\).*', '#define G_GINT64_CONSTANT(val) (val##LL)'),
    (r'#define G_GUINT64_CONSTANT\(val\).*', '#define G_GUINT64_CONSTANT(val) (val##ULL)'),
)


# What gettext's library for Windows declares, as far as GLib's headers need it.
LIBINTL = '''#pragma once
char *gettext (const char *text);
char *dgettext (const char *domain, const char *text);
char *dcgettext (const char *domain, const char *text, int category);
char *ngettext (const char *one, const char *many, unsigned long n);
char *dngettext (const char *domain, const char *one, const char *many, unsigned long n);
char *textdomain (const char *domain);
char *bindtextdomain (const char *domain, const char *folder);
char *bind_textdomain_codeset (const char *domain, const char *set);
'''


def pkg_config(*arguments):
    return subprocess.run(['pkg-config', *arguments], capture_output=True, text=True, check=True).stdout.split()


def make_headers(folder):
    """GLib's configuration for Windows, in front of the real one."""
    flags = pkg_config('--cflags-only-I', 'gio-2.0', 'json-glib-1.0', 'sqlite3', 'libgit2', 'yaml-0.1', 'libadwaita-1',
                       'gtksourceview-5', 'libcmark-gfm', 'lua5.4')
    source = next(path for path in (os.path.join(flag[2:], 'glibconfig.h') for flag in flags) if os.path.exists(path))
    with open(source, encoding='utf-8') as file:
        text = file.read()
    for pattern, replacement in CHANGES:
        text = re.sub(pattern, replacement, text)
    with open(os.path.join(folder, 'glibconfig.h'), 'w', encoding='utf-8') as file:
        file.write(text)
    with open(os.path.join(folder, 'libintl.h'), 'w', encoding='utf-8') as file:
        file.write(LIBINTL)
    # Those of GLib and of other libraries only: the C library's are MinGW's own.
    return ['-I' + folder] + [flag for flag in flags if flag not in C_LIBRARY] + link_headers(folder)


def link_headers(folder):
    """Headers that lie in /usr/include itself, apart from the C library's beside them."""
    apart = os.path.join(folder, 'apart')
    os.makedirs(apart, exist_ok=True)
    for name in ('sqlite3.h', 'sqlite3ext.h', 'git2.h', 'git2', 'yaml.h', 'cmark-gfm.h', 'cmark-gfm-extension_api.h',
                 'cmark-gfm_export.h', 'cmark-gfm-core-extensions.h', 'cmark-gfm_version.h'):
        for base in ('/usr/include', '/usr/include/' + MULTIARCH):
            if os.path.exists(os.path.join(base, name)):
                os.symlink(os.path.join(base, name), os.path.join(apart, name))
                break
    return ['-idirafter', apart]


def sources():
    for path in tree.tracked_files():
        folder = os.path.dirname(path)
        if not path.endswith('.c') or not folder.startswith(FOLDERS) or OTHER_SYSTEMS.search(path):
            continue
        if folder != 'src/guard' or path in GUARD:
            yield path


def check(path, flags):
    done = subprocess.run([COMPILER, *flags, os.path.join(tree.ROOT, path)], capture_output=True, text=True, check=False)
    return [] if done.returncode == 0 else [done.stderr.strip()]


def main(build, wanted):
    if shutil.which(COMPILER) is None:
        print('%s is not installed; nothing was checked.' % COMPILER)
        sys.exit(SKIP)
    with tempfile.TemporaryDirectory() as folder:
        flags = ['-fsyntax-only', '-std=gnu11', '-Wall', '-Werror', '-Wno-unused', '-D_FILE_OFFSET_BITS=64', '-DHAVE_CONFIG_H',
                 '-DG_LOG_DOMAIN="fore"', '-I' + build, '-I' + os.path.join(build, 'src', 'app'),
                 '-I' + os.path.join(tree.ROOT, 'src'), *make_headers(folder)]
        paths = wanted or list(sources())
        faults = [fault for path in paths for fault in check(path, flags)]
    print('%d files' % len(paths))
    tree.report(faults, 'of them are not for Windows')


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2:])
