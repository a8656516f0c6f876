/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-view-private.h"

#include <math.h>

#define WHEEL_STEP 64.0
#define WHEEL_ZOOM 1.12
#define BUTTON_ZOOM 1.25

static gboolean
is_in_minimap (ForeGraphView *self, double x, double y)
{
  graphene_rect_t frame, extent;
  double scale;

  return fore_graph_view_get_minimap (self, &frame, &extent, &scale)
         && graphene_rect_contains_point (&frame, &GRAPHENE_POINT_INIT (x, y));
}

static guint
hit (ForeGraphView *self, double x, double y)
{
  ForeGraphPoint point;

  if (is_in_minimap (self, x, y))
    return FORE_NO_NODE;

  fore_graph_view_to_scene (self, x, y, &point);
  return fore_graph_scene_hit (self->scene, point.x, point.y);
}

static void
set_hovered (ForeGraphView *self, guint index)
{
  if (self->hovered == index)
    return;

  self->hovered = index;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), index != FORE_NO_NODE ? "pointer" : NULL);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pointer_moved (GtkEventControllerMotion *controller, double x, double y, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (data);

  self->pointer_x = x;
  self->pointer_y = y;
  if (self->drag == FORE_GRAPH_DRAG_NONE)
    set_hovered (self, hit (self, x, y));
}

static void
pointer_left (GtkEventControllerMotion *controller, gpointer data)
{
  set_hovered (FORE_GRAPH_VIEW (data), FORE_NO_NODE);
}

static gboolean
scrolled (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (data);
  GtkEventController *base = GTK_EVENT_CONTROLLER (controller);
  GdkModifierType state = gtk_event_controller_get_current_event_state (base);
  gboolean wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;

  if (state & GDK_CONTROL_MASK)
    {
      double steps = wheel ? dy : dy / WHEEL_STEP;

      fore_graph_view_zoom_at (self, self->zoom * pow (WHEEL_ZOOM, -steps), self->pointer_x,
                               self->pointer_y);
      return GDK_EVENT_STOP;
    }

  if (wheel)
    {
      dx *= WHEEL_STEP;
      dy *= WHEEL_STEP;
    }
  if (state & GDK_SHIFT_MASK && dx == 0)
    fore_graph_view_pan (self, -dy, 0);
  else
    fore_graph_view_pan (self, -dx, -dy);

  return GDK_EVENT_STOP;
}

static void
go_to_minimap (ForeGraphView *self, double x, double y)
{
  graphene_rect_t frame, extent;
  double scale;

  if (!fore_graph_view_get_minimap (self, &frame, &extent, &scale))
    return;

  fore_graph_view_center_on (self,
                             extent.origin.x + extent.size.width / 2
                                 + (x - frame.origin.x - frame.size.width / 2) / scale,
                             extent.origin.y + extent.size.height / 2
                                 + (y - frame.origin.y - frame.size.height / 2) / scale);
}

static void
drag_begun (GtkGestureDrag *gesture, double x, double y, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (data);
  guint button = gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture));

  self->drag_x = x;
  self->drag_y = y;
  if (button == GDK_BUTTON_PRIMARY && is_in_minimap (self, x, y))
    {
      self->drag = FORE_GRAPH_DRAG_MINIMAP;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      go_to_minimap (self, x, y);
      return;
    }
  if (button == GDK_BUTTON_PRIMARY && fore_graph_view_press_cue (self, x, y))
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      return;
    }
  if (button == GDK_BUTTON_SECONDARY
      || (button == GDK_BUTTON_PRIMARY && hit (self, x, y) != FORE_NO_NODE))
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }

  self->drag = FORE_GRAPH_DRAG_PAN;
}

static void
drag_moved (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (data);
  double x, y;

  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (self->drag == FORE_GRAPH_DRAG_MINIMAP)
    go_to_minimap (self, x + dx, y + dy);
  else if (self->drag == FORE_GRAPH_DRAG_PAN)
    {
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
      fore_graph_view_pan (self, x + dx - self->drag_x, y + dy - self->drag_y);
      self->drag_x = x + dx;
      self->drag_y = y + dy;
    }
}

static void
drag_ended (GtkGestureDrag *gesture, double dx, double dy, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (data);

  self->drag = FORE_GRAPH_DRAG_NONE;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), NULL);
}

static void
clicked (GtkGestureClick *gesture, int n_press, double x, double y, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (data);
  guint index = hit (self, x, y);

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (index == FORE_NO_NODE)
    return;

  fore_graph_view_select (self, index, FALSE);
  if (n_press == 2)
    fore_graph_view_activate (self, index);
}

static void
pinch_begun (GtkGesture *gesture, GdkEventSequence *sequence, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (data);

  self->pinch_zoom = self->zoom;
}

static void
pinched (GtkGestureZoom *gesture, double scale, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (data);
  double x, y;

  if (gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    fore_graph_view_zoom_at (self, self->pinch_zoom * scale, x, y);
}

static gboolean
show_tooltip (
    GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (widget);
  guint index = keyboard ? fore_graph_view_get_selected (self) : hit (self, x, y);
  const ForeGraphSceneNode *node = fore_graph_scene_get_node (self->scene, index);
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  const char *more;
  GdkRectangle area;

  if (node == NULL)
    return FALSE;

  name = fore_graph_node_dup_accessible_name (node->node);
  more = fore_graph_node_get_tooltip (node->node);
  text = more != NULL ? g_strdup_printf ("%s\n%s", name, more) : g_strdup (name);
  area = (GdkRectangle){ self->offset_x + node->box.x * self->zoom,
                         self->offset_y + node->box.y * self->zoom, node->box.width * self->zoom,
                         node->box.height * self->zoom };
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &area);
  return TRUE;
}

