/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Starts what is due. */

#include "config.h"

#include "engine/fore-schedules-arm.h"
#include "engine/fore-schedules-private.h"

#include "model/fore-error.h"
#include "platform/fore-process.h"
#include "platform/fore-program.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define START_MS (2 * 60 * 1000)
#define MESSAGE_BYTES 500

/* Starting */

/* A start that was claimed and is not on record yet; one that takes longer than a start may take is
 * lost.
 */
static gboolean
is_starting (const ForeSchedule *schedule)
{
  return g_strcmp0 (schedule->outcome, FORE_SCHEDULE_CLAIMED) == 0
         && g_get_real_time () - schedule->claimed_us < START_MS * (gint64) 1000;
}

/* A run that cannot be looked at may be going on. */
static gboolean
is_going_on (ForeStore *store, const ForeSchedule *schedule)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeRun) run = NULL;

  if (schedule->run == NULL)
    return FALSE;

  run = fore_store_get_run (store, schedule->run, &error);
  if (run == NULL)
    return !g_error_matches (error, FORE_ERROR, FORE_ERROR_NOT_FOUND);

  return fore_run_status_get_class (run->status) != FORE_CLASS_FINISHED;
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
      gboolean starting = is_starting (schedule);

      if (!schedule->enabled || !fore_schedule_take_due (schedule, asked->now_us, zone))
        continue;
      if (starting || is_going_on (asked->store, schedule))
        {
          schedule->n_missed++;
          /* A start that is under way is still going to say what came of it. */
          fore_schedule_set_outcome (schedule,
                                     starting ? FORE_SCHEDULE_CLAIMED : FORE_SCHEDULE_BUSY, NULL);
          continue;
        }
      schedule->claimed_us = g_get_real_time ();
      g_ptr_array_add (asked->due, fore_schedule_copy (schedule));
    }

  return TRUE;
}

static gboolean
claim_one (GPtrArray *schedules, gpointer data, GError **error)
{
  ForeSchedule *asked = data;
  ForeSchedule *schedule = fore_schedules_get (schedules, asked->id);

  if (schedule == NULL)
    return FALSE;

  schedule->due_us = schedule->claimed_us = g_get_real_time ();
  fore_schedule_set_outcome (schedule, FORE_SCHEDULE_CLAIMED, NULL);

  return TRUE;
}

static gboolean
note (GPtrArray *schedules, gpointer data, GError **error)
{
  ForeSchedule *done = data;
  ForeSchedule *schedule = fore_schedules_get (schedules, done->id);

  /* It may have been removed meanwhile. */
  if (schedule == NULL)
    return TRUE;

  g_free (schedule->run);
  schedule->run = g_strdup (done->run);
  schedule->n_started += strcmp (done->outcome, FORE_SCHEDULE_STARTED) == 0;
  done->n_started = schedule->n_started;
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

/* With --json it is an object; warnings may stand before it. */
static char *
dup_message (const char *text)
{
  const char *line = strrchr (text, '\n');
  g_autoptr (JsonNode) root = fore_json_parse (line != NULL ? line + 1 : text, -1, NULL, NULL);
  JsonObject *object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root)
                                                                     : NULL;
  JsonObject *said = object != NULL ? fore_json_get_object (object, "error") : NULL;
  const char *message = said != NULL ? fore_json_get_string (said, "message", NULL) : NULL;

  return g_strdup (message != NULL ? message : text);
}

static void
set_complaint (const ForeProgram *program, GError **error)
{
  g_autofree char *text = g_strdup (program->errors != NULL ? program->errors : "");
  g_autofree char *message = NULL;
  g_autofree char *first = NULL;

  message = dup_message (g_strstrip (text));
  first = g_utf8_make_valid (message, (gssize) MIN (strlen (message), MESSAGE_BYTES));
  if (*first != '\0')
    g_set_error_literal (error, FORE_ERROR, FORE_ERROR_FAILED, first);
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("foredeckctl ended with %d."),
                 program->exit_code);
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

  if (!g_file_test (schedule->folder, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                   _ ("Its folder %s is not there any more; remove the schedule, or bring the "
                      "folder back."),
                   schedule->folder);
      return FALSE;
    }
  if (argv == NULL || !fore_program_run (&program, error))
    return FALSE;

  if (program.exit_code != 0)
    {
      set_complaint (&program, error);
      return FALSE;
    }

  g_free (schedule->run);
  schedule->run = dup_run_id (program.output);
  return TRUE;
}

static void
start (const char *home, ForeSchedule *schedule)
{
  g_autoptr (GError) error = NULL;

  if (carry_out (schedule, &error))
    fore_schedule_set_outcome (schedule, FORE_SCHEDULE_STARTED, NULL);
  else
    fore_schedule_set_outcome (schedule, FORE_SCHEDULE_FAILED, error->message);

  g_clear_error (&error);
  if (!fore_schedules_change (home, note, schedule, &error))
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
      gint64 next = schedule->enabled ? fore_schedule_find_next (schedule, now_us, zone) : 0;

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
 * Starts what is due, if schedules are on. However many programs do this at the same time, each
 * time is dealt with once.
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
  if (is_due (schedules, now_us) && fore_schedules_are_on ()
      && !fore_schedules_change (home, claim, &asked, error))
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
  if (!fore_schedules_change (home, claim_one, schedule, error))
    return NULL;
  start (home, schedule);

  return g_steal_pointer (&schedule);
}
