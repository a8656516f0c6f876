/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What scripts call for: tasks, and what they need to know. A script waits like an agent that asked
 * for a helper; the same call of a later attempt is the same task.
 */

#include "config.h"

#include "engine/fore-inbox-private.h"

#include "agents/fore-adapter.h"
#include "engine/fore-event-data.h"
#include "engine/fore-helper.h"
#include "engine/fore-pool.h"
#include "engine/fore-script-task.h"
#include "git/fore-repository.h"
#include "model/fore-error.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define CALL_PREFIX "call:"
#define MAX_FILES 20000
/* An answer is read whole. */
#define MAX_LIST_BYTES (400 * 1024)
#define MAX_TEXT (200 * 1024)

typedef struct
{
  ForeInbox *self;
  ForeTask *script;
  const ForeCall *call;
  JsonObject *said;
} Wish;

static void
refuse (ForeInbox *self, ForeTask *script, const ForeCall *call, const char *text)
{
  g_autofree char *reply_to = g_strconcat (CALL_PREFIX, call->id, NULL);

  fore_scheduler_refuse (self->scheduler, script, reply_to, text);
}

/* A script that waits for something else as well does not stand in line for going on. */
static gboolean
waits_on (ForeInbox *self, const ForeTask *script)
{
  ForeRunState *state = fore_inbox_get_state (self);
  GPtrArray *tasks = fore_run_state_get_tasks (state);

  if (fore_run_state_find_asked (state, script->key, script->attempts) != NULL)
    return TRUE;

  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (fore_helper_is_of (task, script->key, NULL)
          && (fore_task_status_get_class (task->status) != FORE_CLASS_FINISHED
              || task->status == FORE_TASK_NEEDS_ATTENTION))
        return TRUE;
    }

  return FALSE;
}

/* Tells whoever called with that. */
void
fore_inbox_answer_call (ForeInbox *self, ForeTask *task, const char *reply_to, const char *text)
{
  ForeAttemptJob *job = fore_scheduler_find_job (self->scheduler, task->key);

  if (job != NULL && fore_task_is_script (task) && waits_on (self, task))
    fore_attempt_job_deliver (job, reply_to, text);
  else
    fore_scheduler_answer (self->scheduler, task, reply_to, text);
}

static void
answer_object (ForeInbox *self, ForeTask *script, const char *reply_to, JsonObject *object)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *text = fore_json_to_string (node, FALSE);

  json_object_unref (object);
  fore_inbox_answer_call (self, script, reply_to, text);
}

static void
answer (const Wish *wish, JsonObject *object)
{
  g_autofree char *reply_to = g_strconcat (CALL_PREFIX, wish->call->id, NULL);

  answer_object (wish->self, wish->script, reply_to, object);
}

/* Tasks */

static JsonArray *
list_files_of (const ForeTask *task)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; task->files != NULL && i < task->files->len; i++)
    {
      const ForeChange *change = g_ptr_array_index (task->files, i);

      if (g_utf8_validate (change->path, -1, NULL))
        json_array_add_string_element (array, change->path);
    }

  return array;
}

static void
set_known (JsonObject *object, const char *member, gint64 value)
{
  if (value >= 0)
    json_object_set_int_member (object, member, value);
}

static void
set_text (JsonObject *object, const char *member, const char *text)
{
  g_autofree char *cut = NULL;
  g_autofree char *valid = NULL;

  if (text == NULL)
    return;

  cut = g_strndup (text, MIN (strlen (text), MAX_TEXT));
  valid = g_utf8_make_valid (cut, -1);
  json_object_set_string_member (object, member, valid);
}

