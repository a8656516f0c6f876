/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-transcript-view.h"

#include "app/fore-transcript-row.h"

#include <glib/gi18n-lib.h>

/* So near to the end counts as being there. */
#define END_TOLERANCE 24

/* A row that came needs a frame to be measured before one can scroll exactly to it. */
#define SCROLL_FRAMES 2

struct _ForeTranscriptView
{
  GtkWidget parent_instance;

  GtkWidget *overlay;
  GtkWidget *scroller;
  GtkWidget *list;
  GtkWidget *pill;
  GtkAdjustment *adjustment;
  GListModel *model;
  gboolean following;
  double last_value;
  double last_upper;
  guint tick;
  guint frames_left;
};

G_DEFINE_FINAL_TYPE (ForeTranscriptView, fore_transcript_view, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_MODEL,
  PROP_FOLLOWING,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void
show_pill (ForeTranscriptView *self)
{
  gboolean has_items = self->model != NULL && g_list_model_get_n_items (self->model) > 0;

  gtk_widget_set_visible (self->pill, !self->following && has_items);
}

static void
change_following (ForeTranscriptView *self, gboolean following)
{
  if (self->following == following)
    return;

  self->following = following;
  show_pill (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLLOWING]);
}

static void
scroll_to_end (ForeTranscriptView *self)
{
  guint n = self->model != NULL ? g_list_model_get_n_items (self->model) : 0;

  if (n > 0)
    gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", n - 1);
}

static gboolean
follow_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  ForeTranscriptView *self = FORE_TRANSCRIPT_VIEW (widget);

  if (self->following)
    scroll_to_end (self);
  if (self->following && --self->frames_left > 0)
    return G_SOURCE_CONTINUE;

  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static void
follow_soon (ForeTranscriptView *self)
{
  if (!self->following)
    return;

  self->frames_left = SCROLL_FRAMES;
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), follow_tick, NULL, NULL);
}

static gboolean
is_at_end (ForeTranscriptView *self)
{
  return gtk_adjustment_get_value (self->adjustment)
             + gtk_adjustment_get_page_size (self->adjustment)
         >= gtk_adjustment_get_upper (self->adjustment) - END_TOLERANCE;
}

/* Only a person moves the view up while nothing changes its height. */
static void
value_changed (GtkAdjustment *adjustment, gpointer data)
{
  ForeTranscriptView *self = FORE_TRANSCRIPT_VIEW (data);
  double value = gtk_adjustment_get_value (adjustment);
  double upper = gtk_adjustment_get_upper (adjustment);

  if (is_at_end (self))
    change_following (self, TRUE);
  else if (value < self->last_value && upper == self->last_upper && self->tick == 0)
    change_following (self, FALSE);
  self->last_value = value;
  self->last_upper = upper;
}

static void
extent_changed (GtkAdjustment *adjustment, gpointer data)
{
  ForeTranscriptView *self = FORE_TRANSCRIPT_VIEW (data);

  self->last_upper = gtk_adjustment_get_upper (adjustment);
  if (!is_at_end (self))
    follow_soon (self);
}

static gboolean
wheel_turned (GtkEventControllerScroll *controller, double dx, double dy, gpointer data)
{
  ForeTranscriptView *self = FORE_TRANSCRIPT_VIEW (data);

  if (dy < 0 && gtk_adjustment_get_value (self->adjustment) > 0)
    change_following (self, FALSE);

  return GDK_EVENT_PROPAGATE;
}

static void
items_changed (GListModel *model, guint position, guint removed, guint added, gpointer data)
{
  ForeTranscriptView *self = FORE_TRANSCRIPT_VIEW (data);

  show_pill (self);
  follow_soon (self);
}

static void
pill_clicked (GtkButton *button, gpointer data)
{
  fore_transcript_view_set_following (FORE_TRANSCRIPT_VIEW (data), TRUE);
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  gtk_list_item_set_child (item, fore_transcript_row_new ());
  gtk_list_item_set_activatable (item, FALSE);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  ForeTranscriptRow *row = FORE_TRANSCRIPT_ROW (gtk_list_item_get_child (item));
  ForeTranscriptItem *entry = FORE_TRANSCRIPT_ITEM (gtk_list_item_get_item (item));

  fore_transcript_row_set_item (row, entry);
}

