/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "model/fore-graph-private.h"

#include "model/fore-error.h"

#include <string.h>

typedef ForeGraphNode Node;

static void
node_free (Node *node)
{
  g_free (node->before.items);
  g_free (node->after.items);
  g_free (node);
}

static Node *
node_new (const char *key, guint position)
{
  gsize length = strlen (key) + 1;
  Node *node = g_malloc0 (sizeof *node + length);

  memcpy (node->key, key, length);
  node->position = position;

  return node;
}

/**
 * fore_graph_new:
 *
 * Returns: (transfer full): an empty graph
 */
ForeGraph *
fore_graph_new (void)
{
  ForeGraph *graph = g_new0 (ForeGraph, 1);

  graph->by_key = g_hash_table_new (g_str_hash, g_str_equal);
  graph->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) node_free);

  return graph;
}

/**
 * fore_graph_free:
 * @graph: (nullable): a graph
 */
void
fore_graph_free (ForeGraph *graph)
{
  if (graph == NULL)
    return;

  g_hash_table_unref (graph->by_key);
  g_ptr_array_unref (graph->nodes);
  g_free (graph);
}

static Node *
find (ForeGraph *graph, const char *key)
{
  return g_hash_table_lookup (graph->by_key, key);
}

static gboolean
leads_to (const ForeGraphEdges *edges, const Node *node)
{
  for (guint i = 0; i < edges->len; i++)
    {
      if (edges->items[i] == node)
        return TRUE;
    }

  return FALSE;
}

/* Room for a power of two, so that a node that thousands wait for is not copied for each of them.
 */
static void
add_edge (ForeGraphEdges *edges, Node *node)
{
  if ((edges->len & (edges->len - 1)) == 0)
    edges->items = g_renew (Node *, edges->items, edges->len == 0 ? 1 : 2 * edges->len);

  edges->items[edges->len++] = node;
}

static void
connect_nodes (Node *before, Node *after)
{
  if (leads_to (&after->before, before))
    return;

  add_edge (&after->before, before);
  add_edge (&before->after, after);
  if (!before->satisfied)
    after->unmet++;
}

/**
 * fore_graph_add:
 * @graph: a graph
 * @key: key of the new node
 * @depends_on: (nullable): keys of nodes before it; all must be in the graph
 * @error: return location for an error
 *
 * Adds a node. Since it may only depend on nodes that are there already, no cycle can arise.
 * Errors: %FORE_ERROR_INVALID for a key that is there already, a dependency that is not, or one on
 * itself; the graph is then as before.
 *
 * Returns: whether it was added
 */
gboolean
fore_graph_add (ForeGraph *graph, const char *key, const char *const *depends_on, GError **error)
{
  Node *node;

  g_return_val_if_fail (graph != NULL, FALSE);
  g_return_val_if_fail (key != NULL, FALSE);

  if (find (graph, key) != NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                   "Two tasks are called “%s”; give one of them another id.", key);
      return FALSE;
    }

  for (guint i = 0; depends_on != NULL && depends_on[i] != NULL; i++)
    {
      if (find (graph, depends_on[i]) == NULL)
        {
          g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                       "“%s” depends on “%s”, which is not there; name a task that is.", key,
                       depends_on[i]);
          return FALSE;
        }
    }

  node = node_new (key, graph->nodes->len);
  g_ptr_array_add (graph->nodes, node);
  g_hash_table_insert (graph->by_key, node->key, node);
  for (guint i = 0; depends_on != NULL && depends_on[i] != NULL; i++)
    connect_nodes (find (graph, depends_on[i]), node);

  return TRUE;
}

/**
 * fore_graph_add_all:
 * @graph: a graph
 * @keys: (array length=n_keys): keys of new nodes
 * @depends_on: (array length=n_keys): for each the keys before it, nullable
 * @n_keys: how many
 * @error: return location for an error
 *
 * Adds several nodes that may depend on each other in any order, or on nodes that are there. Errors
 * are those of fore_graph_add() and %FORE_ERROR_INVALID for a cycle, naming its trail
 * (`a → b → a`); the graph is then as before.
 *
 * Returns: whether all were added
 */
