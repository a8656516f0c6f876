/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-schedules-private.h"

#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-lock.h"
#include "platform/fore-random-id.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define FILE_NAME "schedules.json"
#define LOCK_NAME "schedules.lock"
#define LOCK_MS 10000
#define MAX_BYTES (4 * 1024 * 1024)
#define MAX_SCHEDULES 200

/* The file */

/**
 * fore_schedules_load:
 * @home: the folder of everything
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable) (element-type ForeSchedule): all schedules
 */
GPtrArray *
fore_schedules_load (const char *home, GError **error)
{
  static const ForeJsonLimits limits = { 8, MAX_BYTES };
  g_autoptr (GPtrArray) schedules = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *path = NULL;
  JsonArray *array;

  g_return_val_if_fail (home != NULL, NULL);

  schedules = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_schedule_free);
  path = g_build_filename (home, FILE_NAME, NULL);
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&schedules);

  root = fore_json_load_file (path, &limits, error);
  if (root == NULL)
    return NULL;
  array = JSON_NODE_HOLDS_OBJECT (root)
              ? fore_json_get_array (json_node_get_object (root), "schedules")
              : NULL;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);
      ForeSchedule *schedule = JSON_NODE_HOLDS_OBJECT (node)
                                   ? fore_schedule_from_json (json_node_get_object (node), error)
                                   : NULL;

      if (schedule == NULL)
        {
          g_prefix_error (error, "%s: ", path);
          return NULL;
        }
      g_ptr_array_add (schedules, schedule);
    }

  return g_steal_pointer (&schedules);
}

static gboolean
save (const char *home, GPtrArray *schedules, GError **error)
{
  g_autofree char *path = g_build_filename (home, FILE_NAME, NULL);
  g_autoptr (JsonNode) root = json_node_new (JSON_NODE_OBJECT);
  g_autofree char *text = NULL;
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();

  json_object_set_int_member (object, "format", 1);
  json_object_set_array_member (object, "schedules", array);
  for (guint i = 0; i < schedules->len; i++)
    json_array_add_object_element (array, fore_schedule_to_json (schedules->pdata[i]));
  json_node_take_object (root, object);
  text = fore_json_to_string (root, TRUE);

  return g_file_set_contents_full (
      path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, error);
}

gboolean
fore_schedules_change (const char *home, ForeSchedulesChange func, gpointer data, GError **error)
{
  g_autofree char *path = g_build_filename (home, LOCK_NAME, NULL);
  g_autoptr (ForeLock) lock = NULL;
  g_autoptr (GPtrArray) schedules = NULL;

  if (!fore_dirs_ensure_home (home, error))
    return FALSE;

  lock = fore_lock_wait (path, TRUE, LOCK_MS, g_get_prgname (), NULL, error);
  if (lock == NULL)
    return FALSE;

  schedules = fore_schedules_load (home, error);

  return schedules != NULL && func (schedules, data, error) && save (home, schedules, error);
}

ForeSchedule *
fore_schedules_get (GPtrArray *schedules, const char *id)
{
  for (guint i = 0; i < schedules->len; i++)
    {
      ForeSchedule *schedule = schedules->pdata[i];

      if (strcmp (schedule->id, id) == 0)
        return schedule;
    }

  return NULL;
}

/**
 * fore_schedules_find:
 * @schedules: (element-type ForeSchedule): schedules
 * @prefix: a name, or how an id begins
 * @error: return location for an error
 *
 * Returns: (transfer none) (nullable): the one that is meant
 */
