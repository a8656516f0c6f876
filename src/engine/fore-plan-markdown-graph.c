/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-plan-markdown-private.h"

#include "model/fore-graph.h"
#include "model/fore-id.h"
#include "model/fore-nearest.h"

#include <glib/gi18n-lib.h>

#define DEFAULT_ROLE "executor"

static gboolean
add_after (ForePlanReader *self, const ForePlanAfter *after, GPtrArray *ids, GError **error)
{
  g_autofree char *key = fore_id_dup_task_key (after->id);
  const ForePlanEntry *before = g_hash_table_lookup (self->ids, after->id);
  g_autofree const char **all = NULL;
  const char *nearest;

  if (before == NULL)
    before = g_hash_table_lookup (self->ids, key);
  if (before != NULL)
    {
      if (!before->done
          && !g_ptr_array_find_with_equal_func (ids, before->item->id, g_str_equal, NULL))
        g_ptr_array_add (ids, before->item->id);
      return TRUE;
    }

  all = (const char **) g_hash_table_get_keys_as_array (self->ids, NULL);
  nearest = fore_nearest_word (key, all);
  if (nearest != NULL)
    fore_plan_fail (after->place, error, _ ("There is no item “%s”; did you mean “%s”?"), after->id,
                    nearest);
  else
    fore_plan_fail (after->place, error,
                    _ ("There is no item “%s”; name the id of one, or its title."), after->id);

  return FALSE;
}

static gboolean
resolve (ForePlanReader *self, ForePlanEntry *entry, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new ();

  if (entry->afters == NULL && entry->before != NULL && *entry->before != '\0')
    g_ptr_array_add (ids, entry->before);
  for (guint i = 0; entry->afters != NULL && i < entry->afters->len; i++)
    {
      if (!add_after (self, g_ptr_array_index (entry->afters, i), ids, error))
        return FALSE;
    }

  g_ptr_array_add (ids, NULL);
  entry->item->depends_on = g_strdupv ((char **) ids->pdata);

  return TRUE;
}

static gboolean
check_role (ForePlanReader *self, ForePlanEntry *entry, GError **error)
{
  g_autofree char *all = NULL;

  if (entry->item->role == NULL)
    entry->item->role = g_strdup (DEFAULT_ROLE);
  if (g_strv_contains (self->rules->roles, entry->item->role))
    return TRUE;

  all = g_strjoinv (", ", (char **) self->rules->roles);
  fore_plan_fail (entry->place, error, _ ("This team does not have the role “%s”; it has %s."),
                  entry->item->role, all);

  return FALSE;
}

/* Every circle has an item that waits for itself or for one further down. */
static ForePlanPlace
find_forward (ForePlanReader *self)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < self->entries->len; i++)
    {
      const ForePlanEntry *entry = g_ptr_array_index (self->entries, i);

      for (guint j = 0; entry->afters != NULL && j < entry->afters->len; j++)
        {
          const ForePlanAfter *after = g_ptr_array_index (entry->afters, j);
          g_autofree char *key = fore_id_dup_task_key (after->id);

          if (!g_hash_table_contains (seen, after->id) && !g_hash_table_contains (seen, key))
            return after->place;
        }
      g_hash_table_add (seen, entry->item->id);
    }

  return (ForePlanPlace){ 1, 1 };
}

static gboolean
check_circles (ForePlanReader *self, const ForePlan *plan, GError **error)
{
  g_autoptr (ForeGraph) graph = fore_graph_new ();
  g_autoptr (GError) problem = NULL;
  guint n = plan->items->len;
  g_autofree const char **keys = g_new0 (const char *, n + 1);
  g_autofree GStrv *deps = g_new0 (GStrv, n + 1);

  for (guint i = 0; i < n; i++)
    {
      const ForePlanItem *item = g_ptr_array_index (plan->items, i);

      keys[i] = item->id;
      deps[i] = item->depends_on;
    }
  if (fore_graph_add_all (graph, keys, deps, n, &problem))
    return TRUE;

  fore_plan_fail (find_forward (self), error, "%s", problem->message);

  return FALSE;
}

static void
take_text (ForePlanEntry *entry)
{
  ForePlanItem *item = entry->item;
  const char *details = g_strchomp (entry->details->str);

  details += strspn (details, "\n");
  item->text = *details != '\0' ? g_strdup_printf ("%s\n\n%s", item->title, details)
                                : g_strdup (item->title);
}

static char *
dup_summary (ForePlanReader *self)
{
  const char *text = g_strstrip (self->summary->str);

  if (self->done->len == 0)
    return g_strdup (text);

  return g_strdup_printf (_ ("%s%sLeft out, since it is ticked off: %s."), text,
                          *text != '\0' ? "\n\n" : "", self->done->str);
}

/* The plan that the entries make, once all are read. */
ForePlan *
fore_plan_reader_make_plan (ForePlanReader *self, GError **error)
{
  g_autoptr (ForePlan) plan = fore_plan_new ();

  for (guint i = 0; i < self->entries->len; i++)
    {
      ForePlanEntry *entry = g_ptr_array_index (self->entries, i);

      if (entry->done)
        continue;
      if (!check_role (self, entry, error) || !resolve (self, entry, error))
        return NULL;
      take_text (entry);
      g_ptr_array_add (plan->items, fore_plan_item_copy (entry->item));
    }

  if (plan->items->len == 0)
    {
      fore_plan_fail ((ForePlanPlace){ 1, 1 }, error, "%s",
                      self->done->len > 0
                          ? _ ("Every item is ticked off; there is nothing left to do.")
                          : _ ("The file has no items; write them as a list or as headings."));
      return NULL;
    }
  if (!check_circles (self, plan, error))
    return NULL;

  plan->title = g_strdup (self->title != NULL ? self->title : "");
  plan->summary = dup_summary (self);

  return g_steal_pointer (&plan);
}
