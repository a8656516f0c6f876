/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-workflow-step.h"

#include <string.h>

#include "library/fore-role.h"

#define MAX_ID 40
#define DEFAULT_PRE_TIMEOUT 30000

/**
 * fore_workflow_step_id_is_valid:
 * @id: an id
 *
 * Tells whether @id may be a task key: 1 to 40 small letters, digits and dashes, not `result`.
 *
 * Returns: %TRUE if it may
 */
gboolean
fore_workflow_step_id_is_valid (const char *id)
{
  gsize length;

  g_return_val_if_fail (id != NULL, FALSE);

  length = strspn (id, "abcdefghijklmnopqrstuvwxyz0123456789-");
  return length > 0 && length <= MAX_ID && id[length] == '\0' && id[0] != '-'
         && strcmp (id, "result") != 0;
}

static GPtrArray *
commands_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
}

/**
 * fore_workflow_step_new:
 * @id: its id
 * @role: (nullable): its role, %NULL for that of the same name as @id
 *
 * Makes a step whose task is the goal.
 *
 * Returns: (transfer full): the step
 */
ForeWorkflowStep *
fore_workflow_step_new (const char *id, const char *role)
{
  ForeWorkflowStep *self;

  g_return_val_if_fail (id != NULL, NULL);

  self = g_new0 (ForeWorkflowStep, 1);
  self->id = g_strdup (id);
  self->role = g_strdup (role != NULL ? role : id);
  self->task = g_strdup ("{goal}");
  self->depends_on = g_new0 (char *, 1);
  self->checks = commands_new ();
  self->retries = -1;
  self->writes = FORE_UNSET;
  self->worktree = FORE_UNSET;
  self->gate = FORE_UNSET;
  self->spec_strict = FORE_UNSET;
  self->pre_timeout = DEFAULT_PRE_TIMEOUT;

  return self;
}

static void
copy_texts (ForeWorkflowStep *copy, const ForeWorkflowStep *self)
{
  copy->title = g_strdup (self->title);
  copy->agent = g_strdup (self->agent);
  g_free (copy->task);
  copy->task = g_strdup (self->task);
  copy->group = g_strdup (self->group);
  copy->phase = g_strdup (self->phase);
  copy->output = g_strdup (self->output);
  copy->cli = g_strdup (self->cli);
  copy->model = g_strdup (self->model);
  copy->thinking = g_strdup (self->thinking);
  copy->on_failure = g_strdup (self->on_failure);
  copy->pre_script = g_strdup (self->pre_script);
  copy->progress = g_strdup (self->progress);
}

static void
copy_extra (ForeWorkflowStep *copy, const ForeWorkflowStep *self)
{
  GHashTableIter iter;
  gpointer key, value;

  if (self->extra == NULL)
    return;

  g_hash_table_iter_init (&iter, self->extra);
  while (g_hash_table_iter_next (&iter, &key, &value))
    fore_workflow_step_add_extra (copy, key, value);
}

static void
copy_lists (ForeWorkflowStep *copy, const ForeWorkflowStep *self)
{
  g_strfreev (copy->depends_on);
  copy->depends_on = g_strdupv (self->depends_on);
  copy->reads = g_strdupv (self->reads);
  copy->paths = g_strdupv (self->paths);
  copy->seed_paths = g_strdupv (self->seed_paths);
  copy->command = g_strdupv (self->command);
  copy->fallback = g_strdupv (self->fallback);
  copy->skills = g_strdupv (self->skills);
  copy->spec_refs = g_strdupv (self->spec_refs);
  copy->pre_args = g_strdupv (self->pre_args);

  for (guint i = 0; i < self->checks->len; i++)
    g_ptr_array_add (copy->checks, g_strdupv (self->checks->pdata[i]));

  copy_extra (copy, self);
}

/**
 * fore_workflow_step_copy:
 * @self: a step
 *
 * Copies a step.
 *
 * Returns: (transfer full): the copy
 */
