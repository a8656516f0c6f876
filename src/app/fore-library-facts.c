/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-library-facts.h"

#include <glib/gi18n-lib.h>

static void
add (GStrvBuilder *facts, const char *caption, const char *value)
{
  if (value == NULL || *value == '\0')
    return;

  g_strv_builder_add (facts, caption);
  g_strv_builder_add (facts, value);
}

static void
add_number (GStrvBuilder *facts, const char *caption, guint value)
{
  g_autofree char *text = value > 0 ? g_strdup_printf ("%u", value) : NULL;

  add (facts, caption, text);
}

static void
add_list (GStrvBuilder *facts, const char *caption, char **values, const char *none)
{
  g_autofree char *text = values != NULL ? g_strjoinv (" ", values) : NULL;

  add (facts, caption, text != NULL && *text == '\0' ? none : text);
}

/**
 * fore_library_facts_new_agent:
 * @agent: an agent
 *
 * Returns: (transfer full): captions and values in turn
 */
GStrv
fore_library_facts_new_agent (const ForeAgentDef *agent)
{
  g_autoptr (GStrvBuilder) facts = g_strv_builder_new ();

  g_return_val_if_fail (agent != NULL, NULL);

  add (facts, _ ("Runs On"), agent->cli != NULL ? agent->cli : _ ("the agent you chose"));
  add (facts, _ ("Model"), agent->model);
  add (facts, _ ("Thinking"), agent->thinking);
  add (facts, _ ("Files"),
       agent->writes == FORE_YES  ? _ ("may change them")
       : agent->writes == FORE_NO ? _ ("only reads them")
                                  : _ ("as its role says"));
  add_list (facts, _ ("Tools"), agent->tools, _ ("none"));
  add_list (facts, _ ("Skills"), agent->skills, NULL);
  add_number (facts, _ ("Turns at Most"), agent->max_turns);

  return g_strv_builder_end (facts);
}

/**
 * fore_library_facts_new_team:
 * @team: a team
 *
 * Returns: (transfer full): captions and values in turn
 */
GStrv
fore_library_facts_new_team (const ForeTeam *team)
{
  g_autoptr (GStrvBuilder) facts = g_strv_builder_new ();
  g_autoptr (GString) roles = g_string_new (NULL);

  g_return_val_if_fail (team != NULL, NULL);

  for (guint i = 0; i < team->roles->len; i++)
    {
      const ForeTeamRole *role = g_ptr_array_index (team->roles, i);

      g_string_append_printf (roles, "%s%s", i > 0 ? " · " : "", role->name);
    }
  add (facts, _ ("Workflow"), team->default_workflow);
  add (facts, _ ("Roles"), roles->str);
  add (facts, _ ("Trees"),
       team->worktrees == FORE_YES  ? _ ("one for each task")
       : team->worktrees == FORE_NO ? _ ("one for all")
                                    : NULL);
  add_number (facts, _ ("Agents at Once"), team->max_agents);

  return g_strv_builder_end (facts);
}

static const char *
get_topology (const ForeWorkflow *flow)
{
  if (fore_workflow_is_script (flow))
    return _ ("decided by a script");

  return fore_workflow_get_adaptive_step (flow) != NULL ? _ ("planned while it runs")
                                                        : fore_workflow_get_topology (flow);
}

/**
 * fore_library_facts_new_workflow:
 * @flow: a workflow
 *
 * Returns: (transfer full): captions and values in turn
 */
GStrv
fore_library_facts_new_workflow (const ForeWorkflow *flow)
{
  g_autoptr (GStrvBuilder) facts = g_strv_builder_new ();
  guint n_commands = 0;

  g_return_val_if_fail (flow != NULL, NULL);

  for (guint i = 0; i < flow->steps->len; i++)
    n_commands += fore_workflow_step_is_command (g_ptr_array_index (flow->steps, i));
  if (!fore_workflow_is_script (flow))
    add_number (facts, _ ("Steps"), flow->steps->len);
  add_number (facts, _ ("Commands"), n_commands);
  add (facts, _ ("Shape"), get_topology (flow));
  add (facts, _ ("Team"), flow->team);
  add_number (facts, _ ("Agents at Once"), flow->max_agents);

  return g_strv_builder_end (facts);
}

/**
 * fore_library_facts_dup_plan:
 * @flow: a workflow
 *
 * Returns: (transfer full) (nullable): its steps as tasks, to be drawn; %NULL where it has none, or
 *   a script decides
 */
ForePlan *
fore_library_facts_dup_plan (const ForeWorkflow *flow)
{
  ForePlan *plan;

  g_return_val_if_fail (flow != NULL, NULL);

  if (flow->steps->len == 0 || fore_workflow_is_script (flow))
    return NULL;

  plan = fore_plan_new ();
  for (guint i = 0; i < flow->steps->len; i++)
    {
      const ForeWorkflowStep *step = g_ptr_array_index (flow->steps, i);
      ForePlanItem *item = fore_plan_item_new (step->id);

      g_free (item->title);
      item->title = g_strdup (fore_workflow_step_get_title (step));
      g_free (item->role);
      item->role = g_strdup (fore_workflow_step_is_command (step) ? _ ("command") : step->role);
      g_strfreev (item->depends_on);
      item->depends_on = g_strdupv (step->depends_on);
      g_ptr_array_add (plan->items, item);
    }
  fore_plan_update_hash (plan);

  return plan;
}
