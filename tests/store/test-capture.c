/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store-fixture.h"

#include "model/fore-error.h"
#include "store/fore-capture-beat.h"
#include "store/fore-capture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW (256 * 1024)
#define TEST(name, func)                                                                           \
  g_test_add ("/store/capture/" name, StoreFixture, NULL, store_fixture_set_up, func,              \
              store_fixture_tear_down)

static ForeCapture *
open_capture (StoreFixture *fixture, int *fd)
{
  g_autofree char *path = g_build_filename (fixture->home, "capture", NULL);
  g_autoptr (GError) error = NULL;
  ForeCapture *capture;

  *fd = g_open (path, O_WRONLY | O_CREAT | O_APPEND, 0600);
  g_assert_cmpint (*fd, >=, 0);
  capture = fore_capture_open (path, &error);
  g_assert_no_error (error);

  return capture;
}

static void
append (int fd, const char *text)
{
  g_assert_cmpint (write (fd, text, strlen (text)), ==, strlen (text));
}

static void
assert_read (ForeCapture *capture, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = fore_capture_read (capture, &error);

  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), text, strlen (text));
}

/* An attempt that has printed nothing has no file yet. */
static void
test_not_there_yet (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "capture", NULL);
  g_autoptr (ForeCapture) capture = fore_capture_new (path);

  assert_read (capture, "");
  g_assert_true (g_file_set_contents (path, "late", -1, NULL));
  assert_read (capture, "late");
}

static void
test_growing (StoreFixture *fixture, gconstpointer data)
{
  int fd;
  g_autoptr (ForeCapture) capture = open_capture (fixture, &fd);

  assert_read (capture, "");
  append (fd, "one");
  assert_read (capture, "one");
  assert_read (capture, "");
  append (fd, "two");
  append (fd, "three");
  assert_read (capture, "twothree");
  g_assert_cmpint (fore_capture_get_offset (capture), ==, 11);
  fore_capture_seek (capture, 3);
  assert_read (capture, "twothree");
  close (fd);
}

static void
test_shrinking (StoreFixture *fixture, gconstpointer data)
{
  int fd;
  g_autoptr (ForeCapture) capture = open_capture (fixture, &fd);
  g_autoptr (GError) error = NULL;

  append (fd, "0123456789");
  assert_read (capture, "0123456789");
  g_assert_cmpint (ftruncate (fd, 4), ==, 0);
  g_assert_null (fore_capture_read (capture, &error));
  g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
  assert_read (capture, "");
  append (fd, "more");
  assert_read (capture, "more");
  close (fd);
}

static void
test_large (StoreFixture *fixture, gconstpointer data)
{
  int fd;
  g_autoptr (ForeCapture) capture = open_capture (fixture, &fd);
  g_autofree char *block = g_malloc (1024 * 1024);
  g_autoptr (GChecksum) written = g_checksum_new (G_CHECKSUM_MD5);
  g_autoptr (GChecksum) read = g_checksum_new (G_CHECKSUM_MD5);
  gsize length;

  for (guint i = 0; i < 70; i++)
    {
      memset (block, (int) i, 1024 * 1024);
      g_checksum_update (written, (guchar *) block, 1024 * 1024);
      g_assert_cmpint (write (fd, block, 1024 * 1024), ==, 1024 * 1024);
    }

  do
    {
      g_autoptr (GBytes) bytes = fore_capture_read (capture, NULL);
      gconstpointer start = g_bytes_get_data (bytes, &length);

      g_assert_cmpuint (length, <=, WINDOW);
      g_checksum_update (read, start, (gssize) length);
    }
  while (length > 0);

  g_assert_cmpint (fore_capture_get_offset (capture), ==, 70 * 1024 * 1024);
  g_assert_cmpstr (g_checksum_get_string (read), ==, g_checksum_get_string (written));
  close (fd);
}

static void
assert_cannot_open (const char *path, int code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (fore_capture_open (path, &error));
  g_assert_error (error, FORE_ERROR, code);
}

static void
test_not_a_capture (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *missing = g_build_filename (fixture->home, "missing", NULL);
  g_autofree char *fifo = g_build_filename (fixture->home, "fifo", NULL);
  g_autofree char *link = g_build_filename (fixture->home, "link", NULL);

  assert_cannot_open (missing, FORE_ERROR_NOT_FOUND);
  assert_cannot_open (fixture->home, FORE_ERROR_ENVIRONMENT);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  assert_cannot_open (fifo, FORE_ERROR_ENVIRONMENT);
  g_assert_cmpint (symlink ("/etc/passwd", link), ==, 0);
  assert_cannot_open (link, FORE_ERROR_ENVIRONMENT);
}

