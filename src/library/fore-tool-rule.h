/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Words of approval.tools and of the rules before it. */
#define FORE_TOOLS_ALLOW "allow"
#define FORE_TOOLS_ASK "ask"
#define FORE_TOOLS_DENY "deny"

/**
 * ForeToolRule:
 * @tool: pattern for the tool's name
 * @role: (nullable): pattern for the role of the task whose agent asks
 * @match: (nullable): pattern for what it is going to do: the command line or the path
 * @answer: `allow`, `ask` or `deny`
 *
 * What is answered to an agent that asks for leave to use a tool. Patterns have `*` and `?`.
 */
typedef struct
{
  char *tool;
  char *role;
  char *match;
  char *answer;
} ForeToolRule;

void fore_tool_rule_free (ForeToolRule *self);
gboolean fore_tool_rule_matches (const ForeToolRule *self,
                                 const char *role,
                                 const char *tool,
                                 const char *what);

GPtrArray *fore_tool_rules_parse (JsonNode *node, char **problem);

G_END_DECLS
