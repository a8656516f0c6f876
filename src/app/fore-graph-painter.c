/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-painter.h"

#include <math.h>

#define LINE_WIDTH 2.0
#define DASH 5.0
#define DASH_SPACE 4.0
#define HANDOFF_DOT 7.0
#define DOT_SPACING 24.0
#define DOT_SIZE 2.0
#define LABEL_SCALE 0.78
#define DIMMED 0.28
#define MAX_RENDER_NODES 1500

/* A line along one axis, as the rectangle that it covers. */
static graphene_rect_t
get_line_rect (const ForeGraphPoint *a, const ForeGraphPoint *b, double width)
{
  double half = width / 2;
  gboolean level = a->y == b->y;
  double left = MIN (a->x, b->x) - half;
  double right = MAX (a->x, b->x) + half;
  double top = MIN (a->y, b->y) - (level ? half : 0);
  double bottom = MAX (a->y, b->y) + (level ? half : 0);

  return GRAPHENE_RECT_INIT (left, top, right - left, bottom - top);
}

static void
append_dashes (GtkSnapshot *snapshot, const graphene_rect_t *rect, const GdkRGBA *colour)
{
  gboolean level = rect->size.width > rect->size.height;
  graphene_rect_t cell = *rect;
  graphene_rect_t dash = *rect;

  if (level)
    {
      cell.size.width = DASH + DASH_SPACE;
      dash.size.width = DASH;
    }
  else
    {
      cell.size.height = DASH + DASH_SPACE;
      dash.size.height = DASH;
    }
  gtk_snapshot_push_repeat (snapshot, rect, &cell);
  gtk_snapshot_append_color (snapshot, colour, &dash);
  gtk_snapshot_pop (snapshot);
}

/* The end of a line along which something is handed over; colour alone does not say it. */
static void
append_dot (GtkSnapshot *snapshot, const ForeGraphPoint *end, const GdkRGBA *colour)
{
  GskRoundedRect shape;

  gsk_rounded_rect_init_from_rect (&shape,
                                   &GRAPHENE_RECT_INIT (end->x - HANDOFF_DOT / 2,
                                                        end->y - HANDOFF_DOT, HANDOFF_DOT,
                                                        HANDOFF_DOT),
                                   HANDOFF_DOT / 2);
  gtk_snapshot_push_rounded_clip (snapshot, &shape);
  gtk_snapshot_append_color (snapshot, colour, &shape.bounds);
  gtk_snapshot_pop (snapshot);
}

static const GdkRGBA *
get_edge_colour (const ForeGraphPainter *self, const ForeGraphSceneEdge *edge)
{
  const ForePalette *palette = &self->style->palette;

  if (edge->edge->kind == FORE_GRAPH_EDGE_CONFLICT)
    return &palette->conflict;
  if (self->hovered != FORE_NO_NODE && (edge->from == self->hovered || edge->to == self->hovered))
    return &palette->edge_strong;

  return edge->edge->kind == FORE_GRAPH_EDGE_HANDOFF ? &palette->handoff : &palette->edge;
}

static void
draw_edge (const ForeGraphPainter *self, GtkSnapshot *snapshot, const ForeGraphSceneEdge *edge)
{
  GdkRGBA colour = *get_edge_colour (self, edge);
  gboolean coarse = self->zoom < FORE_GRAPH_DETAIL_ZOOM;
  gboolean dashed = edge->edge->dashed || edge->edge->kind == FORE_GRAPH_EDGE_CONFLICT;
  double width = coarse ? MAX (LINE_WIDTH, 1 / self->zoom) : LINE_WIDTH;

  if (edge->fresh)
    colour.alpha *= self->progress * self->progress;
  if (fore_graph_scene_get_node (self->scene, edge->from)->dimmed
      || fore_graph_scene_get_node (self->scene, edge->to)->dimmed)
    colour.alpha *= DIMMED;

  for (guint i = 0; i + 1 < edge->n_points; i++)
    {
      graphene_rect_t rect = get_line_rect (&edge->points[i], &edge->points[i + 1], width);

      if (dashed && !coarse)
        append_dashes (snapshot, &rect, &colour);
      else
        gtk_snapshot_append_color (snapshot, &colour, &rect);
    }
  if (edge->edge->kind == FORE_GRAPH_EDGE_HANDOFF && !coarse)
    append_dot (snapshot, &edge->points[edge->n_points - 1], &colour);
}

/* Loose lines lie over the others, and those of the node below the pointer over all. */
static guint
get_edge_level (const ForeGraphPainter *self, const ForeGraphSceneEdge *edge)
{
  if (self->hovered != FORE_NO_NODE && (edge->from == self->hovered || edge->to == self->hovered))
    return 2;

  return edge->edge->kind == FORE_GRAPH_EDGE_CONFLICT ? 1 : 0;
}

