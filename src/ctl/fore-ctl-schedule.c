/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "ctl/fore-ctl-verbs.h"

#include "ctl/fore-ctl-output.h"
#include "ctl/fore-ctl-parser.h"
#include "engine/fore-schedules-arm.h"
#include "engine/fore-schedules.h"
#include "model/fore-id.h"
#include "platform/fore-alarm.h"
#include "text/fore-plain-line.h"

#include <glib/gi18n.h>
#include <string.h>

#define N_NEXT 5
#define NAME_LENGTH 60

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

static JsonObject *
to_json (const ForeSchedule *schedule)
{
  g_autoptr (GArray) times = fore_schedule_list_next (schedule, N_NEXT);
  JsonObject *object = fore_schedule_to_json (schedule);
  JsonArray *next = json_array_new ();

  for (guint i = 0; i < times->len; i++)
    {
      g_autofree char *iso = dup_iso (g_array_index (times, gint64, i));

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
print_line (ForeCtl *ctl, const char *caption, const char *text)
{
  g_autofree char *clean = fore_ctl_dup_clean (text);

  fore_ctl_print (ctl, "%-10s %s\n", caption, clean);
}

static void
print_schedule (ForeCtl *ctl, const ForeSchedule *schedule)
{
  g_autofree char *words = g_strjoinv (" ", schedule->words);
  g_autofree char *due = dup_time (schedule->due_us);
  g_autofree char *outcome = fore_schedule_dup_outcome (schedule);
  g_autofree char *last = g_strdup_printf ("%s, %s", due, outcome);
  g_autofree char *name = fore_ctl_dup_clean (schedule->name);
  g_autoptr (GArray) times = fore_schedule_list_next (schedule, N_NEXT);

  fore_ctl_print_styled (ctl, FORE_CTL_BOLD, name);
  fore_ctl_print (ctl, "  %s\n", schedule->id);
  fore_ctl_print (ctl, "%-10s %s%s\n", _ ("When"), schedule->when,
                  schedule->enabled ? "" : _ (" (switched off)"));
  print_line (ctl, _ ("Folder"), schedule->folder);
  print_line (ctl, _ ("Does"), words);
  print_line (ctl, _ ("Last"), schedule->due_us != 0 ? last : outcome);
  fore_ctl_print (ctl, _ ("%-10s %u times, %u missed\n"), _ ("Started"), schedule->n_started,
                  schedule->n_missed);
  for (guint i = 0; i < times->len; i++)
    {
      g_autofree char *next = dup_time (g_array_index (times, gint64, i));

      print_line (ctl, i == 0 ? _ ("Next") : "", next);
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

static void
print_table (ForeCtl *ctl, GPtrArray *schedules)
{
  const char *const headings[] = { _ ("ID"), _ ("NAME"), _ ("WHEN"), _ ("NEXT"), _ ("LAST"), NULL };
  g_autoptr (ForeCtlTable) table = fore_ctl_table_new (headings);

  for (guint i = 0; i < schedules->len; i++)
    {
      const ForeSchedule *schedule = schedules->pdata[i];
      g_autoptr (GArray) times = fore_schedule_list_next (schedule, 1);
      g_autofree char *next = dup_time (times->len > 0 ? g_array_index (times, gint64, 0) : 0);
      g_autofree char *outcome = fore_schedule_dup_outcome (schedule);

      fore_ctl_table_add_row (table);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, schedule->id);
      fore_ctl_table_add (table, FORE_CTL_BOLD, schedule->name);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, schedule->when);
      fore_ctl_table_add (table, FORE_CTL_PLAIN, schedule->enabled ? next : _ ("switched off"));
      fore_ctl_table_add (table, FORE_CTL_DIM, outcome);
    }
  fore_ctl_table_print (ctl, table);
}

static gboolean
list (ForeCtl *ctl, const char *home, GError **error)
{
  g_autoptr (GPtrArray) schedules = fore_schedules_load (home, error);
  JsonObject *object;
  JsonArray *array;

  if (schedules == NULL)
    return FALSE;
  if (!ctl->json)
    {
      print_table (ctl, schedules);
      tell_how (ctl);
      return TRUE;
    }

  object = json_object_new ();
  array = json_array_new ();
  for (guint i = 0; i < schedules->len; i++)
    json_array_add_object_element (array, to_json (schedules->pdata[i]));
  json_object_set_array_member (object, "schedules", array);
  json_object_set_boolean_member (object, "enabled", fore_schedules_are_on ());
  fore_ctl_print_object (ctl, object);

  return TRUE;
}

/* What it is to do is checked now, when somebody is there who can mend it. */
static ForeCtl *
read_words (char *const *words, GError **error)
{
  g_autoptr (ForeCtl) asked = fore_ctl_new ();
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) argv = NULL;
  const char *word;

  g_strv_builder_add (builder, FORE_CTL_NAME);
  g_strv_builder_addv (builder, (const char **) words);
  argv = g_strv_builder_end (builder);
  if (!fore_ctl_parse (asked, (int) g_strv_length (argv), argv, error))
    return NULL;

  word = fore_ctl_get_word (asked, 0);
  if (asked->verb != NULL && !fore_ctl_has (asked, "dry-run") && !fore_ctl_has (asked, "help")
      && (asked->verb->func == fore_ctl_do_run
          || (asked->verb->func == fore_ctl_do_goal && g_strcmp0 (word, "start") == 0)))
    return g_steal_pointer (&asked);

  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
               _ ("A schedule starts runs: say “run …” or “goal start …” as you would to "
                  "foredeckctl."));
  return NULL;
}

