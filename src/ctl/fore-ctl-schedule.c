/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-verbs.h"

#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-parser.h"
#include "engine/fore-schedules-arm.h"
#include "engine/fore-schedules.h"
#include "model/fore-id.h"
#include "platform/fore-alarm.h"
#include "text/fore-json.h"

#include <glib/gi18n.h>
#include <string.h>

#define N_NEXT 5
#define NAME_WORDS 40

/* Texts */

static char *
dup_time (gint64 us)
{
  g_autoptr (GDateTime) utc = us > 0 ? g_date_time_new_from_unix_utc (us / G_USEC_PER_SEC) : NULL;
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;

  return local != NULL ? g_date_time_format (local, "%a %F %H:%M %Z") : g_strdup (_ ("never"));
}

static char *
dup_iso (gint64 us)
{
  g_autoptr (GDateTime) utc = g_date_time_new_from_unix_utc (us / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local = g_date_time_to_local (utc);

  return g_date_time_format_iso8601 (local);
}

static const char *
describe_outcome (const ForeSchedule *schedule)
{
  static const struct
  {
    const char *outcome;
    const char *text;
  } texts[] = {
    { FORE_SCHEDULE_STARTED, N_ ("started") },
    { FORE_SCHEDULE_MISSED, N_ ("missed") },
    { FORE_SCHEDULE_BUSY, N_ ("left out: the run before went on") },
    { FORE_SCHEDULE_FAILED, N_ ("could not be started") },
    { FORE_SCHEDULE_CLAIMED, N_ ("begun; whether it started is not known") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      if (g_strcmp0 (texts[i].outcome, schedule->outcome) == 0)
        return _ (texts[i].text);
    }

  return _ ("not yet");
}

static gint64
find_next (const ForeSchedule *schedule, gint64 after_us)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();

  return fore_schedule_find_next (schedule, MAX (after_us, schedule->seen_us), zone);
}

static JsonObject *
to_json (const ForeSchedule *schedule)
{
  JsonObject *object = fore_schedule_to_json (schedule);
  JsonArray *next = json_array_new ();
  gint64 at = g_get_real_time ();

  for (guint i = 0; i < N_NEXT && (at = find_next (schedule, at)) != 0; i++)
    {
      g_autofree char *iso = dup_iso (at);

      json_array_add_string_element (next, iso);
    }
  json_object_set_array_member (object, "next", next);

  return object;
}

static void
hint_if_off (ForeCtl *ctl)
{
  if (!ctl->json && !fore_schedules_are_on ())
    fore_ctl_print (ctl, _ ("Schedules are off: “foredeckctl config set schedules.enabled true” "
                            "lets them start runs.\n"));
}

static void
print_schedule (ForeCtl *ctl, const ForeSchedule *schedule)
{
  g_autofree char *words = g_strjoinv (" ", schedule->words);
  g_autofree char *due = dup_time (schedule->due_us);
  gint64 at = g_get_real_time ();

  fore_ctl_print_styled (ctl, FORE_CTL_BOLD, schedule->name);
  fore_ctl_print (ctl, "  %s\n", schedule->id);
  fore_ctl_print (ctl, "%-10s %s%s\n", _ ("When"), schedule->when,
                  schedule->enabled ? "" : _ (" (switched off)"));
  fore_ctl_print (ctl, "%-10s %s\n", _ ("Folder"), schedule->folder);
  fore_ctl_print (ctl, "%-10s foredeckctl %s\n", _ ("Does"), words);
  fore_ctl_print (ctl, "%-10s %s, %s\n", _ ("Last"), due, describe_outcome (schedule));
  if (schedule->run != NULL)
    fore_ctl_print (ctl, "%-10s %s\n", _ ("Run"), schedule->run);
  if (schedule->message != NULL)
    fore_ctl_print (ctl, "%-10s %s\n", _ ("Because"), schedule->message);
  fore_ctl_print (ctl, _ ("%-10s %u times, %u missed\n"), _ ("Started"), schedule->n_started,
                  schedule->n_missed);
  for (guint i = 0; i < N_NEXT && schedule->enabled && (at = find_next (schedule, at)) != 0; i++)
    {
      g_autofree char *next = dup_time (at);

      fore_ctl_print (ctl, "%-10s %s\n", i == 0 ? _ ("Next") : "", next);
    }
}

static gboolean
show (ForeCtl *ctl, const ForeSchedule *schedule)
{
  if (ctl->json)
    fore_ctl_print_object (ctl, to_json (schedule));
  else
    print_schedule (ctl, schedule);

  return TRUE;
}

static void
arm (ForeCtl *ctl, const char *home)
{
  g_autoptr (GError) error = NULL;

  if (!fore_schedules_arm (home, &error))
    g_printerr (_ ("Runs that are due start only while Foredeck is open: %s\n"), error->message);
}

static void
tell_how (ForeCtl *ctl)
{
  hint_if_off (ctl);
  if (!ctl->json && fore_schedules_are_on () && !fore_alarm_is_there ())
    fore_ctl_print (ctl, _ ("Runs that are due start while Foredeck is open, or when something "
                            "calls “foredeckctl schedule tick”: there is no systemd for you "
                            "here.\n"));
}

/* Verbs */

static const char *
get_home (ForeCtl *ctl, GError **error)
{
  ForeStore *store = fore_ctl_get_store (ctl, error);

  return store != NULL ? fore_store_get_home (store) : NULL;
}

static gboolean
list (ForeCtl *ctl, const char *home, GError **error)
{
  const char *const headings[] = { _ ("ID"), _ ("NAME"), _ ("WHEN"), _ ("NEXT"), _ ("LAST"), NULL };
  g_autoptr (GPtrArray) schedules = fore_schedules_load (home, error);
  g_autoptr (ForeCtlTable) table = NULL;
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();

  json_object_set_array_member (object, "schedules", array);
  table = fore_ctl_table_new (headings);
  for (guint i = 0; schedules != NULL && i < schedules->len; i++)
    {
      const ForeSchedule *schedule = schedules->pdata[i];
      g_autofree char *next = dup_time (schedule->enabled ? find_next (schedule, g_get_real_time ())
                                                          : 0);

      json_array_add_object_element (array, to_json (schedule));
      fore_ctl_table_add_row (table);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, schedule->id);
      fore_ctl_table_add (table, FORE_CTL_BOLD, schedule->name);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, schedule->when);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, schedule->enabled ? next : _ ("switched off"));
      fore_ctl_table_add (table, FORE_CTL_DIM, describe_outcome (schedule));
    }
  json_object_set_boolean_member (object, "enabled", fore_schedules_are_on ());
  if (ctl->json && schedules != NULL)
    fore_ctl_print_object (ctl, json_object_ref (object));
  else if (schedules != NULL)
    {
      fore_ctl_table_print (ctl, table);
      tell_how (ctl);
    }
  json_object_unref (object);

  return schedules != NULL;
}