ForeWorkflowStep *
fore_workflow_step_copy (const ForeWorkflowStep *self)
{
  ForeWorkflowStep *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = fore_workflow_step_new (self->id, self->role);
  copy_texts (copy, self);
  copy_lists (copy, self);
  copy->no_skills = self->no_skills;
  copy->retries = self->retries;
  copy->time_limit = self->time_limit;
  copy->max_turns = self->max_turns;
  copy->max_tokens = self->max_tokens;
  copy->live = self->live;
  copy->writes = self->writes;
  copy->worktree = self->worktree;
  copy->verify = self->verify;
  copy->adaptive = self->adaptive;
  copy->gate = self->gate;
  copy->spec_strict = self->spec_strict;
  copy->pre_timeout = self->pre_timeout;
  copy->pre_optional = self->pre_optional;
  copy->line = self->line;
  copy->role_line = self->role_line;
  copy->agent_line = self->agent_line;
  copy->cli_line = self->cli_line;
  copy->worktree_line = self->worktree_line;
  copy->skills_line = self->skills_line;
  copy->depends_line = self->depends_line;

  return copy;
}

/**
 * fore_workflow_step_free:
 * @self: (transfer full): a step
 *
 * Frees a step.
 */
void
fore_workflow_step_free (ForeWorkflowStep *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->id);
  g_free (self->title);
  g_free (self->role);
  g_free (self->agent);
  g_free (self->task);
  g_strfreev (self->depends_on);
  g_free (self->group);
  g_free (self->phase);
  g_free (self->output);
  g_strfreev (self->reads);
  g_strfreev (self->paths);
  g_strfreev (self->seed_paths);
  g_free (self->cli);
  g_strfreev (self->command);
  g_free (self->model);
  g_strfreev (self->fallback);
  g_free (self->thinking);
  g_strfreev (self->skills);
  g_ptr_array_unref (self->checks);
  g_free (self->on_failure);
  g_strfreev (self->spec_refs);
  g_free (self->pre_script);
  g_strfreev (self->pre_args);
  g_free (self->progress);
  g_clear_pointer (&self->extra, g_hash_table_unref);
  g_free (self);
}

/**
 * fore_workflow_step_add_extra:
 * @self: a step
 * @key: a key that nobody knows
 * @value: what it says
 *
 * Keeps what the file says beyond the keys that are known.
 */
void
fore_workflow_step_add_extra (ForeWorkflowStep *self, const char *key, const char *value)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (key != NULL && value != NULL);

  if (self->extra == NULL)
    self->extra = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  g_hash_table_insert (self->extra, g_strdup (key), g_strdup (value));
}

/**
 * fore_workflow_step_get_title:
 * @self: a step
 *
 * Gets the text that stands for @self in front of people.
 *
 * Returns: (transfer none): its title, or its id
 */
const char *
fore_workflow_step_get_title (const ForeWorkflowStep *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->title != NULL ? self->title : self->id;
}

/**
 * fore_workflow_step_is_command:
 * @self: a step
 *
 * Tells whether @self runs a program of its own instead of an agent.
 *
 * Returns: %TRUE if it does
 */
gboolean
fore_workflow_step_is_command (const ForeWorkflowStep *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return g_strcmp0 (self->cli, "command") == 0;
}

/**
 * fore_workflow_step_is_script:
 * @self: a step
 *
 * Returns: whether it carries a script out instead of having an agent
 */
gboolean
fore_workflow_step_is_script (const ForeWorkflowStep *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return g_strcmp0 (self->cli, "script") == 0;
}

/**
 * fore_workflow_step_is_plain:
 * @self: a step
 *
 * Tells whether the task that was made of @self says all that is needed to carry it out: nothing
 * of agent, model, skills, limits, gate, failures, files or scripts is particular to it.
 *
 * Returns: %TRUE if it is so
 */
