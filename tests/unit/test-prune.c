/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib.h>
#include <string.h>

#include "text/fore-prune.h"

static char *
make_lines (guint n, guint error_at)
{
  GString *text = g_string_new (NULL);

  for (guint i = 1; i <= n; i++)
    g_string_append_printf (
        text,
        i == error_at ? "src/a.c:%u: Error: no such thing\n" : "line %u says nothing of note\n", i);

  return g_string_free (text, FALSE);
}

static guint
count_fences (const char *text)
{
  guint n = 0;

  for (const char *place = text; (place = strstr (place, "```")) != NULL; place += 3)
    n++;

  return n;
}

static void
test_what_fits_stays (void)
{
  g_autofree char *text = make_lines (20, 0);
  g_autofree char *pruned = fore_prune_text (text, strlen (text), "/x");

  g_assert_cmpstr (pruned, ==, text);
}

static void
test_both_ends_and_errors_stay (void)
{
  g_autofree char *text = make_lines (2000, 1000);
  g_autofree char *pruned = fore_prune_text (text, 4096, "/run/results/a.md");

  g_assert_cmpuint (strlen (pruned), <, 4096 + 200);
  g_assert_cmpuint (strlen (pruned), >, 3000);
  g_assert_true (g_str_has_prefix (pruned, "line 1 says"));
  g_assert_true (g_str_has_suffix (pruned, "line 2000 says nothing of note\n"));
  g_assert_nonnull (strstr (pruned, "1000: src/a.c:1000: Error: no such thing\n"));
  g_assert_nonnull (strstr (pruned, "left out here; the whole text is in /run/results/a.md]"));
}

/* The numbers of the note add up to what is not there. */
static void
test_the_note_counts (void)
{
  g_autofree char *text = make_lines (500, 0);
  g_autofree char *pruned = fore_prune_text (text, 3000, NULL);
  const char *note = strchr (pruned, '[');
  gsize kept, left_out;
  guint64 lines, bytes;
  char *end;

  g_assert_nonnull (note);
  lines = g_ascii_strtoull (note + 1, &end, 10);
  bytes = g_ascii_strtoull (end + strlen (" lines, "), NULL, 10);
  kept = strlen (pruned) - strcspn (note, "\n") - 1;
  left_out = strlen (text) - kept;
  g_assert_cmpuint (bytes, ==, left_out);
  g_assert_cmpuint (lines, >, 350);
  g_assert_null (strstr (pruned, "whole text"));
}

static void
test_fences_are_closed (void)
{
  g_autofree char *inside = make_lines (1000, 0);
  g_autofree char *text = g_strconcat ("Start\n```c\n", inside, "```\nEnd\n", NULL);
  g_autofree char *pruned = fore_prune_text (text, 4000, NULL);
  const char *note = strchr (pruned, '[');

  g_assert_cmpuint (count_fences (pruned), ==, 4);
  g_assert_true (g_str_has_prefix (note - 4, "```\n["));
  g_assert_nonnull (strstr (note, "]\n```c\nline "));
  g_assert_true (g_str_has_suffix (pruned, "```\nEnd\n"));
}

/* A fence in the middle, of which nothing is kept, opens nothing. */
static void
test_fences_in_the_middle_are_gone (void)
{
  g_autofree char *before = make_lines (500, 0);
  g_autofree char *text = g_strconcat (before, "```\nx\n```\n", before, NULL);
  g_autofree char *pruned = fore_prune_text (text, 4000, NULL);

  g_assert_cmpuint (count_fences (pruned), ==, 0);
}

static void
test_one_long_line (void)
{
  g_autofree char *line = g_strnfill (100000, 'x');
  g_autofree char *pruned = fore_prune_text (line, 2000, NULL);
  g_autofree char *wide = NULL, *cut = NULL;
  GString *text = g_string_new (NULL);

  g_assert_cmpuint (strlen (pruned), <, 2100);
  g_assert_nonnull (strstr (pruned, "98000 more bytes left out"));

  for (guint i = 0; i < 5000; i++)
    g_string_append (text, "ü");
  wide = g_string_free (text, FALSE);
  cut = fore_prune_text (wide, 2001, NULL);
  g_assert_true (g_utf8_validate (cut, -1, NULL));
}

static void
test_small_budgets (void)
{
  g_autofree char *text = make_lines (100, 50);

  for (gsize budget = 0; budget < 1500; budget += 7)
    {
      g_autofree char *pruned = fore_prune_text (text, budget, NULL);

      g_assert_cmpuint (strlen (pruned), <, budget + 100);
    }
}

static void
test_many_errors_keep_to_the_budget (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *pruned = NULL;

  for (guint i = 0; i < 5000; i++)
    g_string_append_printf (text, "error %u: something went wrong somewhere in the middle\n", i);
  pruned = fore_prune_text (text->str, 8192, NULL);
  g_assert_cmpuint (strlen (pruned), <, 8192 + 200);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/prune/fits", test_what_fits_stays);
  g_test_add_func ("/prune/ends-and-errors", test_both_ends_and_errors_stay);
  g_test_add_func ("/prune/note", test_the_note_counts);
  g_test_add_func ("/prune/fences", test_fences_are_closed);
  g_test_add_func ("/prune/fences-in-the-middle", test_fences_in_the_middle_are_gone);
  g_test_add_func ("/prune/long-line", test_one_long_line);
  g_test_add_func ("/prune/small", test_small_budgets);
  g_test_add_func ("/prune/many-errors", test_many_errors_keep_to_the_budget);

  return g_test_run ();
}
