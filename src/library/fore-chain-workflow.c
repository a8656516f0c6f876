/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-chain.h"

#include "model/fore-error.h"
#include "platform/fore-compat-glib.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_ID 34
#define TEXT_ROLE "executor"

typedef struct
{
  ForeLibrary *library;
  ForeWorkflow *workflow;
} Making;

/* Each gives the ids of the steps that what comes next waits for. */
static GPtrArray *add_links (Making *making, GPtrArray *nodes, GPtrArray *before, GError **error);

static GPtrArray *
ids_new (void)
{
  return g_ptr_array_new_with_free_func (g_free);
}

static GStrv
dup_ids (GPtrArray *ids)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < ids->len; i++)
    g_strv_builder_add (builder, g_ptr_array_index (ids, i));

  return g_strv_builder_end (builder);
}

static char *
dup_free_id (Making *making, const char *name)
{
  g_autofree char *stem = g_ascii_strdown (name, MAX_ID);

  g_strcanon (stem, "abcdefghijklmnopqrstuvwxyz0123456789-", '-');
  for (guint n = 1;; n++)
    {
      g_autofree char *id = n == 1 ? g_strdup (stem) : g_strdup_printf ("%s-%u", stem, n);

      if (fore_workflow_step_id_is_valid (id)
          && fore_workflow_get_step (making->workflow, id) == NULL)
        return g_steal_pointer (&id);
      if (*stem == '-')
        *stem = 'x';
    }
}

static gboolean
add_step (Making *making, const ForeChainNode *node, ForeWorkflowStep *step, GError **error)
{
  if (node->cli != NULL)
    fore_set_str (&step->cli, node->cli);
  if (node->model != NULL)
    fore_set_str (&step->model, node->model);
  if (node->thinking != NULL)
    fore_set_str (&step->thinking, node->thinking);
  if (node->skills != NULL)
    {
      g_strfreev (step->skills);
      step->skills = g_strdupv (node->skills);
    }
  if (node->time_limit > 0)
    step->time_limit = node->time_limit;
  if (node->goes_on)
    fore_set_str (&step->on_failure, "go-on");

  if (making->workflow->steps->len >= FORE_CHAIN_MAX_STEPS)
    {
      fore_workflow_step_free (step);
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("The chain makes more than %d tasks; split it up."), FORE_CHAIN_MAX_STEPS);
      return FALSE;
    }
  fore_workflow_add_step (making->workflow, step);

  return TRUE;
}

static GPtrArray *
add_single (Making *making, const ForeChainNode *node, GPtrArray *before, GError **error)
{
  gboolean is_text = node->kind == FORE_CHAIN_TEXT;
  g_autofree char *id = dup_free_id (making, is_text ? "step" : node->text);
  ForeWorkflowStep *step = fore_workflow_step_new (id, is_text ? TEXT_ROLE : node->text);
  g_autoptr (GPtrArray) after = ids_new ();

  fore_set_str (&step->agent, is_text ? TEXT_ROLE : node->text);
  if (is_text)
    {
      fore_set_str (&step->task, node->text);
      fore_set_str (&step->title, node->text);
    }
  g_strfreev (step->depends_on);
  step->depends_on = dup_ids (before);
  g_ptr_array_add (after, g_strdup (id));

  return add_step (making, node, step, error) ? g_steal_pointer (&after) : NULL;
}

/* Workflows */

/* The team is not that of the run: who fills its roles is said by the steps themselves. */
static void
bind_agent (Making *making, const ForeTeam *team, ForeWorkflowStep *step)
{
  const ForeAgentDef *agent = fore_library_get_agent_for_step (making->library, team, step);

  if (agent != NULL && step->agent == NULL && !fore_workflow_step_is_command (step))
    step->agent = g_strdup (agent->name);
}

static void
map_dependencies (ForeWorkflowStep *step, GHashTable *names, GPtrArray *before)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; step->depends_on[i] != NULL; i++)
    {
      const char *id = g_hash_table_lookup (names, step->depends_on[i]);

      g_strv_builder_add (builder, id != NULL ? id : step->depends_on[i]);
    }
  if (step->depends_on[0] == NULL)
    for (guint i = 0; i < before->len; i++)
      g_strv_builder_add (builder, g_ptr_array_index (before, i));

  g_strfreev (step->depends_on);
  step->depends_on = g_strv_builder_end (builder);
}

static gboolean
is_waited_for (const ForeWorkflow *workflow, const char *id)
{
  for (guint i = 0; i < workflow->steps->len; i++)
    {
      const ForeWorkflowStep *step = g_ptr_array_index (workflow->steps, i);

      if (g_strv_contains ((const char *const *) step->depends_on, id))
        return TRUE;
    }

  return FALSE;
}

static GPtrArray *
add_workflow (Making *making,
              const ForeChainNode *node,
              const ForeWorkflow *workflow,
              const ForeTeam *team,
              GPtrArray *before,
              GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  g_autoptr (GPtrArray) after = ids_new ();

  for (guint i = 0; i < workflow->steps->len; i++)
    {
      const ForeWorkflowStep *step = g_ptr_array_index (workflow->steps, i);
      ForeWorkflowStep *copy = fore_workflow_step_copy (step);
      char *id = dup_free_id (making, step->id);

      g_hash_table_insert (names, step->id, id);
      g_free (copy->id);
      copy->id = g_strdup (id);
      map_dependencies (copy, names, before);
      bind_agent (making, team, copy);
      if (!is_waited_for (workflow, step->id))
        g_ptr_array_add (after, g_strdup (id));
      if (!add_step (making, node, copy, error))
        return NULL;
    }

  return g_steal_pointer (&after);
}