gboolean
fore_workflow_step_is_plain (const ForeWorkflowStep *self)
{
  g_return_val_if_fail (self != NULL, FALSE);

  return (self->cli == NULL || fore_workflow_step_is_command (self)) && !self->adaptive
         && self->agent == NULL && self->model == NULL && self->thinking == NULL
         && self->skills == NULL && !self->no_skills && self->on_failure == NULL
         && self->time_limit == 0 && self->max_turns == 0 && self->max_tokens == 0
         && self->gate == FORE_UNSET && self->fallback == NULL && self->output == NULL
         && self->reads == NULL && self->seed_paths == NULL && self->spec_refs == NULL
         && self->pre_script == NULL;
}

/**
 * fore_workflow_step_is_read_only:
 * @self: a step
 * @agent: (nullable): the agent that carries it out
 *
 * Tells whether @self may only read: what the step says counts first, then what
 * fore_role_is_read_only_with_agent() says.
 *
 * Returns: %TRUE if it may not write
 */
gboolean
fore_workflow_step_is_read_only (const ForeWorkflowStep *self, const ForeAgentDef *agent)
{
  g_return_val_if_fail (self != NULL, TRUE);

  if (self->writes != FORE_UNSET)
    return self->writes == FORE_NO;

  return fore_role_is_read_only_with_agent (self->role, agent);
}

typedef struct
{
  const char *name;
  const char *value;
} Template;

/* One pass, so that a goal that holds a template is never expanded itself. */
static char *
expand (const char *text, const Template *templates, guint n_templates, gboolean *found)
{
  GString *result = g_string_new (NULL);

  while (*text != '\0')
    {
      guint i = n_templates;

      if (*text == '{')
        {
          for (i = 0; i < n_templates; i++)
            {
              if (g_str_has_prefix (text, templates[i].name))
                break;
            }
        }

      if (i < n_templates)
        {
          g_string_append (result, templates[i].value != NULL ? templates[i].value : "");
          text += strlen (templates[i].name);
          *found = TRUE;
        }
      else
        g_string_append_c (result, *text++);
    }

  return g_string_free (result, FALSE);
}

/**
 * fore_workflow_step_dup_task:
 * @self: a step
 * @goal: the goal of the run
 *
 * Gets the text for the agent with `{goal}` filled in.
 *
 * Returns: (transfer full): the text
 */
char *
fore_workflow_step_dup_task (const ForeWorkflowStep *self, const char *goal)
{
  const Template templates[] = { { "{goal}", goal } };
  gboolean found = FALSE;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (goal != NULL, NULL);

  return expand (self->task, templates, G_N_ELEMENTS (templates), &found);
}

/**
 * fore_workflow_step_dup_command:
 * @self: a step that is a command
 * @prompt: (nullable): the prompt
 * @prompt_file: (nullable): path of a file that holds it
 * @goal: (nullable): the goal of the run
 * @needs_stdin: (out) (optional): whether the prompt belongs on its standard input, because no
 *   template says where else
 *
 * Gets the argv of a command with the templates filled in. No shell ever sees it.
 *
 * Returns: (transfer full) (nullable): argv, or %NULL if @self is no command
 */
GStrv
fore_workflow_step_dup_command (const ForeWorkflowStep *self,
                                const char *prompt,
                                const char *prompt_file,
                                const char *goal,
                                gboolean *needs_stdin)
{
  const Template templates[]
      = { { "{prompt}", prompt }, { "{prompt-file}", prompt_file }, { "{goal}", goal } };
  g_autoptr (GStrvBuilder) builder = NULL;
  gboolean found = FALSE;

  g_return_val_if_fail (self != NULL, NULL);

  if (self->command == NULL)
    return NULL;

  builder = g_strv_builder_new ();
  for (guint i = 0; self->command[i] != NULL; i++)
    {
      g_autofree char *word = expand (self->command[i], templates, G_N_ELEMENTS (templates),
                                      &found);

      g_strv_builder_add (builder, word);
    }
  if (needs_stdin != NULL)
    *needs_stdin = !found;

  return g_strv_builder_end (builder);
}