static void
unbind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  fore_transcript_row_set_item (FORE_TRANSCRIPT_ROW (gtk_list_item_get_child (item)), NULL);
}

static ForeTranscriptRow *
find_focused_row (ForeTranscriptView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GtkWidget *row;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, self->list))
    return NULL;

  row = gtk_widget_get_ancestor (focus, FORE_TYPE_TRANSCRIPT_ROW);
  if (row == NULL)
    row = gtk_widget_get_first_child (focus);

  return FORE_IS_TRANSCRIPT_ROW (row) ? FORE_TRANSCRIPT_ROW (row) : NULL;
}

static void
copy_entry (GtkWidget *widget, const char *action, GVariant *parameter)
{
  ForeTranscriptRow *row = find_focused_row (FORE_TRANSCRIPT_VIEW (widget));
  ForeTranscriptItem *item = row != NULL ? fore_transcript_row_get_item (row) : NULL;
  g_autofree char *text = item != NULL ? fore_transcript_item_dup_plain (item) : NULL;

  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
go_to_end (GtkWidget *widget, const char *action, GVariant *parameter)
{
  fore_transcript_view_set_following (FORE_TRANSCRIPT_VIEW (widget), TRUE);
}

/* Whoever unfolds something wants to read it. */
static void
pin (GtkWidget *widget, const char *action, GVariant *parameter)
{
  change_following (FORE_TRANSCRIPT_VIEW (widget), FALSE);
}

static void
fore_transcript_view_dispose (GObject *object)
{
  ForeTranscriptView *self = FORE_TRANSCRIPT_VIEW (object);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tick);
  self->tick = 0;
  if (self->adjustment != NULL)
    g_signal_handlers_disconnect_by_data (self->adjustment, self);
  g_clear_object (&self->adjustment);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  g_clear_pointer (&self->overlay, gtk_widget_unparent);

  G_OBJECT_CLASS (fore_transcript_view_parent_class)->dispose (object);
}

static void
fore_transcript_view_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  ForeTranscriptView *self = FORE_TRANSCRIPT_VIEW (object);

  switch (prop_id)
    {
    case PROP_MODEL:
      g_value_set_object (value, self->model);
      break;
    case PROP_FOLLOWING:
      g_value_set_boolean (value, self->following);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_transcript_view_set_property (GObject *object,
                                   guint prop_id,
                                   const GValue *value,
                                   GParamSpec *pspec)
{
  ForeTranscriptView *self = FORE_TRANSCRIPT_VIEW (object);

  switch (prop_id)
    {
    case PROP_MODEL:
      fore_transcript_view_set_model (self, g_value_get_object (value));
      break;
    case PROP_FOLLOWING:
      fore_transcript_view_set_following (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
fore_transcript_view_class_init (ForeTranscriptViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->dispose = fore_transcript_view_dispose;
  object_class->get_property = fore_transcript_view_get_property;
  object_class->set_property = fore_transcript_view_set_property;
  properties[PROP_MODEL] = g_param_spec_object ("model", NULL, NULL, G_TYPE_LIST_MODEL, flags);
  properties[PROP_FOLLOWING] = g_param_spec_boolean ("following", NULL, NULL, TRUE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_css_name (widget_class, "transcriptview");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "transcript.copy", NULL, copy_entry);
  gtk_widget_class_install_action (widget_class, "transcript.latest", NULL, go_to_end);
  gtk_widget_class_install_action (widget_class, "transcript.pin", NULL, pin);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "transcript.copy",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_End, GDK_CONTROL_MASK,
                                       "transcript.latest", NULL);
}

static GtkWidget *
make_pill (ForeTranscriptView *self)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("fore-latest-symbolic"));
  gtk_box_append (GTK_BOX (box), gtk_label_new (_ ("Jump to latest")));
  gtk_button_set_child (GTK_BUTTON (button), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Jump to latest"), -1);
  gtk_widget_add_css_class (button, "pill");
  gtk_widget_add_css_class (button, "latest-pill");
  gtk_widget_add_css_class (button, "osd");
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (button, GTK_ALIGN_END);
  gtk_widget_set_margin_bottom (button, 12);
  gtk_widget_set_visible (button, FALSE);
  g_signal_connect (button, "clicked", G_CALLBACK (pill_clicked), self);

  return button;
}

static void
make_list (ForeTranscriptView *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_row), self);
  self->list = gtk_list_view_new (NULL, factory);
  gtk_widget_add_css_class (self->list, "transcript-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Transcript"), -1);
}

