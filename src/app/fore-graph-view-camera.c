/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-view-private.h"

#include <math.h>

#define MARGIN 36.0
#define REVEAL_MARGIN 24.0
#define LEAST_FIRST_ZOOM 0.6
/* Of a narrow window nothing is given away. */
#define NARROW_MARGIN 12.0
#define LEAST_NARROW_ZOOM 0.5

void
fore_graph_view_to_scene (ForeGraphView *self, double x, double y, ForeGraphPoint *point)
{
  point->x = (x - self->offset_x) / self->zoom;
  point->y = (y - self->offset_y) / self->zoom;
}

/* Of a graph that does not fit, shows where the first task is at work, or the beginning. */
static void
show_work (ForeGraphView *self, double beside, double margin)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  const ForeGraphBox *bounds = &self->scene->bounds;
  guint index = fore_graph_scene_find_active (self->scene);
  const ForeGraphBox *box = &fore_graph_scene_get_node (self->scene, index)->target;

  if (bounds->width * self->zoom > width - 2 * beside + 1)
    self->offset_x = round (CLAMP (width / 2 - (box->x + box->width / 2) * self->zoom,
                                   width - REVEAL_MARGIN - (bounds->x + bounds->width) * self->zoom,
                                   REVEAL_MARGIN - bounds->x * self->zoom));
  if (bounds->height * self->zoom > height - 2 * margin)
    self->offset_y = round (CLAMP (height / 2 - (box->y + box->height / 2) * self->zoom,
                                   height - margin - (bounds->y + bounds->height) * self->zoom,
                                   margin - bounds->y * self->zoom));
}

static void
fit_in (ForeGraphView *self, double least)
{
  double before[] = { self->zoom, self->offset_x, self->offset_y };
  GtkWidget *widget = GTK_WIDGET (self);
  const ForeGraphBox *bounds = &self->scene->bounds;
  double width = gtk_widget_get_width (widget);
  double height = gtk_widget_get_height (widget);
  double margin = self->compact ? MARGIN / 2 : MARGIN;
  double beside = width < FORE_GRAPH_NARROW ? NARROW_MARGIN : margin;
  double zoom;

  if (width <= 0 || height <= 0 || bounds->width <= 0)
    return;

  zoom = MIN ((width - 2 * beside) / bounds->width, (height - 2 * margin) / bounds->height);
  self->zoom = CLAMP (zoom, MAX (least, FORE_GRAPH_MIN_ZOOM), 1);
  self->offset_x = round (width / 2 - (bounds->x + bounds->width / 2) * self->zoom);
  self->offset_y = round (margin - bounds->y * self->zoom);
  if (zoom < self->zoom)
    show_work (self, beside, margin);
  else if (bounds->height * self->zoom < height - 2 * margin)
    self->offset_y += round (MIN ((height - bounds->height * self->zoom) / 2 - margin, margin));
  if (before[0] == self->zoom && before[1] == self->offset_x && before[2] == self->offset_y)
    return;

  gtk_widget_queue_draw (widget);
  gtk_widget_queue_allocate (widget);
}

static double
get_least_zoom (ForeGraphView *self)
{
  return gtk_widget_get_width (GTK_WIDGET (self)) < FORE_GRAPH_NARROW ? LEAST_NARROW_ZOOM
                                                                      : LEAST_FIRST_ZOOM;
}

/* Shows as much as can be read, from the top, as long as nobody moved or zoomed. */
void
fore_graph_view_fit_automatically (ForeGraphView *self)
{
  double before = self->zoom;

  fit_in (self, get_least_zoom (self));
  if (before != self->zoom)
    g_object_notify (G_OBJECT (self), "zoom");
}

