/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define MARGIN 36.0
#define REVEAL_MARGIN 24.0
#define LEAST_FIRST_ZOOM 0.5
#define MAX_RENDER_NODES 1500
#define MINIMAP_WIDTH 132.0
#define MINIMAP_HEIGHT 78.0
#define MINIMAP_MARGIN 12.0
#define MINIMAP_PADDING 6.0
#define MINIMAP_LEAST_VIEW 360
#define MINIMAP_BESIDE 0.2

G_DEFINE_FINAL_TYPE (ForeGraphView, fore_graph_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_MODEL,
  PROP_SELECTED_ID,
  PROP_ZOOM,
  PROP_SHOW_MINIMAP,
  PROP_COMPACT,
  N_PROPS
};

enum
{
  NODE_ACTIVATED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

void
fore_graph_view_to_scene (ForeGraphView *self, double x, double y, ForeGraphPoint *point)
{
  point->x = (x - self->offset_x) / self->zoom;
  point->y = (y - self->offset_y) / self->zoom;
}

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
draw_icon (GtkSnapshot *snapshot,
           const char *name,
           double size,
           const GdkRGBA *colour,
           gpointer data)
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

guint
fore_graph_view_get_selected (ForeGraphView *self)
{
  return fore_graph_scene_find (self->scene, self->selected_id);
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
    gtk_snapshot_append_texture (
        snapshot, self->overview,
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
  if (self->zoom < FORE_GRAPH_DETAIL_ZOOM && self->overview != NULL
      && fore_graph_painter_count (&painter) > MAX_RENDER_NODES)
    gtk_snapshot_append_texture (
        snapshot, self->overview,
        &GRAPHENE_RECT_INIT (self->overview_bounds.x, self->overview_bounds.y,
                             self->overview_bounds.width, self->overview_bounds.height));
  else
    {
      fore_graph_painter_draw_edges (&painter, snapshot);
      fore_graph_painter_draw_nodes (&painter, snapshot);
      fore_graph_painter_draw_labels (&painter, snapshot);
    }
  gtk_snapshot_restore (snapshot);
}

static void
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
  draw_minimap (self, snapshot);
  for (guint i = 0; i < G_N_ELEMENTS (self->focuses); i++)
    gtk_widget_snapshot_child (widget, self->focuses[i], snapshot);
  gtk_snapshot_pop (snapshot);
}

static void
fore_graph_view_measure (GtkWidget *widget,
                         GtkOrientation orientation,
                         int for_size,
                         int *minimum,
                         int *natural,
                         int *minimum_baseline,
                         int *natural_baseline)
{
  *minimum = 80;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 480 : 360;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    gtk_widget_measure (child, orientation, for_size, NULL, NULL, NULL, NULL);
}

static void
allocate_focus (ForeGraphView *self, GtkWidget *focus, guint index)
{
  const ForeGraphSceneNode *node = fore_graph_scene_get_node (self->scene, index);
  GtkAllocation place = { 0, 0, 1, 1 };

  if (node != NULL && node->placed)
    place = (GtkAllocation){ round (self->offset_x + node->box.x * self->zoom),
                             round (self->offset_y + node->box.y * self->zoom),
                             MAX (round (node->box.width * self->zoom), 1),
                             MAX (round (node->box.height * self->zoom), 1) };
  gtk_widget_size_allocate (focus, &place, -1);
}

static void
fore_graph_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (widget);

  if (self->automatic && self->laid_out)
    fore_graph_view_fit_automatically (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->focuses); i++)
    allocate_focus (self, self->focuses[i], fore_graph_view_get_selected (self));
}

static void
fore_graph_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (fore_graph_view_parent_class)->css_changed (widget, change);

  fore_graph_view_forget_style (FORE_GRAPH_VIEW (widget));
}

static void
fore_graph_view_direction_changed (GtkWidget *widget, GtkTextDirection previous)
{
  fore_graph_view_forget_style (FORE_GRAPH_VIEW (widget));
}

