/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-workflow-check.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "model/fore-error.h"
#include "model/fore-nearest.h"
#include "text/fore-text.h"

/* Longest trail that is written out; the rest of a longer circle is left to the reader. */
#define MAX_TRAIL 20

typedef struct
{
  ForeWorkflow *workflow;
  const ForeTeam *team;
  ForeLibrary *library;
  GPtrArray *found;
} Check;

static void add_error (Check *check, guint line, const char *key, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static void
add_error (Check *check, guint line, const char *key, const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);

  fore_diagnostics_add (check->found, FORE_DIAGNOSTIC_ERROR, check->workflow->source.path, line,
                        line > 0 ? 1 : 0, key, "%s", message);
}

static void
check_id (Check *check, const ForeWorkflowStep *step)
{
  const ForeWorkflowStep *first = fore_workflow_get_step (check->workflow, step->id);

  if (strcmp (step->id, "result") == 0)
    add_error (check, step->line, step->id,
               _ ("A step may not be called `result`: that is the name of the merged work. Rename "
                  "it."));
  else if (!fore_workflow_step_id_is_valid (step->id))
    add_error (check, step->line, step->id,
               _ ("`%s` is no usable id of a step. Use 1 to 40 small letters, digits and dashes."),
               step->id);
  else if (first != step)
    add_error (check, step->line, step->id,
               _ ("There are two steps `%s`, the first in line %u. Rename one of them."), step->id,
               first->line);
}

static const char *
nearest_step (Check *check, const char *id)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  for (guint i = 0; i < check->workflow->steps->len; i++)
    {
      const ForeWorkflowStep *step = check->workflow->steps->pdata[i];

      g_ptr_array_add (ids, step->id);
    }
  g_ptr_array_add (ids, NULL);

  return fore_nearest_word (id, (const char *const *) ids->pdata);
}

static void
check_dependencies (Check *check, const ForeWorkflowStep *step)
{
  for (guint i = 0; step->depends_on[i] != NULL; i++)
    {
      const char *id = step->depends_on[i], *nearest;

      if (fore_workflow_get_step (check->workflow, id) != NULL
          || fore_diagnostics_count (check->found, FORE_DIAGNOSTIC_ERROR) > MAX_TRAIL)
        continue;

      nearest = nearest_step (check, id);
      if (nearest != NULL)
        add_error (check, step->depends_line, "dependsOn",
                   _ ("The step `%s` depends on `%s`, which is no step. Did you mean `%s`?"),
                   step->id, id, nearest);
      else
        add_error (check, step->depends_line, "dependsOn",
                   _ ("The step `%s` depends on `%s`, which is no step. Add it or remove the "
                      "dependency."),
                   step->id, id);
    }
}

static guint
role_line (const ForeWorkflowStep *step)
{
  return step->role_line > 0 ? step->role_line : step->line;
}

static void
check_role (Check *check, const ForeWorkflowStep *step)
{
  g_autoptr (GPtrArray) names = NULL;
  g_autofree char *list = NULL;

  if (check->team == NULL || fore_team_get_role (check->team, step->role) != NULL)
    return;

  names = g_ptr_array_new ();
  for (guint i = 0; i < check->team->roles->len; i++)
    {
      const ForeTeamRole *role = check->team->roles->pdata[i];

      g_ptr_array_add (names, role->name);
    }
  g_ptr_array_add (names, NULL);
  list = names->len > 1 ? g_strjoinv (", ", (char **) names->pdata) : g_strdup (_ ("no role"));
  add_error (check, role_line (step), "role",
             _ ("The step `%s` wants the role `%s`, which the team `%s` does not have. It has: "
                "%s."),
             step->id, step->role, check->team->name, list);
}

static const char *
agent_name (Check *check, const ForeWorkflowStep *step)
{
  const ForeTeamRole *role;

  if (step->agent != NULL)
    return step->agent;
  if (check->team == NULL)
    return NULL;

  role = fore_team_get_role (check->team, step->role);
  return role != NULL ? role->agent : NULL;
}

static guint
agent_line (const ForeWorkflowStep *step)
{
  return step->agent_line > 0 ? step->agent_line : role_line (step);
}

