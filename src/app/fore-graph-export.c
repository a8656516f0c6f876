/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-view-private.h"

#include "model/fore-error.h"

#include <glib/gi18n-lib.h>

#define MARGIN 24
#define MAX_SIDE 16384.0
#define ICON_PATH "/app/foredeck/Foredeck/icons/scalable/actions/"

static char *
format_colour (const GdkRGBA *colour)
{
  return g_strdup_printf ("#%02x%02x%02x", (guint) (colour->red * 255 + 0.5),
                          (guint) (colour->green * 255 + 0.5), (guint) (colour->blue * 255 + 0.5));
}

/* A number as SVG wants it, in any locale. */
static const char *
format_number (double value, char *buffer)
{
  return g_ascii_formatd (buffer, G_ASCII_DTOSTR_BUF_SIZE, "%.1f", value);
}

static void
add_number (GString *svg, const char *name, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (svg, " %s=\"%s\"", name, format_number (value, buffer));
}

static void
add_rect (GString *svg, const ForeGraphBox *box, double radius, const GdkRGBA *fill)
{
  g_autofree char *colour = format_colour (fill);

  g_string_append (svg, "<rect");
  add_number (svg, "x", box->x);
  add_number (svg, "y", box->y);
  add_number (svg, "width", box->width);
  add_number (svg, "height", box->height);
  add_number (svg, "rx", radius);
  g_string_append_printf (svg, " fill=\"%s\"", colour);
}

static void
add_text (GString *svg,
          double x,
          double y,
          const char *text,
          const char *font,
          const GdkRGBA *fill,
          guint max_chars)
{
  g_autofree char *colour = format_colour (fill);
  g_autofree char *cut = NULL;
  g_autofree char *escaped = NULL;

  if (text == NULL)
    return;

  cut = (guint) g_utf8_strlen (text, -1) > max_chars ? g_utf8_substring (text, 0, max_chars - 1)
                                                     : NULL;
  escaped = g_markup_printf_escaped ("%s%s", cut != NULL ? cut : text, cut != NULL ? "…" : "");
  g_string_append (svg, "<text");
  add_number (svg, "x", x);
  add_number (svg, "y", y);
  g_string_append_printf (svg, " fill=\"%s\" %s>%s</text>\n", colour, font, escaped);
}

/* The icon is one of ours: its paths are taken over as they stand. */
static void
add_icon (GString *svg, const char *name, double x, double y, const GdkRGBA *fill)
{
  g_autofree char *path = g_strconcat (ICON_PATH, name, ".svg", NULL);
  g_autoptr (GBytes) bytes = g_resources_lookup_data (path, 0, NULL);
  g_autofree char *colour = format_colour (fill);
  g_autofree char *icon = NULL;
  char left[G_ASCII_DTOSTR_BUF_SIZE], top[G_ASCII_DTOSTR_BUF_SIZE];

  if (bytes == NULL)
    return;

  icon = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  g_string_append_printf (svg, "<g transform=\"translate(%s %s) scale(0.8)\">",
                          format_number (x, left), format_number (y, top));
  for (const char *p = strstr (icon, "<path"); p != NULL; p = strstr (p + 1, "<path"))
    {
      const char *end = strstr (p, "/>");
      g_autofree char *element = end != NULL ? g_strndup (p, end + 2 - p) : NULL;
      g_auto (GStrv) parts = element != NULL ? g_strsplit (element, "fill=\"#222\"", 2) : NULL;

      if (parts != NULL && parts[0] != NULL && parts[1] != NULL)
        g_string_append_printf (svg, "%sfill=\"%s\"%s", parts[0], colour, parts[1]);
    }
  g_string_append (svg, "</g>\n");
}

static void
add_edge (GString *svg, const ForeGraphSceneEdge *edge, const ForePalette *palette)
{
  gboolean conflict = edge->edge->kind == FORE_GRAPH_EDGE_CONFLICT;
  const GdkRGBA *fill = conflict ? &palette->conflict : &palette->edge;
  g_autofree char *colour = NULL;
  char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];

  if (edge->edge->kind == FORE_GRAPH_EDGE_HANDOFF)
    fill = &palette->handoff;
  colour = format_colour (fill);
  g_string_append (svg, "<polyline fill=\"none\" points=\"");
  for (guint i = 0; i < edge->n_points; i++)
    g_string_append_printf (svg, "%s%s,%s", i > 0 ? " " : "", format_number (edge->points[i].x, x),
                            format_number (edge->points[i].y, y));
  g_string_append_printf (svg, "\" stroke=\"%s\" stroke-width=\"2\"%s/>\n", colour,
                          conflict || edge->edge->dashed ? " stroke-dasharray=\"5 4\"" : "");
  if (edge->edge->label != NULL && edge->n_points > 1)
    add_text (svg, (edge->points[0].x + edge->points[edge->n_points - 1].x) / 2,
              edge->points[0].y - 4, edge->edge->label, "font-size=\"11\" text-anchor=\"middle\"",
              fill, 40);
}

static void
add_card (GString *svg, const ForeGraphSceneNode *node, const ForePalette *palette)
{
  const ForeGraphBox *box = &node->target;
  ForeGraphBox bar = { box->x + 8, box->y + 11, 5, box->height - 22 };
  ForeViewStatus status = fore_graph_node_get_status (node->node);
  g_autofree char *border = format_colour (&palette->card_border);
  g_autofree char *line = fore_graph_node_dup_line (node->node);
  const char *icon = fore_graph_node_get_icon_name (node->node);

  add_rect (svg, box, 11, &palette->card);
  g_string_append_printf (svg, " stroke=\"%s\"%s/>\n", border,
                          fore_graph_node_get_dashed (node->node) ? " stroke-dasharray=\"6 4\""
                                                                  : "");
  add_rect (svg, &bar, 2.5, &palette->status[status]);
  g_string_append (svg, "/>\n");
  add_text (svg, box->x + 24, box->y + 24, fore_graph_node_get_title (node->node),
            "font-size=\"13\" font-weight=\"bold\"", &palette->text, 24);
  add_icon (svg, icon != NULL ? icon : fore_view_status_get_icon_name (status), box->x + 24,
            box->y + 31, &palette->status[status]);
  add_text (svg, box->x + 42, box->y + 42, line, "font-size=\"11.5\"", &palette->dim, 26);
}

