/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-card.h"

#define RADIUS 11
#define BAR_X 8
#define BAR_WIDTH 5
#define BAR_INSET 11
#define TEXT_X 24
#define TEXT_END 12
#define ICON_SIZE 13
#define USUAL_FONT_PIXELS 14.7
#define MAX_SCALE 3
#define ICON_SPACE 5
#define TITLE_SCALE 0.9
#define LINE_SCALE 0.8
#define BADGE_SCALE 0.72
#define BADGE_PADDING 6
#define PROGRESS_HEIGHT 3

/* Where something of the given width lies that begins @x from the leading edge. */
static double
mirror (const ForeGraphCardStyle *style, double card_width, double x, double width)
{
  return style->rtl ? card_width - x - width : x;
}

static void
append_round (GtkSnapshot *snapshot,
              const GdkRGBA *colour,
              double x,
              double y,
              double width,
              double height,
              double radius)
{
  GskRoundedRect shape;

  gsk_rounded_rect_init_from_rect (&shape, &GRAPHENE_RECT_INIT (x, y, width, height), radius);
  gtk_snapshot_push_rounded_clip (snapshot, &shape);
  gtk_snapshot_append_color (snapshot, colour, &shape.bounds);
  gtk_snapshot_pop (snapshot);
}

static PangoLayout *
make_layout (
    const ForeGraphCardStyle *style, const char *text, double scale, gboolean bold, double width)
{
  PangoLayout *layout = pango_layout_new (style->context);
  PangoFontDescription *font = pango_font_description_copy (
      pango_context_get_font_description (style->context));
  int size = pango_font_description_get_size (font);

  if (pango_font_description_get_size_is_absolute (font))
    pango_font_description_set_absolute_size (font, size * scale);
  else
    pango_font_description_set_size (font, size * scale);
  if (bold)
    pango_font_description_set_weight (font, PANGO_WEIGHT_BOLD);
  pango_layout_set_font_description (layout, font);
  pango_font_description_free (font);

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_text (layout, text != NULL ? text : "", -1);
  if (width >= 0)
    {
      pango_layout_set_width (layout, width * PANGO_SCALE);
      pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
      if (style->rtl)
        pango_layout_set_alignment (layout,
                                    pango_layout_get_direction (layout, 0) == PANGO_DIRECTION_RTL
                                        ? PANGO_ALIGN_LEFT
                                        : PANGO_ALIGN_RIGHT);
    }

  return layout;
}

static void
append_layout (
    GtkSnapshot *snapshot, PangoLayout *layout, double x, double y, const GdkRGBA *colour)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_append_layout (snapshot, layout, colour);
  gtk_snapshot_restore (snapshot);
}

static void
draw_dashes (GtkSnapshot *snapshot, const GdkRGBA *colour, double width, double height)
{
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot,
                                           &GRAPHENE_RECT_INIT (-1, -1, width + 2, height + 2));
  const double dashes[] = { 6, 4 };
  const double r = RADIUS;

  cairo_new_sub_path (cr);
  cairo_arc (cr, width - r, r, r - 0.5, -G_PI / 2, 0);
  cairo_arc (cr, width - r, height - r, r - 0.5, 0, G_PI / 2);
  cairo_arc (cr, r, height - r, r - 0.5, G_PI / 2, G_PI);
  cairo_arc (cr, r, r, r - 0.5, G_PI, 3 * G_PI / 2);
  cairo_close_path (cr);
  cairo_set_line_width (cr, 1.5);
  cairo_set_dash (cr, dashes, G_N_ELEMENTS (dashes), 0);
  gdk_cairo_set_source_rgba (cr, colour);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
draw_border (GtkSnapshot *snapshot, const GdkRGBA *colour, double width, double height, float line)
{
  const float lines[4] = { line, line, line, line };
  const GdkRGBA colours[4] = { *colour, *colour, *colour, *colour };
  GskRoundedRect shape;

  gsk_rounded_rect_init_from_rect (&shape, &GRAPHENE_RECT_INIT (0, 0, width, height), RADIUS);
  gtk_snapshot_append_border (snapshot, &shape, lines, colours);
}

