/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-scene-private.h"

#include <math.h>
#include <string.h>

typedef struct
{
  ForeGraphBox box;
  guint layer;
  GArray *trunk;
} Place;

static void
place_free (gpointer data)
{
  Place *self = data;

  g_array_unref (self->trunk);
  g_free (self);
}

static void
scene_node_free (gpointer data)
{
  ForeGraphSceneNode *self = data;

  g_clear_signal_handler (&self->handler, self->node);
  g_clear_pointer (&self->card, gsk_render_node_unref);
  g_array_unref (self->trunk);
  g_array_unref (self->out);
  g_array_unref (self->in);
  g_object_unref (self->node);
  g_free (self);
}

static ForeGraphSceneNode *
scene_node_new (ForeGraphNode *node)
{
  ForeGraphSceneNode *self = g_new0 (ForeGraphSceneNode, 1);

  self->node = g_object_ref (node);
  self->trunk = g_array_new (FALSE, FALSE, sizeof (double));
  self->out = g_array_new (FALSE, FALSE, sizeof (guint));
  self->in = g_array_new (FALSE, FALSE, sizeof (guint));

  return self;
}

static void
scene_edge_free (gpointer data)
{
  ForeGraphSceneEdge *self = data;

  fore_graph_edge_free (self->edge);
  g_free (self->points);
  g_free (self);
}

ForeGraphScene *
fore_graph_scene_new (void)
{
  ForeGraphScene *self = g_new0 (ForeGraphScene, 1);

  self->nodes = g_ptr_array_new_with_free_func (scene_node_free);
  self->edges = g_ptr_array_new_with_free_func (scene_edge_free);
  self->wanted_edges = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_graph_edge_free);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  self->places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, place_free);
  self->node_width = 192;
  self->node_height = 56;

  return self;
}

void
fore_graph_scene_free (ForeGraphScene *self)
{
  g_ptr_array_unref (self->edges);
  g_ptr_array_unref (self->wanted_edges);
  g_hash_table_unref (self->by_id);
  g_hash_table_unref (self->places);
  g_ptr_array_unref (self->nodes);
  g_free (self->node_extents);
  g_free (self->edge_extents);
  g_free (self);
}

ForeGraphSceneNode *
fore_graph_scene_get_node (const ForeGraphScene *self, guint index)
{
  return index < self->nodes->len ? g_ptr_array_index (self->nodes, index) : NULL;
}

ForeGraphSceneEdge *
fore_graph_scene_get_edge (const ForeGraphScene *self, guint index)
{
  return index < self->edges->len ? g_ptr_array_index (self->edges, index) : NULL;
}

/* The column of a node, by its place when nothing moves any more. */
double
fore_graph_scene_node_get_middle (const ForeGraphSceneNode *self)
{
  return self->target.x + self->target.width / 2;
}

guint
fore_graph_scene_find (const ForeGraphScene *self, const char *id)
{
  gpointer index;

  if (id == NULL || !g_hash_table_lookup_extended (self->by_id, id, NULL, &index))
    return FORE_NO_NODE;

  return GPOINTER_TO_UINT (index);
}

static ForeGraphSceneEdge *
find_old_edge (GHashTable *old, const ForeGraphEdge *edge)
{
  g_autofree char *key = g_strdup_printf ("%s\n%s\n%d", edge->from, edge->to, edge->kind);

  return g_hash_table_lookup (old, key);
}

static GHashTable *
index_edges (GPtrArray *edges)
{
  GHashTable *table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < edges->len; i++)
    {
      ForeGraphSceneEdge *edge = g_ptr_array_index (edges, i);

      g_hash_table_insert (
          table, g_strdup_printf ("%s\n%s\n%d", edge->edge->from, edge->edge->to, edge->edge->kind),
          edge);
    }

  return table;
}

