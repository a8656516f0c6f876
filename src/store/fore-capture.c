/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "store/fore-capture.h"

#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-files.h"
#include "platform/fore-sync.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define WINDOW (256 * 1024)

struct _ForeCapture
{
  int fd;
  char *path;
  gint64 offset;
};

static void
set_error (const char *path, int code, GError **error)
{
  g_set_error (error, FORE_ERROR, code == ENOENT ? FORE_ERROR_NOT_FOUND : FORE_ERROR_ENVIRONMENT,
               _ ("The capture “%s” cannot be read (%s)."), path, g_strerror (code));
}

/**
 * fore_capture_dup_path:
 * @home: the home folder
 * @run_id: a run
 * @task: key of a task
 * @attempt: number of an attempt
 * @suffix: out, err, in or idx
 *
 * Returns: (transfer full): path of that file of the attempt
 */
char *
fore_capture_dup_path (
    const char *home, const char *run_id, const char *task, guint attempt, const char *suffix)
{
  return fore_dirs_dup_attempt_path (home, run_id, task, attempt, suffix);
}

static gboolean
is_regular (int fd)
{
  struct stat info;

  return fstat (fd, &info) == 0 && S_ISREG (info.st_mode);
}

/* Returns whether there is a file to read; without @error set there is none yet. */
/* One of each thread: a runner has many open and reads one at a time. */
static char *
get_window (void)
{
  static GPrivate windows = G_PRIVATE_INIT (g_free);
  char *window = g_private_get (&windows);

  if (window == NULL)
    {
      window = g_malloc (WINDOW);
      g_private_set (&windows, window);
    }

  return window;
}

static gboolean
ensure_open (ForeCapture *capture, GError **error)
{
  int fd;

  if (capture->fd >= 0)
    return TRUE;

  fd = g_open (capture->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0);
  if (fd < 0 && errno == ENOENT)
    return FALSE;
  if (fd < 0 || !is_regular (fd))
    {
      set_error (capture->path, fd < 0 ? errno : EINVAL, error);
      if (fd >= 0)
        g_close (fd, NULL);
      return FALSE;
    }

  capture->fd = fd;
  return TRUE;
}

/**
 * fore_capture_new:
 * @path: a capture
 *
 * Returns: (transfer full): a reader at its beginning; as long as there is no such file it is
 * empty, as that of an attempt that has printed nothing
 */
ForeCapture *
fore_capture_new (const char *path)
{
  ForeCapture *capture;

  g_return_val_if_fail (path != NULL, NULL);

  capture = g_new0 (ForeCapture, 1);
  capture->fd = -1;
  capture->path = g_strdup (path);

  return capture;
}

/**
 * fore_capture_open:
 * @path: a capture
 * @error: return location
 *
 * Returns: (transfer full) (nullable): a reader at its beginning; %FORE_ERROR_NOT_FOUND if there is
 *   no such file
 */
ForeCapture *
fore_capture_open (const char *path, GError **error)
{
  ForeCapture *capture;
  GError *failure = NULL;

  g_return_val_if_fail (path != NULL, NULL);

  capture = fore_capture_new (path);
  if (ensure_open (capture, &failure))
    return capture;

  if (failure != NULL)
    g_propagate_error (error, failure);
  else
    set_error (path, ENOENT, error);
  fore_capture_free (capture);
  return NULL;
}

/**
 * fore_capture_free:
 * @capture: (nullable): a reader
 */
void
fore_capture_free (ForeCapture *capture)
{
  if (capture == NULL)
    return;

  if (capture->fd >= 0)
    g_close (capture->fd, NULL);
  g_free (capture->path);
  g_free (capture);
}

static gboolean
check_size (ForeCapture *capture, GError **error)
{
  struct stat info;

  if (fstat (capture->fd, &info) != 0)
    {
      set_error (capture->path, errno, error);
      return FALSE;
    }

  if ((gint64) info.st_size >= capture->offset)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
               _ ("The capture “%s” shrank from %lld to %lld bytes: the agent cut its own output."),
               capture->path, (long long) capture->offset, (long long) info.st_size);
  capture->offset = info.st_size;
  return FALSE;
}

/**
 * fore_capture_read:
 * @capture: a reader
 * @error: return location
 *
 * Returns: (transfer full) (nullable): at most 256 KiB of what came after the last call, empty if
 *   nothing did; %FORE_ERROR_INVALID once if the file shrank
 */
GBytes *
fore_capture_read (ForeCapture *capture, GError **error)
{
  char *window = get_window ();
  GError *failure = NULL;
  gssize length;

  g_return_val_if_fail (capture != NULL, NULL);

  if (!ensure_open (capture, &failure))
    {
      if (failure == NULL)
        return g_bytes_new (NULL, 0);
      g_propagate_error (error, failure);
      return NULL;
    }
  if (!check_size (capture, error))
    return NULL;

  do
    length = fore_file_read_at (capture->fd, window, WINDOW, capture->offset);
  while (length < 0 && errno == EINTR);

  if (length < 0)
    {
      set_error (capture->path, errno, error);
      return NULL;
    }

  capture->offset += length;
  return g_bytes_new (window, (gsize) length);
}

/**
 * fore_capture_get_offset:
 * @capture: a reader
 *
 * Returns: where the next read begins, in bytes
 */
gint64
fore_capture_get_offset (ForeCapture *capture)
{
  g_return_val_if_fail (capture != NULL, 0);

  return capture->offset;
}

/**
 * fore_capture_seek:
 * @capture: a reader
 * @offset: where the next read begins, in bytes
 */
void
fore_capture_seek (ForeCapture *capture, gint64 offset)
{
  g_return_if_fail (capture != NULL && offset >= 0);

  capture->offset = offset;
}

static void
sync_file (const char *path)
{
  GStatBuf info;

  if (g_stat (path, &info) == 0 && info.st_size > 0 && !fore_sync_path (path))
    g_message ("%s may not survive a power cut", path);
}

/**
 * fore_capture_sync:
 * @path: the capture of an attempt's stdout, `….out`
 * @with_prompt: whether what was sent is meant too
 *
 * Makes what an attempt printed durable: what a result came from has to be on the disk before the
 * result counts. What cannot be is logged and changes nothing. Blocks.
 */
void
fore_capture_sync (const char *path, gboolean with_prompt)
{
  g_autofree char *base = NULL;
  g_autofree char *err = NULL;
  g_autofree char *in = NULL;

  g_return_if_fail (path != NULL);

  sync_file (path);
  if (!g_str_has_suffix (path, ".out"))
    return;

  base = g_strndup (path, strlen (path) - strlen ("out"));
  err = g_strconcat (base, "err", NULL);
  in = g_strconcat (base, "in", NULL);
  sync_file (err);
  if (with_prompt)
    sync_file (in);
}
