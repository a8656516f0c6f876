/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-inbox-private.h"

#include "engine/fore-conflict-way.h"
#include "engine/fore-event-data.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"
#include "text/fore-plain-line.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define TITLE_CHARS 60

static gboolean
check_run (const ForeRun *run, GError **error)
{
  if (run->merged_commit == NULL && run->status != FORE_RUN_CANCELLED)
    return TRUE;

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_REFUSED,
                       _ ("A cancelled or merged run stays as it is; start a new one."));
  return FALSE;
}

static gboolean
is_lost (const ForeTask *task)
{
  return fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED
         && task->status != FORE_TASK_COMPLETED;
}

/* What the new task goes on from: the one that was named, else all that was done. */
static GPtrArray *
list_before (ForeInbox *self, const char *key, GError **error)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_inbox_get_state (self));
  g_autoptr (GPtrArray) before = g_ptr_array_new ();

  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      if (key == NULL ? task->status == FORE_TASK_COMPLETED : g_str_equal (task->key, key))
        g_ptr_array_add (before, task);
    }

  if (before->len == 0)
    {
      g_set_error (error, FORE_ERROR, key != NULL ? FORE_ERROR_NOT_FOUND : FORE_ERROR_REFUSED,
                   key != NULL ? _ ("The run has no task “%s”.")
                               : _ ("Nothing was done yet that could be followed up.%s"),
                   key != NULL ? key : "");
      return NULL;
    }
  if (is_lost (before->pdata[0]))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                   _ ("“%s” is %s; only what was done can be followed up."),
                   ((ForeTask *) before->pdata[0])->key,
                   fore_task_status_to_string (((ForeTask *) before->pdata[0])->status));
      return NULL;
    }

  return g_steal_pointer (&before);
}

static gboolean
is_of_path (char c)
{
  return g_ascii_isalnum (c) || strchr ("_-/", c) != NULL || (guchar) c >= 0x80;
}

/* A name within a longer one is not meant; a full stop may end a sentence. */
static gboolean
names_path (const char *text, const char *path)
{
  gsize length = strlen (path);

  for (const char *at = strstr (text, path); length > 0 && at != NULL; at = strstr (at + 1, path))
    {
      const char *end = at + length;

      if ((at == text || (at[-1] != '.' && !is_of_path (at[-1])))
          && (*end == '\0' || !is_of_path (end[*end == '.' && end[1] != '\0'])))
        return TRUE;
    }

  return FALSE;
}

static gboolean
wrote_what_is_meant (const ForeTask *task, const char *text)
{
  for (guint i = 0; task->files != NULL && i < task->files->len; i++)
    {
      const ForeChange *change = g_ptr_array_index (task->files, i);

      if (names_path (text, change->path))
        return TRUE;
    }

  return FALSE;
}

/* @text: (nullable): names what the author has to have changed. A command knows nothing. */
static const ForeTask *
find_writer (GPtrArray *tasks, const char *text)
{
  for (guint i = tasks->len; i > 0; i--)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i - 1);

      if (task->writes && task->command == NULL
          && (text == NULL || wrote_what_is_meant (task, text)))
        return task;
    }

  return NULL;
}

/* Whoever changed last what the text speaks of knows the matter best, then whoever wrote last. */
static const ForeTask *
find_author (ForeInbox *self, GPtrArray *before, const char *text)
{
  const ForeTask *author = find_writer (before, text);

  if (author == NULL)
    author = find_writer (before, NULL);
  if (author == NULL)
    author = find_writer (fore_run_state_get_tasks (fore_inbox_get_state (self)), NULL);

  return author;
}

static char *
make_key (ForeInbox *self, const char *word)
{
  for (guint n = 1;; n++)
    {
      g_autofree char *key = g_strdup_printf ("%s-%u", word, n);

      if (fore_run_state_find_task (fore_inbox_get_state (self), key) == NULL)
        return g_steal_pointer (&key);
    }
}

static GStrv
list_keys (GPtrArray *tasks)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < tasks->len; i++)
    g_strv_builder_add (builder, ((ForeTask *) g_ptr_array_index (tasks, i))->key);

  return g_strv_builder_end (builder);
}

/* Where the project itself names no checks for the result, those of the rest run again. */
static void
add_checks (ForeInbox *self, ForeTask *task)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_inbox_get_state (self));
  GPtrArray *commands = fore_settings_get_commands (self->services->context->settings,
                                                    "checks.commands");
  const ForeTask *found = NULL;

  for (guint i = 0; i < tasks->len && (commands == NULL || commands->len == 0); i++)
    {
      const ForeTask *other = g_ptr_array_index (tasks, i);

      if (other->checks != NULL && other->checks->len > 0)
        found = other;
    }
  for (guint i = 0; found != NULL && i < found->checks->len; i++)
    {
      const ForeCheck *check = g_ptr_array_index (found->checks, i);

      g_ptr_array_add (task->checks, fore_check_new ((const char *const *) check->argv));
    }
}

