/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-hook-call.h"

#include "agents/fore-adapter.h"
#include "engine/fore-event-data.h"
#include "model/fore-error.h"
#include "platform/fore-clock.h"
#include "platform/fore-program.h"
#include "text/fore-json.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define OUTPUT_TAIL 2000
#define SAID_CHARS 300

static JsonObject *
describe_run (const ForeRun *run)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "id", run->id);
  json_object_set_string_member (object, "goal", run->goal);
  json_object_set_string_member (object, "project", run->project);
  json_object_set_string_member (object, "team", run->team);
  json_object_set_string_member (object, "workflow", run->workflow);
  json_object_set_string_member (object, "status", fore_run_status_to_string (run->status));

  return object;
}

static JsonObject *
describe_task (const ForeTask *task)
{
  JsonObject *object = json_object_new ();

  json_object_set_string_member (object, "key", task->key);
  json_object_set_string_member (object, "title", task->title);
  json_object_set_string_member (object, "role", task->role);
  json_object_set_string_member (object, "status", fore_task_status_to_string (task->status));
  json_object_set_string_member (object, "cause", fore_cause_to_string (task->cause));
  json_object_set_int_member (object, "attempts", task->attempts);
  json_object_set_string_member (object, "tree", task->worktree);
  json_object_set_string_member (object, "branch", task->branch);

  return object;
}

static char *
build_input (const char *event, const ForeRun *run, const ForeTask *task, const char *data)
{
  JsonObject *object = json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);
  g_autoptr (JsonNode) details = data != NULL ? fore_json_parse (data, -1, NULL, NULL) : NULL;

  json_object_unref (object);
  json_object_set_string_member (object, "event", event);
  json_object_set_object_member (object, "run", describe_run (run));
  if (task != NULL)
    json_object_set_object_member (object, "task", describe_task (task));
  if (details != NULL)
    json_object_set_member (object, "data", g_steal_pointer (&details));

  return fore_json_to_string (node, FALSE);
}

/**
 * fore_hook_call_new:
 * @hook: what is called; outlives the call
 * @event: the event's name
 * @run: the run that it happens in
 * @task: (nullable): the task that it happens to
 * @data: (nullable): the event's own data, a JSON object
 *
 * Returns: (transfer full): a call that has not begun
 */
ForeHookCall *
fore_hook_call_new (const ForeHookDef *hook,
                    const char *event,
                    const ForeRun *run,
                    const ForeTask *task,
                    const char *data)
{
  ForeHookCall *self;

  g_return_val_if_fail (hook != NULL && event != NULL && run != NULL, NULL);

  self = g_new0 (ForeHookCall, 1);
  self->hook = hook;
  self->event = g_strdup (event);
  self->run = g_strdup (run->id);
  self->task = task != NULL ? g_strdup (task->key) : NULL;
  self->attempt = task != NULL ? task->attempts : 0;
  self->input = build_input (event, run, task, data);
  self->dir = g_strdup (run->project);

  return self;
}

/**
 * fore_hook_call_free:
 * @self: (transfer full): a call
 */
void
fore_hook_call_free (ForeHookCall *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->event);
  g_free (self->run);
  g_free (self->task);
  g_free (self->input);
  g_free (self->dir);
  g_free (self->output);
  g_free (self);
}

static char *
dup_output (ForeRunContext *context, const ForeProgram *program)
{
  gsize length = 0;
  const char *data = program->output != NULL ? g_bytes_get_data (program->output, &length) : "";
  g_autofree char *printed = fore_text_make_valid (data != NULL ? data : "", length);
  g_autofree char *all = g_strconcat (printed, program->errors, NULL);
  g_autofree char *clean = fore_redactor_apply (context->redactor, g_strstrip (all));
  gsize size = strlen (clean);

  return size > OUTPUT_TAIL ? fore_text_make_valid (clean + size - OUTPUT_TAIL, OUTPUT_TAIL)
                            : g_steal_pointer (&clean);
}

static GStrv
build_environ (const ForeHookCall *self)
{
  GStrv env = fore_adapter_build_environ (fore_adapter_lookup ("command"), NULL, self->run,
                                          self->task != NULL ? self->task : "", self->attempt,
                                          NULL);

  return g_environ_setenv (env, "FOREDECK_EVENT", self->event, TRUE);
}

