/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-lock.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-lock-private.h"

#define LOOK_TRIES 100
#define LOOK_PAUSE_US 1000
#define WAIT_STEP_US 10000
#define MAX_HOLDER 1024

struct _ForeLock
{
  char *path;
  int fd;
  gboolean exclusive;
};

/* Guards, fore_lock_is_held() and fore_slots_count_used() look at a lock by taking it shared for a
 * moment. Whoever wants it alone and finds it busy therefore asks whether it could be shared: then
 * nobody has it alone, and it is worth trying again.
 */
ForeLockResult
fore_lock_try_fd (int fd, gboolean exclusive)
{
  ForeLockResult result = fore_lock_system_try (fd, exclusive);

  for (guint i = 0; result == FORE_LOCK_BUSY && exclusive && i < LOOK_TRIES; i++)
    {
      if (fore_lock_system_try (fd, FALSE) != FORE_LOCK_TAKEN)
        return FORE_LOCK_BUSY;

      fore_lock_system_unlock (fd);
      g_usleep (LOOK_PAUSE_US);
      result = fore_lock_system_try (fd, TRUE);
    }

  return result;
}

static void
write_holder (int fd, const char *text)
{
  gsize length = strlen (text);

  /* Only for a message to a person; the lock itself is held whether it can be written or not. */
  if (lseek (fd, 0, SEEK_SET) < 0 || write (fd, text, length) != (gssize) length
      || ftruncate (fd, (off_t) length) != 0)
    g_debug ("The holder of a lock could not be written: %s", g_strerror (errno));
}

static ForeLock *
lock_new (const char *path, int fd, gboolean exclusive, const char *holder_text)
{
  ForeLock *lock = g_new0 (ForeLock, 1);

  lock->path = g_strdup (path);
  lock->fd = fd;
  lock->exclusive = exclusive;
  if (exclusive && holder_text != NULL)
    write_holder (fd, holder_text);

  return lock;
}

static void
set_busy_error (GError **error, const char *path)
{
  g_autofree char *holder = fore_lock_dup_holder (path);

  if (holder != NULL && holder[0] != '\0')
    g_set_error (error, FORE_ERROR, FORE_ERROR_BUSY, _ ("In use by %s; wait until it is done"),
                 holder);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_BUSY,
                 _ ("%s is in use by another process; wait until it is done"), path);
}

static void
set_errno_error (GError **error, const char *path, int code)
{
  g_set_error (error, FORE_ERROR, code == ENOSPC ? FORE_ERROR_NO_SPACE : FORE_ERROR_ENVIRONMENT,
               _ ("The lock file %s cannot be used (%s); check the folder and its permissions"),
               path, g_strerror (code));
}

/**
 * fore_lock_try:
 * @path: the lock file, made if it is missing; its folder must be there
 * @exclusive: whether nobody else may hold it; else others may share it
 * @holder_text: (nullable): who holds it, for others' messages; kept only if @exclusive
 * @error: return location for an error
 *
 * Takes a lock without waiting. (If others share it, it takes 0.1 s until they are believed to do
 * so for long.) Any thread.
 *
 * Returns: (transfer full): the lock, or %NULL; %FORE_ERROR_BUSY names the holder
 */
ForeLock *
fore_lock_try (const char *path, gboolean exclusive, const char *holder_text, GError **error)
{
  ForeLockResult result;
  int fd;

  g_return_val_if_fail (path != NULL, NULL);

  fd = fore_lock_system_open (path);
  if (fd < 0)
    {
      set_errno_error (error, path, errno);
      return NULL;
    }

  result = fore_lock_try_fd (fd, exclusive);
  if (result == FORE_LOCK_TAKEN)
    return lock_new (path, fd, exclusive, holder_text);

  if (result == FORE_LOCK_BUSY)
    set_busy_error (error, path);
  else
    set_errno_error (error, path, errno);
  close (fd);
  return NULL;
}

/**
 * fore_lock_wait:
 * @path: the lock file, made if it is missing
 * @exclusive: whether nobody else may hold it
 * @timeout_ms: how long to wait, in ms
 * @holder_text: (nullable): who holds it
 * @cancellable: (nullable): a cancellable
 * @error: return location for an error
 *
 * Takes a lock, waiting for it. Blocks: not for a thread with a main loop.
 *
 * Returns: (transfer full): the lock, or %NULL; %FORE_ERROR_BUSY names the holder
 */
ForeLock *
fore_lock_wait (const char *path,
                gboolean exclusive,
                guint timeout_ms,
                const char *holder_text,
                GCancellable *cancellable,
                GError **error)
{
  gint64 until = fore_clock_boot_us () + (gint64) timeout_ms * 1000;

  g_return_val_if_fail (path != NULL, NULL);

  while (TRUE)
    {
      g_autoptr (GError) local_error = NULL;
      ForeLock *lock;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;

      lock = fore_lock_try (path, exclusive, holder_text, &local_error);
      if (lock != NULL)
        return lock;

      if (!g_error_matches (local_error, FORE_ERROR, FORE_ERROR_BUSY)
          || fore_clock_boot_us () >= until)
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return NULL;
        }

      g_usleep (WAIT_STEP_US);
    }
}

/**
 * fore_lock_get_fd:
 * @lock: a lock
 *
 * Returns: its descriptor; a child that inherits it holds the lock too
 */
int
fore_lock_get_fd (ForeLock *lock)
{
  g_return_val_if_fail (lock != NULL, -1);

  return lock->fd;
}

/**
 * fore_lock_get_path:
 * @lock: a lock
 *
 * Returns: (transfer none): the path of its file
 */
const char *
fore_lock_get_path (ForeLock *lock)
{
  g_return_val_if_fail (lock != NULL, NULL);

  return lock->path;
}

/**
 * fore_lock_free:
 * @lock: (transfer full): a lock
 *
 * Gives the lock back. The file stays: removing it would let two processes hold "the" lock.
 */
void
fore_lock_free (ForeLock *lock)
{
  g_return_if_fail (lock != NULL);

  if (lock->exclusive && ftruncate (lock->fd, 0) != 0)
    g_debug ("The holder of %s could not be cleared", lock->path);
  close (lock->fd);
  g_free (lock->path);
  g_free (lock);
}

/**
 * fore_lock_is_held:
 * @path: a lock file
 *
 * Any thread; a few µs.
 *
 * Returns: whether some process (this one too) holds it exclusively; %FALSE if there is no such
 * file
 */
gboolean
fore_lock_is_held (const char *path)
{
  ForeLockResult result;
  int fd;

  g_return_val_if_fail (path != NULL, FALSE);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return FALSE;

  fd = fore_lock_system_open (path);
  if (fd < 0)
    return FALSE;

  result = fore_lock_system_try (fd, FALSE);
  close (fd);
  return result == FORE_LOCK_BUSY;
}

/**
 * fore_lock_dup_holder:
 * @path: a lock file
 *
 * Returns: (transfer full) (nullable): what the holder said of itself; means nothing if nobody
 * holds it
 */
char *
fore_lock_dup_holder (const char *path)
{
  g_autofree char *text = NULL;
  gsize length;

  g_return_val_if_fail (path != NULL, NULL);

  if (!g_file_get_contents (path, &text, &length, NULL) || length > MAX_HOLDER
      || !g_utf8_validate (text, (gssize) length, NULL))
    return NULL;

  return g_strdup (g_strstrip (text));
}
