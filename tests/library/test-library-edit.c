/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <unistd.h>

#include "library/fore-library-edit.h"
#include "library-fixture.h"
#include "model/fore-error.h"

static ForeLibrary *
load (LibraryFixture *fixture)
{
  return fore_library_load (fixture->user, fixture->project, TRUE, NULL);
}

static char *
read_text (const char *path)
{
  char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));

  return text;
}

/* A copy counts instead of what came along, and is the same but for what its editor changes. */
static void
test_each_kind_is_copied (LibraryFixture *fixture, gconstpointer data)
{
  static const char *const what[][3] = {
    { "agent", "explorer", "agents/explorer.md" },
    { "team", "review", "teams/review.team.md" },
    { "workflow", "review", "workflows/review.workflow.md" },
    { "skill", "safe-git", "skills/safe-git/SKILL.md" },
  };
  g_autoptr (ForeLibrary) library = load (fixture);
  g_autoptr (ForeLibrary) after = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (what); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *wanted = g_build_filename (fixture->user, what[i][2], NULL);
      g_autofree char *builtin_dir = fore_library_dup_builtin_dir ();
      g_autofree char *builtin = g_build_filename (builtin_dir, what[i][2], NULL);
      g_autofree char *path = fore_library_copy (library, what[i][0], what[i][1], NULL,
                                                 fixture->user, &error);
      g_autofree char *text = NULL;
      g_autofree char *original = read_text (builtin);

      g_assert_no_error (error);
      g_assert_cmpstr (path, ==, wanted);
      text = read_text (path);
      g_assert_cmpstr (text, ==, original);
    }

  after = load (fixture);
  g_assert_cmpint (fore_library_get_team (after, "review")->source.layer, ==, FORE_LAYER_USER);
  g_assert_cmpint (fore_library_get_skill (after, "safe-git")->source.layer, ==, FORE_LAYER_USER);
  for (guint i = 0; i < fore_library_get_diagnostics (after)->len; i++)
    {
      const ForeDiagnostic *found = fore_library_get_diagnostics (after)->pdata[i];

      g_assert_cmpint (found->severity, ==, FORE_DIAGNOSTIC_NOTE);
    }
}

static void
check_renamed (LibraryFixture *fixture, const char *text, const char *renamed)
{
  g_autofree char *from = library_fixture_write (fixture->user, "agents/old.md", text, -1);
  g_autoptr (ForeLibrary) library = load (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = fore_library_copy (library, "agent", "old", "new", fixture->user, &error);
  g_autofree char *copy = NULL;

  g_assert_no_error (error);
  copy = read_text (path);
  g_assert_cmpstr (copy, ==, renamed);
  g_assert_cmpint (unlink (path), ==, 0);
  g_assert_nonnull (from);
}

static void
test_only_the_name_changes (LibraryFixture *fixture, gconstpointer data)
{
  check_renamed (fixture,
                 "---\n# mine\nmystery:  1\nname:   old # that\ntools: [read]\n---\nname: old\n",
                 "---\n# mine\nmystery:  1\nname: new\ntools: [read]\n---\nname: old\n");
  check_renamed (fixture, "---\r\nname: old\r\ncolour: red\r\n---\r\nText.\r\n",
                 "---\r\nname: new\r\ncolour: red\r\n---\r\nText.\r\n");
  check_renamed (fixture, "---\ncost: cheap\n---\nText.\n",
                 "---\nname: new\ncost: cheap\n---\nText.\n");
  check_renamed (fixture, "Text.\n", "---\nname: new\n---\nText.\n");
}

static void
test_copies_replace_nothing (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *own = library_fixture_write (fixture->user, "agents/mine.md", "Mine.\n", -1);
  g_autoptr (ForeLibrary) library = load (fixture);
  g_autoptr (GError) error = NULL;
  g_autofree char *second = fore_library_copy (library, "agent", "mine", NULL, fixture->user, NULL);
  g_autofree char *taken = NULL;
  g_autofree char *bad = NULL;

  g_assert_true (g_str_has_suffix (second, "/agents/mine-2.md"));
  taken = fore_library_copy (library, "agent", "explorer", "mine", fixture->user, &error);
  g_assert_null (taken);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  g_clear_error (&error);
  bad = fore_library_copy (library, "agent", "explorer", "../../x", fixture->user, &error);
  g_assert_null (bad);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_USAGE);
  g_clear_error (&error);
  bad = fore_library_copy (library, "team", "nobody", NULL, fixture->user, &error);
  g_assert_null (bad);
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
  g_clear_pointer (&taken, g_free);
  taken = read_text (own);
  g_assert_cmpstr (taken, ==, "Mine.\n");
}

