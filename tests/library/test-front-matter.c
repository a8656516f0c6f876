/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <string.h>

#include "library-fixture.h"
#include "library/fore-front-matter.h"
#include "library/fore-library-text.h"

static ForeFrontMatter *
parse (const char *text, GPtrArray *found)
{
  return fore_front_matter_parse (text, -1, "/x/file.md", found);
}

static void
assert_list (char **list, const char *expected)
{
  g_autofree char *joined = g_strjoinv ("|", list);

  g_assert_cmpstr (joined, ==, expected);
}

static void
test_strict_yaml (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeFrontMatter) matter = parse (
      "---\n# a comment\nname: \"a: b\"\ntools: [read, 'grep, find', read]\nskills:\n"
      "  - one\n  - two\nmetadata:\n  deep: yes\nlong: >\n  one\n  two\n---\nBody\n",
      found);
  g_auto (GStrv) tools = fore_front_matter_dup_list (matter, "tools");
  g_auto (GStrv) skills = fore_front_matter_dup_list (matter, "skills");
  g_autofree char *name = fore_front_matter_dup_string (matter, "name");
  g_autofree char *long_text = fore_front_matter_dup_string (matter, "long");

  assert_silent (found);
  g_assert_false (matter->lenient);
  g_assert_cmpstr (name, ==, "a: b");
  g_assert_cmpstr (long_text, ==, "one two");
  assert_list (tools, "read|grep, find");
  assert_list (skills, "one|two");
  g_assert_true (fore_front_matter_get_bool (matter, "metadata.deep", FALSE));
  g_assert_cmpstr (matter->body, ==, "Body\n");
  g_assert_cmpuint (matter->body_line, ==, 14);
  g_assert_cmpuint (fore_front_matter_find (matter, "tools")->line, ==, 4);
}

static void
test_colon_in_value_is_read_line_by_line (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeFrontMatter) matter = parse (
      "---\nname: helper\ndescription: Use it when: always\n  and more\ntools: *\n"
      "list:\n- a\n- b\nquoted: 'c d'\n???\n---\nBody",
      found);
  g_autofree char *description = fore_front_matter_dup_string (matter, "description");
  g_autofree char *tools = fore_front_matter_dup_string (matter, "tools");
  g_autofree char *quoted = fore_front_matter_dup_string (matter, "quoted");
  g_auto (GStrv) list = fore_front_matter_dup_list (matter, "list");

  g_assert_true (matter->lenient);
  g_assert_cmpstr (description, ==, "Use it when: always and more");
  g_assert_cmpstr (tools, ==, "*");
  g_assert_cmpstr (quoted, ==, "c d");
  assert_list (list, "a|b");
  assert_says (found, FORE_DIAGNOSTIC_NOTE, 3, "no strict YAML");
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 10, "was left out");
  g_assert_cmpstr (matter->body, ==, "Body");
}

static void
test_crlf_and_byte_order_mark (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeFrontMatter) matter = parse (
      "\xef\xbb\xbf---\r\nname: a\r\n---  \r\nline 1\r\nline 2\r\n", found);
  g_autofree char *name = fore_front_matter_dup_string (matter, "NAME");

  assert_silent (found);
  g_assert_true (matter->present);
  g_assert_cmpstr (name, ==, "a");
  g_assert_cmpstr (matter->body, ==, "line 1\nline 2\n");
  g_assert_cmpuint (matter->body_line, ==, 4);
}

static void
test_no_front_matter (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeFrontMatter) none = parse ("# Title\n", found);
  g_autoptr (ForeFrontMatter) empty = parse ("", found);
  g_autoptr (ForeFrontMatter) bare = parse ("---\n---", found);

  assert_silent (found);
  g_assert_false (none->present);
  g_assert_cmpstr (none->body, ==, "# Title\n");
  g_assert_cmpuint (none->body_line, ==, 1);
  g_assert_cmpstr (empty->body, ==, "");
  g_assert_true (bare->present);
  g_assert_cmpuint (bare->entries->len, ==, 0);
}

static void
test_unclosed_front_matter (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();

  g_assert_null (parse ("---\nname: a\n", found));
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 1, "Add a line `---`");
}

static void
test_nul_and_bad_utf8 (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();

  g_assert_null (fore_front_matter_parse ("---\na: b\0c\n---\n", 14, "/x", found));
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 2, "NUL byte");
  g_assert_null (parse ("---\na: b\n---\n\n\xff\xfe", found));
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 5, "not UTF-8");
}

static char *
repeat (const char *before, const char *unit, guint n, const char *after)
{
  GString *text = g_string_new (before);

  for (guint i = 0; i < n; i++)
    g_string_append (text, unit);

  return g_string_free (g_string_append (text, after), FALSE);
}

static void
test_deep_nesting_is_refused (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autofree char *flow = repeat ("---\na: ", "[", 100000, "\n---\n");
  g_autofree char *block = repeat ("---\na:\n  ", "- ", 50000, "x\n---\n");
  g_autofree char *maps = repeat ("---\na: ", "{a: ", 50000, "\n---\n");

  g_assert_null (parse (flow, found));
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 2, "nested too deeply");
  g_ptr_array_set_size (found, 0);
  g_assert_null (parse (block, found));
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 3, "nested too deeply");
  g_ptr_array_set_size (found, 0);
  g_assert_null (parse (maps, found));
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 2, "nested too deeply");
}

