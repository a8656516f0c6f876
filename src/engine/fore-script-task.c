/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From what a script says of a task to the task. */

#include "config.h"

#include "engine/fore-script-task.h"

#include "agents/fore-adapter.h"
#include "engine/fore-helper.h"
#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"
#include "text/fore-json.h"
#include "text/fore-plain-line.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define NAME_CHARS 30
#define TITLE_CHARS 60
#define MAX_RETRIES 20
#define MAX_CHECKS 50

static const char *
get (JsonObject *wish, const char *member)
{
  const char *text = fore_json_get_string (wish, member, NULL);

  return text != NULL && *text != '\0' ? text : NULL;
}

static gboolean
is_command (JsonObject *wish)
{
  return g_strcmp0 (get (wish, "do"), "command") == 0;
}

/* Letters and digits of a name, and a hyphen for what lies between them. */
static char *
dup_slug (const char *name)
{
  g_autoptr (GString) slug = g_string_new (NULL);

  for (const char *c = name; *c != '\0' && slug->len < NAME_CHARS; c++)
    {
      if (g_ascii_isalnum (*c))
        g_string_append_c (slug, g_ascii_tolower (*c));
      else if (slug->len > 0 && slug->str[slug->len - 1] != '-')
        g_string_append_c (slug, '-');
    }
  while (slug->len > 0 && slug->str[slug->len - 1] == '-')
    g_string_truncate (slug, slug->len - 1);

  return slug->len > 0 ? g_string_free (g_steal_pointer (&slug), FALSE) : g_strdup ("task");
}

static char *
make_key (ForeRunState *state, const char *name)
{
  g_autofree char *slug = dup_slug (name);
  g_autofree char *key = g_strdup (slug);

  for (guint n = 2; fore_run_state_find_task (state, key) != NULL; n++)
    {
      g_free (key);
      key = g_strdup_printf ("%s-%u", slug, n);
    }

  return g_steal_pointer (&key);
}

static const char *
choose_role (const ForeRunContext *context, JsonObject *wish)
{
  const char *role = get (wish, "role");

  if (role != NULL || is_command (wish))
    return role != NULL ? role : "command";
  if (context->roles == NULL || context->roles[0] == NULL)
    return NULL;

  return g_strv_contains ((const char *const *) context->roles, "executor") ? "executor"
                                                                            : context->roles[0];
}

/* What it builds on is done. */
static gboolean
check_after (ForeRunState *state, GStrv after, GError **error)
{
  for (guint i = 0; after != NULL && after[i] != NULL; i++)
    {
      const ForeTask *task = fore_run_state_find_task (state, after[i]);

      if (task == NULL)
        g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("There is no task “%s”."),
                     after[i]);
      else if (task->status != FORE_TASK_COMPLETED)
        g_set_error (error, FORE_ERROR, FORE_ERROR_REFUSED,
                     _ ("“%s” is %s; nothing can build on it."), after[i],
                     fore_task_status_to_string (task->status));
      else
        continue;
      return FALSE;
    }

  return TRUE;
}

static gboolean
check_role (const ForeRunContext *context, const ForeTask *task, JsonObject *wish, GError **error)
{
  g_autofree char *roles = NULL;
  const char *agent = get (wish, "agent");

  if (agent != NULL && fore_library_get_agent (context->library, agent) == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND, _ ("There is no agent “%s”."), agent);
      return FALSE;
    }
  if (agent != NULL || is_command (wish)
      || (task->role != NULL && g_strv_contains ((const char *const *) context->roles, task->role)))
    return TRUE;

  roles = g_strjoinv (", ", context->roles);
  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               _ ("The team has no role “%s”; there are: %s."),
               task->role != NULL ? task->role : "", roles);
  return FALSE;
}

static gboolean
bind_command (ForeTask *task, JsonObject *wish, GError **error)
{
  task->command = fore_json_dup_strv (wish, "run");
  if (task->command == NULL || task->command[0] == NULL)
    {
      g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                           _ ("“run” has to be a list of words, the program first."));
      return FALSE;
    }

  g_clear_pointer (&task->agent, g_free);
  g_clear_pointer (&task->model, g_free);
  fore_set_str (&task->cli, "command");
  task->writes = TRUE;
  return TRUE;
}

