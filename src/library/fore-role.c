/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-role.h"

#include <string.h>

#include "library/fore-library-text.h"

#define MAX_WORDS 12

typedef struct
{
  const char *name;
  gboolean read_only;
  gboolean general;
  const char *tools[MAX_WORDS];
  const char *denied[MAX_WORDS];
  const char *skills[MAX_WORDS];
} RoleRow;

/* A role without tools has those of its agent; a general role says nothing about the work, so the
 * agent's name decides. Everything that is not in here may only read.
 */
static const RoleRow roles[] = {
  { "explorer",
    TRUE,
    FALSE,
    { "read", "grep", "find", "ls", "glob", "bash", "ask" },
    { "edit", "write", "web" },
    { "read-only-exploration" } },
  { "analyst",
    TRUE,
    FALSE,
    { NULL },
    { "edit", "write" },
    { "read-only-exploration", "clear-requirements" } },
  { "planner",
    TRUE,
    FALSE,
    { "read", "grep", "find", "ls", "glob", "ask" },
    { "edit", "write", "bash", "web" },
    { "task-splitting", "clear-requirements" } },
  { "critic",
    TRUE,
    FALSE,
    { "read", "grep", "find", "ls", "glob", "ask" },
    { "edit", "write", "bash", "web" },
    { "read-only-exploration", "careful-review" } },
  { "reviewer",
    TRUE,
    FALSE,
    { "read", "grep", "find", "ls", "glob", "bash", "ask" },
    { "edit", "write" },
    { "read-only-exploration", "careful-review" } },
  { "security-reviewer",
    TRUE,
    FALSE,
    { "read", "grep", "find", "ask" },
    { "edit", "write", "bash", "web" },
    { "security-review" } },
  { "executor", FALSE, FALSE, { NULL }, { NULL }, { "safe-commands", "evidence-before-done" } },
  { "test-engineer",
    FALSE,
    FALSE,
    { "read", "grep", "find", "glob", "ls", "edit", "write", "bash", "ask" },
    { "web" },
    { "safe-commands", "evidence-before-done" } },
  { "verifier",
    FALSE,
    FALSE,
    { "read", "grep", "find", "ls", "glob", "bash", "ask" },
    { "edit", "write", "web" },
    { "evidence-before-done" } },
  { "cold-verifier",
    FALSE,
    FALSE,
    { "read", "grep", "find", "ls", "glob", "bash", "ask" },
    { "edit", "write", "web" },
    { "evidence-before-done" } },
  { "writer",
    FALSE,
    FALSE,
    { "read", "grep", "find", "glob", "edit", "write", "ls", "ask" },
    { "bash", "web" },
    { "evidence-before-done" } },
  { "judge", TRUE, FALSE, { NULL }, { "edit", "write", "bash", "web" }, { NULL } },
  { "agent", FALSE, TRUE, { NULL }, { NULL }, { NULL } },
  { "chain-executor", FALSE, TRUE, { NULL }, { NULL }, { NULL } },
  { "worker", FALSE, TRUE, { NULL }, { NULL }, { NULL } },
};

static const RoleRow *
find_role (const char *role)
{
  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    {
      if (fore_key_equal (roles[i].name, role))
        return &roles[i];
    }

  return NULL;
}

/**
 * fore_role_list:
 *
 * Returns: (transfer full): the names of all roles of which is known what they may do
 */
GStrv
fore_role_list (void)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < G_N_ELEMENTS (roles); i++)
    g_strv_builder_add (builder, roles[i].name);

  return g_strv_builder_end (builder);
}

/**
 * fore_role_is_known:
 * @role: a role
 *
 * Tells whether we know what @role may do.
 *
 * Returns: %TRUE if we do
 */
gboolean
fore_role_is_known (const char *role)
{
  g_return_val_if_fail (role != NULL, FALSE);

  return find_role (role) != NULL;
}

/**
 * fore_role_is_read_only:
 * @role: a role
 *
 * Tells whether @role may only read. A role that nobody knows may only read.
 *
 * Returns: %TRUE if it may not write
 */
