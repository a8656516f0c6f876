/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-split.h"

#include "app/fore-graph-card.h"
#include "app/fore-accessible.h"

#include <string.h>

#define MIN_SIDE 220
#define MIN_CONTENT 320
#define OVERLAY_GAP 40
#define HANDLE_WIDTH 8

struct _ForeSplit
{
  GtkWidget parent_instance;

  GtkWidget *side;
  GtkWidget *content;
  GtkWidget *scrim;
  GtkWidget *handle;
  gboolean at_end;
  int side_width;
  int collapse_below;
  gboolean collapsed;
  gboolean shown_beside;
  gboolean shown_over;
  guint notify_idle;
  int drag_start;
};

G_DEFINE_FINAL_TYPE (ForeSplit, fore_split, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_SIDE,
  PROP_CONTENT,
  PROP_AT_END,
  PROP_SIDE_WIDTH,
  PROP_COLLAPSE_BELOW,
  PROP_SHOW_SIDE,
  PROP_COLLAPSED,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

static gboolean
is_side_shown (ForeSplit *self)
{
  return self->side != NULL && (self->collapsed ? self->shown_over : self->shown_beside);
}

static gboolean
notify_cb (gpointer data)
{
  ForeSplit *self = data;

  self->notify_idle = 0;
  if (self->side != NULL)
    fore_accessible_set_hidden (self->side, !is_side_shown (self));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_COLLAPSED]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SHOW_SIDE]);

  return G_SOURCE_REMOVE;
}

static void
set_collapsed (ForeSplit *self, gboolean collapsed)
{
  if (self->collapsed == collapsed)
    return;

  self->collapsed = collapsed;
  self->shown_over = FALSE;
  if (collapsed)
    gtk_widget_add_css_class (GTK_WIDGET (self), "collapsed");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "collapsed");
  if (self->notify_idle == 0)
    self->notify_idle = g_idle_add (notify_cb, self);
}

static void
allocate_at (GtkWidget *child, int x, int width, int height)
{
  gtk_widget_size_allocate (child, &(GtkAllocation){ x, 0, width, height }, -1);
}

static int
find_side_width (ForeSplit *self, int width)
{
  int least;
  int limit = self->collapsed ? width - OVERLAY_GAP : width - MIN_CONTENT;

  gtk_widget_measure (self->side, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);

  return MIN (MAX (CLAMP (self->side_width, MIN_SIDE, MAX (limit, MIN_SIDE)), least), width);
}

static void
fore_split_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  ForeSplit *self = FORE_SPLIT (widget);
  gboolean right;
  gboolean shown;
  int side_width = 0;
  int content_x = 0;
  int content_width = width;

  set_collapsed (self,
                 width < self->collapse_below
                             * fore_graph_card_get_scale (gtk_widget_get_pango_context (widget)));
  shown = is_side_shown (self);
  right = self->at_end != (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL);

  if (self->side != NULL)
    {
      side_width = find_side_width (self, width);
      gtk_widget_set_child_visible (self->side, shown);
      if (shown)
        allocate_at (self->side, right ? width - side_width : 0, side_width, height);
    }
  if (shown && !self->collapsed)
    {
      content_x = right ? 0 : side_width;
      content_width = width - side_width;
    }
  if (self->content != NULL)
    {
      int least;

      gtk_widget_measure (self->content, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
      allocate_at (self->content, content_x, MAX (content_width, least), height);
    }
  gtk_widget_set_child_visible (self->scrim, shown && self->collapsed);
  if (shown && self->collapsed)
    allocate_at (self->scrim, 0, width, height);
  gtk_widget_set_child_visible (self->handle, shown && !self->collapsed);
  if (shown && !self->collapsed)
    allocate_at (self->handle, (right ? width - side_width : side_width) - HANDLE_WIDTH / 2,
                 HANDLE_WIDTH, height);
}

static void
measure_child (
    GtkWidget *child, GtkOrientation orientation, int for_size, int *minimum, int *natural)
{
  *minimum = 0;
  *natural = 0;
  if (child != NULL)
    gtk_widget_measure (child, orientation, for_size, minimum, natural, NULL, NULL);
}

static void
fore_split_measure (GtkWidget *widget,
                    GtkOrientation orientation,
                    int for_size,
                    int *minimum,
                    int *natural,
                    int *minimum_baseline,
                    int *natural_baseline)
{
  ForeSplit *self = FORE_SPLIT (widget);
  int content_min;
  int content_nat;
  int side_min;
  int side_nat;

  measure_child (self->content, orientation, -1, &content_min, &content_nat);
  measure_child (self->side, orientation, -1, &side_min, &side_nat);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = content_min;
      *natural = content_nat + (self->shown_beside ? self->side_width : 0);
    }
  else
    {
      *minimum = MAX (content_min, side_min);
      *natural = MAX (content_nat, side_nat);
    }
}