static void
add_edge (ForeGraphScene *self, const ForeGraphEdge *wanted, GHashTable *old)
{
  guint from = fore_graph_scene_find (self, wanted->from);
  guint to = fore_graph_scene_find (self, wanted->to);
  ForeGraphSceneEdge *edge;
  const ForeGraphSceneEdge *before;
  guint index = self->edges->len;

  if (from == FORE_NO_NODE || to == FORE_NO_NODE || from == to)
    return;

  edge = g_new0 (ForeGraphSceneEdge, 1);
  edge->edge = fore_graph_edge_copy (wanted);
  edge->from = from;
  edge->to = to;
  edge->fresh = TRUE;
  before = find_old_edge (old, wanted);
  if (before != NULL && before->n_points > 0)
    {
      edge->points = g_memdup2 (before->points, before->n_points * sizeof (ForeGraphPoint));
      edge->n_points = before->n_points;
      edge->bounds = before->bounds;
      edge->fresh = FALSE;
    }

  g_ptr_array_add (self->edges, edge);
  g_array_append_val (fore_graph_scene_get_node (self, from)->out, index);
  g_array_append_val (fore_graph_scene_get_node (self, to)->in, index);
}

/* Makes numbers and edges again after nodes or wanted edges changed. Edges of which an end is not
 * there (yet) wait in the wanted ones. Lines that were drawn stay until a layout replaces them.
 */
static void
relink (ForeGraphScene *self)
{
  g_autoptr (GPtrArray) before = g_steal_pointer (&self->edges);
  g_autoptr (GHashTable) old = index_edges (before);

  self->edges = g_ptr_array_new_with_free_func (scene_edge_free);
  g_hash_table_remove_all (self->by_id);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      ForeGraphSceneNode *node = g_ptr_array_index (self->nodes, i);

      g_array_set_size (node->out, 0);
      g_array_set_size (node->in, 0);
      g_hash_table_insert (self->by_id, (gpointer) fore_graph_node_get_id (node->node),
                           GUINT_TO_POINTER (i));
    }
  for (guint i = 0; i < self->wanted_edges->len; i++)
    add_edge (self, g_ptr_array_index (self->wanted_edges, i), old);

  self->serial++;
  self->has_extents = FALSE;
}

static void
take_old_place (ForeGraphScene *self, ForeGraphSceneNode *node)
{
  const Place *place = g_hash_table_lookup (self->places, fore_graph_node_get_id (node->node));

  if (place == NULL)
    return;

  node->box = node->source = node->target = place->box;
  node->layer = place->layer;
  g_array_unref (node->trunk);
  node->trunk = g_array_ref (place->trunk);
  node->placed = TRUE;
}

/**
 * fore_graph_scene_splice:
 * @self: a scene
 * @position: where @model changed
 * @n_removed: how many items left
 * @model: a model of #ForeGraphNode
 * @n_added: how many came
 *
 * Follows a change of the model. A node that comes back under its id keeps its place.
 */
void
fore_graph_scene_splice (
    ForeGraphScene *self, guint position, guint n_removed, GListModel *model, guint n_added)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (position + n_removed <= self->nodes->len);

  if (n_removed > 0)
    g_ptr_array_remove_range (self->nodes, position, n_removed);
  for (guint i = 0; i < n_added; i++)
    {
      g_autoptr (ForeGraphNode) item = g_list_model_get_item (model, position + i);
      ForeGraphSceneNode *node = scene_node_new (item);

      take_old_place (self, node);
      if (n_added == g_list_model_get_n_items (model))
        g_ptr_array_add (self->nodes, node);
      else
        g_ptr_array_insert (self->nodes, position + i, node);
    }

  relink (self);
}

static gboolean
edges_equal (GPtrArray *a, GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;

  for (guint i = 0; i < a->len; i++)
    if (!fore_graph_edge_equal (a->pdata[i], b->pdata[i]))
      return FALSE;

  return TRUE;
}

/**
 * fore_graph_scene_set_edges:
 * @self: a scene
 * @edges: (nullable) (element-type ForeGraphEdge): all edges; copied
 *
 * Returns: whether anything is different now
 */