static gboolean
fore_graph_view_grab_focus (GtkWidget *widget)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (widget);

  if (fore_graph_view_get_selected (self) == FORE_NO_NODE)
    {
      guint first = fore_graph_scene_go (self->scene, FORE_NO_NODE, FORE_GRAPH_FIRST);

      if (first == FORE_NO_NODE)
        return GTK_WIDGET_CLASS (fore_graph_view_parent_class)->grab_focus (widget);
      fore_graph_view_select (self, first, FALSE);
    }

  return gtk_widget_grab_focus (self->focuses[self->current_focus]);
}

/* One stop for Tab: the focused node, or the view while it is empty. */
static gboolean
fore_graph_view_focus (GtkWidget *widget, GtkDirectionType direction)
{
  if (gtk_widget_get_focus_child (widget) != NULL || gtk_widget_is_focus (widget))
    return FALSE;

  return gtk_widget_grab_focus (widget);
}

/* Shows the selected node to assistive technology. When it is another than before, the focus goes
 * to the other of two widgets, so that the move is heard.
 */
void
fore_graph_view_place_focus (ForeGraphView *self)
{
  guint index = fore_graph_view_get_selected (self);
  const ForeGraphSceneNode *node = fore_graph_scene_get_node (self->scene, index);
  GtkWidget *focus = self->focuses[self->current_focus];

  if (node != NULL)
    {
      g_autofree char *name = fore_graph_node_dup_accessible_name (node->node);

      fore_graph_focus_set_name (FORE_GRAPH_FOCUS (focus), name,
                                 fore_graph_node_get_tooltip (node->node));
    }
  gtk_widget_set_focusable (GTK_WIDGET (self), self->scene->nodes->len == 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
switch_focus (ForeGraphView *self)
{
  GtkWidget *old = self->focuses[self->current_focus];
  gboolean focused = gtk_widget_is_focus (old);

  self->current_focus = !self->current_focus;
  fore_graph_view_place_focus (self);
  gtk_widget_set_visible (self->focuses[self->current_focus], TRUE);
  if (focused)
    gtk_widget_grab_focus (self->focuses[self->current_focus]);
  gtk_widget_set_visible (old, FALSE);
}

void
fore_graph_view_update_label (ForeGraphView *self)
{
  guint n = self->scene->nodes->len;
  guint n_active = 0;
  g_autofree char *count = NULL;
  g_autofree char *label = NULL;

  for (guint i = 0; i < n; i++)
    n_active += fore_graph_node_get_status (fore_graph_scene_get_node (self->scene, i)->node)
                == FORE_VIEW_ACTIVE;

  count = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u task", "%u tasks", n), n);
  /* Translators: the first is a count of tasks, the second how many of them run. */
  label = g_strdup_printf (_ ("Task graph: %s, %u running"), count, n_active);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/* Of a graph that does not fit, shows where the first task is at work, or the beginning. */
static void
show_work (ForeGraphView *self, double margin)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self));
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  const ForeGraphBox *bounds = &self->scene->bounds;
  guint index = fore_graph_scene_find_active (self->scene);
  const ForeGraphBox *box = &fore_graph_scene_get_node (self->scene, index)->target;

  if (bounds->width * self->zoom > width - 2 * margin)
    self->offset_x = round (width / 2 - (box->x + box->width / 2) * self->zoom);
  if (bounds->height * self->zoom > height - 2 * margin)
    self->offset_y = round (
        CLAMP (height / 2 - (box->y + box->height / 2) * self->zoom,
               height - margin - (bounds->y + bounds->height) * self->zoom,
               margin - bounds->y * self->zoom));
}

static void
fit_in (ForeGraphView *self, double least)
{
  GtkWidget *widget = GTK_WIDGET (self);
  const ForeGraphBox *bounds = &self->scene->bounds;
  double width = gtk_widget_get_width (widget);
  double height = gtk_widget_get_height (widget);
  double margin = self->compact ? MARGIN / 2 : MARGIN;
  double zoom;

  if (width <= 0 || height <= 0 || bounds->width <= 0)
    return;

  zoom = MIN ((width - 2 * margin) / bounds->width, (height - 2 * margin) / bounds->height);
  self->zoom = CLAMP (zoom, MAX (least, FORE_GRAPH_MIN_ZOOM), 1);
  self->offset_x = round (width / 2 - (bounds->x + bounds->width / 2) * self->zoom);
  self->offset_y = round (margin - bounds->y * self->zoom);
  if (zoom < self->zoom)
    show_work (self, margin);
  else if (bounds->height * self->zoom < height - 2 * margin)
    self->offset_y += round (MIN ((height - bounds->height * self->zoom) / 2 - margin, margin));
  gtk_widget_queue_draw (widget);
  gtk_widget_queue_allocate (widget);
}

