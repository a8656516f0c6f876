/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-layout.h"

#include "app/fore-layered-graph.h"
#include "app/fore-layout-order.h"
#include "app/fore-layout-place.h"
#include "app/fore-layout-route.h"

#include <math.h>

#define MAX_PREVIOUS_LAYER 100000u

struct _ForeGraphLayout
{
  ForeLayeredGraph *graph;
  ForeLayoutRoutes routes;
  guint n_previous;
};

static const ForeGraphLayoutConfig default_config = {
  .node_gap = 38,
  .layer_gap = 32,
  .lane_gap = 12,
  .margin = 0,
};

/**
 * fore_graph_layout_new:
 * @config: (nullable): distances in pixels; the defaults without
 *
 * Returns: (transfer full): an empty graph
 */
ForeGraphLayout *
fore_graph_layout_new (const ForeGraphLayoutConfig *config)
{
  ForeGraphLayout *self = g_new0 (ForeGraphLayout, 1);

  self->graph = fore_layered_graph_new (config != NULL ? config : &default_config);
  fore_layout_routes_init (&self->routes);

  return self;
}

/**
 * fore_graph_layout_free:
 * @self: (transfer full): a layout
 */
void
fore_graph_layout_free (ForeGraphLayout *self)
{
  g_return_if_fail (self != NULL);

  fore_layered_graph_free (self->graph);
  fore_layout_routes_clear (&self->routes);
  g_free (self);
}

/**
 * fore_graph_layout_add_node:
 * @self: a layout
 * @width: of the node in pixels
 * @height: of the node in pixels
 *
 * Returns: the number of the node, counted from 0
 */
guint
fore_graph_layout_add_node (ForeGraphLayout *self, double width, double height)
{
  const guint no_layer = FORE_NO_LAYER;
  const double no_x = 0;

  g_return_val_if_fail (self != NULL, 0);

  g_array_append_val (self->graph->widths, width);
  g_array_append_val (self->graph->heights, height);
  g_array_append_val (self->graph->previous_x, no_x);
  g_array_append_val (self->graph->previous_layer, no_layer);

  return self->graph->n_nodes++;
}

/**
 * fore_graph_layout_add_edge:
 * @self: a layout
 * @from: the number of a node
 * @to: the number of another node
 * @ranked: whether @to must lie below @from; otherwise the edge is only drawn
 *
 * Cycles are allowed: one edge of each is drawn upwards.
 *
 * Returns: the number of the edge, counted from 0
 */
guint
fore_graph_layout_add_edge (ForeGraphLayout *self, guint from, guint to, gboolean ranked)
{
  const guint8 flag = ranked != FALSE;

  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (from < self->graph->n_nodes && to < self->graph->n_nodes, 0);
  g_return_val_if_fail (from != to, 0);

  g_array_append_val (self->graph->from, from);
  g_array_append_val (self->graph->to, to);
  g_array_append_val (self->graph->ranked, flag);

  return self->graph->n_edges++;
}

/**
 * fore_graph_layout_set_previous:
 * @self: a layout
 * @node: the number of a node
 * @x: where its centre was in the layout before this one
 * @layer: the layer in which it was
 *
 * When at least half of the nodes have been there before, they keep their layer as far as the
 * edges allow it, their order, and their place as far as there is room.
 */
void
fore_graph_layout_set_previous (ForeGraphLayout *self, guint node, double x, guint layer)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (node < self->graph->n_nodes);

  if (!fore_layered_graph_has_previous (self->graph, node))
    self->n_previous++;
  g_array_index (self->graph->previous_x, double, node) = x;
  g_array_index (self->graph->previous_layer, guint, node) = MIN (layer, MAX_PREVIOUS_LAYER);
}

/**
 * fore_graph_layout_set_previous_trunk:
 * @self: a layout
 * @node: the number of a node
 * @layer: a layer below it
 * @x: where the line from the node downwards passed through that layer in the layout before
 *
 * Lines that were there before keep their way as the nodes keep their places.
 */
void
fore_graph_layout_set_previous_trunk (ForeGraphLayout *self, guint node, guint layer, double x)
{
  ForeLayeredTrunk trunk = { node, layer, x };

  g_return_if_fail (self != NULL);
  g_return_if_fail (node < self->graph->n_nodes);

  g_array_append_val (self->graph->previous_trunks, trunk);
}

static void
round_places (ForeLayeredGraph *graph)
{
  for (guint i = 0; i < graph->n_items; i++)
    graph->x[i] = round (graph->x[i]);
}

/* A fresh layout starts at the margin; one that follows another stays where that was. */
static void
move_to_margin (ForeLayeredGraph *graph)
{
  double left = INFINITY;

  for (guint i = 0; i < graph->n_items; i++)
    left = MIN (left, graph->x[i] - fore_layered_graph_get_width (graph, i) / 2);
  for (guint i = 0; i < graph->n_items; i++)
    graph->x[i] += graph->config.margin - left;
}

/**
 * fore_graph_layout_run:
 * @self: a layout
 * @cancellable: (nullable): to stop it
 * @error: (out) (optional): why it did not end
 *
 * Places nodes and edges. The same input gives the same output on every machine. May take a while
 * for thousands of nodes: not for a main loop. Fails only when cancelled.
 *
 * Returns: whether the layout is there
 */