static void
check_agent (Check *check, const ForeWorkflowStep *step)
{
  const char *name = agent_name (check, step);
  const char *key = step->agent != NULL ? "agent" : "role";
  const ForeAgentDef *agent;
  g_autofree char *nearest = NULL;

  if (name == NULL || check->library == NULL)
    return;

  agent = fore_library_get_agent (check->library, name);
  if (agent != NULL && agent->disabled)
    add_error (check, agent_line (step), key,
               _ ("The step `%s` needs the agent `%s`, which is disabled. Enable it or choose "
                  "another."),
               step->id, name);
  else if (agent != NULL && agent->source.n_errors > 0)
    add_error (check, agent_line (step), key,
               _ ("The step `%s` needs the agent `%s`, whose file has errors. See `foredeckctl "
                  "library validate agent %s`."),
               step->id, name, name);
  if (agent != NULL)
    return;

  nearest = fore_library_suggest (check->library, "agent", name);
  if (nearest != NULL)
    add_error (check, agent_line (step), key,
               _ ("The step `%s` needs the agent `%s`, which does not exist. Did you mean `%s`?"),
               step->id, name, nearest);
  else
    add_error (check, agent_line (step), key,
               _ ("The step `%s` needs the agent `%s`, which does not exist. Add it or choose "
                  "another."),
               step->id, name);
}

/* Any agent that speaks the Agent Client Protocol. */
static gboolean
names_program (const ForeWorkflowStep *step)
{
  return g_strcmp0 (step->cli, "acp") == 0;
}

static void
check_command (Check *check, const ForeWorkflowStep *step)
{
  if (step->command == NULL)
    add_error (check, step->line, "command",
               _ ("The step `%s` runs a command but names none. Add a line `command: …`."),
               step->id);
}

static void
check_checks (Check *check, const ForeWorkflowStep *step)
{
  for (guint i = 0; i < step->checks->len; i++)
    {
      const char *const *words = g_ptr_array_index (step->checks, i);

      if (fore_text_needs_shell (words))
        add_error (
            check, step->line, "checks",
            _ ("A check of the step `%s` is written for a shell, and no shell reads it. Write "
               "each command in a line of its own, or name a script."),
            step->id);
    }
}

/* Only a file that is a script has such a step. */
static void
check_script (Check *check, const ForeWorkflowStep *step)
{
  if (step->line > 0)
    add_error (
        check, step->cli_line, "cli",
        _ ("A script is a workflow of its own, a file NAME.crew.lua; the step `%s` cannot be "
           "one."),
        step->id);
}

static void
check_step (Check *check, const ForeWorkflowStep *step)
{
  check_id (check, step);
  check_dependencies (check, step);
  check_checks (check, step);
  if (fore_workflow_step_is_command (step))
    {
      check_command (check, step);
      return;
    }

  if (fore_workflow_step_is_script (step))
    {
      check_script (check, step);
      return;
    }
  if (names_program (step))
    check_command (check, step);
  else if (step->command != NULL)
    add_error (check, step->line, "command",
               _ ("The step `%s` has a command, but its agent CLI is `%s`. Remove one of them."),
               step->id, step->cli);
  if (step->agent == NULL)
    check_role (check, step);
  check_agent (check, step);
}

/* Depth first without recursion: chains may be as long as a workflow. A step is "open" while it is
 * on the trail; meeting an open one again closes a circle.
 */
typedef struct
{
  GPtrArray *trail;
  GArray *positions;
  GHashTable *open;
  GHashTable *done;
} Walk;

static void
walk_enter (Walk *walk, const ForeWorkflowStep *step)
{
  guint first = 0;

  g_ptr_array_add (walk->trail, (gpointer) step);
  g_array_append_val (walk->positions, first);
  g_hash_table_add (walk->open, (gpointer) step);
}

static void
walk_leave (Walk *walk)
{
  gpointer step = walk->trail->pdata[walk->trail->len - 1];

  g_hash_table_remove (walk->open, step);
  g_hash_table_add (walk->done, step);
  g_ptr_array_set_size (walk->trail, walk->trail->len - 1);
  g_array_set_size (walk->positions, walk->positions->len - 1);
}

static char *
walk_dup_trail (Walk *walk, const ForeWorkflowStep *again)
{
  GString *text = g_string_new (NULL);
  guint start = 0, n_shown = 0;

  while (walk->trail->pdata[start] != again)
    start++;

  for (guint i = start; i < walk->trail->len && n_shown < MAX_TRAIL; i++, n_shown++)
    {
      const ForeWorkflowStep *step = walk->trail->pdata[i];

      g_string_append_printf (text, "%s -> ", step->id);
    }
  if (walk->trail->len - start > n_shown)
    g_string_append (text, "… -> ");
  g_string_append (text, again->id);

  return g_string_free (text, FALSE);
}

/* Takes the next dependency of the step at the end of the trail. Returns a step that closes a
 * circle, or NULL.
 */