static char *
make_svg (ForeGraphView *self)
{
  const ForeGraphBox *bounds = &self->scene->bounds;
  const ForePalette *palette = &self->style.palette;
  ForeGraphBox all = { bounds->x - MARGIN, bounds->y - MARGIN, bounds->width + 2 * MARGIN,
                       bounds->height + 2 * MARGIN };
  GString *svg = g_string_new ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                               "<svg xmlns=\"http://www.w3.org/2000/svg\"");
  char text[4][G_ASCII_DTOSTR_BUF_SIZE];

  add_number (svg, "width", all.width);
  add_number (svg, "height", all.height);
  g_string_append_printf (svg, " viewBox=\"%s %s %s %s\" font-family=\"Cantarell, sans-serif\">\n",
                          format_number (all.x, text[0]), format_number (all.y, text[1]),
                          format_number (all.width, text[2]), format_number (all.height, text[3]));
  add_rect (svg, &all, 0, &palette->canvas);
  g_string_append (svg, "/>\n");
  for (guint i = 0; i < self->scene->edges->len; i++)
    {
      const ForeGraphSceneEdge *edge = fore_graph_scene_get_edge (self->scene, i);

      if (edge->n_points > 0)
        add_edge (svg, edge, palette);
    }
  for (guint i = 0; i < self->scene->nodes->len; i++)
    {
      const ForeGraphSceneNode *node = fore_graph_scene_get_node (self->scene, i);

      if (node->placed)
        add_card (svg, node, palette);
    }
  g_string_append (svg, "</svg>\n");

  return g_string_free (svg, FALSE);
}

static gboolean
save (const char *path, const char *data, gsize length, GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (g_file_set_contents (path, data, length, &failure))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_ENVIRONMENT,
               _ ("The picture could not be written (%s): choose another folder."),
               failure->message);
  return FALSE;
}

static gboolean
has_layout (ForeGraphView *self, GError **error)
{
  if (self->laid_out && self->scene->nodes->len > 0)
    return TRUE;

  g_set_error_literal (error, FORE_ERROR, FORE_ERROR_NOT_FOUND,
                       _ ("There is no graph to save yet: wait until it is shown."));
  return FALSE;
}

/**
 * fore_graph_view_export_svg:
 * @self: a graph view that shows a graph
 * @path: the file to write
 * @error: (out) (optional): why it was not written
 *
 * Returns: whether the whole graph was written as SVG
 */
gboolean
fore_graph_view_export_svg (ForeGraphView *self, const char *path, GError **error)
{
  g_autofree char *svg = NULL;

  g_return_val_if_fail (FORE_IS_GRAPH_VIEW (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  if (!has_layout (self, error))
    return FALSE;

  fore_graph_view_ensure_style (self);
  svg = make_svg (self);
  return save (path, svg, strlen (svg), error);
}

static GskRenderNode *
draw_whole (ForeGraphView *self, double width, double height)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  ForeGraphPainter painter;

  fore_graph_view_ensure_style (self);
  fore_graph_view_init_painter (self, &painter);
  painter.zoom = 1;
  painter.visible = self->scene->bounds;
  painter.selected = painter.hovered = FORE_NO_NODE;
  painter.progress = 1;

  gtk_snapshot_append_color (snapshot, &self->style.palette.canvas,
                             &GRAPHENE_RECT_INIT (0, 0, width, height));
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (MARGIN - self->scene->bounds.x,
                                                          MARGIN - self->scene->bounds.y));
  fore_graph_painter_draw (&painter, snapshot, NULL, NULL);

  return gtk_snapshot_free_to_node (snapshot);
}

static cairo_status_t
append_png (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

/**
 * fore_graph_view_export_png:
 * @self: a graph view that shows a graph
 * @path: the file to write
 * @scale: pixels a unit; less when the picture would be larger than 16,384 pixels
 * @error: (out) (optional): why it was not written
 *
 * Returns: whether the whole graph was written as PNG
 */
gboolean
fore_graph_view_export_png (ForeGraphView *self, const char *path, double scale, GError **error)
{
  g_autoptr (GByteArray) png = g_byte_array_new ();
  double width, height;
  GskRenderNode *node;
  cairo_surface_t *surface;
  cairo_t *cr;

  g_return_val_if_fail (FORE_IS_GRAPH_VIEW (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (scale > 0, FALSE);

  if (!has_layout (self, error))
    return FALSE;

  width = self->scene->bounds.width + 2 * MARGIN;
  height = self->scene->bounds.height + 2 * MARGIN;
  scale = MIN (scale, MAX_SIDE / MAX (width, height));
  surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, MAX (1, (int) (width * scale)),
                                        MAX (1, (int) (height * scale)));
  cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  node = draw_whole (self, width, height);
  gsk_render_node_draw (node, cr);
  gsk_render_node_unref (node);
  cairo_destroy (cr);
  cairo_surface_write_to_png_stream (surface, append_png, png);
  cairo_surface_destroy (surface);

  return save (path, (const char *) png->data, png->len, error);
}