static void
draw_ground (GtkSnapshot *snapshot,
             const ForeGraphCardStyle *style,
             ForeGraphNode *node,
             double width,
             double height)
{
  const ForePalette *palette = &style->palette;
  GskRoundedRect shape;

  gsk_rounded_rect_init_from_rect (&shape, &GRAPHENE_RECT_INIT (0, 0, width, height), RADIUS);
  if (!fore_graph_node_get_dashed (node))
    gtk_snapshot_append_outset_shadow (snapshot, &shape, &palette->shadow, 0, 1, 1, 3);
  append_round (snapshot, &palette->card, 0, 0, width, height, RADIUS);
  if (fore_graph_node_get_dashed (node))
    draw_dashes (snapshot, palette->high_contrast ? &palette->dim : &palette->edge, width, height);
  else
    draw_border (snapshot, &palette->card_border, width, height, 1);
}

/* Returns how much room the badge takes at the end of the second line: the title is worth more. */
static double
draw_badge (GtkSnapshot *snapshot,
            const ForeGraphCardStyle *style,
            const char *text,
            double width,
            double y,
            double line_height)
{
  g_autoptr (PangoLayout) layout = NULL;
  const GdkRGBA *colour = &style->palette.conflict;
  GdkRGBA ground = *colour;
  PangoRectangle extents;
  double badge_width, badge_height;
  double x;

  if (text == NULL || *text == '\0')
    return 0;

  layout = make_layout (style, text, BADGE_SCALE, TRUE, -1);
  pango_layout_get_pixel_extents (layout, NULL, &extents);
  badge_width = MIN (extents.width + 2 * BADGE_PADDING, width / 2);
  badge_height = extents.height + 2;
  x = mirror (style, width, width - badge_width - 9, badge_width);

  y += (int) ((line_height - badge_height) / 2);
  ground.alpha = 0.16;
  append_round (snapshot, &ground, x, y, badge_width, badge_height, badge_height / 2);
  pango_layout_set_width (layout, (badge_width - 2 * BADGE_PADDING + 1) * PANGO_SCALE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  append_layout (snapshot, layout, x + BADGE_PADDING, y + 1, colour);

  return badge_width + 2;
}

static void
draw_icon (GtkSnapshot *snapshot,
           const ForeGraphCardStyle *style,
           ForeGraphNode *node,
           double size,
           double x,
           double y)
{
  ForeViewStatus status = fore_graph_node_get_status (node);
  const GdkRGBA *colour = &style->palette.status[status];
  const char *name = fore_graph_node_get_icon_name (node);

  if (name == NULL)
    name = fore_view_status_get_icon_name (status);

  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  if (style->draw_icon != NULL)
    style->draw_icon (snapshot, name, size, colour, style->data);
  else
    append_round (snapshot, colour, 3, 3, size - 6, size - 6, (size - 6) / 2);
  gtk_snapshot_restore (snapshot);
}

static void
draw_line (GtkSnapshot *snapshot,
           const ForeGraphCardStyle *style,
           ForeGraphNode *node,
           double width,
           double y)
{
  double icon_size = (int) (ICON_SIZE * style->scale);
  double x = TEXT_X + icon_size + ICON_SPACE;
  g_autofree char *text = fore_graph_node_dup_line (node);
  g_autoptr (PangoLayout) line = make_layout (style, text, LINE_SCALE, FALSE, -1);
  int height;
  double room;

  pango_layout_get_pixel_size (line, NULL, &height);
  room = width - x - TEXT_END
         - draw_badge (snapshot, style, fore_graph_node_get_badge (node), width, y, height);
  g_clear_object (&line);
  line = make_layout (style, text, LINE_SCALE, FALSE, room);
  append_layout (snapshot, line, mirror (style, width, x, room), y, &style->palette.dim);
  draw_icon (snapshot, style, node, icon_size, mirror (style, width, TEXT_X, icon_size),
             y + (int) ((height - icon_size + 1) / 2));
}

static void
draw_texts (GtkSnapshot *snapshot,
            const ForeGraphCardStyle *style,
            ForeGraphNode *node,
            double width,
            double height)
{
  double title_width = width - TEXT_X - TEXT_END;
  g_autoptr (PangoLayout) title = make_layout (style, fore_graph_node_get_title (node), TITLE_SCALE,
                                               TRUE, title_width);
  g_autoptr (PangoLayout) line = make_layout (style, "X", LINE_SCALE, FALSE, -1);
  int title_height, line_height;
  double top;

  pango_layout_get_pixel_size (title, NULL, &title_height);
  pango_layout_get_pixel_size (line, NULL, &line_height);
  top = (int) ((height - title_height - line_height - 1) / 2);

  append_layout (snapshot, title, mirror (style, width, TEXT_X, title_width), top,
                 &style->palette.text);
  draw_line (snapshot, style, node, width, top + title_height + 1);
}

static void
draw_progress (GtkSnapshot *snapshot,
               const ForeGraphCardStyle *style,
               ForeGraphNode *node,
               double width,
               double height)
{
  double progress = fore_graph_node_get_progress (node);
  double room = width - TEXT_X - TEXT_END;
  double part = room * progress;
  GdkRGBA ground = style->palette.accent;

  if (progress < 0)
    return;

  ground.alpha = 0.18;
  append_round (snapshot, &ground, mirror (style, width, TEXT_X, room), height - 6, room,
                PROGRESS_HEIGHT, PROGRESS_HEIGHT / 2.0);
  if (part >= 1)
    append_round (snapshot, &style->palette.accent, mirror (style, width, TEXT_X, part), height - 6,
                  part, PROGRESS_HEIGHT, PROGRESS_HEIGHT / 2.0);
}

/**
 * fore_graph_card_get_scale:
 * @context: what texts are laid out with
 *
 * Returns: how much larger than usual its font is; cards grow with it
 */
double
fore_graph_card_get_scale (PangoContext *context)
{
  const PangoFontDescription *font;
  double pixels;

  g_return_val_if_fail (PANGO_IS_CONTEXT (context), 1);

  font = pango_context_get_font_description (context);
  pixels = (double) pango_font_description_get_size (font) / PANGO_SCALE;
  if (!pango_font_description_get_size_is_absolute (font))
    pixels *= MAX (pango_cairo_context_get_resolution (context), 96) / 72;

  return CLAMP (pixels / USUAL_FONT_PIXELS, 1, MAX_SCALE);
}

/**
 * fore_graph_card_snapshot:
 * @snapshot: where to draw, at the origin
 * @style: how
 * @node: what
 * @width: in pixels
 * @height: in pixels
 *
 * Draws the card of a node, without what selection and pointer add. Needs no display.
 */
void
fore_graph_card_snapshot (GtkSnapshot *snapshot,
                          const ForeGraphCardStyle *style,
                          ForeGraphNode *node,
                          double width,
                          double height)
{
  const GdkRGBA *colour;

  g_return_if_fail (GTK_IS_SNAPSHOT (snapshot));
  g_return_if_fail (style != NULL);
  g_return_if_fail (FORE_IS_GRAPH_NODE (node));

  colour = &style->palette.status[fore_graph_node_get_status (node)];
  draw_ground (snapshot, style, node, width, height);
  append_round (snapshot, colour, mirror (style, width, BAR_X, BAR_WIDTH), BAR_INSET, BAR_WIDTH,
                height - 2 * BAR_INSET, BAR_WIDTH / 2.0);
  draw_texts (snapshot, style, node, width, height);
  draw_progress (snapshot, style, node, width, height);
}

/**
 * fore_graph_card_snapshot_outline:
 * @snapshot: where to draw, at the origin of the card
 * @style: how
 * @width: of the card
 * @height: of the card
 * @flags: what to show
 *
 * Draws what selection and pointer add over a card.
 */
void
fore_graph_card_snapshot_outline (GtkSnapshot *snapshot,
                                  const ForeGraphCardStyle *style,
                                  double width,
                                  double height,
                                  ForeGraphCardFlags flags)
{
  g_return_if_fail (GTK_IS_SNAPSHOT (snapshot));
  g_return_if_fail (style != NULL);

  if (flags & FORE_GRAPH_CARD_HOVERED)
    {
      GdkRGBA veil = style->palette.text;

      veil.alpha = 0.04;
      append_round (snapshot, &veil, 0, 0, width, height, RADIUS);
    }
  if (flags & FORE_GRAPH_CARD_SELECTED)
    draw_border (snapshot, &style->palette.accent, width, height, 2.5);
}