/* The script is told what became of a task that it called for, whatever that is. */
void
fore_inbox_tell_script (ForeInbox *self,
                        ForeTask *script,
                        const char *reply_to,
                        const ForeTask *task)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "key", task->key);
  json_object_set_string_member (object, "role", task->role != NULL ? task->role : "");
  json_object_set_boolean_member (object, "ok", task->status == FORE_TASK_COMPLETED);
  json_object_set_string_member (object, "status", fore_task_status_to_string (task->status));
  set_text (object, "text", task->result != NULL ? task->result : "");
  set_text (object, "message", task->message);
  json_object_set_string_member (object, "verified", fore_verified_to_string (task->verified));
  json_object_set_boolean_member (object, "changed", task->effect == FORE_EFFECT_CHANGED);
  json_object_set_array_member (object, "files", list_files_of (task));
  set_known (object, "tokens", fore_usage_get_tokens (&task->usage));
  if (task->usage.cost >= 0)
    json_object_set_double_member (object, "cost", task->usage.cost / 1e6);
  if (task->finished > task->started && task->started > 0)
    json_object_set_double_member (object, "seconds",
                                   (double) (task->finished - task->started) / G_USEC_PER_SEC);
  answer_object (self, script, reply_to, object);
}

/* A person wanted the script tried again, that had failed for what is lost. */
static gboolean
is_tried_again (const Wish *wish)
{
  const ForeAttempt *before = fore_run_state_find_attempt (
      fore_inbox_get_state (wish->self), wish->script->key, wish->script->attempts - 1);

  return before != NULL && before->cause == FORE_CAUSE_ERROR;
}

static gboolean
is_lost (const ForeTask *task)
{
  return task->status == FORE_TASK_FAILED || task->status == FORE_TASK_CANCELLED
         || task->status == FORE_TASK_SKIPPED;
}

static ForeTask *
find_same (const Wish *wish)
{
  gboolean again = is_tried_again (wish);
  GPtrArray *tasks = fore_run_state_get_tasks (fore_inbox_get_state (wish->self));

  for (guint i = 0; i < tasks->len; i++)
    {
      ForeTask *task = g_ptr_array_index (tasks, i);

      if (fore_helper_is_of (task, wish->script->key, wish->call->id) && !(again && is_lost (task)))
        return task;
    }

  return NULL;
}

static ForeTask *
add_task (const Wish *wish, GError **error)
{
  g_autoptr (GPtrArray) tasks = g_ptr_array_new ();
  ForeTask *task;

  task = fore_script_task_make (wish->self->services, wish->script, wish->call->id, wish->said,
                                error);
  if (task == NULL)
    return NULL;

  g_ptr_array_add (tasks, task);
  if (fore_scheduler_add_tasks (wish->self->scheduler, tasks, NULL, error))
    return task;

  fore_task_free (task);
  return NULL;
}

static gboolean
is_over (const ForeTask *task)
{
  return fore_task_status_get_class (task->status) == FORE_CLASS_FINISHED
         && task->status != FORE_TASK_NEEDS_ATTENTION;
}

static void
do_task (const Wish *wish)
{
  g_autofree char *reply_to = g_strconcat (CALL_PREFIX, wish->call->id, NULL);
  g_autoptr (GError) error = NULL;
  ForeTask *task = find_same (wish);

  if (task == NULL)
    task = add_task (wish, &error);

  if (task == NULL)
    refuse (wish->self, wish->script, wish->call, error->message);
  else if (is_over (task))
    fore_inbox_tell_script (wish->self, wish->script, reply_to, task);
  else
    fore_inbox_wait_for_helper (wish->self, wish->script, reply_to, task);
}

/* What a script needs to know */

static JsonArray *
list_roles (const ForeRunContext *context)
{
  JsonArray *array = json_array_new ();

  for (guint i = 0; context->roles != NULL && context->roles[i] != NULL; i++)
    json_array_add_string_element (array, context->roles[i]);

  return array;
}