gboolean
fore_graph_scene_set_edges (ForeGraphScene *self, GPtrArray *edges)
{
  g_autoptr (GPtrArray) copy = NULL;

  g_return_val_if_fail (self != NULL, FALSE);

  copy = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_graph_edge_free);
  for (guint i = 0; edges != NULL && i < edges->len; i++)
    g_ptr_array_add (copy, fore_graph_edge_copy (g_ptr_array_index (edges, i)));
  if (edges_equal (copy, self->wanted_edges))
    return FALSE;

  g_ptr_array_unref (self->wanted_edges);
  self->wanted_edges = g_steal_pointer (&copy);
  relink (self);
  return TRUE;
}

/**
 * fore_graph_scene_forget_places:
 * @self: a scene
 *
 * Lets nodes that come from now on be placed as if their ids had never been seen. To be called
 * between two graphs.
 */
void
fore_graph_scene_forget_places (ForeGraphScene *self)
{
  g_return_if_fail (self != NULL);

  g_hash_table_remove_all (self->places);
}

/**
 * fore_graph_scene_hit:
 * @self: a scene
 * @x: a place in the scene
 * @y: a place in the scene
 *
 * Returns: the node there, or %FORE_NO_NODE
 */
guint
fore_graph_scene_hit (const ForeGraphScene *self, double x, double y)
{
  for (guint i = self->nodes->len; i > 0; i--)
    {
      const ForeGraphSceneNode *node = g_ptr_array_index (self->nodes, i - 1);

      if (node->placed && x >= node->box.x && x < node->box.x + node->box.width && y >= node->box.y
          && y < node->box.y + node->box.height)
        return i - 1;
    }

  return FORE_NO_NODE;
}

/**
 * fore_graph_scene_make_layout:
 * @self: a scene
 *
 * Returns: (transfer full): a layout of the nodes and edges of the moment, to be run elsewhere
 */
ForeGraphLayout *
fore_graph_scene_make_layout (ForeGraphScene *self)
{
  ForeGraphLayout *layout = fore_graph_layout_new (NULL);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const ForeGraphSceneNode *node = g_ptr_array_index (self->nodes, i);

      fore_graph_layout_add_node (layout, self->node_width, self->node_height);
      if (!node->placed)
        continue;
      fore_graph_layout_set_previous (layout, i, fore_graph_scene_node_get_middle (node),
                                      node->layer);
      for (guint k = 0; k < node->trunk->len; k++)
        fore_graph_layout_set_previous_trunk (layout, i, node->layer + 1 + k,
                                              g_array_index (node->trunk, double, k));
    }
  for (guint i = 0; i < self->edges->len; i++)
    {
      const ForeGraphSceneEdge *edge = g_ptr_array_index (self->edges, i);

      fore_graph_layout_add_edge (layout, edge->from, edge->to,
                                  edge->edge->kind != FORE_GRAPH_EDGE_CONFLICT);
    }

  return layout;
}

static void
apply_edge (ForeGraphSceneEdge *edge, const ForeGraphPoint *points, guint n, double dx, double dy)
{
  g_autofree ForeGraphPoint *moved = g_new (ForeGraphPoint, n);
  double left = INFINITY, top = INFINITY, right = -INFINITY, bottom = -INFINITY;

  for (guint i = 0; i < n; i++)
    {
      moved[i] = (ForeGraphPoint){ points[i].x + dx, points[i].y + dy };
      left = MIN (left, moved[i].x);
      right = MAX (right, moved[i].x);
      top = MIN (top, moved[i].y);
      bottom = MAX (bottom, moved[i].y);
    }

  edge->fresh = edge->n_points != n
                || memcmp (edge->points, moved, n * sizeof (ForeGraphPoint)) != 0;
  g_free (edge->points);
  edge->points = g_steal_pointer (&moved);
  edge->n_points = n;
  edge->bounds = (ForeGraphBox){ left, top, right - left, bottom - top };
}

