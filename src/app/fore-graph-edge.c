/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-edge.h"

#include "text/fore-text.h"

/**
 * fore_graph_edge_new:
 * @from: id of the node where it starts
 * @to: id of the node where it ends
 * @kind: what it means
 * @label: (nullable): a word at the line
 *
 * Returns: (transfer full): a new edge
 */
ForeGraphEdge *
fore_graph_edge_new (const char *from, const char *to, ForeGraphEdgeKind kind, const char *label)
{
  ForeGraphEdge *self;

  g_return_val_if_fail (from != NULL && to != NULL, NULL);

  self = g_new0 (ForeGraphEdge, 1);
  self->from = g_strdup (from);
  self->to = g_strdup (to);
  self->kind = kind;
  self->label = label != NULL ? fore_text_make_visible (label) : NULL;

  return self;
}

ForeGraphEdge *
fore_graph_edge_copy (const ForeGraphEdge *self)
{
  ForeGraphEdge *copy;

  g_return_val_if_fail (self != NULL, NULL);

  copy = fore_graph_edge_new (self->from, self->to, self->kind, self->label);
  copy->dashed = self->dashed;

  return copy;
}

void
fore_graph_edge_free (ForeGraphEdge *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->from);
  g_free (self->to);
  g_free (self->label);
  g_free (self);
}

gboolean
fore_graph_edge_equal (const ForeGraphEdge *a, const ForeGraphEdge *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  return a->kind == b->kind && a->dashed == b->dashed && g_str_equal (a->from, b->from)
         && g_str_equal (a->to, b->to) && g_strcmp0 (a->label, b->label) == 0;
}

/**
 * fore_graph_edges_equal:
 * @a: (element-type ForeGraphEdge): edges
 * @b: (element-type ForeGraphEdge): other edges
 *
 * Returns: whether they are the same in the same order
 */
gboolean
fore_graph_edges_equal (GPtrArray *a, GPtrArray *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  if (a->len != b->len)
    return FALSE;

  for (guint i = 0; i < a->len; i++)
    {
      if (!fore_graph_edge_equal (g_ptr_array_index (a, i), g_ptr_array_index (b, i)))
        return FALSE;
    }

  return TRUE;
}