gboolean
fore_graph_layout_run (ForeGraphLayout *self, GCancellable *cancellable, GError **error)
{
  ForeLayeredGraph *graph;

  g_return_val_if_fail (self != NULL, FALSE);

  graph = self->graph;
  fore_layered_graph_reset (graph);
  graph->stable = self->n_previous > 0 && self->n_previous * 2 >= graph->n_nodes;

  fore_layered_graph_rank (graph);
  fore_layered_graph_split (graph);
  if (!fore_layered_graph_arrange (graph, cancellable, error)
      || !fore_layered_graph_place (graph, cancellable, error))
    return FALSE;

  fore_layered_graph_compact (graph);
  if (graph->stable)
    fore_layered_graph_settle (graph);
  else
    move_to_margin (graph);
  round_places (graph);
  fore_layout_routes_make (&self->routes, graph);

  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

guint
fore_graph_layout_get_n_nodes (const ForeGraphLayout *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->graph->n_nodes;
}

guint
fore_graph_layout_get_n_edges (const ForeGraphLayout *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->graph->n_edges;
}

/**
 * fore_graph_layout_get_n_layers:
 * @self: a layout that has run
 *
 * Returns: how many layers there are; with that, the number of nodes on the longest path or more
 */
guint
fore_graph_layout_get_n_layers (const ForeGraphLayout *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->graph->n_layers;
}

/**
 * fore_graph_layout_get_node_box:
 * @self: a layout that has run
 * @node: the number of a node
 *
 * Returns: (transfer none): where the node is
 */
const ForeGraphBox *
fore_graph_layout_get_node_box (const ForeGraphLayout *self, guint node)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (node < self->routes.boxes->len, NULL);

  return &g_array_index (self->routes.boxes, ForeGraphBox, node);
}

/**
 * fore_graph_layout_get_node_layer:
 * @self: a layout that has run
 * @node: the number of a node
 *
 * Returns: the layer of the node, counted from the top
 */
guint
fore_graph_layout_get_node_layer (const ForeGraphLayout *self, guint node)
{
  g_return_val_if_fail (self != NULL && self->graph->layer != NULL, 0);
  g_return_val_if_fail (node < self->graph->n_nodes, 0);

  return self->graph->layer[node];
}

/**
 * fore_graph_layout_get_edge_points:
 * @self: a layout that has run
 * @edge: the number of an edge
 * @n_points: (out): how many points it has, at least two
 *
 * Returns: (transfer none) (array length=n_points): the corners of the edge, from where it starts
 * to where it ends; each line between two of them is horizontal or vertical
 */
const ForeGraphPoint *
fore_graph_layout_get_edge_points (const ForeGraphLayout *self, guint edge, guint *n_points)
{
  guint begin;

  g_return_val_if_fail (self != NULL && n_points != NULL, NULL);
  g_return_val_if_fail (edge + 1 < self->routes.offsets->len, NULL);

  begin = g_array_index (self->routes.offsets, guint, edge);
  *n_points = g_array_index (self->routes.offsets, guint, edge + 1) - begin;

  return &g_array_index (self->routes.points, ForeGraphPoint, begin);
}

/**
 * fore_graph_layout_get_trunk:
 * @self: a layout that has run
 * @node: the number of a node
 * @n_layers: (out): through how many layers its lines pass
 *
 * Returns: (transfer none) (array length=n_layers): where the line from the node downwards passes
 *   through each layer, from the one below the node on
 */
const double *
fore_graph_layout_get_trunk (const ForeGraphLayout *self, guint node, guint *n_layers)
{
  g_return_val_if_fail (self != NULL && self->graph->x != NULL, NULL);
  g_return_val_if_fail (node < self->graph->n_nodes, NULL);
  g_return_val_if_fail (n_layers != NULL, NULL);

  *n_layers = self->graph->chain_length[node];
  return self->graph->x + self->graph->chain_start[node];
}

static void
extend (ForeGraphBox *bounds, double x, double y)
{
  double right = MAX (bounds->x + bounds->width, x);
  double bottom = MAX (bounds->y + bounds->height, y);

  bounds->x = MIN (bounds->x, x);
  bounds->y = MIN (bounds->y, y);
  bounds->width = right - bounds->x;
  bounds->height = bottom - bounds->y;
}

/**
 * fore_graph_layout_get_bounds:
 * @self: a layout that has run
 * @bounds: (out): the box around everything, without the margin
 */
void
fore_graph_layout_get_bounds (const ForeGraphLayout *self, ForeGraphBox *bounds)
{
  g_return_if_fail (self != NULL && bounds != NULL);

  *bounds = (ForeGraphBox){ 0 };
  for (guint i = 0; i < self->routes.boxes->len; i++)
    {
      const ForeGraphBox *box = &g_array_index (self->routes.boxes, ForeGraphBox, i);

      if (i == 0)
        *bounds = *box;
      extend (bounds, box->x, box->y);
      extend (bounds, box->x + box->width, box->y + box->height);
    }
  for (guint i = 0; i < self->routes.points->len; i++)
    {
      const ForeGraphPoint *point = &g_array_index (self->routes.points, ForeGraphPoint, i);

      extend (bounds, point->x, point->y);
    }
}

/**
 * fore_graph_layout_count_crossings:
 * @self: a layout that has run
 *
 * Returns: how often lines cross between layers; lines that share a trunk count once
 */
guint64
fore_graph_layout_count_crossings (const ForeGraphLayout *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return fore_layered_graph_count_crossings (self->graph);
}
