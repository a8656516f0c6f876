/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-view-private.h"

#include <math.h>

#define MINIMAP_WIDTH 132.0
#define MINIMAP_HEIGHT 78.0
#define MINIMAP_MARGIN 12.0
#define MINIMAP_PADDING 6.0
#define MINIMAP_LEAST_VIEW 360
#define MINIMAP_BESIDE 0.2

static GtkIconPaintable *
get_icon (ForeGraphView *self, const char *name, double size)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkIconPaintable *icon = g_hash_table_lookup (self->icons, name);

  if (icon == NULL)
    {
      GtkIconTheme *theme = gtk_icon_theme_get_for_display (gtk_widget_get_display (widget));

      icon = gtk_icon_theme_lookup_icon (theme, name, NULL, ceil (size) * 2,
                                         gtk_widget_get_scale_factor (widget),
                                         gtk_widget_get_direction (widget), 0);
      g_hash_table_insert (self->icons, g_strdup (name), icon);
    }

  return icon;
}

static void
draw_icon (
    GtkSnapshot *snapshot, const char *name, double size, const GdkRGBA *colour, gpointer data)
{
  const GdkRGBA colours[4] = { *colour, *colour, *colour, *colour };
  GtkIconPaintable *icon = get_icon (data, name, size);

  gtk_symbolic_paintable_snapshot_symbolic (GTK_SYMBOLIC_PAINTABLE (icon), snapshot, size, size,
                                            colours, G_N_ELEMENTS (colours));
}

void
fore_graph_view_ensure_style (ForeGraphView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  if (self->style_valid)
    return;

  fore_palette_init_for_widget (&self->style.palette, widget);
  g_clear_object (&self->style.context);
  self->style.context = gtk_widget_create_pango_context (widget);
  self->style.scale = fore_graph_card_get_scale (self->style.context);
  self->style.rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  self->style.draw_icon = draw_icon;
  self->style.data = self;
  self->style_valid = TRUE;
}

