/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-draft-file.h"

#include <glib/gstdio.h>
#include <string.h>

/* Another home each time: what was set before is written there too. */
typedef struct
{
  char *home;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->home = g_dir_make_tmp ("foredeck-drafts-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->home, "drafts.json", NULL);
  if (data != NULL)
    g_assert_true (g_file_set_contents (fixture->path, data, -1, NULL));
  fore_draft_file_load (fixture->home);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_remove (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->home), ==, 0);
  g_free (fixture->path);
  g_free (fixture->home);
}

static char *
read_file (Fixture *fixture)
{
  char *text = NULL;

  g_assert_true (g_file_get_contents (fixture->path, &text, NULL, NULL));

  return text;
}

/* What another start of the program would find. */
static void
load_copy (Fixture *fixture)
{
  g_autofree char *text = read_file (fixture);

  fore_draft_file_set ("gone since", "words");
  fore_draft_file_flush ();
  g_assert_true (g_file_set_contents (fixture->path, text, -1, NULL));
  fore_draft_file_load (fixture->home);
}

static void
test_written (Fixture *fixture, gconstpointer data)
{
  GStatBuf status;
  g_autofree char *text = NULL;

  fore_draft_file_set ("/a/\xff\n\"path\"", "Mend \"it\".\nÄ");
  fore_draft_file_set (NULL, "about nothing");
  fore_draft_file_flush ();
  g_assert_cmpint (g_stat (fixture->path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);
  text = read_file (fixture);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_nonnull (strstr (text, "about nothing"));

  load_copy (fixture);
  g_assert_cmpstr (fore_draft_file_get ("/a/\xff\n\"path\""), ==, "Mend \"it\".\nÄ");
  g_assert_cmpstr (fore_draft_file_get (NULL), ==, "about nothing");
}

static void
test_by_itself (Fixture *fixture, gconstpointer data)
{
  gint64 end = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;

  fore_draft_file_set ("one", "typed");
  while (!g_file_test (fixture->path, G_FILE_TEST_EXISTS))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_main_context_iteration (NULL, FALSE);
      g_thread_yield ();
    }
}

static void
test_sent (Fixture *fixture, gconstpointer data)
{
  g_autofree char *text = NULL;

  fore_draft_file_set ("sent", "some words");
  fore_draft_file_flush ();
  fore_draft_file_set ("sent", "");
  fore_draft_file_flush ();
  g_assert_null (fore_draft_file_get ("sent"));
  text = read_file (fixture);
  g_assert_null (strstr (text, "some words"));
}

static void
test_nothing_new (Fixture *fixture, gconstpointer data)
{
  fore_draft_file_set ("same", "words");
  fore_draft_file_flush ();
  g_assert_cmpint (g_remove (fixture->path), ==, 0);

  fore_draft_file_set ("same", "words");
  fore_draft_file_set ("never there", NULL);
  fore_draft_file_flush ();
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
}

static void
test_read (Fixture *fixture, gconstpointer data)
{
  g_assert_cmpstr (fore_draft_file_get ("of the file"), ==, "words");
  g_assert_null (fore_draft_file_get ("without words"));
}

static void
test_damaged (Fixture *fixture, gconstpointer data)
{
  fore_draft_file_set ("of this time", "words");
  fore_draft_file_flush ();
  load_copy (fixture);
  g_assert_cmpstr (fore_draft_file_get ("of this time"), ==, "words");
}

static void
test_many (Fixture *fixture, gconstpointer data)
{
  guint n = 0;

  for (guint i = 0; i < 150; i++)
    {
      g_autofree char *about = g_strdup_printf ("many %u", i);

      fore_draft_file_set (about, "words");
    }
  for (guint i = 0; i < 150; i++)
    {
      g_autofree char *about = g_strdup_printf ("many %u", i);

      n += fore_draft_file_get (about) != NULL;
    }
  g_assert_cmpuint (n, ==, 100);
  g_assert_nonnull (fore_draft_file_get ("many 149"));
  g_assert_null (fore_draft_file_get ("many 0"));
}

/* The home is gone: what was written stays for as long as the program runs. */
static void
test_no_home (void)
{
  fore_draft_file_load ("/nowhere/at/all");
  fore_draft_file_set ("kept", "words");
  fore_draft_file_flush ();
  g_assert_cmpstr (fore_draft_file_get ("kept"), ==, "words");
  fore_draft_file_set ("kept", NULL);
  fore_draft_file_flush ();
}

#define WHOLE                                                                                      \
  "{\"format\":1,\"drafts\":[3,{\"about\":\"without words\"},{\"about\":\"of the file\","          \
  "\"time\":\"x\",\"text\":\"words\"},{\"text\":\"about nothing\"}]}"

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add ("/draft-file/written", Fixture, NULL, set_up, test_written, tear_down);
  g_test_add ("/draft-file/by-itself", Fixture, NULL, set_up, test_by_itself, tear_down);
  g_test_add ("/draft-file/sent", Fixture, NULL, set_up, test_sent, tear_down);
  g_test_add ("/draft-file/nothing-new", Fixture, NULL, set_up, test_nothing_new, tear_down);
  g_test_add ("/draft-file/read", Fixture, WHOLE, set_up, test_read, tear_down);
  g_test_add ("/draft-file/damaged", Fixture, "{\"drafts\":[{", set_up, test_damaged, tear_down);
  g_test_add ("/draft-file/not-a-list", Fixture, "{\"drafts\":{}}", set_up, test_damaged,
              tear_down);
  g_test_add ("/draft-file/many", Fixture, NULL, set_up, test_many, tear_down);
  g_test_add_func ("/draft-file/no-home", test_no_home);

  return g_test_run ();
}
