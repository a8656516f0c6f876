/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-layout-route.h"

#include "app/fore-layout-lanes.h"

#include <math.h>

#define FIRST_LANE_SPACE 14.0
#define MAX_LANES_HEIGHT 480.0
#define SIDE_PORT 0.32

typedef struct
{
  const ForeLayeredGraph *graph;
  ForeLayoutRoutes *routes;
  ForeLayoutNet **segment_net;
  ForeLayoutNet **level_net;
  GPtrArray *all_nets;
  double *layer_top;
  double *layer_height;
  double *gap_top;
  double *gap_first;
  double *gap_step;
} Router;

static void
router_clear (Router *self)
{
  g_free (self->segment_net);
  g_free (self->level_net);
  g_ptr_array_unref (self->all_nets);
  g_free (self->layer_top);
  g_free (self->layer_height);
  g_free (self->gap_top);
  g_free (self->gap_first);
  g_free (self->gap_step);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Router, router_clear)

static void
router_init (Router *self, ForeLayoutRoutes *routes, const ForeLayeredGraph *graph)
{
  self->graph = graph;
  self->routes = routes;
  self->segment_net = g_new0 (ForeLayoutNet *, graph->n_segments + 1);
  self->level_net = g_new0 (ForeLayoutNet *, graph->n_edges + 1);
  self->all_nets = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_layout_net_free);
  self->layer_top = g_new0 (double, graph->n_layers + 1);
  self->layer_height = g_new0 (double, graph->n_layers + 1);
  self->gap_top = g_new0 (double, graph->n_layers + 1);
  self->gap_first = g_new0 (double, graph->n_layers + 1);
  self->gap_step = g_new0 (double, graph->n_layers + 1);
}

/* Where a loose edge leaves a card: beside the middle, on the side it goes to, so that it cannot
 * be taken for a dependency.
 */
static double
get_side_port (const ForeLayeredGraph *graph, guint item, guint towards)
{
  double side = fore_layered_graph_get_width (graph, item) * SIDE_PORT;

  return graph->x[item] + (graph->x[towards] < graph->x[item] ? -side : side);
}

static double
get_port (const ForeLayeredGraph *graph, guint segment, gboolean upper)
{
  guint item = upper ? graph->upper[segment] : graph->lower[segment];
  guint other = upper ? graph->lower[segment] : graph->upper[segment];

  return graph->loose[segment] ? get_side_port (graph, item, other) : graph->x[item];
}

static ForeLayoutNet *
add_net (Router *self, GPtrArray *nets)
{
  ForeLayoutNet *net = fore_layout_net_new ();

  g_ptr_array_add (self->all_nets, net);
  g_ptr_array_add (nets, net);
  return net;
}

static void
join_net (Router *self, ForeLayoutNet *net, guint segment, gboolean lower_too)
{
  self->segment_net[segment] = net;
  fore_layout_net_add (net, TRUE, get_port (self->graph, segment, TRUE));
  if (lower_too)
    fore_layout_net_add (net, FALSE, get_port (self->graph, segment, FALSE));
}

/* The ranked segments below @item that start there, as a key: items with the same targets share a
 * line, and only they, so that a line never says more than is so.
 */
static GBytes *
make_target_key (const ForeLayeredGraph *graph, guint item)
{
  g_autoptr (GArray) targets = g_array_new (FALSE, FALSE, sizeof (guint));
  gsize length;

  for (guint s = graph->down_offset[item]; s < graph->down_offset[item + 1]; s++)
    {
      guint segment = graph->down_segment[s];

      if (!graph->loose[segment])
        g_array_append_val (targets, graph->lower[segment]);
    }
  length = targets->len * sizeof (guint);

  return length > 0 ? g_bytes_new_take (g_array_free (g_steal_pointer (&targets), FALSE), length)
                    : NULL;
}

static void
add_item_nets (Router *self, guint item, GHashTable *by_targets, GPtrArray *nets)
{
  const ForeLayeredGraph *graph = self->graph;
  g_autoptr (GBytes) key = make_target_key (graph, item);
  ForeLayoutNet *net = key != NULL ? g_hash_table_lookup (by_targets, key) : NULL;
  gboolean fresh = net == NULL;

  if (key != NULL && fresh)
    {
      net = add_net (self, nets);
      g_hash_table_insert (by_targets, g_steal_pointer (&key), net);
    }
  for (guint s = graph->down_offset[item]; s < graph->down_offset[item + 1]; s++)
    {
      guint segment = graph->down_segment[s];

      if (graph->loose[segment])
        join_net (self, add_net (self, nets), segment, TRUE);
      else
        join_net (self, net, segment, fresh);
    }
}

static gboolean
has_node_between (const ForeLayeredGraph *graph, guint a, guint b)
{
  guint begin = graph->layer_offset[graph->layer[a]];
  guint first = MIN (graph->position[a], graph->position[b]);
  guint last = MAX (graph->position[a], graph->position[b]);

  for (guint k = first + 1; k < last; k++)
    if (graph->order[begin + k] < graph->n_nodes)
      return TRUE;

  return FALSE;
}

