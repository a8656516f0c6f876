/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-view-status.h"

G_BEGIN_DECLS

#define FORE_TYPE_GRAPH_NODE (fore_graph_node_get_type ())

G_DECLARE_FINAL_TYPE (ForeGraphNode, fore_graph_node, FORE, GRAPH_NODE, GObject)

ForeGraphNode *fore_graph_node_new (const char *id, const char *title);

const char *fore_graph_node_get_id (ForeGraphNode *self);
const char *fore_graph_node_get_title (ForeGraphNode *self);
void fore_graph_node_set_title (ForeGraphNode *self, const char *title);
const char *fore_graph_node_get_subtitle (ForeGraphNode *self);
void fore_graph_node_set_subtitle (ForeGraphNode *self, const char *subtitle);
const char *fore_graph_node_get_detail (ForeGraphNode *self);
void fore_graph_node_set_detail (ForeGraphNode *self, const char *detail);
ForeViewStatus fore_graph_node_get_status (ForeGraphNode *self);
void fore_graph_node_set_status (ForeGraphNode *self, ForeViewStatus status);
const char *fore_graph_node_get_icon_name (ForeGraphNode *self);
void fore_graph_node_set_icon_name (ForeGraphNode *self, const char *icon_name);
const char *fore_graph_node_get_badge (ForeGraphNode *self);
void fore_graph_node_set_badge (ForeGraphNode *self, const char *badge);
const char *fore_graph_node_get_tooltip (ForeGraphNode *self);
void fore_graph_node_set_tooltip (ForeGraphNode *self, const char *tooltip);
gboolean fore_graph_node_get_dashed (ForeGraphNode *self);
void fore_graph_node_set_dashed (ForeGraphNode *self, gboolean dashed);
double fore_graph_node_get_progress (ForeGraphNode *self);
void fore_graph_node_set_progress (ForeGraphNode *self, double progress);

char *fore_graph_node_dup_line (ForeGraphNode *self);
char *fore_graph_node_dup_accessible_name (ForeGraphNode *self);

G_END_DECLS
