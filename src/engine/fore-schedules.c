/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-schedules.h"

#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-lock.h"
#include "platform/fore-process.h"
#include "platform/fore-program.h"
#include "platform/fore-random-id.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define FILE_NAME "schedules.json"
#define LOCK_NAME "schedules.lock"
#define LOCK_MS 10000
#define START_MS (2 * 60 * 1000)
#define MAX_BYTES (4 * 1024 * 1024)
#define MAX_SCHEDULES 200
#define MESSAGE_BYTES 500

/* What is done to the list while nobody else can change it; FALSE with an error leaves it as it is.
 */
typedef gboolean (*Change) (GPtrArray *schedules, gpointer data, GError **error);

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

static gboolean
change (const char *home, Change func, gpointer data, GError **error)
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

static ForeSchedule *
find (GPtrArray *schedules, const char *id)
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
add (GPtrArray *schedules, gpointer data, GError **error)
{
  ForeSchedule *schedule = data;

  for (guint i = 0; i < schedules->len; i++)
    {
      ForeSchedule *other = schedules->pdata[i];

      if (*schedule->name != '\0' && strcmp (other->name, schedule->name) == 0)
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                       _ ("There is a schedule “%s” already; choose another name."), other->name);
          return FALSE;
        }
    }
  if (schedules->len >= MAX_SCHEDULES)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("There are %d schedules already; remove one that is over."), MAX_SCHEDULES);
      return FALSE;
    }

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

  return change (home, add, added, error) ? g_steal_pointer (&added) : NULL;
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

  return change (home, remove_one, (gpointer) id, error);
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

  return change (home, set_enabled, &asked, error);
}

/* Starting */

static gboolean
is_busy (ForeStore *store, const ForeSchedule *schedule)
{
  g_autoptr (ForeRun) run = schedule->run != NULL ? fore_store_get_run (store, schedule->run, NULL)
                                                  : NULL;

  return run != NULL && fore_run_status_get_class (run->status) != FORE_CLASS_FINISHED;
}

typedef struct
{
  ForeStore *store;
  gint64 now_us;
  GPtrArray *due;
} Claim;

/* Once this is on the disk nobody else starts it, and a start that comes to nothing is not
 * repeated: rather once too few than twice.
 */
static gboolean
claim (GPtrArray *schedules, gpointer data, GError **error)
{
  Claim *asked = data;
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();

  for (guint i = 0; i < schedules->len; i++)
    {
      ForeSchedule *schedule = schedules->pdata[i];

      if (!schedule->enabled || !fore_schedule_take_due (schedule, asked->now_us, zone))
        continue;
      if (is_busy (asked->store, schedule))
        {
          schedule->n_missed++;
          fore_schedule_set_outcome (schedule, FORE_SCHEDULE_BUSY, NULL);
          continue;
        }
      g_ptr_array_add (asked->due, fore_schedule_copy (schedule));
    }

  return TRUE;
}

static gboolean
claim_one (GPtrArray *schedules, gpointer data, GError **error)
{
  ForeSchedule *asked = data;
  ForeSchedule *schedule = find (schedules, asked->id);

  if (schedule == NULL)
    return FALSE;

  schedule->due_us = g_get_real_time ();
  fore_schedule_set_outcome (schedule, FORE_SCHEDULE_CLAIMED, NULL);

  return TRUE;
}

static gboolean
note (GPtrArray *schedules, gpointer data, GError **error)
{
  const ForeSchedule *done = data;
  ForeSchedule *schedule = find (schedules, done->id);

  /* It may have been removed meanwhile. */
  if (schedule == NULL)
    return TRUE;

  g_free (schedule->run);
  schedule->run = g_strdup (done->run);
  schedule->n_started = done->n_started;
  fore_schedule_set_outcome (schedule, done->outcome, done->message);

  return TRUE;
}

/* Its first line is an object with the id of the run. */
static char *
dup_run_id (GBytes *output)
{
  gsize length = 0;
  const char *text = output != NULL ? g_bytes_get_data (output, &length) : NULL;
  const char *end = text != NULL ? memchr (text, '\n', length) : NULL;
  g_autoptr (JsonNode) root = end != NULL ? fore_json_parse (text, end - text, NULL, NULL) : NULL;

  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    return NULL;

  return g_strdup (fore_json_get_string (json_node_get_object (root), "id", NULL));
}

static GStrv
build_argv (const ForeSchedule *schedule, GError **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autofree char *program = fore_platform_find_program ("foredeckctl");

  if (program == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                   _ ("foredeckctl cannot be found; is Foredeck installed completely?"));
      return NULL;
    }

  g_strv_builder_add (builder, program);
  g_strv_builder_add (builder, schedule->words[0]);
  g_strv_builder_add (builder, "--json");
  g_strv_builder_add (builder, "--detach");
  g_strv_builder_addv (builder, (const char **) schedule->words + 1);

  return g_strv_builder_end (builder);
}

static char *
dup_complaint (const ForeProgram *program)
{
  g_autofree char *text = g_strdup (program->errors != NULL ? program->errors : "");

  g_strstrip (text);
  if (*text == '\0')
    return g_strdup_printf (_ ("foredeckctl ended with %d."), program->exit_code);

  return strlen (text) > MESSAGE_BYTES ? g_utf8_make_valid (text, MESSAGE_BYTES)
                                       : g_steal_pointer (&text);
}

