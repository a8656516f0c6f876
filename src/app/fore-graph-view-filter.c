/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-view-private.h"

#include <string.h>

static gboolean
matches (ForeGraphView *self, ForeGraphNode *node)
{
  g_autofree char *name = NULL;
  g_autofree char *folded = NULL;

  if (!(self->status_mask & (1u << fore_graph_node_get_status (node))))
    return FALSE;
  if (self->search == NULL)
    return TRUE;

  name = fore_graph_node_dup_accessible_name (node);
  folded = g_utf8_casefold (name, -1);
  return strstr (folded, self->search) != NULL;
}

void
fore_graph_view_dim_node (ForeGraphView *self, ForeGraphSceneNode *node)
{
  gboolean all = self->search == NULL && self->status_mask == G_MAXUINT;
  gboolean dimmed = !all && !matches (self, node->node);

  self->overview_dirty |= node->dimmed != dimmed;
  node->dimmed = dimmed;
}

/* Lets those nodes step back that search and filter do not want. */
void
fore_graph_view_dim_nodes (ForeGraphView *self)
{
  for (guint i = 0; i < self->scene->nodes->len; i++)
    fore_graph_view_dim_node (self, fore_graph_scene_get_node (self->scene, i));
}

/**
 * fore_graph_view_set_search:
 * @self: a graph view
 * @text: (nullable): what titles, subtitles or words of status must contain; the others are dimmed
 */
void
fore_graph_view_set_search (ForeGraphView *self, const char *text)
{
  g_return_if_fail (FORE_IS_GRAPH_VIEW (self));

  g_clear_pointer (&self->search, g_free);
  if (text != NULL && *text != '\0')
    self->search = g_utf8_casefold (text, -1);
  fore_graph_view_dim_nodes (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/**
 * fore_graph_view_set_status_mask:
 * @self: a graph view
 * @mask: a bit `1 << status` for each #ForeViewStatus to show; the others are dimmed. %G_MAXUINT
 *   shows all
 */
void
fore_graph_view_set_status_mask (ForeGraphView *self, guint mask)
{
  g_return_if_fail (FORE_IS_GRAPH_VIEW (self));

  self->status_mask = mask;
  fore_graph_view_dim_nodes (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