static gboolean
bind_agent (ForeTask *task, JsonObject *wish, GError **error)
{
  const char *cli = get (wish, "cli");
  const ForeAdapter *adapter;

  if (get (wish, "agent") != NULL)
    fore_set_str (&task->agent, get (wish, "agent"));
  if (cli != NULL)
    fore_set_str (&task->cli, cli);
  if (get (wish, "model") != NULL)
    fore_set_str (&task->model, get (wish, "model"));

  adapter = task->cli != NULL ? fore_adapter_lookup (task->cli) : NULL;
  if (adapter != NULL && adapter->program != NULL)
    return TRUE;

  if (task->cli == NULL)
    g_set_error_literal (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
                         _ ("No agent was found on this machine; install one and try again."));
  else
    g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE, _ ("There is no agent CLI “%s”."), task->cli);
  return FALSE;
}

static void
add_own_checks (ForeTask *task, ForeSettings *settings)
{
  GPtrArray *commands = fore_settings_get_commands (settings, "checks.commands");

  for (guint i = 0; commands != NULL && i < commands->len; i++)
    g_ptr_array_add (task->checks, fore_check_new (g_ptr_array_index (commands, i)));
}

/* Commands, or `true` for those of the project. */
static gboolean
add_checks (ForeTask *task, ForeSettings *settings, JsonObject *wish, GError **error)
{
  JsonArray *checks = fore_json_get_array (wish, "checks");

  if (fore_json_get_bool (wish, "checks", FALSE))
    add_own_checks (task, settings);

  for (guint i = 0; checks != NULL && i < json_array_get_length (checks) && i < MAX_CHECKS; i++)
    {
      JsonNode *node = json_array_get_element (checks, i);
      g_autoptr (JsonObject) holder = json_object_new ();
      g_auto (GStrv) words = NULL;

      json_object_set_member (holder, "words", json_node_copy (node));
      words = fore_json_dup_strv (holder, "words");
      if (words == NULL || words[0] == NULL)
        {
          g_set_error_literal (error, FORE_ERROR, FORE_ERROR_USAGE,
                               _ ("“checks” has to be a list of commands, each a list of words."));
          return FALSE;
        }
      g_ptr_array_add (task->checks, fore_check_new ((const char *const *) words));
    }

  return TRUE;
}

static char *
dup_title (JsonObject *wish, const ForeTask *task)
{
  const char *title = get (wish, "title");
  g_autofree char *line = task->command != NULL ? g_strjoinv (" ", task->command) : NULL;

  if (title == NULL)
    title = line != NULL ? line : task->text;

  return fore_plain_line_dup (title, TITLE_CHARS);
}

static void
choose_writes (ForeTask *task, JsonObject *wish)
{
  if (json_object_has_member (wish, "writes"))
    task->writes = fore_json_get_bool (wish, "writes", task->writes);
  task->live = fore_json_get_bool (wish, "live", FALSE);
  task->retries = (int) CLAMP (fore_json_get_int (wish, "retries", -1), -1, MAX_RETRIES);
}

/**
 * fore_script_task_make:
 * @services: what all attempts of the run share
 * @script: the task of the script
 * @call: its call
 * @wish: what it says
 * @error: return location for an error, a sentence for whoever wrote the script
 *
 * Returns: (transfer full): a task for the scheduler, or %NULL
 */
ForeTask *
fore_script_task_make (const ForeAttemptServices *services,
                       const ForeTask *script,
                       const char *call,
                       JsonObject *wish,
                       GError **error)
{
  ForeRunContext *context = services->context;
  g_autoptr (ForeTask) task = NULL;
  g_autofree char *key = NULL;
  const char *name;

  g_return_val_if_fail (script != NULL && call != NULL && wish != NULL, NULL);

  name = get (wish, "name") != NULL            ? get (wish, "name")
         : get (wish, "title") != NULL         ? get (wish, "title")
         : choose_role (context, wish) != NULL ? choose_role (context, wish)
                                               : "task";
  key = make_key (services->state, name);
  task = fore_task_new (key);
  task->role = g_strdup (choose_role (context, wish));
  task->text = g_strdup (get (wish, "task") != NULL ? get (wish, "task") : "");
  task->step = fore_helper_dup_step (script->key, call);
  task->position = fore_run_state_get_tasks (services->state)->len;
  task->depends_on = fore_json_dup_strv (wish, "after");
  task->paths = fore_json_dup_strv (wish, "paths");
  if (task->depends_on == NULL)
    task->depends_on = g_strdupv (script->depends_on);
  if (!check_role (context, task, wish, error)
      || !check_after (services->state, task->depends_on, error)
      || !add_checks (task, context->settings, wish, error))
    return NULL;

  fore_run_context_bind_task (context, task, &fore_run_state_get_run (services->state)->options);
  if (is_command (wish) ? !bind_command (task, wish, error) : !bind_agent (task, wish, error))
    return NULL;

  choose_writes (task, wish);
  task->title = dup_title (wish, task);
  return g_steal_pointer (&task);
}
