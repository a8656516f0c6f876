/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * ForeGraphEdgeKind:
 * @FORE_GRAPH_EDGE_DEPENDENCY: @to starts when @from is done
 * @FORE_GRAPH_EDGE_HANDOFF: the same, and what @from wrote is given to @to
 * @FORE_GRAPH_EDGE_CONFLICT: both are expected to write the same file; has no say in the layers
 */
typedef enum
{
  FORE_GRAPH_EDGE_DEPENDENCY,
  FORE_GRAPH_EDGE_HANDOFF,
  FORE_GRAPH_EDGE_CONFLICT,
} ForeGraphEdgeKind;

/**
 * ForeGraphEdge:
 * @from: id of the node where the edge starts
 * @to: id of the node where it ends
 * @kind: what the edge means
 * @label: (nullable): a word or two drawn at the edge
 * @dashed: whether the edge is still to come
 */
typedef struct
{
  char *from;
  char *to;
  ForeGraphEdgeKind kind;
  char *label;
  gboolean dashed;
} ForeGraphEdge;

ForeGraphEdge *
fore_graph_edge_new (const char *from, const char *to, ForeGraphEdgeKind kind, const char *label);
ForeGraphEdge *fore_graph_edge_copy (const ForeGraphEdge *self);
void fore_graph_edge_free (ForeGraphEdge *self);
gboolean fore_graph_edge_equal (const ForeGraphEdge *a, const ForeGraphEdge *b);
gboolean fore_graph_edges_equal (GPtrArray *a, GPtrArray *b);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeGraphEdge, fore_graph_edge_free)

G_END_DECLS
