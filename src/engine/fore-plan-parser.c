/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-plan-parser.h"

#include "engine/fore-plan-json.h"
#include "model/fore-error.h"
#include "model/fore-graph.h"
#include "model/fore-id.h"
#include "model/fore-nearest.h"
#include "text/fore-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_CANDIDATES 8

/* Where a plan may stand in an answer: fenced blocks first (the last one is what the planner ended
 * with), then the outermost braces.
 */
static GPtrArray *
list_candidates (const char *answer)
{
  GPtrArray *candidates = g_ptr_array_new_with_free_func (g_free);
  const char *brace = strchr (answer, '{');
  const char *last = strrchr (answer, '}');
  const char *p = answer;

  while ((p = strstr (p, "```")) != NULL)
    {
      const char *start = strchr (p, '\n');
      const char *end = start != NULL ? strstr (start, "```") : NULL;

      if (start == NULL)
        break;

      /* A block that was never closed is what a cut answer ends with. */
      g_ptr_array_insert (candidates, 0,
                          end != NULL ? g_strndup (start + 1, end - start - 1)
                                      : g_strdup (start + 1));
      if (end == NULL || candidates->len >= MAX_CANDIDATES)
        break;
      p = end + 3;
    }

  if (brace != NULL)
    g_ptr_array_add (candidates, last != NULL && last > brace ? g_strndup (brace, last - brace + 1)
                                                              : g_strdup (brace));

  return candidates;
}

static gboolean
looks_like_plan (const char *text)
{
  return strstr (text, "\"items\"") != NULL || strstr (text, "\"plan\"") != NULL
         || strstr (text, "\"tasks\"") != NULL;
}

static char
closing_of (char bracket)
{
  return bracket == '{' ? '}' : ']';
}

/* Cuts a truncated document back to its last whole element and closes what is open; also drops
 * commas that stand before a closing bracket. NULL if nothing whole is left.
 */
static char *
mend_json (const char *text)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (GString) open = g_string_new (NULL);
  g_autoptr (GString) open_at_cut = g_string_new (NULL);
  gsize cut = 0;
  gboolean in_string = FALSE;

  for (const char *p = text; *p != '\0'; p++)
    {
      if (in_string)
        {
          if (*p == '\\' && p[1] != '\0')
            g_string_append_c (out, *p++);
          else if (*p == '"')
            in_string = FALSE;
          g_string_append_c (out, *p);
          continue;
        }

      if (*p == '"')
        in_string = TRUE;

      if (*p == '{' || *p == '[')
        {
          g_string_append_c (open, *p);
        }
      else if ((*p == '}' || *p == ']') && open->len > 0)
        {
          while (out->len > 0 && strchr (", \t\r\n", out->str[out->len - 1]) != NULL)
            g_string_truncate (out, out->len - 1);
          g_string_append_c (out, closing_of (open->str[open->len - 1]));
          g_string_truncate (open, open->len - 1);
          /* Half an item would be carried out without what stood in its other half. */
          if (out->str[out->len - 1] == '}')
            {
              cut = out->len;
              g_string_assign (open_at_cut, open->str);
            }
          if (open->len == 0)
            return g_strdup (out->str);
          continue;
        }
      g_string_append_c (out, *p);
    }

  if (cut == 0)
    return NULL;

  g_string_truncate (out, cut);
  for (gsize i = open_at_cut->len; i > 0; i--)
    g_string_append_c (out, closing_of (open_at_cut->str[i - 1]));

  return g_strdup (out->str);
}

static ForePlan *
read_candidate (const char *text, GPtrArray *changes, GError **error)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) first = NULL;
  g_autofree char *mended = NULL;

  node = fore_json_parse (text, -1, NULL, &first);
  if (node == NULL)
    {
      mended = mend_json (text);
      if (mended != NULL)
        node = fore_json_parse (mended, -1, NULL, NULL);
      if (node == NULL)
        {
          g_propagate_error (error, g_steal_pointer (&first));
          return NULL;
        }
      g_ptr_array_add (changes, g_strdup (_ ("broken JSON was closed after its last whole item")));
    }

  return fore_plan_from_json (node, changes, error);
}

static gboolean
strv_has (const char *const *words, const char *word)
{
  return words != NULL && g_strv_contains (words, word);
}

static void
rename_item (ForePlan *plan, ForePlanItem *item, char *name)
{
  for (guint i = 0; i < plan->items->len; i++)
    {
      ForePlanItem *other = g_ptr_array_index (plan->items, i);

      for (guint j = 0; other->depends_on != NULL && other->depends_on[j] != NULL; j++)
        {
          if (strcmp (other->depends_on[j], item->id) == 0)
            {
              g_free (other->depends_on[j]);
              other->depends_on[j] = g_strdup (name);
            }
        }
    }

  g_free (item->id);
  item->id = name;
}