/* As the shell does: what has a slash is a path, from the folder where it starts. */
static GStrv
build_argv (const ForeHookCall *self, const ForeRunContext *context)
{
  GStrv argv = g_strdupv (self->hook->argv);

  if (strchr (argv[0], '/') != NULL && !g_path_is_absolute (argv[0]))
    {
      char *path = g_canonicalize_filename (argv[0], context->project);

      g_free (argv[0]);
      argv[0] = path;
    }

  return argv;
}

/**
 * fore_hook_call_run:
 * @self: a call
 * @context: what the run is carried out with
 * @error: return location for an error
 *
 * Runs the command without a shell, with the call's JSON on its standard input, and ends it with
 * all that it started when its time is over. Blocks: for a thread of a pool.
 *
 * Returns: whether it ended with 0
 */
gboolean
fore_hook_call_run (ForeHookCall *self, ForeRunContext *context, GError **error)
{
  g_auto (ForeProgram) program = { 0 };
  g_auto (GStrv) argv = NULL;
  g_auto (GStrv) env = NULL;
  g_autoptr (GBytes) input = NULL;
  g_autofree char *said = NULL;
  gint64 begin = fore_clock_boot_us ();
  gboolean ended;

  g_return_val_if_fail (self != NULL && context != NULL, FALSE);

  argv = build_argv (self, context);
  env = build_environ (self);
  input = g_bytes_new (self->input, strlen (self->input));
  program.argv = (const char *const *) argv;
  program.envp = (const char *const *) env;
  program.dir = self->dir;
  program.input = input;
  program.timeout_ms = (guint) self->hook->timeout_ms;
  ended = fore_program_run (&program, error);

  self->ms = (fore_clock_boot_us () - begin) / 1000;
  self->exit_code = ended ? program.exit_code : -1;
  self->output = ended ? dup_output (context, &program) : NULL;
  if (!ended)
    {
      self->output = error != NULL ? g_strdup ((*error)->message) : NULL;
      g_prefix_error (error, _ ("The hook “%s” did not end well: "), self->hook->name);
      return FALSE;
    }
  if (self->exit_code == 0)
    return TRUE;

  said = fore_text_shorten (self->output, SAID_CHARS);
  g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED, _ ("The hook “%s” refused (exit %d): %s"),
               self->hook->name, self->exit_code, said);
  return FALSE;
}

/**
 * fore_hook_call_to_data:
 * @self: a call that has run
 *
 * Returns: (transfer full): data of its event
 */
char *
fore_hook_call_to_data (const ForeHookCall *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return fore_event_data_new ("s:name", self->hook->name, "s:on", self->event, "i:exit",
                              (gint64) self->exit_code, "i:ms", self->ms, "s:output",
                              self->output != NULL && self->output[0] != '\0' ? self->output : NULL,
                              NULL);
}

/**
 * fore_hook_calls_ask:
 * @context: what the run is carried out with
 * @run: the run
 * @task: a task that is about to start
 * @tree: folder that it will work in
 * @calls: (element-type ForeHookCall): what was called is added here
 * @error: return location for an error; says which hook refused and what it printed
 *
 * Calls the hooks that block, one after the other, until one refuses. Blocks: for a thread of a
 * pool.
 *
 * Returns: whether the task may start
 */
gboolean
fore_hook_calls_ask (ForeRunContext *context,
                     const ForeRun *run,
                     const ForeTask *task,
                     const char *tree,
                     GPtrArray *calls,
                     GError **error)
{
  GPtrArray *hooks = fore_settings_get_hooks (context->settings);

  for (guint i = 0; hooks != NULL && i < hooks->len; i++)
    {
      const ForeHookDef *hook = g_ptr_array_index (hooks, i);
      ForeHookCall *call;

      if (!fore_hook_def_is_at (hook, FORE_HOOK_TASK_STARTING))
        continue;

      call = fore_hook_call_new (hook, FORE_HOOK_TASK_STARTING, run, task, NULL);
      g_free (call->dir);
      call->dir = g_strdup (tree);
      g_ptr_array_add (calls, call);
      if (!fore_hook_call_run (call, context, error))
        return FALSE;
    }

  return TRUE;
}