static void
test_what_is_removed_comes_back (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *skill = library_fixture_write (fixture->user, "skills/s/SKILL.md",
                                                  "---\nname: s\ndescription: d\n---\nBody.\n", -1);
  g_autofree char *more = library_fixture_write (fixture->user, "skills/s/more.txt", "More.\n", -1);
  g_autofree char *backup = NULL;
  g_autofree char *again = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeLibrary) without = NULL;
  g_autoptr (ForeLibrary) library = NULL;
  g_auto (GStrv) removed = NULL;

  backup = fore_library_remove (fixture->user, skill, &error);
  g_assert_no_error (error);
  without = load (fixture);
  g_assert_null (fore_library_get_skill (without, "s"));
  g_assert_false (g_file_test (more, G_FILE_TEST_EXISTS));
  removed = fore_library_list_removed (fixture->user);
  g_assert_cmpuint (g_strv_length (removed), ==, 1);
  g_assert_cmpstr (removed[0], ==, backup);

  again = fore_library_restore (fixture->user, backup, &error);
  g_assert_no_error (error);
  library = load (fixture);
  g_assert_nonnull (fore_library_get_skill (library, "s"));
  g_assert_true (g_file_test (more, G_FILE_TEST_EXISTS));
}

static void
test_what_is_there_again_is_not_replaced (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *path = library_fixture_write (fixture->user, "agents/a.md", "First.\n", -1);
  g_autofree char *backup = fore_library_remove (fixture->user, path, NULL);
  g_autofree char *new_path = library_fixture_write (fixture->user, "agents/a.md", "Second.\n", -1);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (fore_library_restore (fixture->user, backup, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
  text = read_text (new_path);
  g_assert_cmpstr (text, ==, "Second.\n");
}

/* Neither what came along, nor what only a link leads to, nor settings. */
static void
test_only_own_files_are_removed (LibraryFixture *fixture, gconstpointer data)
{
  g_autofree char *other = library_fixture_write (fixture->dir, "other/a.md", "Other.\n", -1);
  g_autofree char *config = library_fixture_write (fixture->user, "config.json", "{}", -1);
  g_autofree char *own = library_fixture_write (fixture->user, "agents/own.md", "Own.\n", -1);
  g_autofree char *link = g_build_filename (fixture->user, "agents", "link.md", NULL);
  g_autofree char *builtin_dir = fore_library_dup_builtin_dir ();
  g_autofree char *builtin = g_build_filename (builtin_dir, "agents/explorer.md", NULL);
  const char *paths[] = { other, config, link, builtin, fixture->user };

  g_assert_cmpint (symlink (other, link), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (fore_library_remove (fixture->user, paths[i], &error));
      g_assert_error (error, FORE_ERROR, FORE_ERROR_REFUSED);
      g_assert_true (g_file_test (paths[i], G_FILE_TEST_EXISTS));
    }
  for (guint i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (fore_library_restore (fixture->user, paths[i], &error));
      g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
    }
  g_assert_nonnull (own);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  library_test ("/library-edit/copy", test_each_kind_is_copied);
  library_test ("/library-edit/name", test_only_the_name_changes);
  library_test ("/library-edit/replaces-nothing", test_copies_replace_nothing);
  library_test ("/library-edit/comes-back", test_what_is_removed_comes_back);
  library_test ("/library-edit/there-again", test_what_is_there_again_is_not_replaced);
  library_test ("/library-edit/own", test_only_own_files_are_removed);

  return g_test_run ();
}