gboolean
fore_graph_add_all (ForeGraph *graph,
                    const char *const *keys,
                    GStrv const *depends_on,
                    guint n_keys,
                    GError **error)
{
  guint before;

  g_return_val_if_fail (graph != NULL, FALSE);

  before = graph->nodes->len;

  for (guint i = 0; i < n_keys; i++)
    {
      if (!fore_graph_add (graph, keys[i], NULL, error))
        {
          fore_graph_truncate (graph, before);
          return FALSE;
        }
    }

  for (guint i = 0; i < n_keys; i++)
    {
      Node *node = g_ptr_array_index (graph->nodes, before + i);

      for (guint j = 0; depends_on[i] != NULL && depends_on[i][j] != NULL; j++)
        {
          Node *other = find (graph, depends_on[i][j]);

          if (other == NULL)
            {
              g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
                           "“%s” depends on “%s”, which is not there; name a task that is.",
                           node->key, depends_on[i][j]);
              fore_graph_truncate (graph, before);
              return FALSE;
            }
          connect_nodes (other, node);
        }
    }

  if (!fore_graph_check (graph, error))
    {
      fore_graph_truncate (graph, before);
      return FALSE;
    }

  return TRUE;
}

/**
 * fore_graph_connect:
 * @graph: a graph
 * @before: key of a node
 * @after: key of a node that shall wait for @before
 *
 * Adds an arrow at run time; the caller knows that no cycle arises.
 *
 * Returns: whether both nodes are there
 */
gboolean
fore_graph_connect (ForeGraph *graph, const char *before, const char *after)
{
  Node *from;
  Node *to;

  g_return_val_if_fail (graph != NULL && before != NULL && after != NULL, FALSE);

  from = find (graph, before);
  to = find (graph, after);
  if (from == NULL || to == NULL || from == to)
    return FALSE;

  connect_nodes (from, to);

  return TRUE;
}

static void
disconnect (Node *node, guint n_keep)
{
  guint n = 0;

  for (guint i = 0; i < node->after.len; i++)
    {
      if (node->after.items[i]->position < n_keep)
        node->after.items[n++] = node->after.items[i];
    }
  node->after.len = n;
}

/**
 * fore_graph_truncate:
 * @graph: a graph
 * @n_keep: how many of the oldest nodes stay
 *
 * Takes the nodes out again that were added last. No node that stays may depend on one that goes.
 */
void
fore_graph_truncate (ForeGraph *graph, guint n_keep)
{
  g_return_if_fail (graph != NULL);

  for (guint i = 0; i < n_keep && i < graph->nodes->len; i++)
    disconnect (g_ptr_array_index (graph->nodes, i), n_keep);

  while (graph->nodes->len > n_keep)
    {
      const Node *last = g_ptr_array_index (graph->nodes, graph->nodes->len - 1);

      g_hash_table_remove (graph->by_key, last->key);
      g_ptr_array_remove_index (graph->nodes, graph->nodes->len - 1);
    }
}

/* Walks from a node that is on or behind a cycle along unsorted predecessors until one comes up
 * again: the walk between is the cycle.
 */
static char *
dup_cycle_trail (ForeGraph *graph, const guint *unsorted)
{
  g_autoptr (GPtrArray) walk = g_ptr_array_new ();
  GString *trail = g_string_new (NULL);
  Node *node = NULL;
  guint first;

  for (guint i = 0; i < graph->nodes->len && node == NULL; i++)
    {
      if (unsorted[i] > 0)
        node = g_ptr_array_index (graph->nodes, i);
    }

  while (!g_ptr_array_find (walk, node, &first))
    {
      Node *next = NULL;

      g_ptr_array_add (walk, node);
      for (guint i = 0; i < node->before.len && next == NULL; i++)
        {
          Node *other = node->before.items[i];

          if (unsorted[other->position] > 0)
            next = other;
        }
      node = next;
    }

  for (guint i = walk->len; i > first; i--)
    g_string_append_printf (trail, "%s → ", ((const Node *) g_ptr_array_index (walk, i - 1))->key);
  g_string_append (trail, ((const Node *) g_ptr_array_index (walk, walk->len - 1))->key);

  return g_string_free (trail, FALSE);
}