static void
test_aliases_expand_nothing (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeFrontMatter) matter = parse (
      "---\na: &a [x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\n"
      "d: [*c, *c, *c, *c]\n---\n",
      found);
  g_autofree char *d = fore_front_matter_dup_string (matter, "d");

  assert_says (found, FORE_DIAGNOSTIC_NOTE, 3, "aliases are not followed");
  g_assert_cmpstr (d, ==, "[*c, *c, *c, *c]");
}

static void
test_too_many_keys_and_items (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (GString) keys = g_string_new ("---\n");
  g_autofree char *items = repeat ("---\na: [", "x,", 20000, "]\n---\n");

  for (guint i = 0; i < FORE_FRONT_MATTER_MAX_ENTRIES + 5; i++)
    g_string_append_printf (keys, "k%u: 1\n", i);
  g_string_append (keys, "---\n");

  g_assert_null (parse (keys->str, found));
  assert_says (found, FORE_DIAGNOSTIC_ERROR, FORE_FRONT_MATTER_MAX_ENTRIES + 2, "too many keys");
  g_assert_null (parse (items, found));
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 2, "too many list items");
}

static void
test_duplicate_key_last_wins (void)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeFrontMatter) matter = parse ("---\nmax-turns: 1\nmaxTurns: 2\n---\n", found);

  g_assert_cmpuint (fore_front_matter_get_count (matter, "maxTurns"), ==, 2);
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 3, "stands here twice");
}

static void
test_bad_values_are_named (void)
{
  static const char *const words[] = { "low", "high", NULL };
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  g_autoptr (ForeFrontMatter) matter = parse (
      "---\ncount: many\nflag: perhaps\neffort: huge\nzero: 0\n---\n", found);
  g_autofree char *word = fore_front_matter_dup_word (matter, "effort", words);

  g_assert_cmpuint (fore_front_matter_get_count (matter, "count"), ==, 0);
  g_assert_cmpuint (fore_front_matter_get_count (matter, "zero"), ==, 0);
  g_assert_cmpint (fore_front_matter_get_tristate (matter, "flag"), ==, FORE_UNSET);
  g_assert_null (word);
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 2, "`count` must be a whole number above 0");
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 3, "`flag` must be true or false");
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 4, "`effort` must be one of low, high");
  assert_says (found, FORE_DIAGNOSTIC_ERROR, 5, "`zero` must be a whole number above 0");
}

static void
test_unknown_keys_are_kept (void)
{
  static const char *const known[] = { "model", "tools", NULL };
  static const char *const foreign[] = { "metadata", NULL };
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  ForeSource source;
  guint line, column;
  g_autoptr (ForeFrontMatter) matter = parse (
      "---\nmodle: x\nzebra: [1, 2]\nmetadata:\n  a: b\n---\n", found);

  fore_source_init (&source, FORE_LAYER_USER, "/x");
  fore_front_matter_keep_rest (matter, known, foreign, &source);
  g_assert_cmpstr (g_hash_table_lookup (source.extra, "modle"), ==, "x");
  g_assert_cmpstr (g_hash_table_lookup (source.extra, "zebra"), ==, "1, 2");
  g_assert_cmpstr (g_hash_table_lookup (source.extra, "metadata.a"), ==, "b");
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 2, "Did you mean `model`?");
  assert_says (found, FORE_DIAGNOSTIC_WARNING, 3, "There is no key `zebra`");
  g_assert_cmpuint (found->len, ==, 2);
  fore_source_get_place (&source, "Zebra", &line, &column);
  g_assert_cmpuint (line, ==, 3);
  g_assert_cmpuint (column, ==, 1);
  fore_source_get_place (&source, "none", &line, &column);
  g_assert_cmpuint (line, ==, 0);
  fore_source_clear (&source);
}

static void
test_csv (void)
{
  g_auto (GStrv) list = fore_csv_split (" a, \"b, c\",, a ,d");
  g_auto (GStrv) bracketed = fore_csv_split ("[x, \"y\"]");
  g_auto (GStrv) empty = fore_csv_split ("[]");

  assert_list (list, "a|b, c|d");
  assert_list (bracketed, "x|y");
  assert_list (empty, "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/front-matter/strict-yaml", test_strict_yaml);
  g_test_add_func ("/front-matter/colon-in-value", test_colon_in_value_is_read_line_by_line);
  g_test_add_func ("/front-matter/crlf-and-byte-order-mark", test_crlf_and_byte_order_mark);
  g_test_add_func ("/front-matter/none", test_no_front_matter);
  g_test_add_func ("/front-matter/unclosed", test_unclosed_front_matter);
  g_test_add_func ("/front-matter/nul-and-bad-utf8", test_nul_and_bad_utf8);
  g_test_add_func ("/front-matter/deep-nesting", test_deep_nesting_is_refused);
  g_test_add_func ("/front-matter/aliases", test_aliases_expand_nothing);
  g_test_add_func ("/front-matter/too-many", test_too_many_keys_and_items);
  g_test_add_func ("/front-matter/duplicate-key", test_duplicate_key_last_wins);
  g_test_add_func ("/front-matter/bad-values", test_bad_values_are_named);
  g_test_add_func ("/front-matter/unknown-keys", test_unknown_keys_are_kept);
  g_test_add_func ("/front-matter/csv", test_csv);

  return g_test_run ();
}