ForeSchedule *
fore_schedules_find (GPtrArray *schedules, const char *prefix, GError **error)
{
  ForeSchedule *found = NULL;
  guint n = 0;

  g_return_val_if_fail (schedules != NULL && prefix != NULL, NULL);

  for (guint i = 0; i < schedules->len; i++)
    {
      ForeSchedule *schedule = schedules->pdata[i];

      if (strcmp (schedule->id, prefix) == 0 || g_strcmp0 (schedule->name, prefix) == 0)
        return schedule;
      if (*prefix == '\0' || !g_str_has_prefix (schedule->id, prefix))
        continue;
      found = schedule;
      n++;
    }
  if (n == 1)
    return found;

  g_set_error (error, FORE_ERROR, n == 0 ? FORE_ERROR_NOT_FOUND : FORE_ERROR_USAGE,
               n == 0 ? _ ("There is no schedule “%s”; “foredeckctl schedule list” names all.")
                      : _ ("Several schedules begin with “%s”; say more of it."),
               prefix);
  return NULL;
}

/* Changes */

static gboolean
is_called (GPtrArray *schedules, const char *name)
{
  for (guint i = 0; i < schedules->len; i++)
    {
      if (strcmp (((ForeSchedule *) schedules->pdata[i])->name, name) == 0)
        return TRUE;
    }

  return FALSE;
}

/* The same goal may be wanted at several times; a name says which is meant. */
static void
give_name (GPtrArray *schedules, ForeSchedule *schedule)
{
  g_autofree char *wanted = g_strdup (schedule->name);

  for (guint n = 2; is_called (schedules, schedule->name); n++)
    {
      g_free (schedule->name);
      schedule->name = g_strdup_printf ("%s %u", wanted, n);
    }
}

static gboolean
add (GPtrArray *schedules, gpointer data, GError **error)
{
  ForeSchedule *schedule = data;

  if (schedules->len >= MAX_SCHEDULES)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("There are %d schedules already; remove one that is over."), MAX_SCHEDULES);
      return FALSE;
    }

  give_name (schedules, schedule);
  g_ptr_array_add (schedules, fore_schedule_copy (schedule));
  return TRUE;
}

/**
 * fore_schedules_add:
 * @home: the folder of everything
 * @schedule: what to add, without an id
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the schedule as it was added
 */
ForeSchedule *
fore_schedules_add (const char *home, const ForeSchedule *schedule, GError **error)
{
  g_autoptr (ForeSchedule) added = NULL;

  g_return_val_if_fail (home != NULL && schedule != NULL, NULL);

  added = fore_schedule_copy (schedule);
  g_free (added->id);
  added->id = fore_platform_random_run_id ();

  return fore_schedules_change (home, add, added, error) ? g_steal_pointer (&added) : NULL;
}

static gboolean
remove_one (GPtrArray *schedules, gpointer data, GError **error)
{
  ForeSchedule *schedule = fore_schedules_find (schedules, data, error);

  return schedule != NULL && g_ptr_array_remove (schedules, schedule);
}

/**
 * fore_schedules_remove:
 * @home: the folder of everything
 * @id: the schedule
 * @error: return location for an error
 *
 * What it started goes on.
 *
 * Returns: whether it is gone
 */
gboolean
fore_schedules_remove (const char *home, const char *id, GError **error)
{
  g_return_val_if_fail (home != NULL && id != NULL, FALSE);

  return fore_schedules_change (home, remove_one, (gpointer) id, error);
}

typedef struct
{
  const char *id;
  gboolean enabled;
} Switch;

/* What would have come while it was off was not missed. */
static gboolean
set_enabled (GPtrArray *schedules, gpointer data, GError **error)
{
  const Switch *asked = data;
  ForeSchedule *schedule = fore_schedules_find (schedules, asked->id, error);

  if (schedule == NULL)
    return FALSE;

  if (asked->enabled && !schedule->enabled)
    schedule->seen_us = g_get_real_time ();
  schedule->enabled = asked->enabled;

  return TRUE;
}

/**
 * fore_schedules_set_enabled:
 * @home: the folder of everything
 * @id: the schedule
 * @enabled: whether it is to come
 * @error: return location for an error
 *
 * Returns: whether it was done
 */
gboolean
fore_schedules_set_enabled (const char *home, const char *id, gboolean enabled, GError **error)
{
  Switch asked = { id, enabled };

  g_return_val_if_fail (home != NULL && id != NULL, FALSE);

  return fore_schedules_change (home, set_enabled, &asked, error);
}