/* Shows as much as can be read, from the top, as long as nobody moved or zoomed. */
void
fore_graph_view_fit_automatically (ForeGraphView *self)
{
  double before = self->zoom;

  fit_in (self, LEAST_FIRST_ZOOM);
  if (before != self->zoom)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ZOOM]);
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
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ZOOM]);
}

void
fore_graph_view_center_on (ForeGraphView *self, double x, double y)
{
  self->offset_x = gtk_widget_get_width (GTK_WIDGET (self)) / 2.0 - x * self->zoom;
  self->offset_y = gtk_widget_get_height (GTK_WIDGET (self)) / 2.0 - y * self->zoom;
  clamp_offset (self);
  moved_by_person (self);
}

void
fore_graph_view_activate (ForeGraphView *self, guint index)
{
  const ForeGraphSceneNode *node = fore_graph_scene_get_node (self->scene, index);

  g_return_if_fail (node != NULL);

  g_signal_emit (self, signals[NODE_ACTIVATED], 0, fore_graph_node_get_id (node->node));
}

void
fore_graph_view_select (ForeGraphView *self, guint index, gboolean reveal)
{
  const ForeGraphSceneNode *node = fore_graph_scene_get_node (self->scene, index);
  g_autofree char *id = node != NULL ? g_strdup (fore_graph_node_get_id (node->node)) : NULL;

  fore_graph_view_set_selected_id (self, id);
  if (reveal && id != NULL)
    fore_graph_view_reveal (self, id);
}