static void
fore_split_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  ForeSplit *self = FORE_SPLIT (widget);

  if (self->content != NULL)
    gtk_widget_snapshot_child (widget, self->content, snapshot);
  gtk_widget_snapshot_child (widget, self->scrim, snapshot);
  if (self->side != NULL)
    gtk_widget_snapshot_child (widget, self->side, snapshot);
  gtk_widget_snapshot_child (widget, self->handle, snapshot);
}

static void
scrim_pressed_cb (GtkGestureClick *gesture, int n_press, double x, double y, ForeSplit *self)
{
  fore_split_set_show_side (self, FALSE);
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *args, gpointer data)
{
  ForeSplit *self = FORE_SPLIT (widget);

  if (!self->collapsed || !self->shown_over)
    return GDK_EVENT_PROPAGATE;

  fore_split_set_show_side (self, FALSE);
  return GDK_EVENT_STOP;
}

static void
drag_begin_cb (GtkGestureDrag *gesture, double x, double y, ForeSplit *self)
{
  self->drag_start = self->side != NULL ? gtk_widget_get_width (self->side) : self->side_width;
}

static void
drag_update_cb (GtkGestureDrag *gesture, double dx, double dy, ForeSplit *self)
{
  gboolean right = self->at_end
                   != (gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL);
  double start_x;
  double start_y;
  graphene_point_t now;

  /* The handle moves under the pointer, so that the offset is taken in our own coordinates. */
  gtk_gesture_drag_get_start_point (gesture, &start_x, &start_y);
  if (!gtk_widget_compute_point (self->handle, GTK_WIDGET (self),
                                 &GRAPHENE_POINT_INIT ((float) (start_x + dx), 0), &now))
    return;

  fore_split_set_side_width (self, right ? gtk_widget_get_width (GTK_WIDGET (self)) - (int) now.x
                                         : (int) now.x);
}

static void
replace_child (ForeSplit *self, GtkWidget **slot, GtkWidget *child, const char *css_class)
{
  if (*slot != NULL)
    gtk_widget_unparent (*slot);
  *slot = child;
  if (child == NULL)
    return;

  gtk_widget_add_css_class (child, css_class);
  gtk_widget_insert_before (child, GTK_WIDGET (self), self->scrim);
  if (css_class[strlen ("split-")] == 's')
    gtk_widget_insert_after (child, GTK_WIDGET (self), self->scrim);
}

static void
fore_split_dispose (GObject *object)
{
  ForeSplit *self = FORE_SPLIT (object);

  g_clear_handle_id (&self->notify_idle, g_source_remove);
  g_clear_pointer (&self->side, gtk_widget_unparent);
  g_clear_pointer (&self->content, gtk_widget_unparent);
  g_clear_pointer (&self->scrim, gtk_widget_unparent);
  g_clear_pointer (&self->handle, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_split_parent_class)->dispose (object);
}

