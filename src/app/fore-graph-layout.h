/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeGraphLayout:
 *
 * Places the nodes of a directed graph in layers, top to bottom, and routes its edges as
 * orthogonal lines. Plain data: one object is used by one thread at a time, different objects by
 * as many threads as wanted. All lengths are in pixels at zoom 1.
 */
typedef struct _ForeGraphLayout ForeGraphLayout;

typedef struct
{
  double x;
  double y;
} ForeGraphPoint;

typedef struct
{
  double x;
  double y;
  double width;
  double height;
} ForeGraphBox;

/**
 * ForeGraphLayoutConfig:
 * @node_gap: space between two nodes of a layer
 * @layer_gap: least space between two layers
 * @lane_gap: space between two horizontal lanes between the same layers
 * @margin: space around everything
 */
typedef struct
{
  double node_gap;
  double layer_gap;
  double lane_gap;
  double margin;
} ForeGraphLayoutConfig;

ForeGraphLayout *fore_graph_layout_new (const ForeGraphLayoutConfig *config);
void fore_graph_layout_free (ForeGraphLayout *self);

guint fore_graph_layout_add_node (ForeGraphLayout *self, double width, double height);
guint fore_graph_layout_add_edge (ForeGraphLayout *self, guint from, guint to, gboolean ranked);
void fore_graph_layout_set_previous (ForeGraphLayout *self, guint node, double x, guint layer);
void
fore_graph_layout_set_previous_trunk (ForeGraphLayout *self, guint node, guint layer, double x);

gboolean fore_graph_layout_run (ForeGraphLayout *self, GCancellable *cancellable, GError **error);

guint fore_graph_layout_get_n_nodes (const ForeGraphLayout *self);
guint fore_graph_layout_get_n_edges (const ForeGraphLayout *self);
guint fore_graph_layout_get_n_layers (const ForeGraphLayout *self);
const ForeGraphBox *fore_graph_layout_get_node_box (const ForeGraphLayout *self, guint node);
guint fore_graph_layout_get_node_layer (const ForeGraphLayout *self, guint node);
const ForeGraphPoint *
fore_graph_layout_get_edge_points (const ForeGraphLayout *self, guint edge, guint *n_points);
const double *
fore_graph_layout_get_trunk (const ForeGraphLayout *self, guint node, guint *n_layers);
void fore_graph_layout_get_bounds (const ForeGraphLayout *self, ForeGraphBox *bounds);
guint64 fore_graph_layout_count_crossings (const ForeGraphLayout *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeGraphLayout, fore_graph_layout_free)

G_END_DECLS
