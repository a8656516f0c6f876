/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-slots.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-lock-private.h"
#include "platform/fore-slots-private.h"

struct _ForeSlot
{
  int fd;
  guint index;
};

static int
open_slot (const char *dir, guint index)
{
  char name[16];
  g_autofree char *path = NULL;

  g_snprintf (name, sizeof name, "%u", index);
  path = g_build_filename (dir, name, NULL);
  return fore_lock_system_open (path);
}

/* -1: taken, and errno is 0; or errno says what is wrong */
static int
take_slot (const char *dir, guint index)
{
  int fd = open_slot (dir, index);
  ForeLockResult result;

  if (fd < 0)
    return -1;

  result = fore_lock_try_fd (fd, TRUE);
  if (result == FORE_LOCK_TAKEN)
    return fd;

  if (result == FORE_LOCK_BUSY)
    errno = 0;
  fore_slots_close (fd);
  return -1;
}

static void
set_error (GError **error, const char *dir, int code)
{
  g_set_error (error, FORE_ERROR, code == ENOSPC ? FORE_ERROR_NO_SPACE : FORE_ERROR_ENVIRONMENT,
               _ ("The slots of this machine in %s cannot be used (%s); check its permissions"),
               dir, g_strerror (code));
}

/**
 * fore_slot_try:
 * @home: the folder of everything
 * @pool: name of a pool, such as %FORE_POOL_AGENTS
 * @limit: how many slots the pool has
 * @error: return location for an error
 *
 * Takes a free slot of this machine. About 5 µs for each that is tried, beginning behind the one
 * that was taken last, as those before it are taken most likely; any thread.
 *
 * Returns: (transfer full) (nullable): the slot; %NULL without @error if all are taken
 */
ForeSlot *
fore_slot_try (const char *home, const char *pool, guint limit, GError **error)
{
  static int last;
  guint first = limit > 0 ? (guint) g_atomic_int_get (&last) % limit : 0;
  g_autofree char *dir = NULL;

  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (pool != NULL, NULL);

  dir = fore_dirs_dup_slots_dir (home, pool);
  for (guint n = 0; n < limit; n++)
    {
      guint i = (first + n) % limit;
      int fd = take_slot (dir, i);

      if (fd < 0 && errno == ENOENT)
        {
          if (!fore_dirs_ensure_dir (dir, error))
            return NULL;
          fd = take_slot (dir, i);
        }

      if (fd >= 0)
        {
          ForeSlot *slot = g_new0 (ForeSlot, 1);

          slot->fd = fd;
          slot->index = i;
          g_atomic_int_set (&last, (int) i + 1);
          return slot;
        }

      if (errno != 0)
        {
          set_error (error, dir, errno);
          return NULL;
        }
    }

  return NULL;
}

/**
 * fore_slot_get_fd:
 * @slot: a slot
 *
 * Returns: its descriptor, for ForeGuardLaunch; stays the slot's
 */
int
fore_slot_get_fd (ForeSlot *slot)
{
  g_return_val_if_fail (slot != NULL, -1);

  return slot->fd;
}

/**
 * fore_slot_get_index:
 * @slot: a slot
 *
 * Returns: its number in the pool, from 0
 */
guint
fore_slot_get_index (ForeSlot *slot)
{
  g_return_val_if_fail (slot != NULL, 0);

  return slot->index;
}

/**
 * fore_slot_free:
 * @slot: (transfer full): a slot
 *
 * Closes our copy of it. If a guard has one, the slot stays taken until the guard ends.
 */
void
fore_slot_free (ForeSlot *slot)
{
  g_return_if_fail (slot != NULL);

  fore_slots_close (slot->fd);
  g_free (slot);
}

/**
 * fore_slot_release:
 * @slot: (transfer full): a slot that no guard was given
 *
 * Gives it back, and wakes those who wait for one.
 */
void
fore_slot_release (ForeSlot *slot)
{
  g_return_if_fail (slot != NULL);

  fore_slots_unlock (slot->fd);
  fore_slot_free (slot);
}

/**
 * fore_slots_count_used:
 * @home: the folder of everything
 * @pool: name of a pool
 * @limit: how many slots the pool has
 *
 * For showing only: the answer may be old when it is read.
 *
 * Returns: how many of them are taken, on the whole machine
 */
guint
fore_slots_count_used (const char *home, const char *pool, guint limit)
{
  g_autofree char *dir = NULL;
  guint used = 0;

  g_return_val_if_fail (home != NULL, 0);
  g_return_val_if_fail (pool != NULL, 0);

  dir = fore_dirs_dup_slots_dir (home, pool);
  for (guint i = 0; i < limit; i++)
    {
      int fd = open_slot (dir, i);

      if (fd < 0)
        continue;
      if (fore_lock_system_try (fd, FALSE) == FORE_LOCK_BUSY)
        used++;
      fore_slots_close (fd);
    }

  return used;
}

/**
 * fore_slots_watch:
 * @home: the folder of everything
 * @pool: name of a pool
 * @func: (scope notified): what to call
 * @user_data: data for @func
 * @context: (nullable): where to call it
 * @error: return location for an error
 *
 * Returns: (transfer full): a watch that calls when a slot was given back
 */
ForeWatch *
fore_slots_watch (const char *home,
                  const char *pool,
                  ForeWatchFunc func,
                  gpointer user_data,
                  GMainContext *context,
                  GError **error)
{
  g_autofree char *dir = NULL;

  g_return_val_if_fail (home != NULL, NULL);
  g_return_val_if_fail (pool != NULL, NULL);

  dir = fore_dirs_dup_slots_dir (home, pool);
  if (!fore_dirs_ensure_dir (dir, error))
    return NULL;

  return fore_watch_new (dir, func, user_data, context, error);
}