static void
add_level_nets (Router *self, guint layer, GPtrArray *nets)
{
  const ForeLayeredGraph *graph = self->graph;

  for (guint e = 0; e < graph->n_edges; e++)
    {
      guint from = fore_layered_graph_get_from (graph, e);
      guint to = fore_layered_graph_get_to (graph, e);

      if (fore_layered_graph_is_ranked (graph, e) || graph->layer[from] != layer
          || graph->layer[to] != layer || !has_node_between (graph, from, to))
        continue;
      self->level_net[e] = add_net (self, nets);
      fore_layout_net_add (self->level_net[e], TRUE, get_side_port (graph, from, to));
      fore_layout_net_add (self->level_net[e], TRUE, get_side_port (graph, to, from));
    }
}

static gboolean
has_loose_edges (const ForeLayeredGraph *graph)
{
  for (guint e = 0; e < graph->n_edges; e++)
    if (!fore_layered_graph_is_ranked (graph, e))
      return TRUE;

  return FALSE;
}

static void
drop_straight (GPtrArray *nets)
{
  for (guint i = nets->len; i > 0; i--)
    if (fore_layout_net_is_straight (nets->pdata[i - 1]))
      g_ptr_array_remove_index_fast (nets, i - 1);
}

/* Makes the nets below @layer and their lanes. Returns how many lanes there are. */
static guint
route_gap (Router *self, guint layer, gboolean loose)
{
  const ForeLayeredGraph *graph = self->graph;
  g_autoptr (GPtrArray) nets = g_ptr_array_new ();
  g_autoptr (GHashTable) by_targets = g_hash_table_new_full (g_bytes_hash, g_bytes_equal,
                                                             (GDestroyNotify) g_bytes_unref, NULL);

  for (guint k = graph->layer_offset[layer]; k < graph->layer_offset[layer + 1]; k++)
    add_item_nets (self, graph->order[k], by_targets, nets);
  if (loose)
    add_level_nets (self, layer, nets);
  drop_straight (nets);

  return fore_layout_lanes_assign (nets);
}

/* Stacks layers and gaps from the top. */
static void
stack_layers (Router *self)
{
  const ForeLayeredGraph *graph = self->graph;
  gboolean loose = has_loose_edges (graph);
  double y = graph->config.margin;

  for (guint i = 0; i < graph->n_nodes; i++)
    self->layer_height[graph->layer[i]] = MAX (self->layer_height[graph->layer[i]],
                                               fore_layered_graph_get_height (graph, i));

  for (guint l = 0; l < graph->n_layers; l++)
    {
      guint n_lanes = route_gap (self, l, loose);
      double gap = graph->config.layer_gap;
      double lanes = 0;

      if (n_lanes > 0)
        {
          self->gap_step[l] = MIN (graph->config.lane_gap, MAX_LANES_HEIGHT / n_lanes);
          lanes = (n_lanes - 1) * self->gap_step[l];
          gap += FIRST_LANE_SPACE + lanes;
        }
      self->layer_top[l] = y;
      self->gap_top[l] = y + self->layer_height[l];
      self->gap_first[l] = self->gap_top[l] + (gap - lanes) / 2;
      y = self->gap_top[l] + gap;
    }
}

static void
make_boxes (Router *self)
{
  const ForeLayeredGraph *graph = self->graph;

  for (guint i = 0; i < graph->n_nodes; i++)
    {
      double width = fore_layered_graph_get_width (graph, i);
      double height = fore_layered_graph_get_height (graph, i);
      guint l = graph->layer[i];
      ForeGraphBox box = { graph->x[i] - width / 2,
                           self->layer_top[l] + (self->layer_height[l] - height) / 2, width,
                           height };

      g_array_append_val (self->routes->boxes, box);
    }
}

static void
add_point (Router *self, guint first, double x, double y)
{
  GArray *points = self->routes->points;
  ForeGraphPoint point = { x, y };

  while (points->len >= first + 2)
    {
      const ForeGraphPoint *a = &g_array_index (points, ForeGraphPoint, points->len - 2);
      const ForeGraphPoint *b = &g_array_index (points, ForeGraphPoint, points->len - 1);

      if (!((fabs (a->x - b->x) < 0.01 && fabs (b->x - x) < 0.01)
            || (fabs (a->y - b->y) < 0.01 && fabs (b->y - y) < 0.01)))
        break;
      g_array_set_size (points, points->len - 1);
    }
  g_array_append_val (points, point);
}

static guint
find_segment (const ForeLayeredGraph *graph, guint upper, guint lower, gboolean loose)
{
  guint begin = graph->down_offset[upper];
  guint end = graph->down_offset[upper + 1];
  guint position = graph->position[lower];
  guint low = begin, high = end;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (graph->position[graph->lower[graph->down_segment[middle]]] < position)
        low = middle + 1;
      else
        high = middle;
    }
  for (guint s = low; s < end; s++)
    {
      guint segment = graph->down_segment[s];

      if (graph->lower[segment] == lower && graph->loose[segment] == loose)
        return segment;
    }

  g_assert_not_reached ();
}