static void
node_changed (ForeGraphNode *node, GParamSpec *pspec, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (data);
  guint index = fore_graph_scene_find (self->scene, fore_graph_node_get_id (node));
  ForeGraphSceneNode *scene_node = fore_graph_scene_get_node (self->scene, index);

  if (scene_node == NULL)
    return;

  g_clear_pointer (&scene_node->card, gsk_render_node_unref);
  self->overview_dirty |= g_str_equal (pspec->name, "status");
  if (g_str_equal (pspec->name, "status"))
    fore_graph_view_update_label (self);
  if (index == fore_graph_view_get_selected (self))
    fore_graph_view_place_focus (self);
  fore_graph_view_dim (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
items_changed (GListModel *model, guint position, guint removed, guint added, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (data);

  fore_graph_scene_splice (self->scene, position, removed, model, added);
  for (guint i = position; i < position + added; i++)
    {
      ForeGraphSceneNode *node = fore_graph_scene_get_node (self->scene, i);

      node->handler = g_signal_connect (node->node, "notify", G_CALLBACK (node_changed), self);
    }
  self->hovered = FORE_NO_NODE;
  fore_graph_view_dim (self);
  fore_graph_view_update_label (self);
  fore_graph_view_place_focus (self);
  fore_graph_view_schedule_layout (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

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

/* Lets those nodes step back that search and filter do not want. */
void
fore_graph_view_dim (ForeGraphView *self)
{
  gboolean all = self->search == NULL && self->status_mask == G_MAXUINT;

  for (guint i = 0; i < self->scene->nodes->len; i++)
    {
      ForeGraphSceneNode *node = fore_graph_scene_get_node (self->scene, i);
      gboolean dimmed = !all && !matches (self, node->node);

      self->overview_dirty |= node->dimmed != dimmed;
      node->dimmed = dimmed;
    }
}

static void
fore_graph_view_dispose (GObject *object)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (object);

  fore_graph_view_drop_jobs (self);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  for (guint i = 0; i < G_N_ELEMENTS (self->focuses); i++)
    g_clear_pointer (&self->focuses[i], gtk_widget_unparent);
  g_clear_object (&self->overview);

  G_OBJECT_CLASS (fore_graph_view_parent_class)->dispose (object);
}

static void
fore_graph_view_finalize (GObject *object)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (object);

  fore_graph_scene_free (self->scene);
  g_hash_table_unref (self->icons);
  g_clear_object (&self->style.context);
  g_free (self->selected_id);
  g_free (self->search);

  G_OBJECT_CLASS (fore_graph_view_parent_class)->finalize (object);
}

static void
fore_graph_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (object);

  switch (prop_id)
    {
    case PROP_MODEL:
      g_value_set_object (value, self->model);
      break;
    case PROP_SELECTED_ID:
      g_value_set_string (value, self->selected_id);
      break;
    case PROP_ZOOM:
      g_value_set_double (value, self->zoom);
      break;
    case PROP_SHOW_MINIMAP:
      g_value_set_boolean (value, self->show_minimap);
      break;
    case PROP_COMPACT:
      g_value_set_boolean (value, self->compact);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_graph_view_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (object);

  switch (prop_id)
    {
    case PROP_MODEL:
      fore_graph_view_set_model (self, g_value_get_object (value));
      break;
    case PROP_SELECTED_ID:
      fore_graph_view_set_selected_id (self, g_value_get_string (value));
      break;
    case PROP_ZOOM:
      fore_graph_view_set_zoom (self, g_value_get_double (value));
      break;
    case PROP_SHOW_MINIMAP:
      fore_graph_view_set_show_minimap (self, g_value_get_boolean (value));
      break;
    case PROP_COMPACT:
      fore_graph_view_set_compact (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
install_properties (GObjectClass *object_class)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  properties[PROP_MODEL]
      = g_param_spec_object ("model", NULL, NULL, G_TYPE_LIST_MODEL, flags);
  properties[PROP_SELECTED_ID] = g_param_spec_string ("selected-id", NULL, NULL, NULL, flags);
  properties[PROP_ZOOM] = g_param_spec_double ("zoom", NULL, NULL, FORE_GRAPH_MIN_ZOOM,
                                               FORE_GRAPH_MAX_ZOOM, 1, flags);
  properties[PROP_SHOW_MINIMAP]
      = g_param_spec_boolean ("show-minimap", NULL, NULL, TRUE, flags);
  properties[PROP_COMPACT] = g_param_spec_boolean ("compact", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
fore_graph_view_class_init (ForeGraphViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = fore_graph_view_dispose;
  object_class->finalize = fore_graph_view_finalize;
  object_class->get_property = fore_graph_view_get_property;
  object_class->set_property = fore_graph_view_set_property;
  widget_class->snapshot = fore_graph_view_snapshot;
  widget_class->measure = fore_graph_view_measure;
  widget_class->size_allocate = fore_graph_view_size_allocate;
  widget_class->css_changed = fore_graph_view_css_changed;
  widget_class->direction_changed = fore_graph_view_direction_changed;
  widget_class->grab_focus = fore_graph_view_grab_focus;
  widget_class->focus = fore_graph_view_focus;
  install_properties (object_class);

  /**
   * ForeGraphView::node-activated:
   * @self: a graph view
   * @id: the id of the node
   *
   * A node was double-clicked, or Return was pressed on it.
   */
  signals[NODE_ACTIVATED]
      = g_signal_new ("node-activated", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                      NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  gtk_widget_class_set_css_name (widget_class, "graphview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  fore_graph_view_class_init_input (widget_class);
}

static void
fore_graph_view_init (ForeGraphView *self)
{
  self->scene = fore_graph_scene_new ();
  self->icons = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->zoom = 1;
  self->progress = 1;
  self->automatic = TRUE;
  self->show_minimap = TRUE;
  self->status_mask = G_MAXUINT;
  self->hovered = FORE_NO_NODE;

  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (self->focuses); i++)
    {
      self->focuses[i] = fore_graph_focus_new ();
      gtk_widget_set_visible (self->focuses[i], i == 0);
      gtk_widget_set_parent (self->focuses[i], GTK_WIDGET (self));
    }
  fore_graph_view_init_input (self);
  fore_graph_view_update_label (self);
}

GtkWidget *
fore_graph_view_new (void)
{
  return g_object_new (FORE_TYPE_GRAPH_VIEW, NULL);
}

GListModel *
fore_graph_view_get_model (ForeGraphView *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_VIEW (self), NULL);

  return self->model;
}

/**
 * fore_graph_view_set_model:
 * @self: a graph view
 * @model: (nullable): a model of #ForeGraphNode, in an order that does not matter much
 *
 * Shows the nodes of @model and follows it. A change of a node only draws it again; a change of the
 * model lays the graph out again, in a thread.
 */
void
fore_graph_view_set_model (ForeGraphView *self, GListModel *model)
{
  g_return_if_fail (FORE_IS_GRAPH_VIEW (self));
  g_return_if_fail (model == NULL || G_IS_LIST_MODEL (model));

  if (self->model == model)
    return;

  if (self->model != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->model, self);
      fore_graph_scene_splice (self->scene, 0, self->scene->nodes->len, self->model, 0);
    }
  g_set_object (&self->model, model);
  self->hovered = FORE_NO_NODE;
  if (model != NULL)
    {
      g_signal_connect (model, "items-changed", G_CALLBACK (items_changed), self);
      items_changed (model, 0, 0, g_list_model_get_n_items (model), self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MODEL]);
}

/**
 * fore_graph_view_set_edges:
 * @self: a graph view
 * @edges: (nullable) (element-type ForeGraphEdge): all edges; copied. Edges whose ends are not in
 *   the model wait until they are
 */
void
fore_graph_view_set_edges (ForeGraphView *self, GPtrArray *edges)
{
  g_return_if_fail (FORE_IS_GRAPH_VIEW (self));

  if (!fore_graph_scene_set_edges (self->scene, edges))
    return;

  fore_graph_view_schedule_layout (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const char *
fore_graph_view_get_selected_id (ForeGraphView *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_VIEW (self), NULL);

  return self->selected_id;
}

/**
 * fore_graph_view_set_selected_id:
 * @self: a graph view
 * @id: (nullable): the id of a node, in the model now or later
 */
void
fore_graph_view_set_selected_id (ForeGraphView *self, const char *id)
{
  g_return_if_fail (FORE_IS_GRAPH_VIEW (self));

  if (g_strcmp0 (self->selected_id, id) == 0)
    return;

  g_free (self->selected_id);
  self->selected_id = g_strdup (id);
  switch_focus (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SELECTED_ID]);
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
  fore_graph_view_dim (self);
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
  fore_graph_view_dim (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
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
  self->automatic = self->zoom >= LEAST_FIRST_ZOOM;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ZOOM]);
}

gboolean
fore_graph_view_get_show_minimap (ForeGraphView *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_VIEW (self), FALSE);

  return self->show_minimap;
}

void
fore_graph_view_set_show_minimap (ForeGraphView *self, gboolean show_minimap)
{
  g_return_if_fail (FORE_IS_GRAPH_VIEW (self));

  show_minimap = !!show_minimap;
  if (self->show_minimap == show_minimap)
    return;

  self->show_minimap = show_minimap;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOW_MINIMAP]);
}

gboolean
fore_graph_view_get_compact (ForeGraphView *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_VIEW (self), FALSE);

  return self->compact;
}

/**
 * fore_graph_view_set_compact:
 * @self: a graph view
 * @compact: whether cards are narrower and there is no minimap, for previews
 */
void
fore_graph_view_set_compact (ForeGraphView *self, gboolean compact)
{
  g_return_if_fail (FORE_IS_GRAPH_VIEW (self));

  compact = !!compact;
  if (self->compact == compact)
    return;

  self->compact = compact;
  self->scene->node_width = compact ? 180 : 192;
  self->scene->node_height = compact ? 52 : 56;
  self->scene->serial++;
  fore_graph_view_forget_style (self);
  fore_graph_view_schedule_layout (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COMPACT]);
}

/**
 * fore_graph_view_get_longest_path:
 * @self: a graph view
 *
 * Returns: how many tasks the longest chain of dependencies has
 */
guint
fore_graph_view_get_longest_path (ForeGraphView *self)
{
  g_return_val_if_fail (FORE_IS_GRAPH_VIEW (self), 0);

  return fore_graph_scene_measure_longest_path (self->scene);
}