static ForeTask *
make_task (ForeInbox *self,
           const char *word,
           const ForeTask *author,
           GPtrArray *before,
           const char *text,
           GError **error)
{
  g_autoptr (ForeTask) task = NULL;
  g_autofree char *key = make_key (self, word);

  task = fore_task_new (key);
  task->title = fore_plain_line_dup (text, TITLE_CHARS);
  task->role = g_strdup (author->role);
  task->text = g_strdup (text);
  task->depends_on = list_keys (before);
  task->position = fore_run_state_get_tasks (fore_inbox_get_state (self))->len;
  add_checks (self, task);
  fore_run_context_bind_task (self->services->context, task, &fore_inbox_get_run (self)->options);
  fore_set_str (&task->agent, author->agent);
  fore_set_str (&task->cli, author->cli);
  fore_set_str (&task->model, author->model);
  task->writes = TRUE;
  if (task->cli != NULL)
    return g_steal_pointer (&task);

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                       _ ("No agent was found on this machine; install one and try again."));
  return NULL;
}

static gboolean
add_task (ForeInbox *self, ForeTask *task, GPtrArray *before, GError **error)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();
  const ForeTask *last = g_ptr_array_index (before, before->len - 1);

  g_ptr_array_add (tasks, task);
  if (!fore_run_is_active (fore_inbox_get_run (self)))
    fore_run_state_move_run (fore_inbox_get_state (self), FORE_RUN_RUNNING, NULL);

  return fore_scheduler_add_tasks (self->scheduler, tasks, last->key, error);
}

/* Adds a task that goes on from what was done, with what the person has to say about it; a run that
 * was finished is taken up again. Words of the command: key of a task, or nothing for the whole
 * run; the text.
 */
char *
fore_inbox_follow_up (ForeInbox *self, const ForeCommand *command, GError **error)
{
  guint n = command->args != NULL ? g_strv_length (command->args) : 0;
  const char *key = n > 0 && *command->args[0] != '\0' ? command->args[0] : NULL;
  const char *text = n > 1 ? command->args[1] : "";
  g_autoptr (GPtrArray) before = NULL;
  const ForeTask *author;
  ForeTask *task;

  if (!check_run (fore_inbox_get_run (self), error)
      || (before = list_before (self, key, error)) == NULL)
    return NULL;

  author = find_author (self, before, text);
  if (author == NULL || *text == '\0')
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_REFUSED,
                           *text == '\0' ? _ ("Say what is to be done.")
                                         : _ ("No agent wrote anything in this run; start a new "
                                              "run instead."));
      return NULL;
    }

  task = make_task (self, "follow-up", author, before, text, error);
  if (task == NULL)
    return NULL;
  if (!add_task (self, task, before, error))
    {
      fore_task_free (task);
      return NULL;
    }

  return g_strdup_printf (_ ("Added “%s”"), task->key);
}

static gboolean
is_built_on (GPtrArray *tasks, const ForeTask *task)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *other = g_ptr_array_index (tasks, i);

      if (other->status == FORE_TASK_COMPLETED && other->depends_on != NULL
          && g_strv_contains ((const char *const *) other->depends_on, task->key))
        return TRUE;
    }

  return FALSE;
}

/* What nobody else has put together yet. */
static GPtrArray *
list_ends (ForeInbox *self)
{
  GPtrArray *tasks = fore_run_state_get_tasks (fore_inbox_get_state (self));
  GPtrArray *ends = g_ptr_array_new ();

  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      if (task->status == FORE_TASK_COMPLETED && task->base != NULL && !is_built_on (tasks, task))
        g_ptr_array_add (ends, task);
    }

  return ends;
}

/* Adds a task that starts from all that was done and resolves what does not fit together; who does
 * that is read from the answer to the request.
 */
gboolean
fore_inbox_add_resolver (ForeInbox *self, GError **error)
{
  static const char text[] = "Put the work of all tasks together: resolve the conflicts between "
                             "them, and change nothing else.";
  g_autoptr (GPtrArray) before = list_ends (self);
  const ForeTask *author = find_author (self, before, text);
  ForeTask *task;

  if (author == NULL && before->len > 0)
    author = g_ptr_array_index (before, 0);
  if (author == NULL)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_REFUSED,
                           _ ("Nothing that was done is left to put together."));
      return FALSE;
    }

  task = make_task (self, FORE_CONFLICT_RESOLVER, author, before, text, error);
  if (task == NULL)
    return FALSE;

  fore_set_str (&task->title, _ ("Resolve the conflicts"));
  if (add_task (self, task, before, error))
    return TRUE;

  fore_task_free (task);
  return FALSE;
}
