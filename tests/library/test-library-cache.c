/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "library/fore-library.h"
#include "library-fixture.h"

/* Until files have settled, each load reads them. */
#define DEADLINE_US (60 * G_USEC_PER_SEC)

typedef void (*ChangeFunc) (LibraryFixture *fixture);

static gboolean
load (LibraryFixture *fixture, ForeLibrary **library)
{
  guint hits, misses, hits_now, misses_now;

  fore_library_get_cache_figures (&hits, &misses);
  *library = fore_library_load (fixture->user, fixture->project, TRUE, NULL);
  g_assert_nonnull (*library);
  fore_library_get_cache_figures (&hits_now, &misses_now);
  g_assert_cmpuint (hits_now + misses_now, ==, hits + misses + 1);

  return hits_now > hits;
}

static ForeLibrary *
load_until_kept (LibraryFixture *fixture)
{
  gint64 deadline = g_get_monotonic_time () + DEADLINE_US;

  for (;;)
    {
      g_autoptr (ForeLibrary) library = NULL;

      if (load (fixture, &library))
        return g_steal_pointer (&library);
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
    }
}

static void
write_crew (LibraryFixture *fixture)
{
  g_free (library_fixture_write (fixture->user, "agents/one.md", "One.\n", -1));
  g_free (library_fixture_write (fixture->user, "skills/s/SKILL.md",
                                 "---\nname: s\ndescription: d\n---\nBody.\n", -1));
  g_free (library_fixture_write (fixture->project, ".foredeck/agents/two.md", "Two.\n", -1));
  g_assert_cmpint (g_mkdir_with_parents (fixture->user, 0700), ==, 0);
}

static const char *
get_prompt (ForeLibrary *library, const char *name)
{
  ForeAgentDef *agent = fore_library_get_agent (library, name);

  return agent != NULL ? agent->prompt : NULL;
}

static void
test_the_same_library_is_given_again (LibraryFixture *fixture, gconstpointer data)
{
  g_autoptr (ForeLibrary) first = NULL;
  g_autoptr (ForeLibrary) second = NULL;
  g_autoptr (ForeLibrary) untrusted = NULL;

  write_crew (fixture);
  first = load_until_kept (fixture);
  g_assert_true (load (fixture, &second));
  g_assert_true (first == second);
  g_assert_cmpstr (get_prompt (second, "two"), ==, "Two.");

  untrusted = fore_library_load (fixture->user, fixture->project, FALSE, NULL);
  g_assert_null (get_prompt (untrusted, "two"));
}

/* Every change that makes a library another one; each is seen by the next load. */

/* As long as before, so that only the time tells. */
static void
rewrite_agent (LibraryFixture *fixture)
{
  g_free (library_fixture_write (fixture->user, "agents/one.md", "Eno.\n", -1));
}

static void
add_agent (LibraryFixture *fixture)
{
  g_free (library_fixture_write (fixture->user, "agents/more.md", "More.\n", -1));
}

static void
remove_agent (LibraryFixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->user, "agents", "one.md", NULL);

  g_assert_cmpint (g_remove (path), ==, 0);
}

static void
replace_agent (LibraryFixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->user, "agents", "one.md", NULL);
  g_autofree char *beside = library_fixture_write (fixture->user, "one.new", "New.\n", -1);

  g_assert_cmpint (g_rename (beside, path), ==, 0);
}

static void
add_first_team (LibraryFixture *fixture)
{
  g_free (library_fixture_write (fixture->user, "teams/t.team.md",
                                 "---\nname: t\n---\n# Roles\n\n- explorer\n", -1));
}

static void
rewrite_skill (LibraryFixture *fixture)
{
  g_free (library_fixture_write (fixture->user, "skills/s/SKILL.md",
                                 "---\nname: s\ndescription: d\n---\nOther.\n", -1));
}

static void
fill_skill (LibraryFixture *fixture)
{
  g_free (library_fixture_write (fixture->user, "skills/empty/SKILL.md",
                                 "---\nname: empty\ndescription: d\n---\nFull.\n", -1));
}

static void
add_project_folder (LibraryFixture *fixture)
{
  g_free (library_fixture_write (fixture->project, ".claude/agents/three.md", "Three.\n", -1));
}

static void
lead_out_of_the_project (LibraryFixture *fixture)
{
  g_autofree char *path = g_build_filename (fixture->project, ".foredeck", "agents", NULL);
  g_autofree char *away = g_build_filename (fixture->dir, "away", NULL);

  g_assert_cmpint (g_rename (path, away), ==, 0);
  g_assert_cmpint (symlink (away, path), ==, 0);
}

static const struct
{
  const char *name;
  ChangeFunc change;
} changes[] = {
  { "rewritten", rewrite_agent },
  { "added", add_agent },
  { "removed", remove_agent },
  { "replaced", replace_agent },
  { "first-of-a-folder", add_first_team },
  { "skill", rewrite_skill },
  { "skill-filled", fill_skill },
  { "project-folder", add_project_folder },
  { "link", lead_out_of_the_project },
};

static void
test_a_change_is_seen (LibraryFixture *fixture, gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autofree char *empty = g_build_filename (fixture->user, "skills", "empty", NULL);
  g_autoptr (ForeLibrary) before = NULL;
  g_autoptr (ForeLibrary) after = NULL;

  write_crew (fixture);
  g_assert_cmpint (g_mkdir_with_parents (empty, 0700), ==, 0);
  before = load_until_kept (fixture);
  changes[i].change (fixture);
  g_assert_false (load (fixture, &after));
  g_assert_true (before != after);
}

/* Two versions of a file within one tick of the clock: the second is read, however often it was
 * looked at in between. */
static void
test_quick_changes_are_seen (LibraryFixture *fixture, gconstpointer data)
{
  write_crew (fixture);
  for (guint i = 0; i < 50; i++)
    {
      g_autofree char *text = g_strdup_printf ("%02u.\n", i);
      g_autofree char *prompt = g_strdup_printf ("%02u.", i);
      g_autoptr (ForeLibrary) library = NULL;

      g_free (library_fixture_write (fixture->user, "agents/one.md", text, -1));
      load (fixture, &library);
      g_assert_cmpstr (get_prompt (library, "one"), ==, prompt);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  library_test ("/library-cache/again", test_the_same_library_is_given_again);
  library_test ("/library-cache/quick", test_quick_changes_are_seen);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autofree char *path = g_strdup_printf ("/library-cache/%s", changes[i].name);

      g_test_add (path, LibraryFixture, GUINT_TO_POINTER (i), library_fixture_set_up,
                  test_a_change_is_seen, library_fixture_tear_down);
    }

  return g_test_run ();
}
