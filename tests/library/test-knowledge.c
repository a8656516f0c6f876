/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib.h>
#include <string.h>

#include "library/fore-knowledge.h"

static const char file[] = "# Knowledge\nIntroduction.\n"
                           "## Testing\nmake check\n"
                           "## Database migrations\nNumber them.\n"
                           "## Code style\nTabs.\n"
                           "## Release of the database\nTag it.\n"
                           "## Colours\nBlue.\n";

static void
test_conventions_are_always_there (void)
{
  g_autofree char *text = fore_knowledge_dup_conventions (file, 2048);

  g_assert_cmpstr (text, ==,
                   "## Testing\nmake check\n## Code style\nTabs.\n\nSections there: Testing, "
                   "Database migrations, Code style, Release of the database, Colours\n");
}

static void
test_conventions_are_cut_at_a_line (void)
{
  g_autofree char *text = fore_knowledge_dup_conventions (file, 30);

  g_assert_true (g_str_has_prefix (text, "## Testing\nmake check\n\nSections there: "));
}

static void
test_a_file_without_sections_begins (void)
{
  g_autofree char *text = fore_knowledge_dup_conventions ("one\ntwo\nthree\n", 9);

  g_assert_cmpstr (text, ==, "one\ntwo\n");
}

static void
test_sections_are_ranked (void)
{
  g_autofree char *text = fore_knowledge_dup_sections (file, "Write a migration of the DATABASE",
                                                       5000);
  g_autofree char *rare = fore_knowledge_dup_sections (file, "database migrations", 5000);
  g_autofree char *none = fore_knowledge_dup_sections (file, "something else", 5000);
  g_autofree char *convention = fore_knowledge_dup_sections (file, "testing", 5000);

  g_assert_cmpstr (text, ==,
                   "## Database migrations\nNumber them.\n## Release of the database\nTag it.\n");
  g_assert_true (g_str_has_prefix (rare, "## Database migrations"));
  g_assert_cmpstr (none, ==, "");
  g_assert_cmpstr (convention, ==, "");
}

static void
test_sections_are_cut_at_a_line (void)
{
  g_autofree char *text = fore_knowledge_dup_sections (file, "database", 45);

  g_assert_cmpstr (text, ==, "## Database migrations\nNumber them.\n");
}

static void
test_many_sections (void)
{
  g_autoptr (GString) many = g_string_new (NULL);
  g_autofree char *text = NULL;

  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (many, "## Section %u\nText.\n", i);
  text = fore_knowledge_dup_sections (many->str, "section 7", 1000);
  g_assert_cmpuint (strlen (text), <=, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/knowledge/conventions", test_conventions_are_always_there);
  g_test_add_func ("/knowledge/conventions-cut", test_conventions_are_cut_at_a_line);
  g_test_add_func ("/knowledge/no-sections", test_a_file_without_sections_begins);
  g_test_add_func ("/knowledge/ranked", test_sections_are_ranked);
  g_test_add_func ("/knowledge/ranked-cut", test_sections_are_cut_at_a_line);
  g_test_add_func ("/knowledge/many", test_many_sections);

  return g_test_run ();
}
