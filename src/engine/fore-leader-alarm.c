/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-leader-alarm.h"

#include "engine/fore-event-data.h"
#include "engine/fore-pool.h"
#include "platform/fore-dirs.h"
#include "platform/fore-files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define WINDOW (256 * 1024)
#define MAX_NAMED_FILES 5

/* One change of the person's own checkout, and who may have made it. */
typedef struct
{
  const ForeAttemptServices *services;
  ForeRunState *state;
  GStrv paths;
  GPtrArray *keys;     /* tasks that worked when it happened */
  GPtrArray *captures; /* what they printed, in the same order */
  GPtrArray *needles;  /* the changed files, as an agent would name them */
} Alarm;

static void
alarm_free (Alarm *alarm)
{
  g_clear_object (&alarm->state);
  g_strfreev (alarm->paths);
  g_ptr_array_unref (alarm->keys);
  g_ptr_array_unref (alarm->captures);
  g_ptr_array_unref (alarm->needles);
  g_free (alarm);
}

/* Bytes may have zeros, at which GLib's search ends. */
static gboolean
holds (const char *bytes, gsize length, const char *needle)
{
  const char *end = bytes + length;

  while (bytes < end)
    {
      const char *zero = memchr (bytes, '\0', end - bytes);

      if (g_strstr_len (bytes, end - bytes, needle) != NULL)
        return TRUE;
      bytes = zero != NULL ? zero + 1 : end;
    }

  return FALSE;
}

static gboolean
holds_any (const char *bytes, gsize length, GPtrArray *needles)
{
  for (guint i = 0; i < needles->len; i++)
    {
      if (holds (bytes, length, g_ptr_array_index (needles, i)))
        return TRUE;
    }

  return FALSE;
}

static gsize
get_longest (GPtrArray *needles)
{
  gsize longest = 1;

  for (guint i = 0; i < needles->len; i++)
    longest = MAX (longest, strlen (g_ptr_array_index (needles, i)));

  return longest;
}

/* Windows overlap by the longest name, so that none is cut in two. */
static gboolean
file_names_any (const char *path, GPtrArray *needles)
{
  gsize keep = get_longest (needles) - 1;
  g_autofree char *buffer = g_malloc (keep + WINDOW);
  int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  gboolean found = FALSE;
  gsize held = 0;
  gssize n;

  while (fd >= 0 && !found && (n = read (fd, buffer + held, WINDOW)) > 0)
    {
      gsize length = held + (gsize) n;

      found = holds_any (buffer, length, needles);
      held = MIN (keep, length);
      memmove (buffer, buffer + length - held, held);
    }

  if (fd >= 0)
    close (fd);
  return found;
}

static void
search_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Alarm *alarm = data;
  g_autoptr (GStrvBuilder) named = g_strv_builder_new ();

  for (guint i = 0; i < alarm->keys->len; i++)
    {
      if (file_names_any (g_ptr_array_index (alarm->captures, i), alarm->needles))
        g_strv_builder_add (named, g_ptr_array_index (alarm->keys, i));
    }

  g_task_return_pointer (task, g_strv_builder_end (named), (GDestroyNotify) g_strfreev);
}

static char *
join_paths (char **paths)
{
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; paths[i] != NULL && i < MAX_NAMED_FILES; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", paths[i]);
  if (paths[i] != NULL)
    g_string_append (text, ", …");

  return g_string_free (text, FALSE);
}

static void
stop_where_asked (const Alarm *alarm)
{
  ForeSettings *settings = alarm->services->context->settings;
  const ForeRun *run = fore_run_state_get_run (alarm->state);
  g_autofree char *paths = join_paths (alarm->paths);
  g_autofree char *reason = NULL;

  if (g_strcmp0 (fore_settings_get_string (settings, "git.leader_changes"), "stop") != 0
      || !fore_run_status_can_move (run->status, FORE_RUN_PAUSED))
    return;

  reason = g_strdup_printf (
      _ ("Files of the project's own folder changed while the run worked: %s. Look at them, then "
         "let it go on."),
      paths);
  fore_run_state_move_run (alarm->state, FORE_RUN_PAUSED, reason);
}

static void
add_task (Alarm *alarm, const ForeTask *task)
{
  const ForeRun *run = fore_run_state_get_run (alarm->state);

  g_ptr_array_add (alarm->keys, g_strdup (task->key));
  g_ptr_array_add (alarm->captures,
                   fore_dirs_dup_attempt_path (alarm->services->context->home, run->id, task->key,
                                               task->attempts, "out"));
}

static void
collect (Alarm *alarm, const char *ended)
{
  GPtrArray *tasks = fore_run_state_get_tasks (alarm->state);

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->attempts > 0
          && (task->status == FORE_TASK_RUNNING || g_strcmp0 (task->key, ended) == 0))
        add_task (alarm, task);
    }

  for (guint i = 0; alarm->paths[i] != NULL; i++)
    g_ptr_array_add (alarm->needles,
                     g_build_filename (alarm->services->context->project, alarm->paths[i], NULL));
}

/**
 * fore_leader_alarm_raise:
 * @services: what the run is carried out with
 * @ended: (nullable): task whose attempt has just ended
 * @paths: (transfer full): what changed in the person's own checkout
 * @callback: called when the transcripts of those at work were searched
 * @user_data: data for @callback
 *
 * Finds out who may have changed the person's checkout while agents worked in trees of their own.
 * People do change it.
 */
void
fore_leader_alarm_raise (const ForeAttemptServices *services,
                         const char *ended,
                         GStrv paths,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  Alarm *alarm;
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (services != NULL && paths != NULL);

  alarm = g_new0 (Alarm, 1);
  alarm->services = services;
  alarm->state = g_object_ref (services->state);
  alarm->paths = paths;
  alarm->keys = g_ptr_array_new_with_free_func (g_free);
  alarm->captures = g_ptr_array_new_with_free_func (g_free);
  alarm->needles = g_ptr_array_new_with_free_func (g_free);
  collect (alarm, ended);

  task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_name (task, "look who changed the checkout");
  g_task_set_task_data (task, alarm, (GDestroyNotify) alarm_free);
  fore_pool_run (FORE_POOL_FILE, task, search_in_thread);
}

/**
 * fore_leader_alarm_finish:
 * @result: the result
 *
 * Says what changed, marks the tasks whose transcript names one of the files, and pauses the run
 * where `git.leader_changes` asks for it. Not once the run was let go of.
 */
void
fore_leader_alarm_finish (GAsyncResult *result)
{
  Alarm *alarm = g_task_get_task_data (G_TASK (result));
  g_auto (GStrv) named = g_task_propagate_pointer (G_TASK (result), NULL);

  fore_run_state_emit (alarm->state, FORE_EVENT_LEADER_CHANGED, NULL, 0,
                       fore_event_data_new ("v:paths", alarm->paths, "v:tasks", named, NULL));
  for (guint i = 0; named != NULL && named[i] != NULL; i++)
    {
      ForeTask *task = fore_run_state_find_task (alarm->state, named[i]);

      if (task != NULL)
        fore_run_state_set_mark (alarm->state, task, FORE_LEADER_MARK);
    }

  stop_where_asked (alarm);
}