/* What it is to do is checked now, when somebody is there who can mend it. */
static gboolean
check_words (char *const *words, GError **error)
{
  g_autoptr (ForeCtl) asked = fore_ctl_new ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) argv = NULL;
  const char *word;

  g_strv_builder_add (builder, FORE_CTL_NAME);
  g_strv_builder_addv (builder, (const char **) words);
  argv = g_strv_builder_end (builder);
  if (!fore_ctl_parse (asked, (int) g_strv_length (argv), argv, error))
    return FALSE;

  word = fore_ctl_get_word (asked, 0);
  if (asked->verb != NULL && !fore_ctl_has (asked, "dry-run") && !fore_ctl_has (asked, "help")
      && (asked->verb->func == fore_ctl_do_run
          || (asked->verb->func == fore_ctl_do_goal && g_strcmp0 (word, "start") == 0)))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
               _ ("A schedule starts runs: say “run …” or “goal start …” as you would to "
                  "foredeckctl."));
  return FALSE;
}

static char *
dup_name (ForeCtl *ctl, char *const *words)
{
  g_autofree char *text = NULL;

  if (fore_ctl_has (ctl, "name"))
    return g_strdup (fore_ctl_get (ctl, "name"));

  text = g_strjoinv (" ", (char **) words + 1);

  return g_utf8_strlen (text, -1) > NAME_WORDS ? g_utf8_substring (text, 0, NAME_WORDS)
                                               : g_steal_pointer (&text);
}

static GStrv
dup_words (ForeCtl *ctl, guint first)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = first; i < ctl->words->len; i++)
    g_strv_builder_add (builder, fore_ctl_get_word (ctl, i));

  return g_strv_builder_end (builder);
}

static gboolean
add (ForeCtl *ctl, const char *home, GError **error)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  gint64 now = g_get_real_time ();
  g_autoptr (ForeSchedule) schedule = fore_schedule_new ();
  g_autoptr (ForeSchedule) added = NULL;
  g_autoptr (ForeScheduleTime) time = NULL;
  g_auto (GStrv) words = NULL;

  if (ctl->words->len < 3)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("Say when, and then what: schedule add \"0 9 * * mon-fri\" -- run …"));
      return FALSE;
    }

  words = dup_words (ctl, 2);
  time = fore_schedule_time_new (fore_ctl_get_word (ctl, 1), now, zone, error);
  if (time == NULL || !check_words (words, error))
    return FALSE;
  if (fore_schedule_time_find_next (time, now, now, zone) == 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("“%s” is over; say a time to come."),
                   fore_schedule_time_get_text (time));
      return FALSE;
    }

  schedule->name = dup_name (ctl, words);
  schedule->words = g_steal_pointer (&words);
  schedule->when = g_strdup (fore_schedule_time_get_text (time));
  schedule->folder = g_get_current_dir ();
  schedule->enabled = TRUE;
  schedule->makes_up = fore_ctl_has (ctl, "make-up");
  schedule->created_us = schedule->seen_us = now;
  added = fore_schedules_add (home, schedule, error);
  if (added == NULL)
    return FALSE;

  arm (ctl, home);
  show (ctl, added);
  tell_how (ctl);
  return TRUE;
}