/* What is seen of the scene. */
typedef struct
{
  GArray *nodes;
  GArray *edges;
} Seen;

static void
seen_clear (Seen *seen)
{
  g_clear_pointer (&seen->nodes, g_array_unref);
  g_clear_pointer (&seen->edges, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Seen, seen_clear)

static void
look (const ForeGraphPainter *self, Seen *seen)
{
  seen->nodes = g_array_new (FALSE, FALSE, sizeof (guint));
  seen->edges = g_array_new (FALSE, FALSE, sizeof (guint));
  fore_graph_scene_find_visible (self->scene, &self->visible, seen->nodes, seen->edges);
}

static const ForeGraphSceneEdge *
get_seen_edge (const ForeGraphPainter *self, const Seen *seen, guint i)
{
  return fore_graph_scene_get_edge (self->scene, g_array_index (seen->edges, guint, i));
}

static guint
count (const ForeGraphPainter *self, const Seen *seen)
{
  guint n = seen->nodes->len;

  for (guint i = 0; i < seen->edges->len; i++)
    n += get_seen_edge (self, seen, i)->n_points - 1;

  return n;
}

/**
 * fore_graph_painter_count:
 * @self: a painter
 *
 * Returns: about how many render nodes the visible part needs
 */
guint
fore_graph_painter_count (const ForeGraphPainter *self)
{
  g_auto (Seen) seen = { NULL, NULL };

  g_return_val_if_fail (self != NULL, 0);

  look (self, &seen);
  return count (self, &seen);
}

static void
draw_edges (const ForeGraphPainter *self, GtkSnapshot *snapshot, const Seen *seen)
{
  for (guint level = 0; level < 3; level++)
    for (guint i = 0; i < seen->edges->len; i++)
      {
        const ForeGraphSceneEdge *edge = get_seen_edge (self, seen, i);

        if (get_edge_level (self, edge) == level)
          draw_edge (self, snapshot, edge);
      }
}

static void
draw_coarse_node (const ForeGraphPainter *self,
                  GtkSnapshot *snapshot,
                  const ForeGraphSceneNode *node,
                  gboolean selected)
{
  GdkRGBA colour = self->style->palette.status[fore_graph_node_get_status (node->node)];
  double rim = 3 / self->zoom;

  if (selected)
    gtk_snapshot_append_color (snapshot, &self->style->palette.accent,
                               &GRAPHENE_RECT_INIT (node->box.x - rim, node->box.y - rim,
                                                    node->box.width + 2 * rim,
                                                    node->box.height + 2 * rim));
  if (node->dimmed)
    colour.alpha *= DIMMED;
  gtk_snapshot_append_color (
      snapshot, &colour,
      &GRAPHENE_RECT_INIT (node->box.x, node->box.y, node->box.width, node->box.height));
}

static GskRenderNode *
get_card (const ForeGraphPainter *self, ForeGraphSceneNode *node)
{
  if (node->card == NULL)
    {
      GtkSnapshot *snapshot = gtk_snapshot_new ();

      fore_graph_card_snapshot (snapshot, self->style, node->node, node->box.width,
                                node->box.height);
      node->card = gtk_snapshot_free_to_node (snapshot);
    }

  return node->card;
}

static void
draw_card (const ForeGraphPainter *self,
           GtkSnapshot *snapshot,
           ForeGraphSceneNode *node,
           ForeGraphCardFlags flags)
{
  double opacity = (node->fresh ? self->progress : 1) * (node->dimmed ? DIMMED : 1);
  GskRenderNode *card = get_card (self, node);

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (node->box.x, node->box.y));
  if (opacity < 1)
    gtk_snapshot_push_opacity (snapshot, opacity);
  if (card != NULL)
    gtk_snapshot_append_node (snapshot, card);
  if (flags != FORE_GRAPH_CARD_PLAIN)
    fore_graph_card_snapshot_outline (snapshot, self->style, node->box.width, node->box.height,
                                      flags);
  if (opacity < 1)
    gtk_snapshot_pop (snapshot);
  gtk_snapshot_restore (snapshot);
}

static void
draw_nodes (const ForeGraphPainter *self, GtkSnapshot *snapshot, const Seen *seen)
{
  for (guint i = 0; i < seen->nodes->len; i++)
    {
      guint index = g_array_index (seen->nodes, guint, i);
      ForeGraphSceneNode *node = fore_graph_scene_get_node (self->scene, index);
      ForeGraphCardFlags flags = FORE_GRAPH_CARD_PLAIN;

      if (self->zoom < FORE_GRAPH_DETAIL_ZOOM)
        {
          draw_coarse_node (self, snapshot, node, index == self->selected);
          continue;
        }
      if (index == self->selected)
        flags |= FORE_GRAPH_CARD_SELECTED;
      if (index == self->hovered)
        flags |= FORE_GRAPH_CARD_HOVERED;
      draw_card (self, snapshot, node, flags);
    }
}

