/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-overview.h"

#include <math.h>

#define LEAST_NODE_SIDE 2.0

typedef struct
{
  ForeGraphBox box;
  guint8 status;
  guint8 dimmed;
} Mark;

struct _ForeGraphOverview
{
  ForePalette palette;
  ForeGraphBox bounds;
  GArray *marks;
  GArray *points;
};

/**
 * fore_graph_overview_new:
 * @scene: what to show; copied
 * @palette: the colours
 *
 * Returns: (transfer full): an overview, to be painted
 */
ForeGraphOverview *
fore_graph_overview_new (const ForeGraphScene *scene, const ForePalette *palette)
{
  ForeGraphOverview *self = g_new0 (ForeGraphOverview, 1);

  self->palette = *palette;
  self->bounds = scene->bounds;
  self->marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  self->points = g_array_new (FALSE, FALSE, sizeof (ForeGraphPoint));

  for (guint i = 0; i < scene->nodes->len; i++)
    {
      const ForeGraphSceneNode *node = g_ptr_array_index (scene->nodes, i);
      Mark mark = { node->target, fore_graph_node_get_status (node->node), node->dimmed };

      if (node->placed)
        g_array_append_val (self->marks, mark);
    }
  for (guint i = 0; i < scene->edges->len; i++)
    {
      const ForeGraphSceneEdge *edge = g_ptr_array_index (scene->edges, i);
      const ForeGraphPoint end = { NAN, NAN };

      if (edge->n_points == 0)
        continue;
      g_array_append_vals (self->points, edge->points, edge->n_points);
      g_array_append_val (self->points, end);
    }

  return self;
}

void
fore_graph_overview_free (ForeGraphOverview *self)
{
  g_array_unref (self->marks);
  g_array_unref (self->points);
  g_free (self);
}

void
fore_graph_overview_get_bounds (const ForeGraphOverview *self, ForeGraphBox *bounds)
{
  *bounds = self->bounds;
}

static void
paint_edges (const ForeGraphOverview *self, cairo_t *cr, double scale)
{
  gboolean begun = FALSE;

  gdk_cairo_set_source_rgba (cr, &self->palette.edge);
  cairo_set_line_width (cr, MAX (1 / scale, 2));
  for (guint i = 0; i < self->points->len; i++)
    {
      const ForeGraphPoint *point = &g_array_index (self->points, ForeGraphPoint, i);

      if (isnan (point->x))
        begun = FALSE;
      else if (!begun)
        {
          cairo_move_to (cr, point->x, point->y);
          begun = TRUE;
        }
      else
        cairo_line_to (cr, point->x, point->y);
      if (i % 4096 == 4095 && !begun)
        cairo_stroke (cr);
    }
  cairo_stroke (cr);
}

static void
paint_marks (const ForeGraphOverview *self, cairo_t *cr, double scale)
{
  double least = LEAST_NODE_SIDE / scale;

  for (guint s = 0; s < FORE_N_VIEW_STATUSES; s++)
    for (guint dimmed = 0; dimmed < 2; dimmed++)
      {
        GdkRGBA colour = self->palette.status[s];

        colour.alpha = dimmed ? 0.28 : 1;
        gdk_cairo_set_source_rgba (cr, &colour);
        for (guint i = 0; i < self->marks->len; i++)
          {
            const Mark *mark = &g_array_index (self->marks, Mark, i);

            if (mark->status == s && mark->dimmed == dimmed)
              cairo_rectangle (cr, mark->box.x, mark->box.y, MAX (mark->box.width, least),
                               MAX (mark->box.height, least));
          }
        cairo_fill (cr);
      }
}

/**
 * fore_graph_overview_paint:
 * @self: an overview
 * @max_side: the most pixels of the longer side
 *
 * May take tens of milliseconds for thousands of nodes.
 *
 * Returns: (transfer full) (nullable): the picture, nothing for an empty graph
 */
GdkTexture *
fore_graph_overview_paint (const ForeGraphOverview *self, guint max_side)
{
  double longest = MAX (self->bounds.width, self->bounds.height);
  double scale = MIN (1, max_side / MAX (longest, 1));
  int width = ceil (self->bounds.width * scale);
  int height = ceil (self->bounds.height * scale);
  cairo_surface_t *surface;
  g_autoptr (GBytes) bytes = NULL;
  cairo_t *cr;
  gsize stride;

  if (width <= 0 || height <= 0)
    return NULL;

  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cr = cairo_create (surface);
  cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  cairo_scale (cr, width / self->bounds.width, height / self->bounds.height);
  cairo_translate (cr, -self->bounds.x, -self->bounds.y);
  paint_edges (self, cr, scale);
  paint_marks (self, cr, scale);
  cairo_destroy (cr);

  cairo_surface_flush (surface);
  stride = cairo_image_surface_get_stride (surface);
  bytes = g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), stride * height,
                                      (GDestroyNotify) cairo_surface_destroy, surface);

  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, stride);
}