/* Ids that the run has already get a number, in the plan and wherever it points at them. */
static void
make_ids_free (ForePlan *plan, const ForePlanRules *rules, GPtrArray *changes)
{
  for (guint i = 0; i < plan->items->len; i++)
    {
      ForePlanItem *item = g_ptr_array_index (plan->items, i);

      if (!strv_has (rules->taken, item->id))
        continue;

      for (guint n = 2;; n++)
        {
          g_autofree char *name = g_strdup_printf ("%.34s-%u", item->id, n);

          if (strv_has (rules->taken, name) || fore_plan_find_item (plan, name) != NULL)
            continue;
          g_ptr_array_add (changes,
                           g_strdup_printf (_ ("“%s” became “%s”: the run has a task of that name"),
                                            item->id, name));
          rename_item (plan, item, g_steal_pointer (&name));
          break;
        }
    }
}

static gboolean
check_role (ForePlanItem *item, const ForePlanRules *rules, GPtrArray *changes, GError **error)
{
  const char *nearest;
  g_autofree char *all = NULL;

  if (strv_has (rules->roles, item->role))
    return TRUE;

  nearest = fore_nearest_word (item->role, rules->roles);
  if (nearest != NULL)
    {
      g_ptr_array_add (changes, g_strdup_printf (_ ("the role “%s” of “%s” became “%s”"),
                                                 item->role, item->id, nearest));
      g_free (item->role);
      item->role = g_strdup (nearest);
      return TRUE;
    }

  all = g_strjoinv (", ", (char **) rules->roles);
  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
               _ ("“%s” asks for the role “%s”, which this team does not have; it has %s."),
               item->id, item->role, all);

  return FALSE;
}

/* The item or task that is meant; an id that was made valid is meant under its old name too. */
static char *
find_dependency (const ForePlan *plan, const ForePlanRules *rules, const char *id)
{
  g_autofree char *key = NULL;

  if (fore_plan_find_item (plan, id) != NULL || strv_has (rules->taken, id))
    return g_strdup (id);

  key = fore_id_dup_task_key (id);

  return fore_plan_find_item (plan, key) != NULL ? g_steal_pointer (&key) : NULL;
}

static void
drop_unknown_dependencies (ForePlan *plan,
                           ForePlanItem *item,
                           const ForePlanRules *rules,
                           GPtrArray *changes)
{
  g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();

  for (guint i = 0; item->depends_on != NULL && item->depends_on[i] != NULL; i++)
    {
      const char *id = item->depends_on[i];
      g_autofree char *found = find_dependency (plan, rules, id);

      if (found != NULL)
        g_strv_builder_add (kept, found);
      else
        g_ptr_array_add (changes, g_strdup_printf (_ ("“%s” no longer waits for “%s”, which is "
                                                      "not there"),
                                                   item->id, id));
    }

  g_strfreev (item->depends_on);
  item->depends_on = g_strv_builder_end (kept);
}

static gboolean
check_graph (ForePlan *plan, const ForePlanRules *rules, GError **error)
{
  g_autoptr (ForeGraph) graph = fore_graph_new ();
  guint n = plan->items->len;
  g_autofree const char **keys = g_new0 (const char *, n + 1);
  g_autofree GStrv *deps = g_new0 (GStrv, n + 1);

  for (guint i = 0; rules->taken != NULL && rules->taken[i] != NULL; i++)
    {
      if (!fore_graph_add (graph, rules->taken[i], NULL, error))
        return FALSE;
    }

  for (guint i = 0; i < n; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (plan->items, i);

      keys[i] = item->id;
      deps[i] = item->depends_on;
    }

  return fore_graph_add_all (graph, keys, deps, n, error);
}

/**
 * fore_plan_check:
 * @plan: a plan as it was read
 * @rules: what it must keep to
 * @changes: (element-type utf8): gets a sentence for each thing that was put right
 * @error: return location for an error
 *
 * Checks count, ids, roles, dependencies and cycles. What can be put right without changing what
 * the plan means is. Errors: %FORE_ERROR_LIMIT for too many items, else %FORE_ERROR_INVALID.
 *
 * Returns: whether the plan can be carried out
 */