static const ForeWorkflowStep *
walk_on (Walk *walk, const ForeWorkflow *workflow)
{
  const ForeWorkflowStep *step = walk->trail->pdata[walk->trail->len - 1], *next;
  guint *position = &g_array_index (walk->positions, guint, walk->positions->len - 1);

  if (step->depends_on[*position] == NULL)
    {
      walk_leave (walk);
      return NULL;
    }

  next = fore_workflow_get_step (workflow, step->depends_on[(*position)++]);
  if (next == NULL || g_hash_table_contains (walk->done, next))
    return NULL;
  if (g_hash_table_contains (walk->open, next))
    return next;

  walk_enter (walk, next);
  return NULL;
}

static void
check_circle (Check *check)
{
  g_autoptr (GPtrArray) trail = g_ptr_array_new ();
  g_autoptr (GArray) positions = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GHashTable) open = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) done = g_hash_table_new (NULL, NULL);
  Walk walk = { trail, positions, open, done };

  for (guint i = 0; i < check->workflow->steps->len; i++)
    {
      if (!g_hash_table_contains (done, check->workflow->steps->pdata[i]))
        walk_enter (&walk, check->workflow->steps->pdata[i]);

      while (trail->len > 0)
        {
          const ForeWorkflowStep *again = walk_on (&walk, check->workflow);
          g_autofree char *text = NULL;

          if (again == NULL)
            continue;

          text = walk_dup_trail (&walk, again);
          add_error (check, again->depends_line, "dependsOn",
                     _ ("These steps wait for each other in a circle: %s. Remove one of the "
                        "dependencies."),
                     text);
          return;
        }
    }
}

static void
check_size (Check *check)
{
  if (check->workflow->steps->len == 0)
    add_error (check, 0, NULL,
               _ ("This workflow has no steps. Add headings `## id` with a line `role: …` below "
                  "each."));
  else if (check->workflow->steps->len > FORE_WORKFLOW_MAX_STEPS)
    add_error (check, 0, NULL, _ ("A workflow may have %d steps. Split it into several."),
               FORE_WORKFLOW_MAX_STEPS);
}

/**
 * fore_workflow_validate:
 * @workflow: a workflow
 * @team: (nullable): the team that is to carry it out; %NULL leaves roles unchecked
 * @library: (nullable): where its agents are; %NULL leaves agents unchecked
 * @diagnostics: (nullable) (element-type ForeDiagnostic): where to say what is wrong
 *
 * Checks a workflow: it has steps, and not too many; their ids are usable and differ; what they
 * depend on exists and goes round in no circle; their roles are in the team and its agents exist.
 *
 * Returns: %TRUE if there is nothing wrong
 */
gboolean
fore_workflow_validate (ForeWorkflow *workflow,
                        const ForeTeam *team,
                        ForeLibrary *library,
                        GPtrArray *diagnostics)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  Check check = { workflow, team, library, found };

  g_return_val_if_fail (workflow != NULL, FALSE);

  check_size (&check);
  for (guint i = 0; i < workflow->steps->len; i++)
    check_step (&check, workflow->steps->pdata[i]);
  check_circle (&check);

  fore_diagnostics_add_all (diagnostics, found);

  return found->len == 0;
}

/**
 * fore_workflow_check:
 * @workflow: a workflow that somebody wants to run
 * @team: (nullable): the team that is to carry it out
 * @library: (nullable): where its agents are
 * @error: return location for an error
 *
 * Like fore_workflow_validate(), for callers that need one answer: refuses a workflow with faults,
 * be they in its file or in its graph.
 *
 * Returns: %TRUE if it can be run; %FORE_ERROR_INVALID with the first fault if not
 */
gboolean
fore_workflow_check (ForeWorkflow *workflow,
                     const ForeTeam *team,
                     ForeLibrary *library,
                     GError **error)
{
  g_autoptr (GPtrArray) found = fore_diagnostics_new ();
  const ForeDiagnostic *fault = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (workflow != NULL, FALSE);

  if (fore_workflow_validate (workflow, team, library, found) && workflow->source.n_errors == 0)
    return TRUE;

  fault = fore_diagnostics_find (found, FORE_DIAGNOSTIC_ERROR);
  if (fault == NULL && library != NULL && workflow->source.path != NULL)
    fault = fore_library_find_fault (library, workflow->source.path);

  text = fault != NULL ? fore_diagnostic_dup_text (fault)
                       : g_strdup_printf (_ ("The workflow `%s` has errors. See `foredeckctl "
                                             "library validate`."),
                                          workflow->name);
  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID, "%s", text);
  return FALSE;
}
