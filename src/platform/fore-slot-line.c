/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "platform/fore-slot-line.h"

#include <glib/gstdio.h>
#include <string.h>

#include "platform/fore-clock.h"
#include "platform/fore-dirs.h"
#include "platform/fore-lock-private.h"
#include "platform/fore-slots-private.h"

#define PREFIX "line-"
/* Times of files are this coarse on some systems. */
#define SAME_TIME_SECONDS 2

struct _ForeSlotLine
{
  char *dir;
  char *name;
  char *place; /* name of our file; NULL while we do not stand in line */
  int fd;
  GHashTable *passed; /* places of others that are not waited for any more */
  gint64 empty_since; /* when the folder was last changed in which nobody stood, seconds; or 0 */
};

/**
 * fore_slot_line_new:
 * @home: the folder of everything
 * @pool: name of a pool
 * @name: id of a run
 *
 * Returns: (transfer full): a line that we do not stand in
 */
ForeSlotLine *
fore_slot_line_new (const char *home, const char *pool, const char *name)
{
  ForeSlotLine *line;

  g_return_val_if_fail (home != NULL && pool != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  line = g_new0 (ForeSlotLine, 1);
  line->dir = fore_dirs_dup_slots_dir (home, pool);
  line->name = g_strdup (name);
  line->fd = -1;
  line->passed = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return line;
}

/**
 * fore_slot_line_free:
 * @line: (nullable): a line, which we leave
 */
void
fore_slot_line_free (ForeSlotLine *line)
{
  if (line == NULL)
    return;

  fore_slot_line_leave (line);
  g_hash_table_unref (line->passed);
  g_free (line->dir);
  g_free (line->name);
  g_free (line);
}

/* Whoever died left a file that nobody has locked. */
static gboolean
is_there (ForeSlotLine *line, const char *place)
{
  g_autofree char *path = g_build_filename (line->dir, place, NULL);
  int fd = fore_lock_system_open (path);
  ForeLockResult result;

  if (fd < 0)
    return FALSE;

  result = fore_lock_system_try (fd, FALSE);
  if (result == FORE_LOCK_TAKEN)
    g_unlink (path);
  fore_slots_close (fd);

  return result == FORE_LOCK_BUSY;
}

/* Calls @func for who stands before us until it returns %FALSE. */
static gboolean
look_ahead (ForeSlotLine *line, gboolean (*func) (ForeSlotLine *line, const char *place))
{
  g_autoptr (GDir) dir = g_dir_open (line->dir, 0, NULL);
  const char *place;

  while (dir != NULL && (place = g_dir_read_name (dir)) != NULL)
    {
      if (g_str_has_prefix (place, PREFIX) && g_strcmp0 (place, line->place) != 0
          && (line->place == NULL || strcmp (place, line->place) < 0) && !func (line, place))
        return FALSE;
    }

  return TRUE;
}

static gboolean
is_no_place (ForeSlotLine *line, const char *place)
{
  return FALSE;
}

/* Every start of a task asks, and hardly ever does somebody stand there: a folder that has not been
 * changed since it was found empty need not be read again.
 */
static gboolean
nobody_stands (ForeSlotLine *line)
{
  GStatBuf info;

  if (line->place != NULL || g_stat (line->dir, &info) != 0)
    return FALSE;
  if (line->empty_since != 0 && line->empty_since == (gint64) info.st_mtime)
    return TRUE;

  line->empty_since = 0;
  if (!look_ahead (line, is_no_place))
    return FALSE;

  if (fore_clock_now_us () / G_USEC_PER_SEC - (gint64) info.st_mtime > SAME_TIME_SECONDS)
    line->empty_since = (gint64) info.st_mtime;
  return TRUE;
}

static gboolean
need_not_wait_for (ForeSlotLine *line, const char *place)
{
  return g_hash_table_contains (line->passed, place) || !is_there (line, place);
}

/**
 * fore_slot_line_is_our_turn:
 * @line: a line
 *
 * Returns: whether nobody stands before us; if we do not stand in line, whether nobody does. About
 *   2 µs, 10 after somebody came or went, and more for each who stands.
 */
gboolean
fore_slot_line_is_our_turn (ForeSlotLine *line)
{
  g_return_val_if_fail (line != NULL, TRUE);

  return nobody_stands (line) || look_ahead (line, need_not_wait_for);
}

/* Locked before it has its name, so that nobody takes it for one that was left behind. */
static gboolean
make_place (ForeSlotLine *line, const char *place)
{
  g_autofree char *hidden = g_strconcat (line->dir, G_DIR_SEPARATOR_S, "new-", line->name, NULL);
  g_autofree char *path = g_build_filename (line->dir, place, NULL);

  line->fd = fore_lock_system_open (hidden);
  if (line->fd < 0)
    return FALSE;

  return fore_lock_system_try (line->fd, TRUE) == FORE_LOCK_TAKEN && g_rename (hidden, path) == 0;
}

/**
 * fore_slot_line_stand:
 * @line: a line
 *
 * Stands at its end, if we do not stand in it. Where no file can be made there is no line.
 */
void
fore_slot_line_stand (ForeSlotLine *line)
{
  g_autofree char *place = NULL;

  g_return_if_fail (line != NULL);

  if (line->place != NULL)
    return;

  place = g_strdup_printf (PREFIX "%020" G_GINT64_FORMAT "-%s", fore_clock_boot_us (), line->name);
  if (make_place (line, place))
    line->place = g_steal_pointer (&place);
  else
    fore_slot_line_leave (line);
}

/**
 * fore_slot_line_leave:
 * @line: a line
 *
 * Stands in it no more; those behind us hear of it.
 */
void
fore_slot_line_leave (ForeSlotLine *line)
{
  g_return_if_fail (line != NULL);

  if (line->place != NULL)
    {
      g_autofree char *path = g_build_filename (line->dir, line->place, NULL);

      g_unlink (path);
    }
  if (line->fd >= 0)
    fore_slots_close (line->fd);

  line->fd = -1;
  g_clear_pointer (&line->place, g_free);
}

static gboolean
pass_one (ForeSlotLine *line, const char *place)
{
  g_hash_table_add (line->passed, g_strdup (place));
  return TRUE;
}

/**
 * fore_slot_line_pass:
 * @line: a line
 *
 * Does not wait any more for those who stand before us now: there was a slot and they did not take
 * it. They count again once they have stood anew.
 */
void
fore_slot_line_pass (ForeSlotLine *line)
{
  g_return_if_fail (line != NULL);

  g_hash_table_remove_all (line->passed);
  look_ahead (line, pass_one);
}