static gboolean
apply_node (ForeGraphScene *self, ForeGraphSceneNode *node, const ForeGraphBox *box, guint layer)
{
  gboolean moved = !node->placed || node->target.x != box->x || node->target.y != box->y;
  Place *place = g_new (Place, 1);

  node->source = node->placed ? node->box : *box;
  node->target = *box;
  node->fresh = !node->placed;
  node->placed = TRUE;
  node->layer = layer;
  node->box = node->source;
  node->box.width = box->width;
  node->box.height = box->height;

  *place = (Place){ *box, layer, g_array_ref (node->trunk) };
  g_hash_table_insert (self->places, g_strdup (fore_graph_node_get_id (node->node)), place);
  return moved;
}

static void
take_trunk (ForeGraphSceneNode *node, const ForeGraphLayout *layout, guint index, double dx)
{
  guint n;
  const double *trunk = fore_graph_layout_get_trunk (layout, index, &n);

  g_array_unref (node->trunk);
  node->trunk = g_array_sized_new (FALSE, FALSE, sizeof (double), n);
  for (guint i = 0; i < n; i++)
    {
      double x = trunk[i] + dx;

      g_array_append_val (node->trunk, x);
    }
}

/**
 * fore_graph_scene_apply:
 * @self: a scene
 * @layout: a layout made from the scene as it still is
 * @anchor: a node that stays where it is, or %FORE_NO_NODE
 *
 * Takes the places of @layout as targets: fore_graph_scene_move() goes there.
 *
 * Returns: whether anything moves
 */
gboolean
fore_graph_scene_apply (ForeGraphScene *self, const ForeGraphLayout *layout, guint anchor)
{
  const ForeGraphSceneNode *fixed = fore_graph_scene_get_node (self, anchor);
  double dx = 0, dy = 0;
  gboolean moved = FALSE;

  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (fore_graph_layout_get_n_nodes (layout) == self->nodes->len, FALSE);

  if (fixed != NULL && fixed->placed)
    {
      const ForeGraphBox *box = fore_graph_layout_get_node_box (layout, anchor);

      dx = fixed->target.x - box->x;
      dy = fixed->target.y - box->y;
    }

  g_hash_table_remove_all (self->places);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      ForeGraphBox box = *fore_graph_layout_get_node_box (layout, i);

      box.x += dx;
      box.y += dy;
      take_trunk (g_ptr_array_index (self->nodes, i), layout, i, dx);
      moved |= apply_node (self, g_ptr_array_index (self->nodes, i), &box,
                           fore_graph_layout_get_node_layer (layout, i));
    }
  for (guint i = 0; i < self->edges->len; i++)
    {
      guint n;
      const ForeGraphPoint *points = fore_graph_layout_get_edge_points (layout, i, &n);

      apply_edge (g_ptr_array_index (self->edges, i), points, n, dx, dy);
    }

  fore_graph_layout_get_bounds (layout, &self->bounds);
  self->bounds.x += dx;
  self->bounds.y += dy;
  self->n_layers = fore_graph_layout_get_n_layers (layout);
  self->has_extents = FALSE;
  return moved;
}

/**
 * fore_graph_scene_move:
 * @self: a scene
 * @progress: 0 is where the nodes were, 1 where the layout puts them
 */
void
fore_graph_scene_move (ForeGraphScene *self, double progress)
{
  g_return_if_fail (self != NULL);

  self->has_extents = FALSE;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      ForeGraphSceneNode *node = g_ptr_array_index (self->nodes, i);

      if (progress >= 1)
        {
          node->box = node->target;
          node->fresh = FALSE;
          continue;
        }
      node->box.x = node->source.x + (node->target.x - node->source.x) * progress;
      node->box.y = node->source.y + (node->target.y - node->source.y) * progress;
    }
  for (guint i = 0; i < self->edges->len && progress >= 1; i++)
    ((ForeGraphSceneEdge *) g_ptr_array_index (self->edges, i))->fresh = FALSE;
}