static void
add_pointer (ForeGraphView *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (
      GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);

  g_signal_connect (motion, "motion", G_CALLBACK (pointer_moved), self);
  g_signal_connect (motion, "leave", G_CALLBACK (pointer_left), self);
  gtk_widget_add_controller (GTK_WIDGET (self), motion);

  g_signal_connect (scroll, "scroll", G_CALLBACK (scrolled), self);
  gtk_widget_add_controller (GTK_WIDGET (self), scroll);
}

static void
add_gestures (ForeGraphView *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_begun), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_moved), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (drag_ended), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drag));

  g_signal_connect (click, "pressed", G_CALLBACK (clicked), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));

  self->pinch = gtk_gesture_zoom_new ();
  g_signal_connect (self->pinch, "begin", G_CALLBACK (pinch_begun), self);
  g_signal_connect (self->pinch, "scale-changed", G_CALLBACK (pinched), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (self->pinch));
}

void
fore_graph_view_init_input (ForeGraphView *self)
{
  add_pointer (self);
  add_gestures (self);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (show_tooltip), NULL);
}

static void
zoom_from_middle (ForeGraphView *self, double zoom)
{
  GtkWidget *widget = GTK_WIDGET (self);

  fore_graph_view_zoom_at (self, zoom, gtk_widget_get_width (widget) / 2.0,
                           gtk_widget_get_height (widget) / 2.0);
}

static void
zoom_in (GtkWidget *widget, const char *action, GVariant *parameter)
{
  zoom_from_middle (FORE_GRAPH_VIEW (widget), FORE_GRAPH_VIEW (widget)->zoom * BUTTON_ZOOM);
}

static void
zoom_out (GtkWidget *widget, const char *action, GVariant *parameter)
{
  zoom_from_middle (FORE_GRAPH_VIEW (widget), FORE_GRAPH_VIEW (widget)->zoom / BUTTON_ZOOM);
}

static void
zoom_to_one (GtkWidget *widget, const char *action, GVariant *parameter)
{
  zoom_from_middle (FORE_GRAPH_VIEW (widget), 1);
}

static void
zoom_to_fit (GtkWidget *widget, const char *action, GVariant *parameter)
{
  fore_graph_view_fit (FORE_GRAPH_VIEW (widget));
}

static gboolean
go (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (widget);
  ForeGraphDirection direction = g_variant_get_int32 (arguments);
  guint from = fore_graph_view_get_selected (self);
  guint to;

  if (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL && from == FORE_NO_NODE)
    direction = FORE_GRAPH_FIRST;
  to = fore_graph_scene_go (self->scene, from, direction);
  if (to != FORE_NO_NODE)
    fore_graph_view_select (self, to, TRUE);

  return TRUE;
}

static gboolean
activate_selected (GtkWidget *widget, GVariant *arguments, gpointer data)
{
  ForeGraphView *self = FORE_GRAPH_VIEW (widget);
  guint index = fore_graph_view_get_selected (self);

  if (index == FORE_NO_NODE)
    return FALSE;

  fore_graph_view_activate (self, index);
  return TRUE;
}

static void
bind_action (GtkWidgetClass *klass, guint key, guint keypad, const char *action)
{
  gtk_widget_class_add_binding_action (klass, key, GDK_CONTROL_MASK, action, NULL);
  gtk_widget_class_add_binding_action (klass, keypad, GDK_CONTROL_MASK, action, NULL);
}

void
fore_graph_view_class_init_input (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key;
    guint keypad;
    ForeGraphDirection direction;
  } moves[] = {
    { GDK_KEY_Up, GDK_KEY_KP_Up, FORE_GRAPH_UP },
    { GDK_KEY_Down, GDK_KEY_KP_Down, FORE_GRAPH_DOWN },
    { GDK_KEY_Left, GDK_KEY_KP_Left, FORE_GRAPH_LEFT },
    { GDK_KEY_Right, GDK_KEY_KP_Right, FORE_GRAPH_RIGHT },
    { GDK_KEY_Home, GDK_KEY_KP_Home, FORE_GRAPH_FIRST },
    { GDK_KEY_End, GDK_KEY_KP_End, FORE_GRAPH_LAST },
  };
  static const guint returns[] = { GDK_KEY_Return, GDK_KEY_KP_Enter, GDK_KEY_ISO_Enter };

  gtk_widget_class_install_action (widget_class, "graph.zoom-in", NULL, zoom_in);
  gtk_widget_class_install_action (widget_class, "graph.zoom-out", NULL, zoom_out);
  gtk_widget_class_install_action (widget_class, "graph.zoom-one", NULL, zoom_to_one);
  gtk_widget_class_install_action (widget_class, "graph.fit", NULL, zoom_to_fit);
  bind_action (widget_class, GDK_KEY_plus, GDK_KEY_KP_Add, "graph.zoom-in");
  bind_action (widget_class, GDK_KEY_equal, GDK_KEY_KP_Add, "graph.zoom-in");
  bind_action (widget_class, GDK_KEY_minus, GDK_KEY_KP_Subtract, "graph.zoom-out");
  bind_action (widget_class, GDK_KEY_0, GDK_KEY_KP_0, "graph.zoom-one");
  bind_action (widget_class, GDK_KEY_9, GDK_KEY_KP_9, "graph.fit");

  for (guint i = 0; i < G_N_ELEMENTS (moves); i++)
    {
      gtk_widget_class_add_binding (widget_class, moves[i].key, 0, go, "i", moves[i].direction);
      gtk_widget_class_add_binding (widget_class, moves[i].keypad, 0, go, "i", moves[i].direction);
    }
  for (guint i = 0; i < G_N_ELEMENTS (returns); i++)
    gtk_widget_class_add_binding (widget_class, returns[i], 0, activate_selected, NULL);
}
