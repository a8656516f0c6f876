/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-scene-private.h"

/* What is seen is asked for with every frame. Boxes that lie one after the other in memory are
 * compared many times faster than those of ten thousand nodes and edges wherever they are.
 */
struct _ForeGraphExtent
{
  float left;
  float top;
  float right;
  float bottom;
};

static ForeGraphExtent
make_extent (const ForeGraphBox *box)
{
  return (ForeGraphExtent){ box->x, box->y, box->x + box->width, box->y + box->height };
}

/* Overlaps nothing. */
static const ForeGraphExtent nowhere = { G_MAXFLOAT, G_MAXFLOAT, -G_MAXFLOAT, -G_MAXFLOAT };

static void
gather (ForeGraphScene *self)
{
  self->node_extents = g_renew (ForeGraphExtent, self->node_extents, self->nodes->len + 1);
  self->edge_extents = g_renew (ForeGraphExtent, self->edge_extents, self->edges->len + 1);
  for (guint i = 0; i < self->nodes->len; i++)
    {
      const ForeGraphSceneNode *node = g_ptr_array_index (self->nodes, i);

      self->node_extents[i] = node->placed ? make_extent (&node->box) : nowhere;
    }
  for (guint i = 0; i < self->edges->len; i++)
    {
      const ForeGraphSceneEdge *edge = g_ptr_array_index (self->edges, i);

      self->edge_extents[i] = edge->n_points > 1 ? make_extent (&edge->bounds) : nowhere;
    }
  self->has_extents = TRUE;
}

static void
find (const ForeGraphExtent *all, guint n, const ForeGraphExtent *seen, GArray *found)
{
  g_array_set_size (found, 0);
  for (guint i = 0; i < n; i++)
    {
      if (all[i].left <= seen->right && all[i].right >= seen->left && all[i].top <= seen->bottom
          && all[i].bottom >= seen->top)
        g_array_append_val (found, i);
    }
}

/**
 * fore_graph_scene_find_visible:
 * @self: a scene
 * @visible: a part of it
 * @nodes: (element-type guint): filled with the nodes that lie there, in their order
 * @edges: (element-type guint): filled with the edges that may touch it, in their order
 */
void
fore_graph_scene_find_visible (ForeGraphScene *self,
                               const ForeGraphBox *visible,
                               GArray *nodes,
                               GArray *edges)
{
  ForeGraphExtent seen;

  g_return_if_fail (self != NULL);
  g_return_if_fail (visible != NULL && nodes != NULL && edges != NULL);

  if (!self->has_extents)
    gather (self);
  seen = make_extent (visible);
  find (self->node_extents, self->nodes->len, &seen, nodes);
  find (self->edge_extents, self->edges->len, &seen, edges);
}