static gboolean
remove_schedule (ForeCtl *ctl, const char *home, const ForeSchedule *schedule, GError **error)
{
  if (!fore_schedules_remove (home, schedule->id, error))
    return FALSE;

  arm (ctl, home);
  if (ctl->json)
    return show (ctl, schedule);

  fore_ctl_print (ctl, _ ("“%s” is removed; what it started goes on.\n"), schedule->name);
  return TRUE;
}

static gboolean
switch_schedule (
    ForeCtl *ctl, const char *home, ForeSchedule *schedule, gboolean enabled, GError **error)
{
  if (!fore_schedules_set_enabled (home, schedule->id, enabled, error))
    return FALSE;

  schedule->enabled = enabled;
  arm (ctl, home);
  show (ctl, schedule);
  tell_how (ctl);
  return TRUE;
}

static gboolean
check_outcome (const ForeSchedule *schedule, GError **error)
{
  if (g_strcmp0 (schedule->outcome, FORE_SCHEDULE_FAILED) != 0)
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("“%s” could not be started: %s"),
               schedule->name, schedule->message);
  return FALSE;
}

static gboolean
start_now (ForeCtl *ctl, const char *id, GError **error)
{
  g_autoptr (ForeSchedule) schedule = fore_schedules_start_now (ctl->store, id, error);

  return schedule != NULL && check_outcome (schedule, error) && show (ctl, schedule);
}

static void
print_tick (ForeCtl *ctl, const ForeSchedulesTick *tick)
{
  g_autofree char *next = dup_time (tick->next_us);

  for (guint i = 0; i < tick->started->len; i++)
    {
      const ForeSchedule *schedule = tick->started->pdata[i];

      fore_ctl_print (ctl, "%s: %s %s\n", schedule->name, describe_outcome (schedule),
                      schedule->message != NULL ? schedule->message
                      : schedule->run != NULL   ? schedule->run
                                                : "");
    }
  fore_ctl_print (ctl, _ ("Next: %s\n"), next);
}

/* What a timer of the system calls. */
static gboolean
tick (ForeCtl *ctl, const char *home, GError **error)
{
  g_autoptr (ForeSchedulesTick) done = NULL;
  JsonObject *object;
  JsonArray *array;

  if (!fore_schedules_are_on ())
    {
      arm (ctl, home);
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("Schedules are off; “foredeckctl config set schedules.enabled true” lets "
                      "them start runs."));
      return FALSE;
    }

  done = fore_schedules_tick (ctl->store, g_get_real_time (), error);
  if (done == NULL)
    return FALSE;

  arm (ctl, home);
  if (!ctl->json)
    {
      print_tick (ctl, done);
      return TRUE;
    }

  object = json_object_new ();
  array = json_array_new ();
  for (guint i = 0; i < done->started->len; i++)
    json_array_add_object_element (array, fore_schedule_to_json (done->started->pdata[i]));
  json_object_set_array_member (object, "started", array);
  json_object_set_int_member (object, "next_us", done->next_us);
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

static gboolean
do_to_one (ForeCtl *ctl, const char *home, const char *word, GError **error)
{
  static const char *const words[] = { "list",    "add", "show", "remove", "enable",
                                       "disable", "now", "tick", NULL };
  const char *nearest = fore_id_find_nearest (word, words, 3);
  g_autoptr (GPtrArray) schedules = NULL;
  ForeSchedule *schedule;

  if (!g_strv_contains (words, word))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("A schedule cannot be told to “%s”; did you mean “%s”?"), word,
                   nearest != NULL ? nearest : "list");
      return FALSE;
    }
  if (ctl->words->len != 2)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("Say which schedule: schedule %s ID."),
                   word);
      return FALSE;
    }

  schedules = fore_schedules_load (home, error);
  schedule = schedules != NULL ? fore_schedules_find (schedules, fore_ctl_get_word (ctl, 1), error)
                               : NULL;
  if (schedule == NULL)
    return FALSE;

  if (strcmp (word, "remove") == 0)
    return remove_schedule (ctl, home, schedule, error);
  if (strcmp (word, "now") == 0)
    return start_now (ctl, schedule->id, error);
  if (strcmp (word, "show") == 0)
    return show (ctl, schedule);

  return switch_schedule (ctl, home, schedule, strcmp (word, "enable") == 0, error);
}

gboolean
fore_ctl_do_schedule (ForeCtl *ctl, GError **error)
{
  const char *word = fore_ctl_get_word (ctl, 0);
  const char *home = get_home (ctl, error);

  if (home == NULL)
    return FALSE;
  if (word == NULL || strcmp (word, "list") == 0)
    return list (ctl, home, error);
  if (strcmp (word, "add") == 0)
    return add (ctl, home, error);
  if (strcmp (word, "tick") == 0)
    return tick (ctl, home, error);

  return do_to_one (ctl, home, word, error);
}