static JsonNode *
parse_args (const ForeRunContext *context)
{
  JsonNode *node = context->script_args != NULL
                       ? fore_json_parse (context->script_args, -1, NULL, NULL)
                       : NULL;
  JsonObject *none;

  if (node != NULL)
    return node;

  none = json_object_new ();
  node = json_node_init_object (json_node_alloc (), none);
  json_object_unref (none);
  return node;
}

/* The seed is the same for every attempt, and another one for every run. */
static void
do_start (const Wish *wish)
{
  const ForeRun *run = fore_inbox_get_run (wish->self);
  const ForeRunContext *context = wish->self->services->context;
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "goal", run->goal);
  json_object_set_string_member (object, "run", run->id);
  json_object_set_string_member (object, "project", run->project);
  json_object_set_member (object, "args", parse_args (context));
  json_object_set_array_member (object, "roles", list_roles (context));
  json_object_set_int_member (object, "seed", run->created ^ (gint64) g_str_hash (run->id));
  json_object_set_int_member (object, "steps",
                              fore_settings_get_int (context->settings, "limits.script_steps")
                                  * 1000 * 1000);
  json_object_set_int_member (object, "memory",
                              fore_settings_get_size (context->settings, "limits.script_memory"));
  answer (wish, object);
}

static void
set_left (JsonObject *object, const char *member, double limit, double spent)
{
  if (limit > 0)
    json_object_set_double_member (object, member, MAX (limit - spent, 0));
}

static void
do_budget (const Wish *wish)
{
  const ForeRun *run = fore_inbox_get_run (wish->self);
  const ForeRunOptions *options = &run->options;
  gint64 tokens = MAX (fore_usage_get_tokens (&run->usage), 0);
  double cost = (double) MAX (run->usage.cost, 0) / 1e6;
  JsonObject *object = json_object_new ();

  json_object_set_int_member (object, "spent_tokens", tokens);
  json_object_set_double_member (object, "spent_cost", cost);
  set_known (object, "tokens", options->budget_tokens > 0 ? options->budget_tokens : -1);
  if (options->budget_cost > 0)
    json_object_set_double_member (object, "cost", options->budget_cost / 1e6);
  set_left (object, "left_tokens", (double) options->budget_tokens, (double) tokens);
  set_left (object, "left_cost", options->budget_cost / 1e6, cost);
  answer (wish, object);
}

static void
do_phase (const Wish *wish)
{
  const char *title = fore_json_get_string (wish->said, "title", "");

  fore_run_state_emit (
      fore_inbox_get_state (wish->self), FORE_EVENT_SCRIPT_PHASE, wish->script->key,
      wish->script->attempts,
      fore_event_data_new ("s:title", title, "i:n", (gint64) wish->self->n_script_calls, NULL));
  fore_run_state_set_phase (fore_inbox_get_state (wish->self), wish->script, FORE_PHASE_AGENT,
                            title);
  fore_inbox_answer_when_durable (wish->self, wish->script, wish->call->id, "{}");
}

/* Files */

typedef struct
{
  ForeInbox *self;
  char *script;
  char *call;
  char *project;
  char *commit;
  char *pattern;
} Listing;

static void
listing_free (Listing *listing)
{
  g_object_unref (listing->self);
  g_free (listing->script);
  g_free (listing->call);
  g_free (listing->project);
  g_free (listing->commit);
  g_free (listing->pattern);
  g_free (listing);
}

static char *
dup_list (GPtrArray *paths, const char *pattern, GError **error)
{
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autofree char *text = NULL;

  for (guint i = 0; i < paths->len; i++)
    json_array_add_string_element (array, g_ptr_array_index (paths, i));
  json_object_set_array_member (object, "files", array);
  json_object_unref (object);
  text = fore_json_to_string (node, FALSE);
  if (strlen (text) <= MAX_LIST_BYTES)
    return g_steal_pointer (&text);

  g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
               _ ("More than %u files fit “%s”; say more closely which."), paths->len, pattern);
  return NULL;
}