static GPtrArray *
refuse_name (Making *making, const ForeChainNode *node, GError **error)
{
  const char *kind = node->prefix != NULL ? node->prefix : "agent";
  g_autofree char *nearest = fore_library_suggest (making->library, kind, node->text);

  g_set_error (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
               nearest != NULL
                   ? _ ("At column %u of the chain, there is no “%s”; did you mean “%s”?")
                   : _ ("At column %u of the chain, there is no agent, workflow or team “%s”; put "
                        "what is to be done into quotation marks.%s"),
               node->column, node->text, nearest != NULL ? nearest : "");

  return NULL;
}

static gboolean
may_be (const ForeChainNode *node, const char *kind)
{
  return node->prefix == NULL || strcmp (node->prefix, kind) == 0;
}

static GPtrArray *
add_named (Making *making, const ForeChainNode *node, GPtrArray *before, GError **error)
{
  ForeWorkflow *workflow = NULL;
  ForeTeam *team = NULL;
  g_autoptr (ForeTeam) found = NULL;

  if (may_be (node, "agent") && fore_library_get_agent (making->library, node->text) != NULL)
    return add_single (making, node, before, error);

  if (may_be (node, "workflow"))
    workflow = fore_library_get_workflow (making->library, node->text);
  if (workflow != NULL)
    team = found = fore_library_dup_team_for_workflow (making->library, workflow);
  else if (may_be (node, "team")
           && (team = fore_library_get_team (making->library, node->text)) != NULL)
    workflow = fore_library_get_workflow (
        making->library, team->default_workflow != NULL ? team->default_workflow : "default");

  if (workflow == NULL || workflow->steps->len == 0)
    return refuse_name (making, node, error);

  return add_workflow (making, node, workflow, team, before, error);
}

/* Links */

static GPtrArray *
add_parallel (Making *making, const ForeChainNode *node, GPtrArray *before, GError **error)
{
  g_autoptr (GPtrArray) after = ids_new ();

  for (guint i = 0; i < node->branches->len; i++)
    {
      g_autoptr (GPtrArray) ends = add_links (making, g_ptr_array_index (node->branches, i), before,
                                              error);

      if (ends == NULL)
        return NULL;
      for (guint j = 0; j < ends->len; j++)
        g_ptr_array_add (after, g_strdup (g_ptr_array_index (ends, j)));
    }

  return g_steal_pointer (&after);
}

static GPtrArray *
add_link (Making *making, const ForeChainNode *node, GPtrArray *before, GError **error)
{
  switch (node->kind)
    {
    case FORE_CHAIN_PARALLEL:
      return add_parallel (making, node, before, error);

    case FORE_CHAIN_TEXT:
      return add_single (making, node, before, error);

    default:
      return add_named (making, node, before, error);
    }
}

static GPtrArray *
add_links (Making *making, GPtrArray *nodes, GPtrArray *before, GError **error)
{
  g_autoptr (GPtrArray) last = g_ptr_array_ref (before);

  for (guint i = 0; i < nodes->len; i++)
    {
      const ForeChainNode *node = g_ptr_array_index (nodes, i);

      for (guint n = 0; n < node->times; n++)
        {
          g_autoptr (GPtrArray) ends = add_link (making, node, last, error);

          if (ends == NULL)
            return NULL;
          g_ptr_array_unref (last);
          last = g_steal_pointer (&ends);
        }
    }

  return g_steal_pointer (&last);
}

/**
 * fore_chain_dup_workflow:
 * @text: a chain, see fore_chain_parse()
 * @library: where its names are looked up: agents first, then workflows, then teams
 * @error: return location; says the column of what is wrong
 *
 * Makes the workflow that a chain means. Links that go on after a failure have the failure policy
 * `go-on`.
 *
 * Returns: (transfer full) (nullable): the workflow
 */
ForeWorkflow *
fore_chain_dup_workflow (const char *text, ForeLibrary *library, GError **error)
{
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GPtrArray) ends = NULL;
  g_autoptr (ForeWorkflow) workflow = NULL;
  Making making;

  g_return_val_if_fail (text != NULL && library != NULL, NULL);

  nodes = fore_chain_parse (text, error);
  if (nodes == NULL)
    return NULL;

  none = ids_new ();
  workflow = fore_workflow_new ("chain");
  making = (Making){ library, workflow };
  ends = add_links (&making, nodes, none, error);

  return ends != NULL ? g_steal_pointer (&workflow) : NULL;
}

/**
 * fore_chain_reload:
 * @text: a chain that a run was made of
 * @library: the library as it is now
 *
 * What a link names may be gone from the library by now; the tasks of the run know what they are
 * without.
 *
 * Returns: (transfer full): the workflow, without steps if it cannot be made any more
 */
ForeWorkflow *
fore_chain_reload (const char *text, ForeLibrary *library)
{
  g_autoptr (GError) error = NULL;
  ForeWorkflow *workflow = fore_chain_dup_workflow (text, library, &error);

  if (workflow == NULL)
    g_message ("The chain is not what it was: %s", error->message);

  return workflow != NULL ? workflow : fore_workflow_new ("chain");
}
