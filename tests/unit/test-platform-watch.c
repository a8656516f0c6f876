/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "model/fore-error.h"
#include "platform/fore-watch.h"
#include "unit-tools.h"

#define DEADLINE_US (10 * G_USEC_PER_SEC)

typedef struct
{
  char *dir;
  char *path;
  ForeWatch *watch;
  ForeWatchEvents events;
  guint calls;
} Fixture;

static void
on_event (const char *path, ForeWatchEvents events, gpointer user_data)
{
  Fixture *f = user_data;

  g_assert_cmpstr (path, ==, f->path);
  f->events |= events;
  f->calls++;
}

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->dir = unit_make_dir ();
  f->path = g_build_filename (f->dir, "bell", NULL);
  if (data != NULL)
    g_assert_true (g_file_set_contents (f->path, data, -1, NULL));
  f->watch = fore_watch_new (f->path, on_event, f, NULL, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_clear_pointer (&f->watch, fore_watch_free);
  unit_remove_dir (f->dir);
  g_free (f->dir);
  g_free (f->path);
}

static gboolean
stop_waiting (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
wait_for (Fixture *f, ForeWatchEvents events)
{
  gint64 until = g_get_monotonic_time () + DEADLINE_US;
  guint ticker = g_timeout_add (100, stop_waiting, NULL);

  while ((f->events & events) != events)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, until);
      g_main_context_iteration (NULL, TRUE);
    }

  g_source_remove (ticker);
  f->events = 0;
}

static void
write_bytes (const char *path, int flags, const char *bytes)
{
  int fd = open (path, O_WRONLY | O_CREAT | flags, 0600);

  g_assert_cmpint (write (fd, bytes, strlen (bytes)), ==, (gssize) strlen (bytes));
  close (fd);
}

static void
test_bell (Fixture *f, gconstpointer data)
{
  int fd = open (f->path, O_WRONLY);
  gint64 worst = 0;

  for (guint i = 0; i < 50; i++)
    {
      gint64 start = g_get_monotonic_time ();

      g_assert_cmpint (pwrite (fd, "x", 1, 0), ==, 1);
      wait_for (f, FORE_WATCH_CHANGED);
      worst = MAX (worst, g_get_monotonic_time () - start);
    }

  close (fd);
  /* Far above what it takes, far below what a poll or a rate limit would take. */
  g_assert_cmpint (worst, <, 250000);
}

static void
test_append (Fixture *f, gconstpointer data)
{
  write_bytes (f->path, O_APPEND, "more");
  wait_for (f, FORE_WATCH_CHANGED);
}

static void
test_coalesced (Fixture *f, gconstpointer data)
{
  for (guint i = 0; i < 1000; i++)
    write_bytes (f->path, O_APPEND, "more");
  wait_for (f, FORE_WATCH_CHANGED);
  g_assert_cmpuint (f->calls, ==, 1);
}

static void
test_created (Fixture *f, gconstpointer data)
{
  write_bytes (f->path, 0, "new");
  wait_for (f, FORE_WATCH_CREATED);
  write_bytes (f->path, O_APPEND, "more");
  wait_for (f, FORE_WATCH_CHANGED);
}

static void
test_gone_and_back (Fixture *f, gconstpointer data)
{
  g_unlink (f->path);
  wait_for (f, FORE_WATCH_GONE);
  write_bytes (f->path, 0, "new");
  wait_for (f, FORE_WATCH_CREATED);
  write_bytes (f->path, O_APPEND, "more");
  wait_for (f, FORE_WATCH_CHANGED);
}

static void
test_replaced (Fixture *f, gconstpointer data)
{
  g_assert_true (g_file_set_contents (f->path, "other", -1, NULL));
  wait_for (f, FORE_WATCH_CREATED);
  write_bytes (f->path, O_APPEND, "more");
  wait_for (f, FORE_WATCH_CHANGED);
}

static void
count (const char *path, ForeWatchEvents events, gpointer user_data)
{
  (*(guint *) user_data)++;
}

static void
test_neighbour (Fixture *f, gconstpointer data)
{
  g_autofree char *other = g_build_filename (f->dir, "other", NULL);
  g_autoptr (ForeWatch) watch = NULL;
  guint calls = 0;

  watch = fore_watch_new (f->dir, count, &calls, NULL, NULL);
  write_bytes (other, 0, "x");
  while (calls == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (f->calls, ==, 0);
}

static void
free_all (const char *path, ForeWatchEvents events, gpointer user_data)
{
  ForeWatch **watches = user_data;

  g_clear_pointer (&watches[0], fore_watch_free);
  g_clear_pointer (&watches[1], fore_watch_free);
}

static void
test_freed_when_called (Fixture *f, gconstpointer data)
{
  ForeWatch *watches[2];

  g_clear_pointer (&f->watch, fore_watch_free);
  watches[0] = fore_watch_new (f->path, free_all, watches, NULL, NULL);
  watches[1] = fore_watch_new (f->path, free_all, watches, NULL, NULL);
  write_bytes (f->path, O_APPEND, "more");
  while (watches[0] != NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_null (watches[1]);
}

static void
test_no_folder (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (fore_watch_new ("/nowhere/bell", count, NULL, NULL, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);
}

static gpointer
watch_in_thread (gpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (ForeWatch) watch = NULL;
  g_autofree char *path = g_build_filename (data, "bell", NULL);
  guint calls = 0;

  g_main_context_push_thread_default (context);
  watch = fore_watch_new (path, count, &calls, context, NULL);
  write_bytes (path, 0, "x");
  while (calls == 0)
    g_main_context_iteration (context, TRUE);
  g_main_context_pop_thread_default (context);
  return NULL;
}

static void
test_threads (void)
{
  char *dirs[4];
  GThread *threads[4];

  for (guint i = 0; i < 4; i++)
    {
      dirs[i] = unit_make_dir ();
      threads[i] = g_thread_new ("watcher", watch_in_thread, dirs[i]);
    }

  for (guint i = 0; i < 4; i++)
    {
      g_thread_join (threads[i]);
      unit_remove_dir (dirs[i]);
      g_free (dirs[i]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/watch/bell", Fixture, "x", set_up, test_bell, tear_down);
  g_test_add ("/watch/append", Fixture, "x", set_up, test_append, tear_down);
  g_test_add ("/watch/coalesced", Fixture, "x", set_up, test_coalesced, tear_down);
  g_test_add ("/watch/created", Fixture, NULL, set_up, test_created, tear_down);
  g_test_add ("/watch/gone-and-back", Fixture, "x", set_up, test_gone_and_back, tear_down);
  g_test_add ("/watch/replaced", Fixture, "x", set_up, test_replaced, tear_down);
  g_test_add ("/watch/neighbour", Fixture, "x", set_up, test_neighbour, tear_down);
  g_test_add ("/watch/freed-when-called", Fixture, "x", set_up, test_freed_when_called, tear_down);
  g_test_add_func ("/watch/no-folder", test_no_folder);
  g_test_add_func ("/watch/threads", test_threads);
  return g_test_run ();
}
