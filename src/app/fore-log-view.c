/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-log-view.h"

#include "app/fore-accessible.h"
#include "app/fore-empty.h"
#include "app/fore-event-item.h"
#include "app/fore-format.h"
#include "app/fore-narrow-layout.h"
#include "app/fore-outside.h"
#include "app/fore-page-keys.h"

#include <glib/gi18n-lib.h>

struct _ForeLogView
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkOrientable *toolbar;
  GtkSearchEntry *search;
  GtkCheckButton *audit;
  GtkLabel *count;
  GtkStack *stack;
  ForeEmpty *empty;
  GtkListView *view;

  GtkFilterListModel *filtered;
  GtkNoSelection *selection;
  GtkCustomFilter *filter;
  char *words;
  gboolean narrow;
  guint tail;
};

G_DEFINE_FINAL_TYPE (ForeLogView, fore_log_view, GTK_TYPE_WIDGET)

enum
{
  TASK_ACTIVATED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static gboolean
matches (gpointer item, gpointer data)
{
  ForeLogView *self = data;

  return fore_event_item_matches (item, self->words, gtk_check_button_get_active (self->audit));
}

static GtkWidget *
add_cell (GtkWidget *row, const char *css_class, int width)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, css_class);
  if (width > 0)
    gtk_label_set_width_chars (GTK_LABEL (label), width);
  else
    gtk_widget_set_hexpand (label, TRUE);
  if (width > 0)
    gtk_label_set_max_width_chars (GTK_LABEL (label), width);
  gtk_box_append (GTK_BOX (row), label);

  return label;
}

/* In the narrow form what happened stands below when and to what it did. */
static void
setup_cb (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  ForeLogView *self = data;
  GtkWidget *row = gtk_box_new (
      self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL, self->narrow ? 1 : 14);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 14);

  add_cell (head, "log-time", 9);
  add_cell (head, "log-type", self->narrow ? 17 : 22);
  add_cell (head, "log-task", self->narrow ? 0 : 16);
  gtk_box_append (GTK_BOX (row), head);
  add_cell (row, "log-data", 0);
  gtk_list_item_set_child (item, row);
}

/* Bold letters are wider, and the columns are as wide as so many letters of the label's own font:
 * the weight belongs to the text alone.
 */
static void
set_weight (GtkWidget *label, PangoWeight weight)
{
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_weight_new (weight));
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
}

static void
bind_cb (GtkListItemFactory *factory, GtkListItem *list_item, gpointer data)
{
  ForeEventItem *item = gtk_list_item_get_item (list_item);
  const ForeEvent *event = fore_event_item_get_event (item);
  GtkWidget *row = gtk_list_item_get_child (list_item);
  gboolean audit = fore_event_type_get_class (event->type) == FORE_EVENT_AUDIT;
  GtkWidget *time = gtk_widget_get_first_child (gtk_widget_get_first_child (row));
  GtkWidget *type = gtk_widget_get_next_sibling (time);
  GtkWidget *task = gtk_widget_get_next_sibling (type);
  GtkWidget *text = gtk_widget_get_last_child (row);
  g_autofree char *when = fore_format_time (event->time);
  g_autofree char *words = fore_event_item_dup_text (item);
  g_autofree char *where = event->attempt > 0
                               ? g_strdup_printf ("%s.%u", event->task, event->attempt)
                               : g_strdup (event->task != NULL ? event->task : "");
  g_autofree char *name = g_strdup_printf ("%s, %s %s, %s", fore_event_type_to_string (event->type),
                                           where, words, when);

  gtk_label_set_text (GTK_LABEL (time), when);
  gtk_label_set_text (GTK_LABEL (type), fore_event_type_to_string (event->type));
  fore_outside_show (GTK_LABEL (task), where);
  gtk_label_set_text (GTK_LABEL (text), words);
  gtk_widget_set_visible (text, *words != 0);
  set_weight (type, audit ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
  gtk_widget_set_tooltip_text (row, *words != 0 ? words : NULL);
  if (audit)
    gtk_widget_add_css_class (row, "audit");
  else
    gtk_widget_remove_css_class (row, "audit");
  if (gtk_widget_get_parent (row) != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_parent (row)),
                                    GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
update_state (ForeLogView *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->filtered));
  g_autofree char *count = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE, "%u event", "%u events", n), n);

  gtk_label_set_text (self->count, count);
  gtk_stack_set_visible_child_name (self->stack, n > 0 ? "list" : "empty");
  if (n == 0 && self->words != NULL && *self->words != 0)
    fore_empty_set (self->empty, "fore-search-symbolic", _ ("Nothing Found"),
                    _ ("No event of this run has these words."));
  else
    fore_empty_set (self->empty, "fore-log-symbolic", _ ("No Events Yet"),
                    _ ("Everything that happens in this run is written here, in order."));
}

