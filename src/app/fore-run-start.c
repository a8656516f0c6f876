/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-run-start.h"

#include "app/fore-errors.h"
#include "app/fore-trust.h"
#include "app/fore-when.h"
#include "engine/fore-actions.h"
#include "engine/fore-plan-file.h"
#include "engine/fore-schedule-words.h"
#include "engine/fore-schedules-arm.h"
#include "engine/fore-schedules.h"
#include "engine/fore-trust.h"
#include "git/fore-repository.h"
#include "platform/fore-files.h"
#include "text/fore-plain-line.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NAME_LENGTH 60

typedef struct
{
  ForeStore *store;
  ForeRunSpec *spec;
  char *when; /* NULL: now */
} StartJob;

static void
start_job_free (gpointer data)
{
  StartJob *job = data;

  g_object_unref (job->store);
  fore_run_spec_free (job->spec);
  g_free (job->when);
  g_free (job);
}

static void
started_free (gpointer data)
{
  ForeRunStarted *started = data;

  g_free (started->id);
  g_free (started->next);
  g_free (started->untrusted);
  g_clear_pointer (&started->warnings, g_ptr_array_unref);
  g_free (started);
}

/**
 * fore_run_start_read_plan:
 * @spec: what is asked for
 * @error: return location for an error
 *
 * Reads the plan that @spec names, if it names one that was not read yet. Blocking.
 *
 * Returns: whether there is nothing left to read
 */
gboolean
fore_run_start_read_plan (ForeRunSpec *spec, GError **error)
{
  g_autofree char *path = NULL;

  g_return_val_if_fail (spec != NULL, FALSE);

  if (spec->plan_file == NULL || spec->plan_text != NULL)
    return TRUE;

  path = g_strdup (spec->plan_file);
  return fore_plan_file_read (spec, path, error);
}

/**
 * fore_run_start_dup_untrusted:
 * @store: the store
 * @spec: what is asked for
 *
 * Blocking.
 *
 * Returns: (transfer full) (nullable): the project that has to be trusted so that nothing of @spec
 *   is refused or left out
 */
char *
fore_run_start_dup_untrusted (ForeStore *store, const ForeRunSpec *spec)
{
  char *owner = NULL;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (spec != NULL, NULL);

  if (spec->plan_file != NULL)
    {
      g_autofree char *real = fore_path_dup_real (spec->project);
      g_autofree char *top = fore_repository_dup_top (real != NULL ? real : spec->project);

      owner = top != NULL ? fore_trust_dup_owner (store, top, spec->plan_file) : NULL;
    }

  return owner != NULL ? owner : fore_trust_dup_left_out (store, spec->project);
}

/* It is asked about with a button. */
static void
drop_trust_warning (GPtrArray *warnings, const char *project)
{
  g_autofree char *trust = fore_trust_dup_warning (project);

  for (guint i = warnings->len; i > 0; i--)
    {
      if (strcmp (g_ptr_array_index (warnings, i - 1), trust) == 0)
        g_ptr_array_remove_index (warnings, i - 1);
    }
}

static ForeSchedule *
make_schedule (const ForeRunSpec *spec, const char *when, GError **error)
{
  g_autoptr (ForeSchedule) schedule = fore_schedule_new ();
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autoptr (ForeScheduleTime) time = NULL;

  schedule->created_us = schedule->seen_us = g_get_real_time ();
  time = fore_schedule_time_new (when, schedule->created_us, zone, error);
  if (time == NULL)
    return NULL;

  schedule->when = g_strdup (fore_schedule_time_get_text (time));
  schedule->name = fore_plain_line_dup (spec->goal, NAME_LENGTH);
  schedule->folder = g_strdup (spec->project);
  schedule->words = fore_schedule_words_new (spec);
  schedule->enabled = TRUE;

  return g_steal_pointer (&schedule);
}

static gpointer
put_off (StartJob *job, GError **error)
{
  const char *home = fore_store_get_home (job->store);
  g_autoptr (ForeSchedule) schedule = make_schedule (job->spec, job->when, error);
  g_autoptr (ForeSchedule) added = NULL;
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  g_autoptr (GError) refused = NULL;
  ForeRunStarted *started;

  if (schedule == NULL || !fore_schedules_turn_on (error))
    return NULL;

  added = fore_schedules_add (home, schedule, error);
  if (added == NULL)
    return NULL;

  if (!fore_schedules_arm (home, &refused))
    g_message ("Runs that are due start only while the window is open: %s", refused->message);
  started = g_new0 (ForeRunStarted, 1);
  started->next = fore_when_dup_words (fore_schedule_find_next (added, added->created_us, zone));

  return started;
}

static gpointer
start_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  StartJob *job = data;
  g_autoptr (GPtrArray) warnings = NULL;
  g_autofree char *id = NULL;
  ForeRunStarted *started;

  if (job->when != NULL)
    return put_off (job, error);
  if (!fore_run_start_read_plan (job->spec, error))
    return NULL;

  id = fore_actions_start_full (job->store, job->spec, &warnings, error);
  if (id == NULL)
    return NULL;

  started = g_new0 (ForeRunStarted, 1);
  started->id = g_steal_pointer (&id);
  started->untrusted = fore_trust_dup_left_out (job->store, job->spec->project);
  started->warnings = g_steal_pointer (&warnings);
  if (started->untrusted != NULL && started->warnings != NULL)
    drop_trust_warning (started->warnings, started->untrusted);

  return started;
}

/**
 * fore_run_start:
 * @owner: (type GObject): whom @done is for
 * @store: the store
 * @spec: (transfer full): what is asked for
 * @when: (nullable): when it is to start, see fore_schedule_time_new(); %NULL for now
 * @done: called with a #ForeRunStarted or the error
 *
 * Makes a run and starts its runner, or makes a schedule that does, in a worker thread.
 */
void
fore_run_start (
    gpointer owner, ForeStore *store, ForeRunSpec *spec, const char *when, ForeJobDone done)
{
  StartJob *job;

  g_return_if_fail (FORE_IS_STORE (store));
  g_return_if_fail (spec != NULL);

  job = g_new0 (StartJob, 1);
  job->store = g_object_ref (store);
  job->spec = spec;
  job->when = g_strdup (when);
  fore_job_run (owner, "start-run", NULL, start_thread, job, start_job_free, started_free, done);
}

/**
 * fore_run_start_show:
 * @window: the main window
 * @started: what was started
 *
 * Shows the run, and what the person should know about it.
 */
void
fore_run_start_show (GtkWidget *window, const ForeRunStarted *started)
{
  g_return_if_fail (GTK_IS_WIDGET (window));
  g_return_if_fail (started != NULL);

  if (started->id == NULL)
    {
      g_autofree char *words = g_strdup_printf (_ ("It starts %s."), started->next);

      fore_show_note (window, words);
      return;
    }

  gtk_widget_activate_action (window, "win.show-run", "s", started->id);
  for (guint i = 0; started->warnings != NULL && i < started->warnings->len; i++)
    fore_show_warning (window, g_ptr_array_index (started->warnings, i));
  if (started->untrusted != NULL)
    fore_trust_offer (window, started->untrusted);
}