/* Kahn's algorithm; fills unsorted[] with what remains unmet of each node. */
static GPtrArray *
sort_nodes (ForeGraph *graph, guint *unsorted)
{
  GPtrArray *sorted = g_ptr_array_sized_new (graph->nodes->len);

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      Node *node = g_ptr_array_index (graph->nodes, i);

      unsorted[i] = node->before.len;
      if (unsorted[i] == 0)
        g_ptr_array_add (sorted, node);
    }

  for (guint i = 0; i < sorted->len; i++)
    {
      const Node *node = g_ptr_array_index (sorted, i);

      for (guint j = 0; j < node->after.len; j++)
        {
          Node *other = node->after.items[j];

          if (--unsorted[other->position] == 0)
            g_ptr_array_add (sorted, other);
        }
    }

  return sorted;
}

/**
 * fore_graph_check:
 * @graph: a graph
 * @error: return location for an error
 *
 * Looks for cycles; a %FORE_ERROR_INVALID names the trail of one.
 *
 * Returns: whether there is none
 */
gboolean
fore_graph_check (ForeGraph *graph, GError **error)
{
  g_autofree guint *unsorted = NULL;
  g_autoptr (GPtrArray) sorted = NULL;
  g_autofree char *trail = NULL;

  g_return_val_if_fail (graph != NULL, FALSE);

  unsorted = g_new (guint, graph->nodes->len + 1);
  sorted = sort_nodes (graph, unsorted);
  if (sorted->len == graph->nodes->len)
    return TRUE;

  trail = dup_cycle_trail (graph, unsorted);
  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
               "The tasks wait for each other in a circle: %s; take one of these arrows out.",
               trail);

  return FALSE;
}

/**
 * fore_graph_get_size:
 * @graph: a graph
 *
 * Returns: how many nodes it has
 */
guint
fore_graph_get_size (ForeGraph *graph)
{
  g_return_val_if_fail (graph != NULL, 0);

  return graph->nodes->len;
}

/**
 * fore_graph_contains:
 * @graph: a graph
 * @key: a key
 *
 * Returns: whether @graph has a node called @key
 */
gboolean
fore_graph_contains (ForeGraph *graph, const char *key)
{
  g_return_val_if_fail (graph != NULL && key != NULL, FALSE);

  return find (graph, key) != NULL;
}

/**
 * fore_graph_get_unmet:
 * @graph: a graph
 * @key: a key
 *
 * Returns: how many direct dependencies of @key are not satisfied
 */
guint
fore_graph_get_unmet (ForeGraph *graph, const char *key)
{
  const Node *node;

  g_return_val_if_fail (graph != NULL && key != NULL, 0);

  node = find (graph, key);
  g_return_val_if_fail (node != NULL, 0);

  return node->unmet;
}

/**
 * fore_graph_is_satisfied:
 * @graph: a graph
 * @key: a key
 *
 * Returns: whether @key itself was satisfied
 */
gboolean
fore_graph_is_satisfied (ForeGraph *graph, const char *key)
{
  const Node *node;

  g_return_val_if_fail (graph != NULL && key != NULL, FALSE);

  node = find (graph, key);

  return node != NULL && node->satisfied;
}

/**
 * fore_graph_satisfy:
 * @graph: a graph
 * @key: key of a node
 *
 * Says that @key is done. Doing so twice changes nothing.
 *
 * Returns: (transfer full) (element-type utf8): keys, owned by the graph, of the nodes whose last
 *   unmet dependency it was
 */
