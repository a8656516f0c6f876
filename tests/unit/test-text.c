/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-line-reader.h"
#include "text/fore-plain-line.h"
#include "text/fore-redact.h"
#include "text/fore-text.h"

#include <string.h>

typedef char *(*Convert) (const char *text);

static void
assert_converts (Convert convert, const char *text, const char *expected)
{
  g_autofree char *result = convert (text);

  g_assert_cmpstr (result, ==, expected);
}

static void
test_visible (void)
{
  assert_converts (fore_text_make_visible, "a\tb\nc", "a\tb\nc");
  assert_converts (fore_text_make_visible, "a\x1b[31m\r\x7f", "a␛[31m␍⟨U+007F⟩");
  assert_converts (fore_text_make_visible, "x\u202ey\u200bz\u2066", "x⟨U+202E⟩y⟨U+200B⟩z⟨U+2066⟩");
  assert_converts (fore_text_make_visible, "\xff", "\xef\xbf\xbd");
  assert_converts (fore_text_make_visible, "日本 é", "日本 é");
}

static void
test_strip_ansi (void)
{
  assert_converts (fore_text_strip_ansi, "\x1b[1;31mred\x1b[0m", "red");
  assert_converts (fore_text_strip_ansi, "\x1b]8;;http://x\alink\x1b]8;;\x1b\\ end", "link end");
  assert_converts (fore_text_strip_ansi, "bell\a\b tab\tline\r\n", "bell tab\tline\r\n");
  assert_converts (fore_text_strip_ansi, "cut \x1b", "cut ");
  assert_converts (fore_text_strip_ansi, "cut \x1b[", "cut ");
  assert_converts (fore_text_strip_ansi, "cut \x1b]0;title", "cut ");
  assert_converts (fore_text_strip_ansi, "\x1b(Bset é", "set é");
}

static void
test_shorten (void)
{
  g_autofree char *whole = fore_text_shorten ("äöü", 3);
  g_autofree char *cut = fore_text_shorten ("äöüß", 3);
  g_autofree char *line = fore_text_first_line ("\n\n  first line \r\nsecond", 100);
  g_autofree char *empty = fore_text_first_line (" \n ", 10);

  g_assert_cmpstr (whole, ==, "äöü");
  g_assert_cmpstr (cut, ==, "äö…");
  g_assert_cmpstr (line, ==, "first line");
  g_assert_cmpstr (empty, ==, "");
}

