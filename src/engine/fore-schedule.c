/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-schedule.h"

#include "model/fore-error.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define SECOND ((gint64) G_USEC_PER_SEC)
/* What comes later than this was missed: the machine slept, or nothing of ours ran. */
#define PATIENCE_US (150 * SECOND)
/* A clock that was put back by more than a summer's hour and a day's mistake was wrong before. */
#define CREDIBLE_US (25 * 3600 * SECOND)
/* Of each time that was missed one is counted, but nobody counts the minutes of a year. */
#define MAX_COUNTED 1000

/**
 * fore_schedule_new:
 *
 * Returns: (transfer full): an empty schedule
 */
ForeSchedule *
fore_schedule_new (void)
{
  return g_new0 (ForeSchedule, 1);
}

/**
 * fore_schedule_copy:
 * @self: a schedule
 *
 * Returns: (transfer full): the same again
 */
ForeSchedule *
fore_schedule_copy (const ForeSchedule *self)
{
  ForeSchedule *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = g_new (ForeSchedule, 1);
  *copy = *self;
  copy->id = g_strdup (self->id);
  copy->name = g_strdup (self->name);
  copy->when = g_strdup (self->when);
  copy->folder = g_strdup (self->folder);
  copy->words = g_strdupv (self->words);
  copy->run = g_strdup (self->run);
  copy->outcome = g_strdup (self->outcome);
  copy->message = g_strdup (self->message);

  return copy;
}

/**
 * fore_schedule_free:
 * @self: (nullable): a schedule
 */
void
fore_schedule_free (ForeSchedule *self)
{
  if (self == NULL)
    return;

  g_free (self->id);
  g_free (self->name);
  g_free (self->when);
  g_free (self->folder);
  g_strfreev (self->words);
  g_free (self->run);
  g_free (self->outcome);
  g_free (self->message);
  g_free (self);
}

/**
 * fore_schedule_from_json:
 * @object: as written by fore_schedule_to_json()
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the schedule
 */
ForeSchedule *
fore_schedule_from_json (JsonObject *object, GError **error)
{
  g_autoptr (ForeSchedule) self = fore_schedule_new ();

  g_return_val_if_fail (object != NULL, NULL);

  self->id = g_strdup (fore_json_get_string (object, "id", ""));
  self->name = g_strdup (fore_json_get_string (object, "name", ""));
  self->when = g_strdup (fore_json_get_string (object, "when", ""));
  self->folder = g_strdup (fore_json_get_string (object, "folder", ""));
  self->words = fore_json_dup_strv (object, "words");
  self->enabled = fore_json_get_bool (object, "enabled", FALSE);
  self->makes_up = fore_json_get_bool (object, "makes_up", FALSE);
  self->created_us = fore_json_get_int (object, "created_us", 0);
  self->seen_us = fore_json_get_int (object, "seen_us", 0);
  self->claimed_us = fore_json_get_int (object, "claimed_us", 0);
  self->due_us = fore_json_get_int (object, "due_us", 0);
  self->run = g_strdup (fore_json_get_string (object, "run", NULL));
  self->outcome = g_strdup (fore_json_get_string (object, "outcome", NULL));
  self->message = g_strdup (fore_json_get_string (object, "message", NULL));
  self->n_started = (guint) CLAMP (fore_json_get_int (object, "started", 0), 0, G_MAXINT);
  self->n_missed = (guint) CLAMP (fore_json_get_int (object, "missed", 0), 0, G_MAXINT);

  if (*self->id != '\0' && self->words != NULL && self->words[0] != NULL
      && g_path_is_absolute (self->folder))
    return g_steal_pointer (&self);

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
               _ ("A schedule lacks its id, its folder or its words."));
  return NULL;
}

/**
 * fore_schedule_to_json:
 * @self: a schedule
 *
 * Returns: (transfer full): all of it
 */
JsonObject *
fore_schedule_to_json (const ForeSchedule *self)
{
  JsonObject *object = json_object_new ();
  JsonArray *words = json_array_new ();

  g_return_val_if_fail (self != NULL, object);

  for (guint i = 0; self->words != NULL && self->words[i] != NULL; i++)
    json_array_add_string_element (words, self->words[i]);
  json_object_set_string_member (object, "id", self->id);
  fore_json_set_text (object, "name", self->name);
  fore_json_set_text (object, "when", self->when);
  fore_json_set_text (object, "folder", self->folder);
  json_object_set_array_member (object, "words", words);
  json_object_set_boolean_member (object, "enabled", self->enabled);
  json_object_set_boolean_member (object, "makes_up", self->makes_up);
  json_object_set_int_member (object, "created_us", self->created_us);
  json_object_set_int_member (object, "seen_us", self->seen_us);
  json_object_set_int_member (object, "claimed_us", self->claimed_us);
  json_object_set_int_member (object, "due_us", self->due_us);
  fore_json_set_text (object, "run", self->run);
  fore_json_set_text (object, "outcome", self->outcome);
  fore_json_set_text (object, "message", self->message);
  json_object_set_int_member (object, "started", self->n_started);
  json_object_set_int_member (object, "missed", self->n_missed);

  return object;
}