/* Of a chain or a plan the goal may say nothing. */
static char *
dup_name (ForeCtl *ctl, ForeCtl *asked)
{
  g_autofree char *goal = fore_ctl_join_words (asked,
                                               asked->verb->func == fore_ctl_do_goal ? 1 : 0);
  const char *name = fore_ctl_get (ctl, "name");

  if (name == NULL)
    name = goal;
  if (name == NULL || *name == '\0')
    name = fore_ctl_has (asked, "chain") ? fore_ctl_get (asked, "chain") : asked->verb->name;

  return fore_plain_line_dup (name, NAME_LENGTH);
}

static GStrv
dup_words (ForeCtl *ctl, guint first)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = first; i < ctl->words->len; i++)
    g_strv_builder_add (builder, fore_ctl_get_word (ctl, i));

  return g_strv_builder_end (builder);
}

/* Better now than in the middle of the night. */
static gboolean
check_project (ForeCtl *asked, GError **error)
{
  const char *project = fore_ctl_get (asked, "project");

  if (project == NULL || g_file_test (project, G_FILE_TEST_IS_DIR))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("“%s” is not a folder; name the project's folder with --project."), project);
  return FALSE;
}

static gboolean
add (ForeCtl *ctl, const char *home, GError **error)
{
  g_autoptr (GTimeZone) zone = g_time_zone_new_local ();
  gint64 now = g_get_real_time ();
  g_autoptr (ForeSchedule) schedule = fore_schedule_new ();
  g_autoptr (ForeSchedule) added = NULL;
  g_autoptr (ForeScheduleTime) time = NULL;
  g_autoptr (ForeCtl) asked = NULL;
  g_auto (GStrv) words = NULL;

  if (ctl->words->len < 3)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("Say when, and then what: schedule add \"0 9 * * mon-fri\" -- run …"));
      return FALSE;
    }

  words = dup_words (ctl, 2);
  time = fore_schedule_time_new (fore_ctl_get_word (ctl, 1), now, zone, error);
  asked = time != NULL ? read_words (words, error) : NULL;
  if (asked == NULL || !check_project (asked, error))
    return FALSE;
  if (fore_schedule_time_find_next (time, now, now, zone) == 0)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("“%s” is over; say a time to come."),
                   fore_schedule_time_get_text (time));
      return FALSE;
    }

  schedule->name = dup_name (ctl, asked);
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

      g_autofree char *outcome = fore_schedule_dup_outcome (schedule);
      g_autofree char *text = g_strdup_printf ("%s: %s", schedule->name, outcome);
      g_autofree char *clean = fore_ctl_dup_clean (text);

      fore_ctl_print (ctl, "%s\n", clean);
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
