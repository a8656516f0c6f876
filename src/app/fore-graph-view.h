/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-graph-edge.h"
#include "app/fore-graph-node.h"

G_BEGIN_DECLS

#define FORE_TYPE_GRAPH_VIEW (fore_graph_view_get_type ())

/* Signals: "node-activated" (const char *id), double click or Return on a node.
 * Properties: "model" (GListModel of ForeGraphNode), "selected-id" (string), "zoom" (double),
 * "show-minimap" (boolean), "compact" (boolean: narrower cards, for previews).
 */
G_DECLARE_FINAL_TYPE (ForeGraphView, fore_graph_view, FORE, GRAPH_VIEW, GtkWidget)

GtkWidget *fore_graph_view_new (void);

GListModel *fore_graph_view_get_model (ForeGraphView *self);
void fore_graph_view_set_model (ForeGraphView *self, GListModel *model);
void fore_graph_view_forget_places (ForeGraphView *self);
void fore_graph_view_set_edges (ForeGraphView *self, GPtrArray *edges);

const char *fore_graph_view_get_selected_id (ForeGraphView *self);
void fore_graph_view_set_selected_id (ForeGraphView *self, const char *id);
void fore_graph_view_reveal (ForeGraphView *self, const char *id);

void fore_graph_view_set_search (ForeGraphView *self, const char *text);
void fore_graph_view_set_status_mask (ForeGraphView *self, guint mask);

gboolean fore_graph_view_hides (ForeGraphView *self, GtkPositionType side);
double fore_graph_view_get_zoom (ForeGraphView *self);
void fore_graph_view_set_zoom (ForeGraphView *self, double zoom);
void fore_graph_view_fit (ForeGraphView *self);
gboolean fore_graph_view_get_show_minimap (ForeGraphView *self);
void fore_graph_view_set_show_minimap (ForeGraphView *self, gboolean show_minimap);
gboolean fore_graph_view_get_compact (ForeGraphView *self);
void fore_graph_view_set_compact (ForeGraphView *self, gboolean compact);
gboolean fore_graph_view_is_settled (ForeGraphView *self);
guint fore_graph_view_get_longest_path (ForeGraphView *self);

gboolean fore_graph_view_export_svg (ForeGraphView *self, const char *path, GError **error);
gboolean
fore_graph_view_export_png (ForeGraphView *self, const char *path, double scale, GError **error);

G_END_DECLS