static gboolean
carry_out (ForeSchedule *schedule, GError **error)
{
  g_auto (GStrv) argv = build_argv (schedule, error);
  g_auto (ForeProgram) program = {
    .argv = (const char *const *) argv,
    .dir = schedule->folder,
    .timeout_ms = START_MS,
  };

  if (argv == NULL || !fore_program_run (&program, error))
    return FALSE;

  if (program.exit_code == 0)
    {
      g_free (schedule->run);
      schedule->run = dup_run_id (program.output);
      return TRUE;
    }

  {
    g_autofree char *complaint = dup_complaint (&program);

    g_set_error_literal (error, FORE_ERROR, FORE_ERROR_FAILED, complaint);
  }
  return FALSE;
}

static void
start (const char *home, ForeSchedule *schedule)
{
  g_autoptr (GError) error = NULL;

  if (carry_out (schedule, &error))
    {
      schedule->n_started++;
      fore_schedule_set_outcome (schedule, FORE_SCHEDULE_STARTED, NULL);
    }
  else
    fore_schedule_set_outcome (schedule, FORE_SCHEDULE_FAILED, error->message);

  g_clear_error (&error);
  if (!change (home, note, schedule, &error))
    g_warning ("What came of the schedule %s is not on record: %s", schedule->id, error->message);
}

/* So that whoever looks every few seconds writes nothing. */
static gboolean
is_due (GPtrArray *schedules, gint64 now_us)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();

  for (guint i = 0; i < schedules->len; i++)
    {
      g_autoptr (ForeSchedule) schedule = fore_schedule_copy (schedules->pdata[i]);
      gint64 seen_us = schedule->seen_us;

      if (!schedule->enabled)
        continue;
      fore_schedule_take_due (schedule, now_us, zone);
      if (schedule->seen_us != seen_us)
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_schedules_find_next:
 * @schedules: (element-type ForeSchedule): schedules
 * @now_us: microseconds since the epoch
 *
 * Returns: when the next of those that are enabled comes, 0 if none does
 */
gint64
fore_schedules_find_next (GPtrArray *schedules, gint64 now_us)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  gint64 first = 0;

  g_return_val_if_fail (schedules != NULL, 0);

  for (guint i = 0; i < schedules->len; i++)
    {
      const ForeSchedule *schedule = schedules->pdata[i];
      gint64 next = schedule->enabled
                        ? fore_schedule_find_next (schedule, MAX (now_us, schedule->seen_us), zone)
                        : 0;

      if (next != 0 && (first == 0 || next < first))
        first = next;
    }

  return first;
}

/**
 * fore_schedules_tick:
 * @store: a store
 * @now_us: microseconds since the epoch
 * @error: return location for an error
 *
 * Starts what is due. However many programs do this at the same time, each time is dealt with once.
 *
 * Returns: (transfer full) (nullable): what was started
 */
ForeSchedulesTick *
fore_schedules_tick (ForeStore *store, gint64 now_us, GError **error)
{
  g_autoptr (ForeSchedulesTick) tick = NULL;
  g_autoptr (GPtrArray) schedules = NULL;
  const char *home;
  Claim asked = { store, now_us, NULL };

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);

  tick = g_new0 (ForeSchedulesTick, 1);
  tick->started = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_schedule_free);
  home = fore_store_get_home (store);
  schedules = fore_schedules_load (home, error);
  if (schedules == NULL)
    return NULL;

  asked.due = tick->started;
  if (is_due (schedules, now_us) && !change (home, claim, &asked, error))
    return NULL;
  for (guint i = 0; i < tick->started->len; i++)
    start (home, tick->started->pdata[i]);
  tick->next_us = fore_schedules_find_next (schedules, now_us);

  return g_steal_pointer (&tick);
}

/**
 * fore_schedules_tick_free:
 * @tick: (nullable): what was started
 */
void
fore_schedules_tick_free (ForeSchedulesTick *tick)
{
  if (tick == NULL)
    return;

  g_ptr_array_unref (tick->started);
  g_free (tick);
}

/**
 * fore_schedules_start_now:
 * @store: a store
 * @id: a schedule, which may be switched off
 * @error: return location for an error
 *
 * Starts what it starts, whenever it comes.
 *
 * Returns: (transfer full) (nullable): the schedule with what came of it
 */
ForeSchedule *
fore_schedules_start_now (ForeStore *store, const char *id, GError **error)
{
  g_autoptr (GPtrArray) schedules = NULL;
  g_autoptr (ForeSchedule) schedule = NULL;
  const ForeSchedule *found;
  const char *home;

  g_return_val_if_fail (FORE_IS_STORE (store) && id != NULL, NULL);

  home = fore_store_get_home (store);
  schedules = fore_schedules_load (home, error);
  found = schedules != NULL ? fore_schedules_find (schedules, id, error) : NULL;
  if (found == NULL)
    return NULL;

  schedule = fore_schedule_copy (found);
  if (!change (home, claim_one, schedule, error))
    return NULL;
  start (home, schedule);

  return g_steal_pointer (&schedule);
}