static double
get_lane_y (const Router *self, const ForeLayoutNet *net, guint layer)
{
  return self->gap_first[layer] + net->slot * self->gap_step[layer];
}

static void
follow_segment (Router *self, guint first, guint segment)
{
  const ForeLayeredGraph *graph = self->graph;
  const ForeLayoutNet *net = self->segment_net[segment];
  guint upper = graph->upper[segment];
  guint lower = graph->lower[segment];
  guint layer = graph->layer[upper];
  double from_x = get_port (graph, segment, TRUE);
  double to_x = get_port (graph, segment, FALSE);
  double begin = self->layer_top[layer];
  double end = self->layer_top[layer + 1];

  if (upper < graph->n_nodes)
    begin = g_array_index (self->routes->boxes, ForeGraphBox, upper).y
            + fore_layered_graph_get_height (graph, upper);
  if (lower < graph->n_nodes)
    end = g_array_index (self->routes->boxes, ForeGraphBox, lower).y;

  add_point (self, first, from_x, begin);
  if (!fore_layout_net_is_straight (net))
    {
      add_point (self, first, from_x, get_lane_y (self, net, layer));
      add_point (self, first, to_x, get_lane_y (self, net, layer));
    }
  add_point (self, first, fore_layout_net_is_straight (net) ? from_x : to_x, end);
}

static void
follow_level_edge (Router *self, guint first, guint edge, guint from, guint to)
{
  const ForeLayeredGraph *graph = self->graph;
  const ForeGraphBox *a = &g_array_index (self->routes->boxes, ForeGraphBox, from);
  const ForeGraphBox *b = &g_array_index (self->routes->boxes, ForeGraphBox, to);
  const ForeLayoutNet *net = self->level_net[edge];

  if (net == NULL)
    {
      gboolean right = b->x > a->x;
      double y = MAX (a->y, b->y) + MIN (a->height, b->height) / 2;

      add_point (self, first, right ? a->x + a->width : a->x, y);
      add_point (self, first, right ? b->x : b->x + b->width, y);
    }
  else
    {
      double y = get_lane_y (self, net, graph->layer[from]);
      double from_x = get_side_port (graph, from, to);
      double to_x = get_side_port (graph, to, from);

      add_point (self, first, from_x, a->y + a->height);
      add_point (self, first, from_x, y);
      add_point (self, first, to_x, y);
      add_point (self, first, to_x, b->y + b->height);
    }
}

static void
turn_round (GArray *points, guint first)
{
  for (guint i = first, k = points->len; i + 1 < k; i++)
    {
      ForeGraphPoint point = g_array_index (points, ForeGraphPoint, i);

      k--;
      g_array_index (points, ForeGraphPoint, i) = g_array_index (points, ForeGraphPoint, k);
      g_array_index (points, ForeGraphPoint, k) = point;
    }
}

static void
follow_edge (Router *self, guint edge)
{
  const ForeLayeredGraph *graph = self->graph;
  guint from = fore_layered_graph_get_from (graph, edge);
  guint to = fore_layered_graph_get_to (graph, edge);
  guint first = self->routes->points->len;
  guint chain = graph->edge_chain[edge];
  gboolean loose = !fore_layered_graph_is_ranked (graph, edge);
  guint item = from;

  if (graph->layer[from] == graph->layer[to])
    {
      follow_level_edge (self, first, edge, from, to);
      return;
    }

  for (guint i = 0; i + 1 < graph->layer[to] - graph->layer[from]; i++)
    {
      guint next = graph->chain_start[chain] + i;

      follow_segment (self, first, find_segment (graph, item, next, loose));
      item = next;
    }
  follow_segment (self, first, find_segment (graph, item, to, loose));
  if (graph->reversed[edge])
    turn_round (self->routes->points, first);
}

void
fore_layout_routes_init (ForeLayoutRoutes *self)
{
  self->boxes = g_array_new (FALSE, FALSE, sizeof (ForeGraphBox));
  self->points = g_array_new (FALSE, FALSE, sizeof (ForeGraphPoint));
  self->offsets = g_array_new (FALSE, FALSE, sizeof (guint));
}

void
fore_layout_routes_clear (ForeLayoutRoutes *self)
{
  g_clear_pointer (&self->boxes, g_array_unref);
  g_clear_pointer (&self->points, g_array_unref);
  g_clear_pointer (&self->offsets, g_array_unref);
}

/* Turns a placed graph into boxes and lines. */
void
fore_layout_routes_make (ForeLayoutRoutes *self, const ForeLayeredGraph *graph)
{
  g_auto (Router) router = { NULL };

  g_array_set_size (self->boxes, 0);
  g_array_set_size (self->points, 0);
  g_array_set_size (self->offsets, 0);

  router_init (&router, self, graph);
  stack_layers (&router);
  make_boxes (&router);
  for (guint e = 0; e < graph->n_edges; e++)
    {
      g_array_append_val (self->offsets, self->points->len);
      follow_edge (&router, e);
    }
  g_array_append_val (self->offsets, self->points->len);
}