static void
fore_transcript_view_init (ForeTranscriptView *self)
{
  GtkEventController *wheel = gtk_event_controller_scroll_new (
      GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  self->following = TRUE;
  make_list (self);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->list);
  self->adjustment = g_object_ref (
      gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller)));
  g_signal_connect (self->adjustment, "value-changed", G_CALLBACK (value_changed), self);
  g_signal_connect (self->adjustment, "changed", G_CALLBACK (extent_changed), self);

  gtk_event_controller_set_propagation_phase (wheel, GTK_PHASE_CAPTURE);
  g_signal_connect (wheel, "scroll", G_CALLBACK (wheel_turned), self);
  gtk_widget_add_controller (self->scroller, wheel);

  self->pill = make_pill (self);
  self->overlay = gtk_overlay_new ();
  gtk_overlay_set_child (GTK_OVERLAY (self->overlay), self->scroller);
  gtk_overlay_add_overlay (GTK_OVERLAY (self->overlay), self->pill);
  gtk_widget_set_parent (self->overlay, GTK_WIDGET (self));
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
}

GtkWidget *
fore_transcript_view_new (void)
{
  return g_object_new (FORE_TYPE_TRANSCRIPT_VIEW, NULL);
}

GListModel *
fore_transcript_view_get_model (ForeTranscriptView *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_VIEW (self), NULL);

  return self->model;
}

/**
 * fore_transcript_view_set_model:
 * @self: a transcript view
 * @model: (nullable): a model of #ForeTranscriptItem, which may make its items on demand
 *
 * Shows @model from its end, following it.
 */
void
fore_transcript_view_set_model (ForeTranscriptView *self, GListModel *model)
{
  g_autoptr (GtkNoSelection) selection = NULL;

  g_return_if_fail (FORE_IS_TRANSCRIPT_VIEW (self));
  g_return_if_fail (model == NULL || G_IS_LIST_MODEL (model));

  if (self->model == model)
    return;

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_set_object (&self->model, model);
  if (model != NULL)
    {
      selection = gtk_no_selection_new (g_object_ref (model));
      g_signal_connect (model, "items-changed", G_CALLBACK (items_changed), self);
    }
  gtk_list_view_set_model (GTK_LIST_VIEW (self->list), GTK_SELECTION_MODEL (selection));
  fore_transcript_view_set_following (self, TRUE);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MODEL]);
}

gboolean
fore_transcript_view_get_following (ForeTranscriptView *self)
{
  g_return_val_if_fail (FORE_IS_TRANSCRIPT_VIEW (self), FALSE);

  return self->following;
}

/**
 * fore_transcript_view_set_following:
 * @self: a transcript view
 * @following: whether to go to the newest entry and stay there
 */
void
fore_transcript_view_set_following (ForeTranscriptView *self, gboolean following)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_VIEW (self));

  change_following (self, !!following);
  show_pill (self);
  follow_soon (self);
}

/**
 * fore_transcript_view_scroll_to:
 * @self: a transcript view
 * @position: of an entry
 *
 * Shows an entry, as one found by a search, and stops following.
 */
void
fore_transcript_view_scroll_to (ForeTranscriptView *self, guint position)
{
  g_return_if_fail (FORE_IS_TRANSCRIPT_VIEW (self));

  change_following (self, FALSE);
  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", position);
}