/**
 * fore_schedule_find_next:
 * @self: a schedule
 * @after_us: microseconds since the epoch
 * @zone: the time zone it goes by
 *
 * Returns: when it comes next after @after_us and all that has been dealt with, 0 if it never does
 */
gint64
fore_schedule_find_next (const ForeSchedule *self, gint64 after_us, GTimeZone *zone)
{
  g_autoptr (ForeScheduleTime) time = NULL;

  g_return_val_if_fail (self != NULL && zone != NULL, 0);

  time = fore_schedule_time_new (self->when, self->created_us, zone, NULL);

  return time != NULL ? fore_schedule_time_find_next (time, MAX (after_us, self->seen_us),
                                                      self->created_us, zone)
                      : 0;
}

/**
 * fore_schedule_list_next:
 * @self: a schedule
 * @n: how many times at most
 *
 * Returns: (transfer full) (element-type gint64): when it comes from now on by this machine's
 * clock, microseconds since the epoch; nothing if it is switched off
 */
GArray *
fore_schedule_list_next (const ForeSchedule *self, guint n)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  GArray *times = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 at = g_get_real_time ();

  g_return_val_if_fail (self != NULL, times);

  while (self->enabled && times->len < n && (at = fore_schedule_find_next (self, at, zone)) != 0)
    g_array_append_val (times, at);

  return times;
}

/**
 * fore_schedule_dup_outcome:
 * @self: a schedule
 *
 * Returns: (transfer full): what came of the newest time that was dealt with, in words
 */
char *
fore_schedule_dup_outcome (const ForeSchedule *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  if (self->outcome == NULL)
    return g_strdup (_ ("not yet"));
  if (strcmp (self->outcome, FORE_SCHEDULE_STARTED) == 0)
    return g_strdup_printf (_ ("started %s"), self->run != NULL ? self->run : "");
  if (strcmp (self->outcome, FORE_SCHEDULE_MISSED) == 0)
    return g_strdup (_ ("missed"));
  if (strcmp (self->outcome, FORE_SCHEDULE_BUSY) == 0)
    return g_strdup (_ ("left out: the run before went on"));
  if (strcmp (self->outcome, FORE_SCHEDULE_FAILED) == 0)
    return g_strdup_printf (_ ("could not be started: %s"),
                            self->message != NULL ? self->message : "");

  return g_strdup (_ ("begun; whether it started is not known"));
}

/**
 * fore_schedule_set_outcome:
 * @self: a schedule
 * @outcome: (transfer none): what came of the newest
 * @message: (nullable): why it failed
 */
void
fore_schedule_set_outcome (ForeSchedule *self, const char *outcome, const char *message)
{
  g_return_if_fail (self != NULL);

  g_free (self->outcome);
  self->outcome = g_strdup (outcome);
  g_free (self->message);
  self->message = g_strdup (message);
}

/**
 * fore_schedule_take_due:
 * @self: a schedule that is enabled
 * @now_us: microseconds since the epoch
 * @zone: the time zone it goes by
 *
 * Deals with all that is due up to now, so that nobody does so again: of several times the last
 * counts, the others are missed; one that is long past is missed too, unless that is made up for.
 *
 * Returns: whether something is to be started
 */
gboolean
fore_schedule_take_due (ForeSchedule *self, gint64 now_us, GTimeZone *zone)
{
  gint64 due = 0;
  guint n = 0;

  g_return_val_if_fail (self != NULL && zone != NULL, FALSE);

  if (self->seen_us > now_us + CREDIBLE_US)
    self->seen_us = now_us;
  for (gint64 next = fore_schedule_find_next (self, self->seen_us, zone);
       next != 0 && next <= now_us && n < MAX_COUNTED;
       next = fore_schedule_find_next (self, next, zone))
    {
      due = next;
      n++;
    }
  if (n == 0)
    return FALSE;

  self->seen_us = now_us;
  self->due_us = due;
  if (now_us - due <= PATIENCE_US || self->makes_up)
    {
      self->n_missed += n - 1;
      fore_schedule_set_outcome (self, FORE_SCHEDULE_CLAIMED, NULL);
      return TRUE;
    }

  self->n_missed += n;
  fore_schedule_set_outcome (self, FORE_SCHEDULE_MISSED, NULL);
  return FALSE;
}