static void
moved_by_person (ForeGraphView *self)
{
  self->automatic = FALSE;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* Keeps a part of the graph in sight, however far somebody drags. */
static void
clamp_offset (ForeGraphView *self)
{
  const ForeGraphBox *bounds = &self->scene->bounds;
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  double keep_x = MIN (width / 2, 80);
  double keep_y = MIN (height / 2, 80);

  self->offset_x = CLAMP (self->offset_x, keep_x - (bounds->x + bounds->width) * self->zoom,
                          width - keep_x - bounds->x * self->zoom);
  self->offset_y = CLAMP (self->offset_y, keep_y - (bounds->y + bounds->height) * self->zoom,
                          height - keep_y - bounds->y * self->zoom);
  self->offset_x = round (self->offset_x);
  self->offset_y = round (self->offset_y);
}

void
fore_graph_view_pan (ForeGraphView *self, double dx, double dy)
{
  self->offset_x += dx;
  self->offset_y += dy;
  clamp_offset (self);
  moved_by_person (self);
}

void
fore_graph_view_zoom_at (ForeGraphView *self, double zoom, double x, double y)
{
  ForeGraphPoint point;

  fore_graph_view_to_scene (self, x, y, &point);
  zoom = CLAMP (zoom, FORE_GRAPH_MIN_ZOOM, FORE_GRAPH_MAX_ZOOM);
  if (fabs (zoom - 1) < 0.02)
    zoom = 1;
  self->zoom = zoom;
  self->offset_x = x - point.x * zoom;
  self->offset_y = y - point.y * zoom;
  clamp_offset (self);
  moved_by_person (self);
  g_object_notify (G_OBJECT (self), "zoom");
}

void
fore_graph_view_center_on (ForeGraphView *self, double x, double y)
{
  self->offset_x = gtk_widget_get_width (GTK_WIDGET (self)) / 2.0 - x * self->zoom;
  self->offset_y = gtk_widget_get_height (GTK_WIDGET (self)) / 2.0 - y * self->zoom;
  clamp_offset (self);
  moved_by_person (self);
}

/* How far an extent must move to lie inside 0 to @room. */
static double
get_push (double begin, double end, double room)
{
  if (begin < REVEAL_MARGIN)
    return REVEAL_MARGIN - begin;
  if (end > room - REVEAL_MARGIN)
    return room - REVEAL_MARGIN - end;

  return 0;
}

/**
 * fore_graph_view_reveal:
 * @self: a graph view
 * @id: the id of a node
 *
 * Moves the view no further than needed for the node to be seen. Does nothing for a node that is
 * not there or not laid out yet.
 */
void
fore_graph_view_reveal (ForeGraphView *self, const char *id)
{
  const ForeGraphSceneNode *node;
  double x, y, dx, dy;

  g_return_if_fail (FORE_IS_GRAPH_VIEW (self));
  g_return_if_fail (id != NULL);

  node = fore_graph_scene_get_node (self->scene, fore_graph_scene_find (self->scene, id));
  if (node == NULL || !node->placed || gtk_widget_get_width (GTK_WIDGET (self)) == 0)
    return;

  x = self->offset_x + node->target.x * self->zoom;
  y = self->offset_y + node->target.y * self->zoom;
  dx = get_push (x, x + node->target.width * self->zoom, gtk_widget_get_width (GTK_WIDGET (self)));
  dy = get_push (y, y + node->target.height * self->zoom,
                 gtk_widget_get_height (GTK_WIDGET (self)));
  if (dx != 0 || dy != 0)
    fore_graph_view_pan (self, dx, dy);
}

double
fore_graph_view_get_zoom (ForeGraphView *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_VIEW (self), 1);

  return self->zoom;
}

/**
 * fore_graph_view_set_zoom:
 * @self: a graph view
 * @zoom: 1 is natural size
 *
 * Zooms at the middle of the view.
 */
void
fore_graph_view_set_zoom (ForeGraphView *self, double zoom)
{
  g_return_if_fail (FORE_IS_GRAPH_VIEW (self));

  if (self->zoom != zoom)
    fore_graph_view_zoom_at (self, zoom, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0,
                             gtk_widget_get_height (GTK_WIDGET (self)) / 2.0);
}

/**
 * fore_graph_view_fit:
 * @self: a graph view
 *
 * Shows the whole graph, not larger than natural size, and goes on doing so until somebody moves or
 * zooms.
 */
void
fore_graph_view_fit (ForeGraphView *self)
{
  g_return_if_fail (FORE_IS_GRAPH_VIEW (self));

  fit_in (self, FORE_GRAPH_MIN_ZOOM);
  self->automatic = self->zoom >= get_least_zoom (self);
  g_object_notify (G_OBJECT (self), "zoom");
}