static void
test_formats (void)
{
  static const struct
  {
    gint64 value;
    const char *duration;
    const char *tokens;
    const char *cost;
  } rows[] = {
    { 0, "0 ms", "0", "$0.00" },
    { 999, "999 ms", "999", "$0.0010" },
    { 1500, "1.5 s", "1.5 k", "$0.0015" },
    { 9949, "9.9 s", "9.9 k", "$0.0099" },
    { 9950, "9.9 s", "10 k", "$0.0100" },
    { 61 * 1000, "1 min 1 s", "61 k", "$0.06" },
    { 77600, "1 min 17 s", "78 k", "$0.08" },
    { 999499, "16 min 39 s", "999 k", "$1.00" },
    { 999500, "16 min 39 s", "1.0 M", "$1.00" },
    { 3600 * 1000, "1 h 0 min", "3.6 M", "$3.60" },
    { G_GINT64_CONSTANT (90000) * 1000, "1 d 1 h", "90 M", "$90.00" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *duration = fore_text_format_duration (rows[i].value);
      g_autofree char *tokens = fore_text_format_tokens (rows[i].value);
      g_autofree char *cost = fore_text_format_cost (rows[i].value);

      g_assert_cmpstr (duration, ==, rows[i].duration);
      g_assert_cmpstr (tokens, ==, rows[i].tokens);
      g_assert_cmpstr (cost, ==, rows[i].cost);
    }
}

static void
test_format_time (void)
{
  g_autofree char *time = fore_text_format_time (G_GINT64_CONSTANT (1700000000123456));

  g_assert_cmpstr (time, ==, "2023-11-14T22:13:20.123Z");
  g_assert_null (fore_text_format_time (-1));
  g_assert_null (fore_text_format_time (G_MAXINT64));
}

/* Cut off in one place or another, the same lines come out. */
typedef struct
{
  GString *seen;
} Seen;

static void
on_line (const char *line, gsize length, gint64 offset, gboolean truncated, gpointer user_data)
{
  Seen *seen = user_data;

  g_string_append_printf (seen->seen, "%" G_GINT64_FORMAT "%s:", offset, truncated ? "+" : "");
  g_string_append_len (seen->seen, line, length);
  g_string_append_c (seen->seen, '|');
}

static char *
read_in_pieces (const char *data, gsize length, gsize fold, gsize first, gsize second)
{
  g_autoptr (ForeLineReader) reader = fore_line_reader_new (fold);
  Seen seen = { g_string_new (NULL) };

  fore_line_reader_feed (reader, data, first, on_line, &seen);
  fore_line_reader_feed (reader, data + first, second - first, on_line, &seen);
  fore_line_reader_feed (reader, data + second, length - second, on_line, &seen);
  fore_line_reader_finish (reader, on_line, &seen);

  return g_string_free (seen.seen, FALSE);
}

static void
test_lines_split_anywhere (void)
{
  static const char data[] = "one\r\n\ntwo\u2028still two\n12345678\r\n123456789\nlast";
  gsize length = strlen (data);
  g_autofree char *whole = read_in_pieces (data, length, 20, length, length);

  g_assert_cmpstr (whole, ==, "0:one|5:|6:two\u2028still two|22:12345678|32:123456789|42:last|");
  for (gsize i = 0; i <= length; i++)
    {
      for (gsize j = i; j <= length; j++)
        {
          g_autofree char *pieces = read_in_pieces (data, length, 20, i, j);

          g_assert_cmpstr (pieces, ==, whole);
        }
    }
}

static void
test_lines_fold (void)
{
  static const char data[] = "12345\n123456\n1234\r\n12345\r\n";
  gsize length = strlen (data);
  g_autofree char *whole = read_in_pieces (data, length, 5, length, length);

  g_assert_cmpstr (whole, ==, "0:12345|6+:12345|13:1234|19+:12345|");
  for (gsize i = 0; i <= length; i++)
    {
      g_autofree char *pieces = read_in_pieces (data, length, 5, i, i);

      g_assert_cmpstr (pieces, ==, whole);
    }
}

static void
test_redact (void)
{
  g_autoptr (ForeRedactor) redactor = fore_redactor_new ();
  g_autofree char *plain = NULL;
  g_autofree char *escaped = NULL;
  g_autofree char *short_value = NULL;

  fore_redactor_add (redactor, "KEY", "sk-secret/12\"34");
  fore_redactor_add (redactor, "KEY", "sk-secret");
  fore_redactor_add (redactor, "WORD", "the");
  fore_redactor_add (redactor, "NONE", NULL);
  plain = fore_redactor_apply (redactor, "a sk-secret/12\"34 b sk-secret c");
  escaped = fore_redactor_apply (redactor, "{\"k\":\"sk-secret\\/12\\\"34\"}");
  short_value = fore_redactor_apply (redactor, "the end");

  g_assert_cmpstr (plain, ==, "a [KEY hidden] b [KEY hidden] c");
  g_assert_cmpstr (escaped, ==, "{\"k\":\"[KEY hidden]\"}");
  g_assert_cmpstr (short_value, ==, "the end");
}

static void
assert_quoted (const char *word, const char *expected)
{
  g_autofree char *quoted = fore_text_quote_word (word);
  g_auto (GStrv) words = NULL;

  g_assert_cmpstr (quoted, ==, expected);
  g_assert_true (g_shell_parse_argv (quoted, NULL, &words, NULL));
  g_assert_cmpuint (g_strv_length (words), ==, 1);
  g_assert_cmpstr (words[0], ==, word);
}

static void
test_quote_word (void)
{
  assert_quoted ("/srv/src-2", "/srv/src-2");
  assert_quoted ("/srv/Ünï code репо", "'/srv/Ünï code репо'");
  assert_quoted ("it's", "'it'\\''s'");
  assert_quoted ("$HOME", "'$HOME'");
  assert_quoted ("~x", "'~x'");
  assert_quoted ("", "''");
}

static void
assert_plain (const char *markdown, const char *expected)
{
  g_autofree char *plain = fore_plain_line_dup (markdown, 80);

  g_assert_cmpstr (plain, ==, expected);
}

static void
test_plain_line (void)
{
  assert_plain ("## Which of these?\n\n- **first**", "Which of these?");
  assert_plain ("\n---\n> ### A *quoted* heading ###\n", "A quoted heading");
  assert_plain ("- **Bold**, `code *kept*` and [a link](http://x)", "Bold, code *kept* and a link");
  assert_plain ("```c\nint a;\n```", "int a;");
  assert_plain ("2 * 3 * 4 of a_b_c in #1 [x] C#", "2 * 3 * 4 of a_b_c in #1 [x] C#");
  assert_plain ("**unclosed `too", "**unclosed `too");
  assert_plain ("\\*not\\* bold", "*not* bold");
  assert_plain ("***", "***");
  assert_plain ("", "");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/text/visible", test_visible);
  g_test_add_func ("/text/strip-ansi", test_strip_ansi);
  g_test_add_func ("/text/shorten", test_shorten);
  g_test_add_func ("/text/formats", test_formats);
  g_test_add_func ("/text/format-time", test_format_time);
  g_test_add_func ("/text/lines-split-anywhere", test_lines_split_anywhere);
  g_test_add_func ("/text/lines-fold", test_lines_fold);
  g_test_add_func ("/text/redact", test_redact);
  g_test_add_func ("/text/plain-line", test_plain_line);
  g_test_add_func ("/text/quote-word", test_quote_word);

  return g_test_run ();
}
