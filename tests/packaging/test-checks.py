# SPDX-License-Identifier: GPL-3.0-or-later
"""Each check finds what it is there to find, and lets pass what is right."""

import importlib.machinery
import importlib.util
import os
import tempfile
import unittest

import tree


def load(path):
    name = os.path.basename(path).replace('-', '_').replace('.py', '')
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(tree.ROOT, path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


class ChecksTest(unittest.TestCase):
    def judge(self, check, path, text):
        return load('tests/packaging/check-%s.py' % check).judge(path, text)

    def assert_found(self, check, path, text):
        self.assertEqual(len(self.judge(check, path, text)), 1, self.judge(check, path, text))

    def assert_clean(self, check, path, text):
        self.assertEqual(self.judge(check, path, text), [])

    def test_an_arrow_may_not_point_up(self):
        self.assert_found('arrows', 'src/store/fore-x.c', '#include "engine/fore-run.h"\n')
        self.assert_found('arrows', 'src/model/fore-x.c', '#include "text/fore-text.h"\n')
        self.assert_clean('arrows', 'src/engine/fore-x.c', '#include "store/fore-store.h"\n')
        self.assert_clean('arrows', 'src/engine/fore-x.c', '#include "config.h"\n')

    def test_private_headers_stay_in_their_folder(self):
        self.assert_found('arrows', 'src/app/fore-x.c', '#include "engine/fore-run-private.h"\n')
        self.assert_clean('arrows', 'src/engine/fore-x.c', '#include "engine/fore-run-private.h"\n')

    def test_the_guard_stands_alone(self):
        self.assert_found('arrows', 'src/runner/main.c', '#include "guard/guard-agent.h"\n')
        self.assert_found('arrows', 'src/guard/main.c', '#include <glib.h>\n')
        self.assert_found('arrows', 'src/guard/main.c', '#include "text/fore-json.h"\n')
        self.assert_clean('arrows', 'src/guard/main.c', '#include <sys/wait.h>\n')

    def test_gtk_stays_in_the_app(self):
        self.assert_found('arrows', 'src/engine/fore-x.h', '#include <gtk/gtk.h>\n')
        self.assert_found('arrows', 'src/ctl/fore-x.h', '#include <adwaita.h>\n')
        self.assert_clean('arrows', 'src/app/fore-x.h', '#include <adwaita.h>\n')

    def test_the_model_sees_glib_only(self):
        self.assert_found('arrows', 'src/model/fore-x.h', '#include <gio/gio.h>\n')
        self.assert_found('arrows', 'src/model/fore-x.c', '#include <unistd.h>\n')
        self.assert_clean('arrows', 'src/model/fore-x.c', '#include <glib-object.h>\n')

    def test_a_promise_names_a_test_that_is_there(self):
        row = '| It holds | `engine-dispatch`: %s |\n'
        self.assert_clean('promises', 'docs/x.md', row % 'the longest chain starts first; twenty runs at once')
        self.assert_clean('promises', 'docs/x.md', '| It holds | `faults-kills`, `store-index`: damaged run |\n')
        self.assert_found('promises', 'docs/x.md', row % 'the shortest chain starts first')
        self.assert_found('promises', 'docs/x.md', '| It holds | `engine-nothing`: whatever |\n')

    def test_questions_for_a_system(self):
        self.assert_found('systems', 'src/engine/fore-x.c', '#ifdef __linux__\n')
        self.assert_found('systems', 'src/guard/main.c', '#if defined (G_OS_WIN32) && 1\n')
        self.assert_clean('systems', 'src/platform/fore-x.c', '#ifdef _WIN32\n')
        self.assert_clean('systems', 'src/engine/fore-x.c', '/*\n#ifdef __APPLE__\n*/\n')

    def test_files_say_their_licence(self):
        self.assert_found('licence', 'src/app/fore-x.c', '#pragma once\n')
        self.assert_clean('licence', 'docs/x.md', '<!-- %s -->\n' % load(
            'tests/packaging/check-licence.py').LINE)

    def test_lengths(self):
        self.assert_found('sizes', 'src/app/fore-x.c', '\n' * 601)
        self.assert_clean('sizes', 'src/app/fore-x.c', '\n' * 600)
        self.assert_clean('sizes', 'tests/app/test-x.c', '\n' * 601)
        self.assert_found('sizes', 'tests/app/test-x.c', '\n' * 801)
        self.assert_found('sizes', 'src/app/fore-x.c', 'x' * 101)
        self.assert_clean('sizes', 'src/app/fore-x.c', 'ü' * 100)
        for lines, check in ((60, self.assert_clean), (61, self.assert_found)):
            check('sizes', 'src/app/fore-x.c',
                  'static void\nlong_one (int a)\n{\n' + '  a++;\n' * lines + '}\n')

    def test_initialisers_are_no_functions(self):
        self.assert_clean('sizes', 'src/app/fore-x.c',
                          'static const int table[] =\n{\n' + '  1,\n' * 70 + '};\n')

    def test_words(self):
        self.assert_found('words', 'src/app/fore-x.c', '/* see ' + '/wo' + 'rk/notes */\n')
        self.assert_found('words', 'src/app/fore-x.c', '/* TO' + 'DO: this */\n')
        self.assert_found('words', 'src/app/fore-x.c', 'int a; \n')
        self.assert_clean('words', 'src/app/fore-x.c', '/* the network/home/work is done */\n')

    def test_listed_translations(self):
        check = load('tests/packaging/check-translations.py')
        self.assertTrue(check.has_words('src/app/fore-x.c', 'f (_ ("Run"));\n'))
        self.assertTrue(check.has_words('src/app/fore-x.ui', '<p translatable="yes">Run</p>'))
        self.assertFalse(check.has_words('src/app/fore-x.c', '/* _ ("Run") */\n'))
        self.assertEqual(len(check.judge_list({'a'}, {'b'})), 2)
        self.assertEqual(check.judge_list({'a'}, {'a'}), [])
        self.assertEqual(len(check.judge_language('xx-none')), 1)

    def test_a_string_that_a_macro_cuts_short(self):
        check = load('tests/packaging/check-translations.py')
        with tempfile.NamedTemporaryFile('w', suffix='.c') as file:
            file.write('void f (void) { g_strdup_printf (_ ("%" G_GSIZE_FORMAT " bytes"), n); }\n')
            file.flush()
            self.assertEqual(len(check.judge_strings([file.name])), 1)

    def test_untidy_code(self):
        check = load('tests/packaging/check-format.py')
        formatter = check.find_formatter()
        if formatter is None:
            self.skipTest('clang-format 14 is not installed')
        with tempfile.NamedTemporaryFile('w', suffix='.c') as file:
            file.write('int f(void){return 1;}\n')
            file.flush()
            self.assertEqual(check.judge(formatter, [file.name]), [file.name])


class SummaryTest(unittest.TestCase):
    def setUp(self):
        self.summary = load('build-aux/summarize-tests')

    def test_points_are_counted(self):
        entry = {'name': 'x', 'result': 'OK', 'stdout': '1..3\nok 1 /a\nok 2 /b # SKIP no npm\nok 3 /c\n'}
        self.assertEqual([kind for _, kind in self.summary.judge(entry)],
                         ['passed', 'skipped', 'passed'])

    def test_a_crash_after_good_points_is_a_failure(self):
        for result in ('FAIL', 'ERROR', 'TIMEOUT', 'UNEXPECTEDPASS', 'INTERRUPT'):
            entry = {'name': 'x', 'result': result, 'stdout': '1..3\nok 1 /a\n'}
            self.assertEqual([kind for _, kind in self.summary.judge(entry)], ['passed', 'failed'])

    def test_a_failed_point_is_counted_once(self):
        entry = {'name': 'x', 'result': 'FAIL', 'stdout': '1..1\nnot ok 1 /a - why\n'}
        self.assertEqual([kind for _, kind in self.summary.judge(entry)], ['failed'])

    def test_what_only_looks_like_a_point_is_none(self):
        entry = {'name': 'x', 'result': 'OK', 'stdout': 'ok   empty\nok   plain\n'}
        self.assertEqual(self.summary.judge(entry), [('x', 'passed')])

    def test_a_missing_log_is_a_failure(self):
        self.assertEqual(self.summary.summarize(['/nowhere/testlog.json'])[0]['failed'], 1)

    def test_nothing_run_is_not_a_success(self):
        self.assertEqual(self.summary.main([]), 1)
        self.assertEqual(self.summary.main(['--passed', '1']), 0)
        self.assertEqual(self.summary.main(['--passed', '1', '--failed', 'build']), 1)


if __name__ == '__main__':
    unittest.main()
