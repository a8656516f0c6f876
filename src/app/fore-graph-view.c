/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-graph-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

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

guint
fore_graph_view_get_selected (ForeGraphView *self)
{
  return fore_graph_scene_find (self->scene, self->selected_id);
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

/* Cards grow with the text in them. */
static void
size_cards (ForeGraphView *self)
{
  double width, height;

  fore_graph_view_ensure_style (self);
  width = round ((self->compact ? 180 : 192) * self->style.scale);
  height = round ((self->compact ? 52 : 56) * self->style.scale);
  if (self->scene->node_width == width && self->scene->node_height == height)
    return;

  self->scene->node_width = width;
  self->scene->node_height = height;
  self->scene->serial++;
  fore_graph_view_schedule_layout (self);
}

static void
fore_graph_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (fore_graph_view_parent_class)->css_changed (widget, change);

  fore_graph_view_forget_style (FORE_GRAPH_VIEW (widget));
  size_cards (FORE_GRAPH_VIEW (widget));
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
      g_autofree char *description = fore_graph_scene_dup_description (self->scene, index);

      fore_graph_focus_set_name (FORE_GRAPH_FOCUS (focus), name, description);
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
  fore_graph_view_dim_node (self, scene_node);
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
  fore_graph_view_dim_nodes (self);
  fore_graph_view_update_label (self);
  fore_graph_view_place_focus (self);
  fore_graph_view_schedule_layout (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
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

  properties[PROP_MODEL] = g_param_spec_object ("model", NULL, NULL, G_TYPE_LIST_MODEL, flags);
  properties[PROP_SELECTED_ID] = g_param_spec_string ("selected-id", NULL, NULL, NULL, flags);
  properties[PROP_ZOOM] = g_param_spec_double ("zoom", NULL, NULL, FORE_GRAPH_MIN_ZOOM,
                                               FORE_GRAPH_MAX_ZOOM, 1, flags);
  properties[PROP_SHOW_MINIMAP] = g_param_spec_boolean ("show-minimap", NULL, NULL, TRUE, flags);
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
  signals[NODE_ACTIVATED] = g_signal_new ("node-activated", G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                          G_TYPE_STRING);

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
  fore_graph_view_forget_places (self);
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
 * fore_graph_view_forget_places:
 * @self: a graph view
 *
 * Says that what comes into the model next is another graph, even where its nodes have ids that
 * were shown before: they get the places and the view that they would get in a new window.
 */
void
fore_graph_view_forget_places (ForeGraphView *self)
{
  g_return_if_fail (FORE_IS_GRAPH_VIEW (self));

  fore_graph_scene_forget_places (self->scene);
  self->laid_out = FALSE;
  self->automatic = TRUE;
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
  fore_graph_view_forget_style (self);
  size_cards (self);
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
