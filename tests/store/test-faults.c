/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-fixture.h"

#include "model/fore-error.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#define RUN "abcdefgh"

/* A small file system of its own, where the machine allows it. */
static gboolean
mount_small (StoreFixture *fixture)
{
  g_autoptr (GError) error = NULL;

  fixture->home = g_dir_make_tmp ("foredeck-small-XXXXXX", &error);
  g_assert_no_error (error);
  if (mount ("tmpfs", fixture->home, "tmpfs", 0, "size=6m,mode=0700") == 0)
    return TRUE;

  g_rmdir (fixture->home);
  g_clear_pointer (&fixture->home, g_free);
  return FALSE;
}

static void
unmount_small (StoreFixture *fixture)
{
  g_clear_object (&fixture->store);
  g_assert_cmpint (umount2 (fixture->home, MNT_DETACH), ==, 0);
  g_rmdir (fixture->home);
  g_free (fixture->home);
}

typedef struct
{
  guint n;
  int code;
} Failures;

static void
on_failed (ForeRunWriter *writer, GError *error, gpointer user_data)
{
  Failures *failures = user_data;

  failures->n++;
  failures->code = error->code;
}

static char *
fill_disk (StoreFixture *fixture)
{
  char *path = g_build_filename (fixture->home, "filler", NULL);
  g_autofree char *block = g_malloc0 (4096);
  int fd = g_open (path, O_WRONLY | O_CREAT, 0600);

  while (write (fd, block, 4096) > 0)
    ;
  close (fd);

  return path;
}

static void
put_large_event (ForeRunWriter *writer, guint i)
{
  g_autofree char *padding = g_strnfill (8000, 'x');
  g_autofree char *data = g_strdup_printf ("{\"padding\":\"%s\"}", padding);
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_NOTICE, "t-0", i, data);

  fore_run_writer_put_event (writer, event);
}

static gboolean
has_failed (gpointer user_data)
{
  return ((Failures *) user_data)->n > 0;
}

static void
put_until_full (ForeRunWriter *writer, guint *n_put, guint *n_durable)
{
  g_autoptr (GError) error = NULL;

  do
    {
      *n_durable = *n_put;
      for (guint i = 0; i < 20; i++)
        put_large_event (writer, (*n_put)++);
    }
  while (fore_run_writer_barrier (writer, &error) && *n_put < 2000);

  g_assert_error (error, FORE_ERROR, FORE_ERROR_NO_SPACE);
  g_assert_nonnull (strstr (error->message, "notice"));
}

static void
assert_events (StoreFixture *fixture, guint at_least, guint at_most)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRunDelta) delta = fore_run_read (fixture->store, RUN, 0, 0, G_MAXUINT, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (delta->events->len, >=, at_least);
  g_assert_cmpuint (delta->events->len, <=, at_most);
  for (guint i = 0; i < delta->events->len; i++)
    g_assert_cmpuint (((ForeEvent *) g_ptr_array_index (delta->events, i))->attempt, ==, i);
}

