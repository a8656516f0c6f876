/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "library/fore-tool-rule.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "text/fore-json.h"

#define MAX_RULES 1000

static const char *const keys[] = { "tool", "role", "match", "answer", NULL };
static const char *const answers[] = { FORE_TOOLS_ALLOW, FORE_TOOLS_ASK, FORE_TOOLS_DENY, NULL };

/**
 * fore_tool_rule_free:
 * @self: (transfer full): a rule
 */
void
fore_tool_rule_free (ForeToolRule *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->tool);
  g_free (self->role);
  g_free (self->match);
  g_free (self->answer);
  g_free (self);
}

/* What a shell would make more than one command of. */
static gboolean
is_one_command (const char *text)
{
  return strpbrk (text, ";&|<>`$(){}\n\r\\") == NULL;
}

/* Whether a part of a path in it is `..`: a pattern for what is in a folder is none for what is
 * above it.
 */
static gboolean
leads_up (const char *text)
{
  static const char between[] = "/ \t=:\"'";

  for (const char *dots = strstr (text, ".."); dots != NULL; dots = strstr (dots + 1, ".."))
    {
      if ((dots == text || strchr (between, dots[-1]) != NULL)
          && (dots[2] == '\0' || strchr (between, dots[2]) != NULL))
        return TRUE;
    }

  return FALSE;
}

/**
 * fore_tool_rule_matches:
 * @self: a rule
 * @role: (nullable): role of the task whose agent asks
 * @tool: (nullable): the tool's name
 * @what: (nullable): what it is going to do
 *
 * A rule that allows by a pattern does not hold for what a shell would make more of than one plain
 * command, nor for what leads up: `make *` is not `make; curl …`, `src*` not `src/../x`.
 *
 * Returns: whether the rule says what is answered
 */
gboolean
fore_tool_rule_matches (const ForeToolRule *self,
                        const char *role,
                        const char *tool,
                        const char *what)
{
  g_autofree char *small = NULL;
  g_autofree char *wanted = NULL;

  g_return_val_if_fail (self != NULL, FALSE);

  small = g_ascii_strdown (tool != NULL ? tool : "", -1);
  wanted = g_ascii_strdown (self->tool, -1);
  if (!g_pattern_match_simple (wanted, small))
    return FALSE;
  if (self->role != NULL && (role == NULL || !g_pattern_match_simple (self->role, role)))
    return FALSE;
  if (self->match == NULL)
    return TRUE;
  if (what == NULL || !g_pattern_match_simple (self->match, what))
    return FALSE;

  return strcmp (self->answer, FORE_TOOLS_ALLOW) != 0 || strcmp (self->match, what) == 0
         || (is_one_command (what) && !leads_up (what));
}

/* Returns: (nullable): what is wrong */
static char *
read_rule (ForeToolRule *self, JsonObject *object)
{
  g_autoptr (GList) members = json_object_get_members (object);

  for (GList *l = members; l != NULL; l = l->next)
    {
      if (!g_strv_contains (keys, l->data))
        return g_strdup_printf (_ ("a rule has no key “%s”; it has tool, role, match and answer"),
                                (const char *) l->data);
    }

  self->tool = g_strdup (fore_json_get_string (object, "tool", NULL));
  self->role = g_strdup (fore_json_get_string (object, "role", NULL));
  self->match = g_strdup (fore_json_get_string (object, "match", NULL));
  self->answer = g_strdup (fore_json_get_string (object, "answer", NULL));
  if (self->tool == NULL || self->tool[0] == '\0')
    return g_strdup (_ ("a rule needs “tool”: a tool's name, or * for all"));
  if (self->role == NULL && json_object_has_member (object, "role"))
    return g_strdup (_ ("“role” of a rule must be a text"));
  if (self->match == NULL && json_object_has_member (object, "match"))
    return g_strdup (_ ("“match” of a rule must be a text"));
  if (self->answer == NULL || !g_strv_contains (answers, self->answer))
    return g_strdup (_ ("a rule needs “answer”: allow, ask or deny"));

  return NULL;
}

/**
 * fore_tool_rules_parse:
 * @node: the value of the setting “approval.tool_rules”: a list of objects
 * @problem: (out): place for what is wrong, as the second half of a sentence
 *
 * Returns: (transfer full) (element-type ForeToolRule) (nullable): the rules in their order
 */
GPtrArray *
fore_tool_rules_parse (JsonNode *node, char **problem)
{
  g_autoptr (GPtrArray) rules = g_ptr_array_new_with_free_func (
      (GDestroyNotify) fore_tool_rule_free);
  JsonArray *array;

  g_return_val_if_fail (node != NULL && problem != NULL, NULL);

  array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  if (array == NULL || json_array_get_length (array) > MAX_RULES)
    {
      *problem = g_strdup_printf (_ ("it must be a list of at most %d rules"), MAX_RULES);
      return NULL;
    }

  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonNode *item = json_array_get_element (array, i);
      ForeToolRule *rule = g_new0 (ForeToolRule, 1);

      g_ptr_array_add (rules, rule);
      if (!JSON_NODE_HOLDS_OBJECT (item))
        *problem = g_strdup (_ ("each rule must be an object"));
      else
        *problem = read_rule (rule, json_node_get_object (item));
      if (*problem != NULL)
        return NULL;
    }

  return g_steal_pointer (&rules);
}