GPtrArray *
fore_graph_satisfy (ForeGraph *graph, const char *key)
{
  GPtrArray *released = g_ptr_array_new ();
  Node *node;

  g_return_val_if_fail (graph != NULL && key != NULL, released);

  node = find (graph, key);
  g_return_val_if_fail (node != NULL, released);

  if (node->satisfied)
    return released;

  node->satisfied = TRUE;
  for (guint i = 0; i < node->after.len; i++)
    {
      Node *other = node->after.items[i];

      if (--other->unmet == 0)
        g_ptr_array_add (released, other->key);
    }

  return released;
}

static GPtrArray *
list_reachable (ForeGraph *graph, const char *key, gboolean forward, gboolean transitive)
{
  GPtrArray *keys = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) queue = g_ptr_array_new ();
  Node *start = find (graph, key);

  g_return_val_if_fail (start != NULL, keys);

  g_ptr_array_add (queue, start);
  for (guint i = 0; i < queue->len && (i == 0 || transitive); i++)
    {
      const Node *node = g_ptr_array_index (queue, i);
      const ForeGraphEdges *next = forward ? &node->after : &node->before;

      for (guint j = 0; j < next->len; j++)
        {
          Node *other = next->items[j];

          if (!g_hash_table_add (seen, other))
            continue;
          g_ptr_array_add (keys, other->key);
          g_ptr_array_add (queue, other);
        }
    }

  return keys;
}

/**
 * fore_graph_list_dependants:
 * @graph: a graph
 * @key: a key
 * @transitive: whether to follow on
 *
 * Returns: (transfer full) (element-type utf8): keys, owned by the graph, that wait for @key
 */
GPtrArray *
fore_graph_list_dependants (ForeGraph *graph, const char *key, gboolean transitive)
{
  g_return_val_if_fail (graph != NULL && key != NULL, NULL);

  return list_reachable (graph, key, TRUE, transitive);
}

/**
 * fore_graph_list_dependencies:
 * @graph: a graph
 * @key: a key
 * @transitive: whether to follow on
 *
 * Returns: (transfer full) (element-type utf8): keys, owned by the graph, that @key waits for
 */
GPtrArray *
fore_graph_list_dependencies (ForeGraph *graph, const char *key, gboolean transitive)
{
  g_return_val_if_fail (graph != NULL && key != NULL, NULL);

  return list_reachable (graph, key, FALSE, transitive);
}

/**
 * fore_graph_list_roots:
 * @graph: a graph
 *
 * Returns: (transfer full) (element-type utf8): keys, owned by the graph, without unmet
 *   dependencies that are not satisfied themselves
 */
GPtrArray *
fore_graph_list_roots (ForeGraph *graph)
{
  GPtrArray *keys = g_ptr_array_new ();

  g_return_val_if_fail (graph != NULL, keys);

  for (guint i = 0; i < graph->nodes->len; i++)
    {
      Node *node = g_ptr_array_index (graph->nodes, i);

      if (node->unmet == 0 && !node->satisfied)
        g_ptr_array_add (keys, node->key);
    }

  return keys;
}

/**
 * fore_graph_sort:
 * @graph: a graph without cycles
 *
 * Returns: (transfer full) (element-type utf8): all keys, owned by the graph, each after those that
 *   it depends on
 */
GPtrArray *
fore_graph_sort (ForeGraph *graph)
{
  g_autofree guint *unsorted = NULL;
  GPtrArray *sorted;

  g_return_val_if_fail (graph != NULL, NULL);

  unsorted = g_new (guint, graph->nodes->len + 1);
  sorted = sort_nodes (graph, unsorted);
  for (guint i = 0; i < sorted->len; i++)
    sorted->pdata[i] = ((Node *) sorted->pdata[i])->key;

  return sorted;
}