static void
check_full_and_retry (StoreFixture *fixture, ForeRunWriter *writer, Failures *failures)
{
  g_autofree char *filler = fill_disk (fixture);
  g_autoptr (GError) error = NULL;
  guint n_durable;
  guint n_put = 0;

  put_until_full (writer, &n_put, &n_durable);
  run_until_func (has_failed, failures);
  g_assert_cmpint (failures->code, ==, FORE_ERROR_NO_SPACE);
  g_assert_true (fore_run_writer_has_failed (writer));

  put_large_event (writer, n_put++);
  g_assert_false (fore_run_writer_barrier (writer, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_NO_SPACE);
  g_clear_error (&error);

  failures->n = 0;
  fore_run_writer_retry (writer);
  run_until_func (has_failed, failures);
  assert_events (fixture, n_durable, n_durable);

  g_assert_cmpint (g_unlink (filler), ==, 0);
  fore_run_writer_retry (writer);
  fore_run_writer_barrier (writer, &error);
  g_assert_no_error (error);
  g_assert_false (fore_run_writer_has_failed (writer));
  assert_events (fixture, n_put, n_put);
}

static void
test_full_disk (void)
{
  StoreFixture fixture = { NULL, NULL };
  Failures failures = { 0, 0 };
  g_autoptr (GError) error = NULL;
  ForeRunWriter *writer;

  if (!mount_small (&fixture))
    {
      g_test_skip ("mounting a tmpfs is not allowed here");
      return;
    }

  fixture.store = fore_store_open (fixture.home, &error);
  g_assert_no_error (error);
  writer = open_sample_run (&fixture, RUN, 1);
  g_signal_connect (writer, "failed", G_CALLBACK (on_failed), &failures);
  check_full_and_retry (&fixture, writer, &failures);
  g_object_unref (writer);
  unmount_small (&fixture);
}

/* The same by a limit on the size of files, which needs no rights. */
static void
set_file_limit (rlim_t bytes)
{
  struct rlimit limit;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = bytes;
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

static void
test_write_error (void)
{
  StoreFixture fixture = { NULL, NULL };
  Failures failures = { 0, 0 };
  g_autoptr (ForeRunWriter) writer = NULL;
  g_autoptr (GError) error = NULL;
  guint n_put = 0;

  store_fixture_set_up (&fixture, NULL);
  writer = open_sample_run (&fixture, RUN, 1);
  g_signal_connect (writer, "failed", G_CALLBACK (on_failed), &failures);
  signal (SIGXFSZ, SIG_IGN);
  set_file_limit (200 * 1024);
  while (n_put < 1000)
    put_large_event (writer, n_put++);
  g_assert_false (fore_run_writer_barrier (writer, &error));
  g_assert_nonnull (error);
  g_clear_error (&error);
  run_until_func (has_failed, &failures);

  set_file_limit (RLIM_INFINITY);
  fore_run_writer_retry (writer);
  fore_run_writer_barrier (writer, &error);
  g_assert_no_error (error);
  assert_events (&fixture, n_put, n_put);
  g_clear_object (&writer);
  store_fixture_tear_down (&fixture, NULL);
}

static void
on_barrier (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  guint *n = user_data;

  g_assert_false (fore_run_writer_barrier_finish (FORE_RUN_WRITER (source), result, &error));
  g_assert_nonnull (error);
  ++*n;
}

static gboolean
are_three (gpointer user_data)
{
  return *(guint *) user_data == 3;
}

/* Nobody who waits is left waiting, and closing says that something is lost. */
static void
test_barriers_fail (void)
{
  StoreFixture fixture = { NULL, NULL };
  g_autoptr (ForeRunWriter) writer = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  store_fixture_set_up (&fixture, NULL);
  writer = open_sample_run (&fixture, RUN, 1);
  g_assert_true (fore_run_writer_barrier (writer, NULL));
  signal (SIGXFSZ, SIG_IGN);
  set_file_limit (1024);
  put_large_event (writer, 0);
  fore_run_writer_barrier_async (writer, NULL, on_barrier, &n);
  put_large_event (writer, 1);
  fore_run_writer_barrier_async (writer, NULL, on_barrier, &n);
  put_large_event (writer, 2);
  fore_run_writer_barrier_async (writer, NULL, on_barrier, &n);
  run_until_func (are_three, &n);
  g_assert_false (fore_run_writer_close (writer, &error));
  g_assert_nonnull (error);
  set_file_limit (RLIM_INFINITY);
  assert_events (&fixture, 0, 0);
  store_fixture_tear_down (&fixture, NULL);
}

/* A row that cannot be stored says what it was about. */
static void
test_row_without_its_task (void)
{
  StoreFixture fixture = { NULL, NULL };
  g_autoptr (ForeRunWriter) writer = NULL;
  g_autoptr (ForeAttempt) attempt = sample_attempt ("nobody", 1);
  g_autoptr (ForeEvent) event = fore_event_new (FORE_EVENT_ATTEMPT_STARTED, "nobody", 1, NULL);
  g_autoptr (ForeTask) task = sample_task ("nobody", 3);
  g_autoptr (GError) error = NULL;

  store_fixture_set_up (&fixture, NULL);
  writer = open_sample_run (&fixture, RUN, 1);
  fore_run_writer_put_attempt (writer, attempt);
  fore_run_writer_put_event (writer, event);
  g_assert_false (fore_run_writer_barrier (writer, &error));
  g_assert_nonnull (strstr (error->message, "attempt.started"));
  g_assert_nonnull (strstr (error->message, "nobody"));
  g_clear_object (&writer);
  store_fixture_tear_down (&fixture, NULL);
}

static void
test_removed_folder (void)
{
  StoreFixture fixture = { NULL, NULL };
  Failures failures = { 0, 0 };
  g_autoptr (ForeRunWriter) writer = NULL;
  g_autofree char *folder = NULL;
  g_autoptr (GError) error = NULL;

  store_fixture_set_up (&fixture, NULL);
  folder = g_build_filename (fixture.home, "runs", RUN, NULL);
  writer = open_sample_run (&fixture, RUN, 1);
  g_signal_connect (writer, "failed", G_CALLBACK (on_failed), &failures);
  g_assert_true (fore_run_writer_barrier (writer, NULL));
  store_fixture_remove (folder);
  put_large_event (writer, 1);
  g_assert_false (fore_run_writer_barrier (writer, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT);
  run_until_func (has_failed, &failures);
  g_assert_cmpint (failures.code, ==, FORE_ERROR_ENVIRONMENT);
  g_clear_object (&writer);
  store_fixture_tear_down (&fixture, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/faults/full-disk", test_full_disk);
  g_test_add_func ("/store/faults/write-error", test_write_error);
  g_test_add_func ("/store/faults/barriers-fail", test_barriers_fail);
  g_test_add_func ("/store/faults/row-without-its-task", test_row_without_its_task);

  g_test_add_func ("/store/faults/removed-folder", test_removed_folder);

  return g_test_run ();
}