static void
fore_split_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ForeSplit *self = FORE_SPLIT (object);

  switch (id)
    {
    case PROP_SIDE:
      g_value_set_object (value, self->side);
      break;
    case PROP_CONTENT:
      g_value_set_object (value, self->content);
      break;
    case PROP_AT_END:
      g_value_set_boolean (value, self->at_end);
      break;
    case PROP_SIDE_WIDTH:
      g_value_set_int (value, self->side_width);
      break;
    case PROP_COLLAPSE_BELOW:
      g_value_set_int (value, self->collapse_below);
      break;
    case PROP_SHOW_SIDE:
      g_value_set_boolean (value, fore_split_get_show_side (self));
      break;
    case PROP_COLLAPSED:
      g_value_set_boolean (value, self->collapsed);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fore_split_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ForeSplit *self = FORE_SPLIT (object);

  switch (id)
    {
    case PROP_SIDE:
      fore_split_set_side (self, g_value_get_object (value));
      break;
    case PROP_CONTENT:
      fore_split_set_content (self, g_value_get_object (value));
      break;
    case PROP_AT_END:
      self->at_end = g_value_get_boolean (value);
      gtk_widget_add_css_class (GTK_WIDGET (self), self->at_end ? "at-end" : "at-start");
      gtk_widget_remove_css_class (GTK_WIDGET (self), self->at_end ? "at-start" : "at-end");
      break;
    case PROP_SIDE_WIDTH:
      fore_split_set_side_width (self, g_value_get_int (value));
      break;
    case PROP_COLLAPSE_BELOW:
      self->collapse_below = g_value_get_int (value);
      break;
    case PROP_SHOW_SIDE:
      fore_split_set_show_side (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fore_split_class_init (ForeSplitClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->dispose = fore_split_dispose;
  object_class->get_property = fore_split_get_property;
  object_class->set_property = fore_split_set_property;
  widget_class->measure = fore_split_measure;
  widget_class->size_allocate = fore_split_size_allocate;
  widget_class->snapshot = fore_split_snapshot;

  props[PROP_SIDE] = g_param_spec_object ("side", NULL, NULL, GTK_TYPE_WIDGET, flags);
  props[PROP_CONTENT] = g_param_spec_object ("content", NULL, NULL, GTK_TYPE_WIDGET, flags);
  props[PROP_AT_END] = g_param_spec_boolean ("at-end", NULL, NULL, FALSE, flags);
  props[PROP_SIDE_WIDTH] = g_param_spec_int ("side-width", NULL, NULL, 0, G_MAXINT, 280, flags);
  props[PROP_COLLAPSE_BELOW] = g_param_spec_int ("collapse-below", NULL, NULL, 0, G_MAXINT, 720,
                                                 flags);
  props[PROP_SHOW_SIDE] = g_param_spec_boolean ("show-side", NULL, NULL, TRUE, flags);
  props[PROP_COLLAPSED] = g_param_spec_boolean ("collapsed", NULL, NULL, FALSE,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  gtk_widget_class_set_css_name (widget_class, "foresplit");
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
}

static void
fore_split_init (ForeSplit *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->side_width = 280;
  self->collapse_below = 720;
  self->shown_beside = TRUE;
  gtk_widget_add_css_class (GTK_WIDGET (self), "at-start");

  self->scrim = g_object_new (GTK_TYPE_BOX, "css-classes", (const char *[]){ "scrim", NULL }, NULL);
  gtk_widget_set_parent (self->scrim, GTK_WIDGET (self));
  g_signal_connect (click, "pressed", G_CALLBACK (scrim_pressed_cb), self);
  gtk_widget_add_controller (self->scrim, GTK_EVENT_CONTROLLER (click));

  self->handle = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_cursor_from_name (self->handle, "col-resize");
  gtk_widget_set_parent (self->handle, GTK_WIDGET (self));
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begin_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_update_cb), self);
  gtk_widget_add_controller (self->handle, GTK_EVENT_CONTROLLER (drag));
}

/**
 * fore_split_new:
 *
 * Returns: (transfer floating): an empty split
 */
GtkWidget *
fore_split_new (void)
{
  return g_object_new (FORE_TYPE_SPLIT, NULL);
}

/**
 * fore_split_set_side:
 * @self: a split
 * @side: (nullable): the widget at the side
 */
void
fore_split_set_side (ForeSplit *self, GtkWidget *side)
{
  g_return_if_fail (FORE_IS_SPLIT (self));

  replace_child (self, &self->side, side, "split-side");
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SIDE]);
}

/**
 * fore_split_set_content:
 * @self: a split
 * @content: (nullable): the widget that takes the rest
 */
void
fore_split_set_content (ForeSplit *self, GtkWidget *content)
{
  g_return_if_fail (FORE_IS_SPLIT (self));

  replace_child (self, &self->content, content, "split-content");
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_CONTENT]);
}

/**
 * fore_split_get_show_side:
 * @self: a split
 *
 * Returns: whether the side is to be seen
 */
gboolean
fore_split_get_show_side (ForeSplit *self)
{
  g_return_val_if_fail (FORE_IS_SPLIT (self), FALSE);

  return self->collapsed ? self->shown_over : self->shown_beside;
}

/**
 * fore_split_set_show_side:
 * @self: a split
 * @show_side: whether the side is to be seen
 *
 * A collapsed split remembers what it showed beside the content before.
 */
void
fore_split_set_show_side (ForeSplit *self, gboolean show_side)
{
  gboolean *shown;

  g_return_if_fail (FORE_IS_SPLIT (self));

  shown = self->collapsed ? &self->shown_over : &self->shown_beside;
  if (*shown == show_side)
    return;

  *shown = show_side;
  if (self->side != NULL)
    fore_accessible_set_hidden (self->side, !show_side);
  if (show_side && self->collapsed && self->side != NULL)
    gtk_widget_child_focus (self->side, GTK_DIR_TAB_FORWARD);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SHOW_SIDE]);
}

/**
 * fore_split_get_collapsed:
 * @self: a split
 *
 * Returns: whether there is no room for both beside each other
 */
gboolean
fore_split_get_collapsed (ForeSplit *self)
{
  g_return_val_if_fail (FORE_IS_SPLIT (self), FALSE);

  return self->collapsed;
}

/**
 * fore_split_get_side_width:
 * @self: a split
 *
 * Returns: the width that the side wants
 */
int
fore_split_get_side_width (ForeSplit *self)
{
  g_return_val_if_fail (FORE_IS_SPLIT (self), 0);

  return self->side_width;
}

/**
 * fore_split_set_side_width:
 * @self: a split
 * @width: the width that the side wants
 */
void
fore_split_set_side_width (ForeSplit *self, int width)
{
  g_return_if_fail (FORE_IS_SPLIT (self));

  if (width < MIN_SIDE || self->side_width == width)
    return;

  self->side_width = width;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SIDE_WIDTH]);
}
