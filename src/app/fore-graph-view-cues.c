/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-view-private.h"

#include <math.h>

/* On each side where the graph goes on out of sight it fades, and an arrow leads there. */

#define FADE 26.0
#define CHIP 26.0
#define CHIP_MARGIN 6.0
#define ICON 14.0
#define LEAST_HIDDEN 8.0
#define STEP 0.75
#define LEAST_VIEW 160

static const GtkPositionType sides[] = { GTK_POS_LEFT, GTK_POS_RIGHT, GTK_POS_TOP, GTK_POS_BOTTOM };

/**
 * fore_graph_view_hides:
 * @self: a graph view
 * @side: a side of it
 *
 * Returns: whether a part of the graph lies out of sight on that side
 */
gboolean
fore_graph_view_hides (ForeGraphView *self, GtkPositionType side)
{
  const ForeGraphBox *bounds;
  double width, height;

  g_return_val_if_fail (FORE_IS_GRAPH_VIEW (self), FALSE);

  bounds = &self->scene->bounds;
  width = gtk_widget_get_width (GTK_WIDGET (self));
  height = gtk_widget_get_height (GTK_WIDGET (self));
  if (!self->laid_out || bounds->width <= 0)
    return FALSE;

  switch (side)
    {
    case GTK_POS_LEFT:
      return self->offset_x + bounds->x * self->zoom < -LEAST_HIDDEN;
    case GTK_POS_RIGHT:
      return self->offset_x + (bounds->x + bounds->width) * self->zoom > width + LEAST_HIDDEN;
    case GTK_POS_TOP:
      return self->offset_y + bounds->y * self->zoom < -LEAST_HIDDEN;
    case GTK_POS_BOTTOM:
    default:
      return self->offset_y + (bounds->y + bounds->height) * self->zoom > height + LEAST_HIDDEN;
    }
}

static void
get_chip (ForeGraphView *self, GtkPositionType side, graphene_rect_t *chip)
{
  float width = gtk_widget_get_width (GTK_WIDGET (self));
  float height = gtk_widget_get_height (GTK_WIDGET (self));
  float x = (width - CHIP) / 2;
  float y = (height - CHIP) / 2;

  if (side == GTK_POS_LEFT)
    x = CHIP_MARGIN;
  else if (side == GTK_POS_RIGHT)
    x = width - CHIP - CHIP_MARGIN;
  else if (side == GTK_POS_TOP)
    y = CHIP_MARGIN;
  else
    y = height - CHIP - CHIP_MARGIN;
  graphene_rect_init (chip, roundf (x), roundf (y), CHIP, CHIP);
}

static gboolean
has_room (ForeGraphView *self)
{
  return gtk_widget_get_width (GTK_WIDGET (self)) >= LEAST_VIEW
         && gtk_widget_get_height (GTK_WIDGET (self)) >= LEAST_VIEW;
}

/**
 * fore_graph_view_press_cue:
 * @self: a graph view
 * @x: where it was pressed
 * @y: where it was pressed
 *
 * Moves the view to the side whose arrow lies there.
 *
 * Returns: whether there is one
 */
gboolean
fore_graph_view_press_cue (ForeGraphView *self, double x, double y)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)) * STEP;
  double height = gtk_widget_get_height (GTK_WIDGET (self)) * STEP;

  for (guint i = 0; i < G_N_ELEMENTS (sides) && has_room (self); i++)
    {
      GtkPositionType side = sides[i];
      graphene_rect_t chip;

      get_chip (self, side, &chip);
      if (!fore_graph_view_hides (self, side)
          || !graphene_rect_contains_point (&chip, &GRAPHENE_POINT_INIT (x, y)))
        continue;

      fore_graph_view_pan (self,
                           side == GTK_POS_LEFT    ? width
                           : side == GTK_POS_RIGHT ? -width
                                                   : 0,
                           side == GTK_POS_TOP      ? height
                           : side == GTK_POS_BOTTOM ? -height
                                                    : 0);
      return TRUE;
    }

  return FALSE;
}

static void
draw_fade (ForeGraphView *self, GtkSnapshot *snapshot, GtkPositionType side)
{
  float width = gtk_widget_get_width (GTK_WIDGET (self));
  float height = gtk_widget_get_height (GTK_WIDGET (self));
  GdkRGBA clear = self->style.palette.canvas;
  graphene_rect_t band = GRAPHENE_RECT_INIT (0, 0, width, height);
  graphene_point_t edge = { 0, 0 };
  graphene_point_t inner = { 0, 0 };

  clear.alpha = 0;
  if (side == GTK_POS_LEFT || side == GTK_POS_RIGHT)
    {
      edge.x = side == GTK_POS_LEFT ? 0 : width;
      inner.x = side == GTK_POS_LEFT ? FADE : width - FADE;
      graphene_rect_init (&band, MIN (edge.x, inner.x), 0, FADE, height);
    }
  else
    {
      edge.y = side == GTK_POS_TOP ? 0 : height;
      inner.y = side == GTK_POS_TOP ? FADE : height - FADE;
      graphene_rect_init (&band, 0, MIN (edge.y, inner.y), width, FADE);
    }
  gtk_snapshot_append_linear_gradient (
      snapshot, &band, &edge, &inner,
      (const GskColorStop[]){ { 0, self->style.palette.canvas }, { 1, clear } }, 2);
}

static void
draw_chip (ForeGraphView *self, GtkSnapshot *snapshot, GtkPositionType side)
{
  static const char *const icons[] = {
    [GTK_POS_LEFT] = "fore-back-symbolic",
    [GTK_POS_RIGHT] = "fore-next-symbolic",
    [GTK_POS_TOP] = "fore-up-symbolic",
    [GTK_POS_BOTTOM] = "fore-down-symbolic",
  };
  const ForePalette *palette = &self->style.palette;
  const GdkRGBA border[4] = { palette->card_border, palette->card_border, palette->card_border,
                              palette->card_border };
  const float lines[4] = { 1, 1, 1, 1 };
  graphene_rect_t chip;
  GskRoundedRect shape;

  get_chip (self, side, &chip);
  gsk_rounded_rect_init_from_rect (&shape, &chip, CHIP / 2);
  gtk_snapshot_append_outset_shadow (snapshot, &shape, &palette->shadow, 0, 1, 1, 3);
  gtk_snapshot_push_rounded_clip (snapshot, &shape);
  gtk_snapshot_append_color (snapshot, &palette->card, &chip);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &shape, lines, border);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (chip.origin.x + (CHIP - ICON) / 2,
                                                          chip.origin.y + (CHIP - ICON) / 2));
  self->style.draw_icon (snapshot, icons[side], ICON, &palette->text, self->style.data);
  gtk_snapshot_restore (snapshot);
}

/* Draws what says that the graph goes on. */
void
fore_graph_view_draw_cues (ForeGraphView *self, GtkSnapshot *snapshot)
{
  for (guint i = 0; i < G_N_ELEMENTS (sides) && has_room (self); i++)
    {
      if (!fore_graph_view_hides (self, sides[i]))
        continue;

      draw_fade (self, snapshot, sides[i]);
      draw_chip (self, snapshot, sides[i]);
    }
}
