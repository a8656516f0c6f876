/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-graph-private.h"

static ForeGraphNode *
find (ForeGraph *graph, const char *key)
{
  return g_hash_table_lookup (graph->by_key, key);
}

/**
 * fore_graph_measure:
 * @graph: a graph without cycles
 * @weigh: (scope call): says how long a node takes
 * @user_data: data for @weigh
 *
 * Finds for each node the longest chain that begins with it, for fore_graph_get_chain(). Takes time
 * in proportion to nodes and edges. To start long chains first is list scheduling by critical path
 * (Graham, 1969).
 */
void
fore_graph_measure (ForeGraph *graph, ForeGraphWeigh weigh, gpointer user_data)
{
  g_autoptr (GPtrArray) sorted = NULL;

  g_return_if_fail (graph != NULL);
  g_return_if_fail (weigh != NULL);

  sorted = fore_graph_sort (graph);
  for (guint i = sorted->len; i > 0; i--)
    {
      ForeGraphNode *node = find (graph, g_ptr_array_index (sorted, i - 1));
      gint64 longest = 0;

      for (guint j = 0; j < node->after.len; j++)
        longest = MAX (longest, ((const ForeGraphNode *) node->after.items[j])->chain);
      node->chain = longest + weigh (node->key, user_data);
    }
}

/**
 * fore_graph_get_chain:
 * @graph: a graph
 * @key: a key
 *
 * Returns: how long everything takes that waits for @key and for each other, with @key itself, as
 *   fore_graph_measure() found it; 0 if the node is newer
 */
gint64
fore_graph_get_chain (ForeGraph *graph, const char *key)
{
  const ForeGraphNode *node;

  g_return_val_if_fail (graph != NULL && key != NULL, 0);

  node = find (graph, key);
  g_return_val_if_fail (node != NULL, 0);

  return node->chain;
}