static gboolean
tail_cb (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  ForeLogView *self = FORE_LOG_VIEW (widget);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->filtered));

  self->tail = 0;
  if (n > 0)
    gtk_widget_activate_action (GTK_WIDGET (self->view), "list.scroll-to-item", "u", n - 1);

  return G_SOURCE_REMOVE;
}

static gboolean
is_at_end (ForeLogView *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->view));

  return adjustment == NULL
         || gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment) + 40
                >= gtk_adjustment_get_upper (adjustment);
}

static void
items_changed_cb (GListModel *model, guint position, guint removed, guint added, ForeLogView *self)
{
  update_state (self);
  if (added > 0 && self->tail == 0 && is_at_end (self))
    self->tail = gtk_widget_add_tick_callback (GTK_WIDGET (self), tail_cb, NULL, NULL);
}

static void
filter_changed_cb (GtkWidget *widget, ForeLogView *self)
{
  g_free (self->words);
  self->words = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
  update_state (self);
}

static void
activate_cb (GtkListView *view, guint position, ForeLogView *self)
{
  g_autoptr (ForeEventItem) item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);
  const ForeEvent *event = item != NULL ? fore_event_item_get_event (item) : NULL;

  if (event != NULL && event->task != NULL)
    g_signal_emit (self, signals[TASK_ACTIVATED], 0, event->task);
}

static void
fore_log_view_dispose (GObject *object)
{
  ForeLogView *self = FORE_LOG_VIEW (object);

  if (self->tail != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->tail);
  self->tail = 0;
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_pointer (&self->words, g_free);

  G_OBJECT_CLASS (fore_log_view_parent_class)->dispose (object);
}

static void
rebuild_rows (ForeLogView *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), NULL);
  gtk_list_view_set_factory (self->view, factory);
}

static void
set_narrow (GtkWidget *widget, gboolean narrow)
{
  ForeLogView *self = FORE_LOG_VIEW (widget);

  self->narrow = narrow;
  gtk_orientable_set_orientation (self->toolbar,
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_visible (GTK_WIDGET (self->count), !narrow);
  rebuild_rows (self);
}

static void
fore_log_view_class_init (ForeLogViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_log_view_dispose;
  signals[TASK_ACTIVATED] = g_signal_new ("task-activated", G_TYPE_FROM_CLASS (klass),
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                          G_TYPE_STRING);

  g_type_ensure (FORE_TYPE_EMPTY);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-log-view.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeLogView, box);
  gtk_widget_class_bind_template_child (widget_class, ForeLogView, toolbar);
  gtk_widget_class_bind_template_child (widget_class, ForeLogView, search);
  gtk_widget_class_bind_template_child (widget_class, ForeLogView, audit);
  gtk_widget_class_bind_template_child (widget_class, ForeLogView, count);
  gtk_widget_class_bind_template_child (widget_class, ForeLogView, stack);
  gtk_widget_class_bind_template_child (widget_class, ForeLogView, empty);
  gtk_widget_class_bind_template_child (widget_class, ForeLogView, view);
  gtk_widget_class_bind_template_callback (widget_class, filter_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, activate_cb);
}

static void
fore_log_view_init (ForeLogView *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fore_accessible_watch_stack (self->stack);
  fore_narrow_layout_install (GTK_WIDGET (self), 560, set_narrow);
  fore_page_keys_clear_on_escape (self->search);
  fore_page_keys_set_target (GTK_WIDGET (self), GTK_WIDGET (self->view));

  self->filter = gtk_custom_filter_new (matches, self, NULL);
  self->filtered = gtk_filter_list_model_new (NULL, GTK_FILTER (self->filter));
  gtk_filter_list_model_set_incremental (self->filtered, TRUE);
  self->selection = gtk_no_selection_new (G_LIST_MODEL (self->filtered));
  gtk_list_view_set_model (self->view, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->filtered, "items-changed", G_CALLBACK (items_changed_cb), self, 0);
  update_state (self);
}

/**
 * fore_log_view_set_model:
 * @self: a log view
 * @events: (nullable): list of #ForeEventItem
 */
void
fore_log_view_set_model (ForeLogView *self, GListModel *events)
{
  g_return_if_fail (FORE_IS_LOG_VIEW (self));

  gtk_filter_list_model_set_model (self->filtered, events);
  update_state (self);
}
