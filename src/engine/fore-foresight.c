/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-foresight.h"

#include "text/fore-json.h"

#include <glib/gi18n-lib.h>

static void
foreseen_free (gpointer data)
{
  ForeForeseen *foreseen = data;

  g_free (foreseen->one);
  g_free (foreseen->two);
  g_strfreev (foreseen->paths);
  g_free (foreseen);
}

static void
forget (GPtrArray *list, const char *one, const char *two)
{
  for (guint i = list->len; i > 0; i--)
    {
      const ForeForeseen *foreseen = g_ptr_array_index (list, i - 1);

      if (g_str_equal (foreseen->one, one) && g_str_equal (foreseen->two, two))
        g_ptr_array_remove_index (list, i - 1);
    }
}

/**
 * fore_foresight_new:
 *
 * Returns: (transfer full) (element-type ForeForeseen): nothing is foreseen yet
 */
GPtrArray *
fore_foresight_new (void)
{
  return g_ptr_array_new_with_free_func (foreseen_free);
}

/**
 * fore_foresight_find:
 * @list: (element-type ForeForeseen): pairs
 * @key: a task
 *
 * Returns: (transfer none) (nullable): the last one that @key is part of
 */
const ForeForeseen *
fore_foresight_find (GPtrArray *list, const char *key)
{
  g_return_val_if_fail (list != NULL && key != NULL, NULL);

  for (guint i = list->len; i > 0; i--)
    {
      const ForeForeseen *foreseen = g_ptr_array_index (list, i - 1);

      if (g_str_equal (foreseen->one, key) || g_str_equal (foreseen->two, key))
        return foreseen;
    }

  return NULL;
}

/**
 * fore_foresight_add:
 * @list: (element-type ForeForeseen): pairs
 * @event: an event of the run
 *
 * Takes @event up if it says whose changes will not fit together, or do again.
 *
 * Returns: whether it did
 */
gboolean
fore_foresight_add (GPtrArray *list, const ForeEvent *event)
{
  g_autoptr (JsonNode) node = NULL;
  g_auto (GStrv) paths = NULL;
  JsonObject *object;
  ForeForeseen *foreseen;
  const char *with;

  g_return_val_if_fail (list != NULL && event != NULL, FALSE);

  if (event->type != FORE_EVENT_TASK_CONFLICT || event->task == NULL || event->data == NULL)
    return FALSE;

  node = fore_json_parse (event->data, -1, NULL, NULL);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;

  object = json_node_get_object (node);
  with = fore_json_get_string (object, "with", NULL);
  paths = fore_json_dup_strv (object, "paths");
  if (with == NULL)
    return FALSE;

  forget (list, event->task, with);
  if (paths == NULL || paths[0] == NULL)
    return TRUE;

  foreseen = g_new0 (ForeForeseen, 1);
  foreseen->one = g_strdup (event->task);
  foreseen->two = g_strdup (with);
  foreseen->paths = g_steal_pointer (&paths);
  g_ptr_array_add (list, foreseen);
  return TRUE;
}

static gboolean
still_counts (GPtrArray *tasks, const char *key)
{
  for (guint i = 0; i < tasks->len; i++)
    {
      const ForeTask *task = g_ptr_array_index (tasks, i);

      if (g_str_equal (task->key, key))
        return task->status != FORE_TASK_FAILED && task->status != FORE_TASK_CANCELLED
               && task->status != FORE_TASK_SKIPPED;
    }

  return FALSE;
}

/**
 * fore_foresight_fold:
 * @events: (element-type ForeEvent): events of a run, in their order; those of other types are
 *   passed over
 * @run: the run
 * @tasks: (element-type ForeTask): its tasks
 *
 * Finds out which tasks will not fit together as far as anybody knows. At the end of a run it is
 * known for certain, and nothing is foreseen any more.
 *
 * Returns: (transfer full) (element-type ForeForeseen): pairs
 */
GPtrArray *
fore_foresight_fold (GPtrArray *events, const ForeRun *run, GPtrArray *tasks)
{
  GPtrArray *list = fore_foresight_new ();

  g_return_val_if_fail (run != NULL && tasks != NULL, list);

  if (!fore_run_is_active (run))
    return list;

  for (guint i = 0; events != NULL && i < events->len; i++)
    fore_foresight_add (list, g_ptr_array_index (events, i));
  for (guint i = list->len; i > 0; i--)
    {
      const ForeForeseen *foreseen = g_ptr_array_index (list, i - 1);

      if (!still_counts (tasks, foreseen->one) || !still_counts (tasks, foreseen->two))
        g_ptr_array_remove_index (list, i - 1);
    }

  return list;
}

/**
 * fore_foreseen_dup_text:
 * @foreseen: a pair
 *
 * Returns: (transfer full): one sentence about it
 */
char *
fore_foreseen_dup_text (const ForeForeseen *foreseen)
{
  g_autofree char *paths = NULL;

  g_return_val_if_fail (foreseen != NULL, NULL);

  paths = g_strjoinv (", ", foreseen->paths);
  return g_strdup_printf (_ ("%s and %s will not fit together: %s"), foreseen->one, foreseen->two,
                          paths);
}