static void
test_path (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = fore_capture_dup_path ("/h", "abcdefgh", "task", 2, "out");

  g_assert_cmpstr (path, ==, "/h/runs/abcdefgh/attempts/task.2.out");
}

/* A beat's function, on the thread of the beats. */
typedef struct
{
  ForeCapture *capture;
  GMutex mutex;
  GCond cond;
  GString *text;
  guint n_calls;
  gint64 last;
} Heard;

static gsize
hear (gpointer user_data)
{
  Heard *heard = user_data;
  g_autoptr (GBytes) bytes = fore_capture_read (heard->capture, NULL);
  gsize length;
  const char *data = g_bytes_get_data (bytes, &length);

  g_mutex_lock (&heard->mutex);
  heard->n_calls++;
  heard->last = g_get_monotonic_time ();
  g_string_append_len (heard->text, data, (gssize) length);
  g_cond_signal (&heard->cond);
  g_mutex_unlock (&heard->mutex);

  return length;
}

static gint64
wait_until_heard (Heard *heard, gsize length)
{
  gint64 deadline = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  gint64 when;

  g_mutex_lock (&heard->mutex);
  while (heard->text->len < length)
    g_assert_true (g_cond_wait_until (&heard->cond, &heard->mutex, deadline));
  when = heard->last;
  g_mutex_unlock (&heard->mutex);

  return when;
}

/* Nothing is lost or read twice, whether it comes before there is a watch, in a burst or after a
 * pause; while nothing comes, nobody looks; and what many writes bring costs few looks.
 */
static void
test_beat (StoreFixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->home, "capture", NULL);
  Heard heard = { .capture = fore_capture_new (path), .text = g_string_new (NULL) };
  ForeCaptureBeat *beat = fore_capture_beat_new (path, 0, hear, &heard);
  gsize written = 0;
  guint n_calls;
  int fd;

  for (guint round = 0; round < 20; round++)
    {
      fd = g_open (path, O_WRONLY | O_CREAT | O_APPEND, 0600);
      for (guint i = 0; i < 500; i++)
        {
          append (fd, "a line of text\n");
          written += strlen ("a line of text\n");
        }
      close (fd);
      wait_until_heard (&heard, written);
    }

  n_calls = heard.n_calls;
  g_assert_cmpuint (n_calls, <, 10000 / 10);
  fore_capture_beat_free (beat);
  g_assert_cmpuint (heard.text->len, ==, written);
  g_string_free (heard.text, TRUE);
  fore_capture_free (heard.capture);
}

/* After it is freed the function is not called, though the file goes on. */
static void
test_beat_freed (StoreFixture *fixture, gconstpointer data)
{
  int fd;
  ForeCapture *capture = open_capture (fixture, &fd);
  g_autofree char *path = g_build_filename (fixture->home, "capture", NULL);
  Heard heard = { .capture = capture, .text = g_string_new (NULL) };
  Heard other = { .capture = fore_capture_new (path), .text = g_string_new (NULL) };
  ForeCaptureBeat *beat = fore_capture_beat_new (path, 0, hear, &heard);
  ForeCaptureBeat *stays = fore_capture_beat_new (path, 0, hear, &other);

  append (fd, "one");
  wait_until_heard (&heard, 3);
  fore_capture_beat_free (beat);
  append (fd, "two");
  wait_until_heard (&other, 6);
  g_assert_cmpstr (heard.text->str, ==, "one");
  fore_capture_beat_free (stays);

  close (fd);
  g_string_free (heard.text, TRUE);
  g_string_free (other.text, TRUE);
  fore_capture_free (capture);
  fore_capture_free (other.capture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TEST ("not-there-yet", test_not_there_yet);
  TEST ("growing", test_growing);
  TEST ("shrinking", test_shrinking);
  TEST ("large", test_large);
  TEST ("not-a-capture", test_not_a_capture);
  TEST ("path", test_path);

  TEST ("beat", test_beat);
  TEST ("beat-freed", test_beat_freed);
  return g_test_run ();
}