gboolean
fore_role_is_read_only (const char *role)
{
  const RoleRow *row;

  g_return_val_if_fail (role != NULL, TRUE);

  row = find_role (role);
  return row == NULL || row->read_only;
}

static gboolean
has_writing_tool (const ForeAgentDef *agent)
{
  const char *const *tools = (const char *const *) agent->tools;

  return tools != NULL && (g_strv_contains (tools, "edit") || g_strv_contains (tools, "write"));
}

/**
 * fore_role_is_read_only_with_agent:
 * @role: a role
 * @agent: (nullable): the agent that fills it
 *
 * Tells whether @agent in @role may only read: what the agent's file says counts first, then the
 * role, then (if the role is a general or an unknown one) the agent's name and its tools.
 *
 * Returns: %TRUE if it may not write
 */
gboolean
fore_role_is_read_only_with_agent (const char *role, const ForeAgentDef *agent)
{
  const RoleRow *row;

  g_return_val_if_fail (role != NULL, TRUE);

  if (agent != NULL && agent->writes != FORE_UNSET)
    return agent->writes == FORE_NO;

  row = find_role (role);
  if (agent != NULL && (row == NULL || row->general))
    {
      if (fore_role_is_known (agent->name))
        return fore_role_is_read_only (agent->name);
      if (has_writing_tool (agent))
        return FALSE;
    }

  return row == NULL || row->read_only;
}

/**
 * fore_role_get_tools:
 * @role: a role
 *
 * Gets the tools that @role is for.
 *
 * Returns: (transfer none) (nullable) (array zero-terminated=1): the tools, or %NULL if the role
 *   leaves them to the agent
 */
const char *const *
fore_role_get_tools (const char *role)
{
  const RoleRow *row;

  g_return_val_if_fail (role != NULL, NULL);

  row = find_role (role);
  return row != NULL && row->tools[0] != NULL ? row->tools : NULL;
}

/**
 * fore_role_get_denied_tools:
 * @role: a role
 *
 * Gets the tools that @role never has, whatever its agent says.
 *
 * Returns: (transfer none) (array zero-terminated=1): the tools, may be none
 */
const char *const *
fore_role_get_denied_tools (const char *role)
{
  static const char *const unknown[] = { "edit", "write", NULL };
  const RoleRow *row;

  g_return_val_if_fail (role != NULL, unknown);

  row = find_role (role);
  return row != NULL ? row->denied : unknown;
}

/**
 * fore_role_get_skills:
 * @role: a role
 *
 * Gets the skills that @role has by default.
 *
 * Returns: (transfer none) (array zero-terminated=1): names of skills, may be none
 */
const char *const *
fore_role_get_skills (const char *role)
{
  static const char *const none[] = { NULL };
  const RoleRow *row;

  g_return_val_if_fail (role != NULL, none);

  row = find_role (role);
  return row != NULL ? row->skills : none;
}

/**
 * fore_role_dup_tools:
 * @role: a role
 * @agent: (nullable): the agent that fills it
 *
 * Gets the tools that @agent has in @role: a built-in agent has those of the role, any other those
 * that its file names, and none has what the role denies, unless its file says that it writes.
 *
 * Returns: (transfer full) (nullable): the tools, or %NULL for all that its CLI has
 */
GStrv
fore_role_dup_tools (const char *role, const ForeAgentDef *agent)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  const char *const *tools, *const *denied;
  gboolean own;

  g_return_val_if_fail (role != NULL, NULL);

  tools = fore_role_get_tools (role);
  own = agent != NULL && agent->tools != NULL;
  if (own && (tools == NULL || agent->source.layer != FORE_LAYER_BUILTIN))
    tools = (const char *const *) agent->tools;
  if (tools == NULL)
    return NULL;

  denied = fore_role_get_denied_tools (role);
  for (guint i = 0; tools[i] != NULL; i++)
    {
      if ((own && agent->writes == FORE_YES) || !g_strv_contains (denied, tools[i]))
        g_strv_builder_add (builder, tools[i]);
    }

  return g_strv_builder_end (builder);
}