gboolean
fore_plan_check (ForePlan *plan, const ForePlanRules *rules, GPtrArray *changes, GError **error)
{
  g_return_val_if_fail (plan != NULL, FALSE);
  g_return_val_if_fail (rules != NULL && rules->roles != NULL, FALSE);
  g_return_val_if_fail (changes != NULL, FALSE);

  if (plan->items->len > rules->max_items)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_LIMIT,
                   _ ("The plan has %u items, more than the %u that limits.plan_items allows; ask "
                      "for a smaller one."),
                   plan->items->len, rules->max_items);
      return FALSE;
    }

  make_ids_free (plan, rules, changes);
  for (guint i = 0; i < plan->items->len; i++)
    {
      ForePlanItem *item = g_ptr_array_index (plan->items, i);

      if (!check_role (item, rules, changes, error))
        return FALSE;
      drop_unknown_dependencies (plan, item, rules, changes);
    }

  return check_graph (plan, rules, error);
}

static char *
join_changes (GPtrArray *changes)
{
  g_ptr_array_add (changes, NULL);

  return g_strjoinv ("; ", (char **) changes->pdata);
}

/**
 * fore_plan_read_edited:
 * @json: JSON of a plan that a person edited
 * @rules: what a plan must keep to
 * @error: return location for an error
 *
 * Reads a plan that a person approves as it stands: where a planner's would be put right, this one
 * is refused, with all that would be changed or left out.
 *
 * Returns: (transfer full): the plan, or %NULL
 */
ForePlan *
fore_plan_read_edited (const char *json, const ForePlanRules *rules, GError **error)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GPtrArray) changes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (ForePlan) plan = NULL;
  g_autofree char *all = NULL;

  g_return_val_if_fail (json != NULL && rules != NULL, NULL);

  node = fore_json_parse (json, -1, NULL, error);
  plan = node != NULL ? fore_plan_from_json (node, changes, error) : NULL;
  if (plan == NULL || !fore_plan_check (plan, rules, changes, error))
    return NULL;

  if (changes->len == 0)
    return g_steal_pointer (&plan);

  all = join_changes (changes);
  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
               _ ("The plan cannot be carried out as it stands; correct it and send it again: %s."),
               all);

  return NULL;
}

static gboolean
says_nothing (const char *text)
{
  g_autoptr (JsonNode) node = fore_json_parse (text, -1, NULL, NULL);
  JsonObject *object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node)
                                                                     : NULL;
  JsonArray *items;

  if (object != NULL && fore_json_get_object (object, "plan") != NULL)
    object = fore_json_get_object (object, "plan");
  items = object != NULL ? fore_json_get_array (object, "items") : NULL;

  return items != NULL && json_array_get_length (items) == 0;
}

/**
 * fore_plan_parse:
 * @answer: (nullable): a planner's whole answer
 * @rules: what a plan must keep to
 * @plan: (out) (nullable): the plan, if one was found or repaired
 * @problem: (out) (nullable): one sentence: what was repaired, or why there is none
 *
 * Looks for a plan in an answer: the last fenced block that holds one, else the outermost braces.
 *
 * Returns: how that went
 */
ForePlanFinding
fore_plan_parse (const char *answer, const ForePlanRules *rules, ForePlan **plan, char **problem)
{
  g_autoptr (GPtrArray) candidates = NULL;
  g_autoptr (GError) first = NULL;

  g_return_val_if_fail (rules != NULL, FORE_PLAN_MISSING);
  g_return_val_if_fail (plan != NULL && problem != NULL, FORE_PLAN_MISSING);

  *plan = NULL;
  *problem = NULL;

  candidates = list_candidates (answer != NULL ? answer : "");
  for (guint i = 0; i < candidates->len; i++)
    {
      const char *text = g_ptr_array_index (candidates, i);
      g_autoptr (GPtrArray) changes = g_ptr_array_new_with_free_func (g_free);
      g_autoptr (GError) error = NULL;
      g_autoptr (ForePlan) found = NULL;

      if (!looks_like_plan (text))
        continue;
      if (rules->may_be_empty && says_nothing (text))
        return FORE_PLAN_NOTHING;

      found = read_candidate (text, changes, &error);
      if (found != NULL && fore_plan_check (found, rules, changes, &error))
        {
          if (changes->len > 0)
            found->repaired = join_changes (changes);
          *problem = g_strdup (found->repaired);
          *plan = g_steal_pointer (&found);
          return *problem != NULL ? FORE_PLAN_REPAIRED : FORE_PLAN_FOUND;
        }
      if (first == NULL)
        first = g_steal_pointer (&error);
    }

  if (first != NULL)
    {
      *problem = g_strdup (first->message);
      return FORE_PLAN_BROKEN;
    }

  *problem = g_strdup (_ ("The planner's answer holds no plan."));
  return FORE_PLAN_MISSING;
}