static void
find_label_place (const ForeGraphSceneEdge *edge, ForeGraphPoint *place)
{
  double longest = -1;

  for (guint i = 0; i + 1 < edge->n_points; i++)
    {
      const ForeGraphPoint *a = &edge->points[i];
      const ForeGraphPoint *b = &edge->points[i + 1];
      double length = fabs (a->x - b->x) + (a->y == b->y ? 0.5 : 0) * fabs (a->y - b->y);

      if (length <= longest)
        continue;
      longest = length;
      *place = (ForeGraphPoint){ (a->x + b->x) / 2, (a->y + b->y) / 2 };
    }
}

static void
draw_label (const ForeGraphPainter *self, GtkSnapshot *snapshot, const ForeGraphSceneEdge *edge)
{
  g_autoptr (PangoLayout) layout = pango_layout_new (self->style->context);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  ForeGraphPoint place = { 0, 0 };
  GdkRGBA ground = self->style->palette.canvas;
  int width, height;

  pango_attr_list_insert (attributes, pango_attr_scale_new (LABEL_SCALE));
  pango_layout_set_attributes (layout, attributes);
  pango_layout_set_text (layout, edge->edge->label, -1);
  pango_layout_get_pixel_size (layout, &width, &height);
  find_label_place (edge, &place);

  ground.alpha = 0.85;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (
      snapshot, &GRAPHENE_POINT_INIT (round (place.x - width / 2.0), round (place.y - height - 3)));
  gtk_snapshot_append_color (snapshot, &ground, &GRAPHENE_RECT_INIT (-2, 0, width + 4, height));
  gtk_snapshot_append_layout (snapshot, layout, get_edge_colour (self, edge));
  gtk_snapshot_restore (snapshot);
}

static void
draw_labels (const ForeGraphPainter *self, GtkSnapshot *snapshot, const Seen *seen)
{
  if (self->zoom < FORE_GRAPH_DETAIL_ZOOM)
    return;

  for (guint i = 0; i < seen->edges->len; i++)
    {
      const ForeGraphSceneEdge *edge = get_seen_edge (self, seen, i);

      if (edge->edge->label != NULL)
        draw_label (self, snapshot, edge);
    }
}

/**
 * fore_graph_painter_draw:
 * @self: a painter
 * @snapshot: where to draw
 * @overview: (nullable): a small picture of the whole scene
 * @overview_bounds: (nullable): the part of the scene that it shows
 *
 * Draws what is visible; from afar, when that is too much to be told apart, the picture instead.
 */
void
fore_graph_painter_draw (const ForeGraphPainter *self,
                         GtkSnapshot *snapshot,
                         GdkTexture *overview,
                         const ForeGraphBox *overview_bounds)
{
  g_auto (Seen) seen = { NULL, NULL };

  g_return_if_fail (GTK_IS_SNAPSHOT (snapshot));

  look (self, &seen);
  if (self->zoom < FORE_GRAPH_DETAIL_ZOOM && overview != NULL
      && count (self, &seen) > MAX_RENDER_NODES)
    {
      gtk_snapshot_append_texture (snapshot, overview,
                                   &GRAPHENE_RECT_INIT (overview_bounds->x, overview_bounds->y,
                                                        overview_bounds->width,
                                                        overview_bounds->height));
      return;
    }

  draw_edges (self, snapshot, &seen);
  draw_nodes (self, snapshot, &seen);
  draw_labels (self, snapshot, &seen);
}

/**
 * fore_graph_painter_draw_dots:
 * @snapshot: where to draw
 * @palette: the colours
 * @width: of the view
 * @height: of the view
 * @offset_x: where the origin of the scene is in the view
 * @offset_y: where the origin of the scene is in the view
 * @zoom: pixels a unit of the scene
 *
 * Draws the dotted ground, one dot repeated.
 */
void
fore_graph_painter_draw_dots (GtkSnapshot *snapshot,
                              const ForePalette *palette,
                              double width,
                              double height,
                              double offset_x,
                              double offset_y,
                              double zoom)
{
  double step = DOT_SPACING * zoom;
  double x, y;

  while (step < DOT_SPACING * 0.6)
    step *= 2;
  step = MAX (round (step), 4);
  x = floor (fmod (offset_x, step));
  y = floor (fmod (offset_y, step));

  gtk_snapshot_push_repeat (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height),
                            &GRAPHENE_RECT_INIT (x, y, step, step));
  gtk_snapshot_append_color (snapshot, &palette->dots,
                             &GRAPHENE_RECT_INIT (x, y, DOT_SIZE, DOT_SIZE));
  gtk_snapshot_pop (snapshot);
}
