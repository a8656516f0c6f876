/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tasks that agents ask for from inside their own. Whoever asked waits, without a place, and is
 * told what came of it; the same wish of a later attempt is the same helper.
 */

#include "config.h"

#include "engine/fore-inbox-private.h"

#include "agents/fore-calls.h"
#include "engine/fore-helper.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"
#include "platform/fore-process.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CALL_PREFIX "call:"
#define TITLE_CHARS 60

static gboolean
is_lost (const ForeTask *task)
{
  return task->status == FORE_TASK_FAILED || task->status == FORE_TASK_CANCELLED
         || task->status == FORE_TASK_SKIPPED;
}

/* The one of this call, whatever became of it; else one of an earlier attempt that is of use. */
static ForeTask *
find_same (ForeInbox *self, const ForeTask *asker, const ForeCall *call, const char *role)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_inbox_get_state (self));
  ForeTask *same = NULL;

  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      if (fore_helper_is_of (task, asker->key, call->id))
        return task;
      if (fore_helper_is_of (task, asker->key, NULL) && !is_lost (task)
          && g_strcmp0 (task->text, call->text) == 0 && g_strcmp0 (task->role, role) == 0)
        same = task;
    }

  return same;
}

static char *
make_key (ForeInbox *self)
{
  for (guint n = 1;; n++)
    {
      g_autofree char *key = g_strdup_printf ("helper-%u", n);

      if (fore_run_state_find_task (fore_inbox_get_state (self), key) == NULL)
        return g_steal_pointer (&key);
    }
}

/* A run that an agent started counts from where that agent stands. */
static guint
measure_depth (ForeInbox *self, const ForeTask *asker)
{
  const char *outer = g_getenv (FORE_MARKER_DEPTH);
  guint64 depth = outer != NULL ? g_ascii_strtoull (outer, NULL, 10) : 0;

  return (guint) MIN (depth, 1000) + fore_helper_measure_depth (fore_inbox_get_state (self), asker);
}

static gboolean
check_limits (ForeInbox *self, const ForeTask *asker, const char *role, GError **error)
{
  const ForeRunContext *context = self->services->context;
  gint64 depth = fore_settings_get_int (context->settings, "limits.depth");
  gint64 count = fore_settings_get_int (context->settings, "limits.helpers");
  g_autofree char *roles = NULL;

  if (measure_depth (self, asker) >= depth)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("Tasks may ask for tasks of their own only %d deep (limits.depth); do it "
                      "yourself."),
                   (int) depth);
      return FALSE;
    }
  if (fore_helper_count (fore_inbox_get_state (self)) >= count)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("The run has had its %d helpers (limits.helpers); do it yourself."),
                   (int) count);
      return FALSE;
    }
  if (role != NULL
      && (g_strcmp0 (role, asker->role) == 0
          || g_strv_contains ((const char *const *) context->roles, role)))
    return TRUE;

  roles = g_strjoinv (", ", context->roles);
  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("The team has no role “%s”; there are: %s."), role != NULL ? role : "", roles);
  return FALSE;
}

/* Who may only read gets nobody who writes for it. */
static void
bind_helper (ForeInbox *self, ForeTask *task, const ForeTask *asker)
{
  fore_run_context_bind_task (self->services->context, task, &fore_inbox_get_run (self)->options);
  task->writes = task->writes && asker->writes;
  if (asker->command != NULL || g_strcmp0 (task->role, asker->role) != 0)
    return;

  fore_set_str (&task->agent, asker->agent);
  fore_set_str (&task->cli, asker->cli);
  fore_set_str (&task->model, asker->model);
}

static ForeTask *
make_task (
    ForeInbox *self, const ForeTask *asker, const ForeCall *call, const char *role, GError **error)
{
  g_autofree char *key = make_key (self);
  g_autoptr (ForeTask) task = fore_task_new (key);

  task->title = fore_text_first_line (call->text, TITLE_CHARS);
  task->role = g_strdup (role);
  task->text = g_strdup (call->text);
  task->step = fore_helper_dup_step (asker->key, call->id);
  task->depends_on = g_strdupv (asker->depends_on);
  task->position = fore_run_state_get_tasks (fore_inbox_get_state (self))->len;
  bind_helper (self, task, asker);
  if (task->cli != NULL)
    return g_steal_pointer (&task);

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                       _ ("No agent was found on this machine; install one and try again."));
  return NULL;
}

static ForeTask *
add_helper (
    ForeInbox *self, const ForeTask *asker, const ForeCall *call, const char *role, GError **error)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();
  ForeTask *task;

  if (!check_limits (self, asker, role, error)
      || (task = make_task (self, asker, call, role, error)) == NULL)
    return NULL;

  g_ptr_array_add (tasks, task);
  if (fore_scheduler_add_tasks (self->scheduler, tasks, NULL, error))
    return task;

  fore_task_free (task);
  return NULL;
}