static void
list_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Listing *listing = data;
  g_autoptr (ForeRepository) repository = NULL;
  g_autoptr (GPtrArray) paths = NULL;
  GError *error = NULL;
  char *text = NULL;

  repository = fore_repository_open (listing->project, &error);
  if (repository != NULL)
    paths = fore_repository_list_files (repository, listing->commit, listing->pattern, MAX_FILES,
                                        &error);
  if (paths != NULL)
    text = dup_list (paths, listing->pattern, &error);

  if (text != NULL)
    g_task_return_pointer (task, text, g_free);
  else
    g_task_return_error (task, error);
}

static void
listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const Listing *listing = g_task_get_task_data (G_TASK (result));
  g_autoptr (ForeInbox) self = g_object_ref (listing->self);
  ForeTask *script = fore_run_state_find_task (fore_inbox_get_state (self), listing->script);
  g_autofree char *reply_to = g_strconcat (CALL_PREFIX, listing->call, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_task_propagate_pointer (G_TASK (result), &error);

  if (script == NULL || self->scheduler == NULL)
    return;

  if (text != NULL)
    fore_inbox_answer_call (self, script, reply_to, text);
  else
    fore_scheduler_refuse (self->scheduler, script, reply_to, error->message);
}

static void
do_files (const Wish *wish)
{
  const ForeRun *run = fore_inbox_get_run (wish->self);
  g_autoptr (GTask) task = NULL;
  Listing *listing;

  if (run->base_commit == NULL)
    {
      refuse (wish->self, wish->script, wish->call,
              _ ("The project is no git repository with a commit; its files cannot be listed."));
      return;
    }

  listing = g_new0 (Listing, 1);
  listing->self = g_object_ref (wish->self);
  listing->script = g_strdup (wish->script->key);
  listing->call = g_strdup (wish->call->id);
  listing->project = g_strdup (run->project);
  listing->commit = g_strdup (run->base_commit);
  listing->pattern = g_strdup (fore_json_get_string (wish->said, "pattern", "*"));
  task = g_task_new (NULL, NULL, listed, NULL);
  g_task_set_name (task, "list files for a script");
  g_task_set_source_tag (task, do_files);
  g_task_set_task_data (task, listing, (GDestroyNotify) listing_free);
  fore_pool_run (FORE_POOL_GIT, task, list_in_thread);
}

static const struct
{
  const char *word;
  void (*carry_out) (const Wish *wish);
} verbs[] = {
  { "start", do_start },   { "agent", do_task },  { "command", do_task },
  { "budget", do_budget }, { "phase", do_phase }, { "files", do_files },
};

static gboolean
check_count (ForeInbox *self, ForeTask *script, const ForeCall *call)
{
  gint64 limit = fore_settings_get_int (self->services->context->settings, "limits.script_calls");
  g_autofree char *text = NULL;

  if (++self->n_script_calls <= limit)
    return TRUE;

  text = g_strdup_printf (_ ("The script has called %d times, which is all that "
                             "limits.script_calls allows."),
                          (int) limit);
  refuse (self, script, call, text);
  return FALSE;
}

/* The script of @script, and nobody else, calls for something; text of the call: JSON. */
void
fore_inbox_script_called (ForeInbox *self, ForeTask *script, const ForeCall *call)
{
  g_autoptr (JsonNode) node = fore_json_parse (call->text, -1, NULL, NULL);
  const char *word;
  Wish wish = { self, script, call, NULL };

  if (!fore_task_is_script (script) || node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      refuse (self, script, call, _ ("Only a script can call for that."));
      return;
    }
  if (!check_count (self, script, call))
    return;

  wish.said = json_node_get_object (node);
  word = fore_json_get_string (wish.said, "do", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    {
      if (g_strcmp0 (verbs[i].word, word) == 0)
        {
          verbs[i].carry_out (&wish);
          return;
        }
    }

  refuse (self, script, call, _ ("There is no such call; the script is for a newer Foredeck."));
}