/* Colours, fonts or direction changed: every card is drawn again. */
void
fore_graph_view_forget_style (ForeGraphView *self)
{
  self->style_valid = FALSE;
  self->overview_dirty = TRUE;
  g_hash_table_remove_all (self->icons);
  for (guint i = 0; i < self->scene->nodes->len; i++)
    g_clear_pointer (&fore_graph_scene_get_node (self->scene, i)->card, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fore_graph_view_init_painter (ForeGraphView *self, ForeGraphPainter *painter)
{
  GtkWidget *widget = GTK_WIDGET (self);

  painter->scene = self->scene;
  painter->style = &self->style;
  painter->zoom = self->zoom;
  painter->selected = fore_graph_view_get_selected (self);
  painter->hovered = self->hovered;
  painter->progress = self->progress;
  painter->visible = (ForeGraphBox){ -self->offset_x / self->zoom - 8,
                                     -self->offset_y / self->zoom - 8,
                                     gtk_widget_get_width (widget) / self->zoom + 16,
                                     gtk_widget_get_height (widget) / self->zoom + 16 };
}

/* The part of the scene that the minimap shows: the graph, and what is seen beside it as far as
 * that does not make the graph small.
 */
static void
get_minimap_extent (ForeGraphView *self, graphene_rect_t *extent)
{
  const ForeGraphBox *bounds = &self->scene->bounds;
  graphene_rect_t graph = GRAPHENE_RECT_INIT (bounds->x, bounds->y, bounds->width, bounds->height);
  graphene_rect_t wide = graph;
  graphene_rect_t view;
  graphene_rect_t seen;

  graphene_rect_init (&view, -self->offset_x / self->zoom, -self->offset_y / self->zoom,
                      gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom,
                      gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom);
  graphene_rect_inset (&wide, -MINIMAP_BESIDE * bounds->width, -MINIMAP_BESIDE * bounds->height);
  *extent = graph;
  if (graphene_rect_intersection (&wide, &view, &seen))
    graphene_rect_union (&graph, &seen, extent);
}

static gboolean
hides_anything (ForeGraphView *self)
{
  return fore_graph_view_hides (self, GTK_POS_LEFT) || fore_graph_view_hides (self, GTK_POS_RIGHT)
         || fore_graph_view_hides (self, GTK_POS_TOP)
         || fore_graph_view_hides (self, GTK_POS_BOTTOM);
}

/* Where the minimap is in the view, which part of the scene it shows, and how many of its pixels a
 * unit of the scene takes.
 */
gboolean
fore_graph_view_get_minimap (ForeGraphView *self,
                             graphene_rect_t *frame,
                             graphene_rect_t *extent,
                             double *scale)
{
  GtkWidget *widget = GTK_WIDGET (self);
  double width = gtk_widget_get_width (widget);
  double height = gtk_widget_get_height (widget);
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;

  if (!self->show_minimap || self->compact || self->scene->nodes->len < 2
      || width < MINIMAP_LEAST_VIEW || height < 2 * MINIMAP_HEIGHT
      || self->scene->bounds.width <= 0)
    return FALSE;
  /* Where there is little room it would lie on what it shows. */
  if (width < FORE_GRAPH_NARROW && !hides_anything (self))
    return FALSE;

  graphene_rect_init (frame, rtl ? MINIMAP_MARGIN : width - MINIMAP_WIDTH - MINIMAP_MARGIN,
                      height - MINIMAP_HEIGHT - MINIMAP_MARGIN, MINIMAP_WIDTH, MINIMAP_HEIGHT);
  get_minimap_extent (self, extent);
  *scale = MIN ((MINIMAP_WIDTH - 2 * MINIMAP_PADDING) / extent->size.width,
                (MINIMAP_HEIGHT - 2 * MINIMAP_PADDING) / extent->size.height);

  return TRUE;
}

static void
draw_minimap_view (ForeGraphView *self,
                   GtkSnapshot *snapshot,
                   const graphene_rect_t *frame,
                   const graphene_point_t *origin,
                   double scale)
{
  const ForePalette *palette = &self->style.palette;
  const GdkRGBA colours[4] = { palette->accent, palette->accent, palette->accent, palette->accent };
  const float lines[4] = { 1.5, 1.5, 1.5, 1.5 };
  graphene_rect_t view;
  graphene_rect_t clipped;
  GskRoundedRect shape;
  ForeGraphPoint corner;

  fore_graph_view_to_scene (self, 0, 0, &corner);
  graphene_rect_init (&view, origin->x + corner.x * scale, origin->y + corner.y * scale,
                      gtk_widget_get_width (GTK_WIDGET (self)) / self->zoom * scale,
                      gtk_widget_get_height (GTK_WIDGET (self)) / self->zoom * scale);
  if (!graphene_rect_intersection (&view, frame, &clipped))
    return;

  graphene_rect_inset (&clipped, 1, 1);
  if (clipped.size.width < 3 || clipped.size.height < 3)
    return;
  gsk_rounded_rect_init_from_rect (&shape, &clipped, 3);
  gtk_snapshot_append_border (snapshot, &shape, lines, colours);
}

static void
draw_minimap (ForeGraphView *self, GtkSnapshot *snapshot)
{
  const ForePalette *palette = &self->style.palette;
  const GdkRGBA border[4] = { palette->card_border, palette->card_border, palette->card_border,
                              palette->card_border };
  const float lines[4] = { 1, 1, 1, 1 };
  graphene_rect_t frame, extent;
  graphene_point_t origin;
  GskRoundedRect shape;
  double scale;

  if (!fore_graph_view_get_minimap (self, &frame, &extent, &scale))
    return;

  origin.x = frame.origin.x + (frame.size.width - extent.size.width * scale) / 2
             - extent.origin.x * scale;
  origin.y = frame.origin.y + (frame.size.height - extent.size.height * scale) / 2
             - extent.origin.y * scale;
  gsk_rounded_rect_init_from_rect (&shape, &frame, 8);
  gtk_snapshot_push_rounded_clip (snapshot, &shape);
  gtk_snapshot_append_color (snapshot, &palette->card, &frame);
  if (self->overview != NULL)
    gtk_snapshot_append_texture (snapshot, self->overview,
                                 &GRAPHENE_RECT_INIT (origin.x + self->overview_bounds.x * scale,
                                                      origin.y + self->overview_bounds.y * scale,
                                                      self->overview_bounds.width * scale,
                                                      self->overview_bounds.height * scale));
  draw_minimap_view (self, snapshot, &frame, &origin, scale);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &shape, lines, border);
}

static void
draw_scene (ForeGraphView *self, GtkSnapshot *snapshot)
{
  ForeGraphPainter painter;

  fore_graph_view_init_painter (self, &painter);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (self->offset_x, self->offset_y));
  gtk_snapshot_scale (snapshot, self->zoom, self->zoom);
  fore_graph_painter_draw (&painter, snapshot, self->overview, &self->overview_bounds);
  gtk_snapshot_restore (snapshot);
}

/* The snapshot function of the widget's class. */
void
fore_graph_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);

  fore_graph_view_ensure_style (self);
  fore_graph_view_make_overview (self);
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  gtk_snapshot_append_color (snapshot, &self->style.palette.canvas,
                             &GRAPHENE_RECT_INIT (0, 0, width, height));
  fore_graph_painter_draw_dots (snapshot, &self->style.palette, width, height, self->offset_x,
                                self->offset_y, self->zoom);
  draw_scene (self, snapshot);
  fore_graph_view_draw_cues (self, snapshot);
  draw_minimap (self, snapshot);
  for (guint i = 0; i < G_N_ELEMENTS (self->focuses); i++)
    gtk_widget_snapshot_child (widget, self->focuses[i], snapshot);
  gtk_snapshot_pop (snapshot);
}