/* What a helper says, with the names of the files that it changed. */
char *
fore_inbox_describe_helper (ForeInbox *self, const ForeTask *task)
{
  GString *text = g_string_new (task->result);

  if (task->effect != FORE_EFFECT_CHANGED || task->files == NULL || task->files->len == 0)
    return g_string_free (text, FALSE);

  g_string_append_printf (text, "\n\n%s", _ ("It changed these files:"));
  for (guint i = 0; i < task->files->len; i++)
    g_string_append_printf (text, "\n- %s",
                            ((const ForeChange *) g_ptr_array_index (task->files, i))->path);
  if (task->branch != NULL && fore_trees_is_isolated (self->services->trees))
    g_string_append_printf (text, "\n\n%s %s",
                            _ ("They are not in your tree but on this branch, which will be "
                               "merged with yours:"),
                            task->branch);

  return g_string_free (text, FALSE);
}

static void
tell (ForeInbox *self, ForeTask *asker, const char *reply_to, const ForeTask *task)
{
  g_autofree char *text = NULL;

  if (fore_task_is_script (asker))
    {
      fore_inbox_tell_script (self, asker, reply_to, task);
      return;
    }
  if (is_lost (task))
    {
      text = g_strdup_printf (_ ("The helper “%s” is %s: %s"), task->key,
                              fore_task_status_to_string (task->status),
                              task->message != NULL ? task->message : "");
      fore_scheduler_refuse (self->scheduler, asker, reply_to, text);
      fore_scheduler_stop_waiting (self->scheduler, asker);
      return;
    }

  text = fore_inbox_describe_helper (self, task);
  fore_scheduler_answer (self->scheduler, asker, reply_to, text);
}

/* An attempt that is gone is told nothing. */
static char *
dup_wish (const ForeTask *task, const ForeTask *asker)
{
  return g_strdup_printf ("%s.%u", task->key, asker->attempts);
}

void
fore_inbox_wait_for_helper (ForeInbox *self,
                            ForeTask *asker,
                            const char *reply_to,
                            const ForeTask *task)
{
  g_autofree char *text = g_strdup_printf (_ ("waits for %s"), task->key);

  g_hash_table_replace (self->helped, g_strdup (reply_to), dup_wish (task, asker));
  fore_scheduler_wait_for_answer (self->scheduler, asker);
  if (asker->status == FORE_TASK_WAITING)
    fore_run_state_set_phase (fore_inbox_get_state (self), asker, FORE_PHASE_DEPENDENCIES, text);
}

/* Whoever asks for it goes on, and may wait for it later. */
static gboolean
is_detached (const ForeCall *call)
{
  return call->options != NULL && call->options[0] != NULL
         && g_strcmp0 (call->options[1], "detach") == 0;
}

/* An agent wants a helper: text of the call: what to do; its option: the role. */
void
fore_inbox_helper_asked (ForeInbox *self, ForeTask *asker, const ForeCall *call)
{
  const char *role = call->options != NULL && call->options[0] != NULL && *call->options[0] != '\0'
                         ? call->options[0]
                         : asker->role;
  g_autofree char *reply_to = g_strconcat (CALL_PREFIX, call->id, NULL);
  ForeTask *task = find_same (self, asker, call, role);
  g_autoptr (GError) error = NULL;

  if (task == NULL)
    task = add_helper (self, asker, call, role, &error);

  if (task == NULL)
    fore_scheduler_refuse (self->scheduler, asker, reply_to, error->message);
  else if (is_detached (call))
    fore_scheduler_answer (self->scheduler, asker, reply_to, task->key);
  else if (is_lost (task) || task->status == FORE_TASK_COMPLETED)
    tell (self, asker, reply_to, task);
  else
    fore_inbox_wait_for_helper (self, asker, reply_to, task);
}

/* Handler of the scheduler's signal: what @data asked for is over. */
void
fore_inbox_helper_over (ForeScheduler *scheduler, gpointer data, gpointer user_data)
{
  ForeInbox *self = user_data;
  const ForeTask *task = data;
  g_autofree char *key = fore_helper_dup_asker (task);
  ForeTask *asker = fore_run_state_find_task (fore_inbox_get_state (self), key);
  g_autofree char *wish = NULL;
  GHashTableIter iter;
  gpointer reply_to;
  gpointer helper;

  g_assert (FORE_IS_INBOX (self));

  if (asker == NULL)
    return;

  fore_inbox_look_at_joins (self);
  wish = dup_wish (task, asker);
  g_hash_table_iter_init (&iter, self->helped);
  while (g_hash_table_iter_next (&iter, &reply_to, &helper))
    {
      if (strcmp (helper, wish) != 0)
        continue;

      tell (self, asker, reply_to, task);
      g_hash_table_iter_remove (&iter);
    }
}

/* Whoever called with that does not wait any more; a helper that nobody waits for is let go. */
void
fore_inbox_helper_withdrawn (ForeInbox *self, const char *reply_to)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_inbox_get_state (self));
  g_autofree char *wish = g_strdup (g_hash_table_lookup (self->helped, reply_to));
  g_autoptr (GList) others = NULL;

  if (wish == NULL)
    return;

  g_hash_table_remove (self->helped, reply_to);
  others = g_hash_table_get_values (self->helped);
  for (guint i = 0; i < tasks->len && !g_list_find_custom (others, wish, (GCompareFunc) strcmp);
       i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);
      gsize length = strlen (task->key);

      if (fore_helper_is_one (task) && strncmp (wish, task->key, length) == 0
          && wish[length] == '.')
        fore_scheduler_cancel_task (self->scheduler, task, _ ("Nobody waits for it any more."));
    }
}
