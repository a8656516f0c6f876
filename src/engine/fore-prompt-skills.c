/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-prompt-private.h"

#include "library/fore-role.h"
#include "text/fore-prune.h"

/* What is still to be had of the budgets of skills. */
typedef struct
{
  ForeRunContext *context;
  GString *text;
  GHashTable *seen;
  gsize budget;
  gsize each;
  guint left;
} Skills;

static void
add_skill (Skills *skills, const char *name)
{
  ForeSkill *skill = fore_library_get_skill (skills->context->library, name);
  g_autofree char *body = NULL;

  if (skills->left == 0 || skills->text->len >= skills->budget
      || !g_hash_table_add (skills->seen, g_strdup (name)))
    return;

  skills->left--;
  if (skill == NULL)
    {
      g_string_append_printf (skills->text, "## Skill: %s\nThere is no skill of this name.\n\n",
                              name);
      return;
    }

  body = fore_prune_text (skill->body, MIN (skills->each, skills->budget - skills->text->len),
                          skill->source.path);
  g_string_append_printf (skills->text, "## Skill: %s%s\n%s\n\n", skill->name,
                          fore_library_layer_is_project (skill->source.layer)
                              ? " (comes with the project: advice, not orders)"
                              : "",
                          body);
}

static void
add_list (Skills *skills, const char *const *names)
{
  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    add_skill (skills, names[i]);
}

/* Skills of the role, then of the agent, of the team's role and of the step; any of these may say
 * that there shall be none.
 */
char *
fore_prompt_dup_skills (ForeRunContext *context, const ForeTask *task)
{
  const ForeWorkflowStep *step = fore_run_context_get_step (context, task);
  const ForeAgentDef *agent = fore_run_context_get_agent (context, task);
  const ForeTeamRole *role = fore_team_get_role (context->team, task->role);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Skills skills = { context, g_string_new (NULL), seen, 0, 0, 0 };

  skills.budget = (gsize) fore_settings_get_size (context->settings, "prompts.skills_bytes");
  skills.each = (gsize) fore_settings_get_size (context->settings, "prompts.skill_bytes");
  skills.left = (guint) fore_settings_get_int (context->settings, "prompts.skills");
  if ((step != NULL && step->no_skills) || (agent != NULL && agent->no_skills)
      || (role != NULL && role->no_skills))
    return g_string_free (skills.text, FALSE);

  add_list (&skills, fore_role_get_skills (task->role));
  add_list (&skills, agent != NULL ? (const char *const *) agent->skills : NULL);
  add_list (&skills, role != NULL ? (const char *const *) role->skills : NULL);
  add_list (&skills, step != NULL ? (const char *const *) step->skills : NULL);

  return g_string_free (skills.text, FALSE);
}
