/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library-fixture.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

void
library_fixture_set_up (LibraryFixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->dir = g_dir_make_tmp ("fore-library-XXXXXX", &error);
  g_assert_no_error (error);
  g_setenv ("HOME", fixture->dir, TRUE);
  fixture->user = g_build_filename (fixture->dir, "user", NULL);
  fixture->project = g_build_filename (fixture->dir, "project", NULL);
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  if (!g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    dir = g_dir_open (path, 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      remove_tree (child);
    }
  g_remove (path);
}

void
library_fixture_tear_down (LibraryFixture *fixture, gconstpointer data)
{
  remove_tree (fixture->dir);
  g_free (fixture->dir);
  g_free (fixture->user);
  g_free (fixture->project);
}

char *
library_fixture_write (const char *dir, const char *name, const char *text, gssize length)
{
  g_autofree char *path = g_build_filename (dir, name, NULL);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_file_set_contents (path, text, length, &error);
  g_assert_no_error (error);

  return g_steal_pointer (&path);
}

char *
dup_diagnostics (GPtrArray *diagnostics)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < diagnostics->len; i++)
    {
      g_autofree char *line = fore_diagnostic_dup_text (diagnostics->pdata[i]);

      g_string_append_printf (text, "\n  %s", line);
    }

  return g_string_free (text, FALSE);
}

const ForeDiagnostic *
find_diagnostic (GPtrArray *diagnostics, const char *part)
{
  for (guint i = 0; i < diagnostics->len; i++)
    {
      const ForeDiagnostic *diagnostic = diagnostics->pdata[i];

      if (strstr (diagnostic->message, part) != NULL)
        return diagnostic;
    }

  return NULL;
}

void
assert_says (GPtrArray *diagnostics, ForeDiagnosticSeverity severity, guint line, const char *part)
{
  const ForeDiagnostic *found = find_diagnostic (diagnostics, part);
  g_autofree char *all = dup_diagnostics (diagnostics);

  if (found == NULL)
    g_error ("nobody says \"%s\", only:%s", part, all);
  if (found->line != line || found->severity != severity)
    g_error ("\"%s\" is said in line %u as %s:%s", part, found->line,
             fore_diagnostic_severity_to_string (found->severity), all);
}

void
assert_silent (GPtrArray *diagnostics)
{
  g_autofree char *all = dup_diagnostics (diagnostics);

  if (diagnostics->len > 0)
    g_error ("unexpected:%s", all);
}
