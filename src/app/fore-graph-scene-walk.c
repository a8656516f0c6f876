/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-scene-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Along the edges up or down, to the nearest by column. */
static guint
go_along (const ForeGraphScene *self, guint from, gboolean down)
{
  const ForeGraphSceneNode *node = fore_graph_scene_get_node (self, from);
  const GArray *edges = down ? node->out : node->in;
  guint best = FORE_NO_NODE;
  double least = INFINITY;

  for (guint i = 0; i < edges->len; i++)
    {
      const ForeGraphSceneEdge *edge = fore_graph_scene_get_edge (self,
                                                                  g_array_index (edges, guint, i));
      guint other = down ? edge->to : edge->from;
      const ForeGraphSceneNode *target = fore_graph_scene_get_node (self, other);
      double distance = fabs (fore_graph_scene_node_get_middle (target)
                              - fore_graph_scene_node_get_middle (node));

      if (edge->edge->kind == FORE_GRAPH_EDGE_CONFLICT || !target->placed || distance >= least)
        continue;
      least = distance;
      best = other;
    }

  return best;
}

static guint
go_beside (const ForeGraphScene *self, guint from, double side)
{
  const ForeGraphSceneNode *node = fore_graph_scene_get_node (self, from);
  guint best = FORE_NO_NODE;
  double least = INFINITY;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const ForeGraphSceneNode *other = g_ptr_array_index (self->nodes, i);
      double distance = side
                        * (fore_graph_scene_node_get_middle (other)
                           - fore_graph_scene_node_get_middle (node));

      if (i == from || !other->placed || other->layer != node->layer || distance <= 0
          || distance >= least)
        continue;
      least = distance;
      best = i;
    }

  return best;
}

static guint
go_to_end (const ForeGraphScene *self, gboolean last)
{
  guint best = FORE_NO_NODE;

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const ForeGraphSceneNode *node = g_ptr_array_index (self->nodes, i);
      const ForeGraphSceneNode *other = fore_graph_scene_get_node (self, best);
      double order;

      if (!node->placed)
        continue;
      if (other == NULL)
        {
          best = i;
          continue;
        }
      order = (double) node->layer - other->layer;
      if (order == 0)
        order = fore_graph_scene_node_get_middle (node) - fore_graph_scene_node_get_middle (other);
      if (last ? order > 0 : order < 0)
        best = i;
    }

  return best;
}

/**
 * fore_graph_scene_go:
 * @self: a scene
 * @from: a node, or %FORE_NO_NODE
 * @direction: where to go
 *
 * Returns: the node next to @from: up and down along edges, left and right in the layer; @from
 *   itself where there is none
 */
guint
fore_graph_scene_go (const ForeGraphScene *self, guint from, ForeGraphDirection direction)
{
  guint to = FORE_NO_NODE;

  g_return_val_if_fail (self != NULL, FORE_NO_NODE);

  if (direction == FORE_GRAPH_LAST)
    return go_to_end (self, TRUE);
  if (from >= self->nodes->len || direction == FORE_GRAPH_FIRST)
    return go_to_end (self, FALSE);

  switch (direction)
    {
    case FORE_GRAPH_UP:
      to = go_along (self, from, FALSE);
      break;
    case FORE_GRAPH_DOWN:
      to = go_along (self, from, TRUE);
      break;
    case FORE_GRAPH_LEFT:
      to = go_beside (self, from, -1);
      break;
    case FORE_GRAPH_RIGHT:
      to = go_beside (self, from, 1);
      break;
    case FORE_GRAPH_FIRST:
    case FORE_GRAPH_LAST:
    default:
      g_assert_not_reached ();
    }

  return to != FORE_NO_NODE ? to : from;
}

/**
 * fore_graph_scene_dup_description:
 * @self: a scene
 * @index: a node
 *
 * Returns: (transfer full): what a picture would show beside its name: why it waits, and which
 * tasks come before it
 */
char *
fore_graph_scene_dup_description (const ForeGraphScene *self, guint index)
{
  const ForeGraphSceneNode *node;
  const char *tooltip;
  GString *text;
  guint n = 0;

  g_return_val_if_fail (self != NULL && index < self->nodes->len, NULL);

  node = fore_graph_scene_get_node (self, index);
  tooltip = fore_graph_node_get_tooltip (node->node);
  text = g_string_new (tooltip);
  for (guint i = 0; i < node->in->len; i++)
    {
      const ForeGraphSceneEdge *edge = fore_graph_scene_get_edge (
          self, g_array_index (node->in, guint, i));
      const char *title = fore_graph_node_get_title (
          fore_graph_scene_get_node (self, edge->from)->node);

      if (edge->edge->kind == FORE_GRAPH_EDGE_CONFLICT || title == NULL)
        continue;
      g_string_append (text, n++ > 0 ? ", " : text->len > 0 ? ". " : "");
      if (n == 1)
        g_string_append_printf (text, _ ("After: %s"), title);
      else
        g_string_append (text, title);
    }

  return g_string_free (text, FALSE);
}

/**
 * fore_graph_scene_find_active:
 * @self: a scene
 *
 * Returns: the first task that is at work, else the first of all, or %FORE_NO_NODE
 */
guint
fore_graph_scene_find_active (const ForeGraphScene *self)
{
  g_return_val_if_fail (self != NULL, FORE_NO_NODE);

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const ForeGraphSceneNode *node = g_ptr_array_index (self->nodes, i);

      if (node->placed && fore_graph_node_get_status (node->node) == FORE_VIEW_ACTIVE)
        return i;
    }

  return go_to_end (self, FALSE);
}

static void
count_below (const ForeGraphScene *self, guint index, guint *missing, guint *length, GQueue *ready)
{
  const ForeGraphSceneNode *node = fore_graph_scene_get_node (self, index);

  for (guint i = 0; i < node->out->len; i++)
    {
      const ForeGraphSceneEdge *edge = fore_graph_scene_get_edge (
          self, g_array_index (node->out, guint, i));

      if (edge->edge->kind == FORE_GRAPH_EDGE_CONFLICT)
        continue;
      length[edge->to] = MAX (length[edge->to], length[index] + 1);
      if (--missing[edge->to] == 0)
        g_queue_push_tail (ready, GUINT_TO_POINTER (edge->to));
    }
}

/**
 * fore_graph_scene_measure_longest_path:
 * @self: a scene
 *
 * Returns: how many nodes the longest chain of dependencies has
 */
guint
fore_graph_scene_measure_longest_path (const ForeGraphScene *self)
{
  g_autofree guint *missing = g_new0 (guint, self->nodes->len + 1);
  g_autofree guint *length = g_new0 (guint, self->nodes->len + 1);
  g_auto (GQueue) ready = G_QUEUE_INIT;
  guint longest = 0;

  for (guint i = 0; i < self->edges->len; i++)
    {
      const ForeGraphSceneEdge *edge = g_ptr_array_index (self->edges, i);

      missing[edge->to] += edge->edge->kind != FORE_GRAPH_EDGE_CONFLICT;
    }
  for (guint i = 0; i < self->nodes->len; i++)
    {
      length[i] = 1;
      if (missing[i] == 0)
        g_queue_push_tail (&ready, GUINT_TO_POINTER (i));
    }
  while (!g_queue_is_empty (&ready))
    {
      guint index = GPOINTER_TO_UINT (g_queue_pop_head (&ready));

      longest = MAX (longest, length[index]);
      count_below (self, index, missing, length, &ready);
    }

  return longest;
}
