/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-graph-edge.h"
#include "app/fore-graph-layout.h"
#include "app/fore-graph-node.h"

G_BEGIN_DECLS

#define FORE_NO_NODE G_MAXUINT

/**
 * ForeGraphSceneNode:
 * @node: (owned): what is shown
 * @box: where it is drawn now
 * @source: where it was when the last layout came
 * @target: where that layout puts it
 * @layer: its layer
 * @placed: whether a layout has placed it
 * @fresh: whether the last layout was its first
 * @trunk: (element-type double): where its lines pass through the layers below it
 * @dimmed: whether search or filter leave it out
 * @out: (element-type guint): edges that begin here
 * @in: (element-type guint): edges that end here
 * @card: (nullable): its drawn card, until something about it changes
 */
typedef struct
{
  ForeGraphNode *node;
  ForeGraphBox box;
  ForeGraphBox source;
  ForeGraphBox target;
  guint layer;
  gboolean placed;
  gboolean fresh;
  gboolean dimmed;
  GArray *trunk;
  GArray *out;
  GArray *in;
  GskRenderNode *card;
  gulong handler;
} ForeGraphSceneNode;

typedef struct
{
  ForeGraphEdge *edge;
  guint from;
  guint to;
  ForeGraphPoint *points;
  guint n_points;
  ForeGraphBox bounds;
  gboolean fresh;
} ForeGraphSceneEdge;

typedef struct _ForeGraphExtent ForeGraphExtent;

/**
 * ForeGraphScene:
 *
 * What a graph view shows, without any drawing: nodes and edges, where they are, what is next to
 * what.
 */
typedef struct
{
  GPtrArray *nodes;
  GPtrArray *edges;
  GPtrArray *wanted_edges;
  GHashTable *by_id;
  GHashTable *places;
  ForeGraphBox bounds;
  double node_width;
  double node_height;
  guint serial;
  guint n_layers;
  ForeGraphExtent *node_extents;
  ForeGraphExtent *edge_extents;
  gboolean has_extents;
} ForeGraphScene;

typedef enum
{
  FORE_GRAPH_UP,
  FORE_GRAPH_DOWN,
  FORE_GRAPH_LEFT,
  FORE_GRAPH_RIGHT,
  FORE_GRAPH_FIRST,
  FORE_GRAPH_LAST,
} ForeGraphDirection;

ForeGraphScene *fore_graph_scene_new (void);
void fore_graph_scene_free (ForeGraphScene *self);

void fore_graph_scene_splice (
    ForeGraphScene *self, guint position, guint n_removed, GListModel *model, guint n_added);
gboolean fore_graph_scene_set_edges (ForeGraphScene *self, GPtrArray *edges);

ForeGraphSceneNode *fore_graph_scene_get_node (const ForeGraphScene *self, guint index);
ForeGraphSceneEdge *fore_graph_scene_get_edge (const ForeGraphScene *self, guint index);
guint fore_graph_scene_find (const ForeGraphScene *self, const char *id);
guint fore_graph_scene_hit (const ForeGraphScene *self, double x, double y);
guint fore_graph_scene_go (const ForeGraphScene *self, guint from, ForeGraphDirection direction);
char *fore_graph_scene_dup_description (const ForeGraphScene *self, guint index);
guint fore_graph_scene_find_active (const ForeGraphScene *self);
guint fore_graph_scene_measure_longest_path (const ForeGraphScene *self);

void fore_graph_scene_find_visible (ForeGraphScene *self,
                                    const ForeGraphBox *visible,
                                    GArray *nodes,
                                    GArray *edges);

void fore_graph_scene_forget_places (ForeGraphScene *self);
ForeGraphLayout *fore_graph_scene_make_layout (ForeGraphScene *self);
gboolean fore_graph_scene_apply (ForeGraphScene *self, const ForeGraphLayout *layout, guint anchor);
void fore_graph_scene_move (ForeGraphScene *self, double progress);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeGraphScene, fore_graph_scene_free)

G_END_DECLS
