/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-graph-layout.h"

G_BEGIN_DECLS

#define FORE_NO_LAYER G_MAXUINT

/**
 * ForeLayeredGraph:
 *
 * What the stages of a layout hand on to each other. Items are the nodes, in their own order, and
 * behind them the dummies: a dummy stands where an edge passes through a layer. All edges that
 * leave a node share one chain of dummies (a trunk); an unranked edge that spans layers has a chain
 * of its own.
 */
typedef struct
{
  ForeGraphLayoutConfig config;

  guint n_nodes;
  GArray *widths;
  GArray *heights;
  GArray *previous_x;
  GArray *previous_layer;
  GArray *previous_trunks;
  gboolean stable;

  guint n_edges;
  GArray *from;
  GArray *to;
  GArray *ranked;
  guint8 *reversed;

  guint n_layers;
  guint *layer;

  guint n_items;
  guint n_chains;
  guint *chain_start;
  guint *chain_layer;
  guint *chain_length;
  guint *edge_chain;

  guint n_segments;
  guint *upper;
  guint *lower;
  guint8 *loose;

  guint *down_offset;
  guint *down_segment;
  guint *up_offset;
  guint *up_segment;

  guint *layer_offset;
  guint *order;
  guint *position;
  double *previous;
  double *x;
} ForeLayeredGraph;

/* Where the trunk of a node passed through a layer. */
typedef struct
{
  guint node;
  guint layer;
  double x;
} ForeLayeredTrunk;

ForeLayeredGraph *fore_layered_graph_new (const ForeGraphLayoutConfig *config);
void fore_layered_graph_free (ForeLayeredGraph *self);
void fore_layered_graph_reset (ForeLayeredGraph *self);

guint fore_layered_graph_get_from (const ForeLayeredGraph *self, guint edge);
guint fore_layered_graph_get_to (const ForeLayeredGraph *self, guint edge);
gboolean fore_layered_graph_is_ranked (const ForeLayeredGraph *self, guint edge);
double fore_layered_graph_get_width (const ForeLayeredGraph *self, guint item);
double fore_layered_graph_get_height (const ForeLayeredGraph *self, guint item);
double fore_layered_graph_get_gap (const ForeLayeredGraph *self, guint left, guint right);
gboolean fore_layered_graph_has_previous (const ForeLayeredGraph *self, guint item);
double fore_layered_graph_get_previous_x (const ForeLayeredGraph *self, guint item);

void fore_layered_graph_rank (ForeLayeredGraph *self);
void fore_layered_graph_split (ForeLayeredGraph *self);
void fore_layered_graph_sort_adjacency (ForeLayeredGraph *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeLayeredGraph, fore_layered_graph_free)

G_END_DECLS
