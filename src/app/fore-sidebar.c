/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-sidebar.h"

#include "app/fore-accessible.h"
#include "app/fore-application.h"
#include "app/fore-empty.h"
#include "app/fore-outside.h"
#include "app/fore-page-keys.h"
#include "app/fore-run-finder.h"
#include "app/fore-run-row-menu.h"
#include "app/fore-status-dot.h"

#include <glib/gi18n-lib.h>

/* How many runs are shown at first, and how many more each time that the end is reached. */
#define N_FIRST 40
#define N_MORE 100

struct _ForeSidebar
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *menu_button;
  GtkListBox *places;
  GtkWidget *inbox_row;
  GtkWidget *badge;
  GtkWidget *search;
  GtkStack *stack;
  GtkListBox *runs;
  ForeEmpty *none;

  ForeIndex *index;
  ForeRunFinder *finder;
  char *selected;
  GtkSliceListModel *shown;
};

G_DEFINE_FINAL_TYPE (ForeSidebar, fore_sidebar, GTK_TYPE_WIDGET)

enum
{
  INBOX_CHOSEN,
  RUN_CHOSEN,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static ForeRunItem *
row_item (GtkListBoxRow *row)
{
  return g_object_get_data (G_OBJECT (row), "fore-run-item");
}

static void
name_row (GtkWidget *row, ForeRunItem *item)
{
  g_autofree char *name = g_strdup_printf (
      "%s, %s, %s", fore_run_item_get_run (item)->title,
      fore_view_status_get_word (fore_run_item_get_status (item)),
      fore_run_item_get_subtitle (item));

  fore_outside_name (row, name);
}

static void
item_notify_cb (ForeRunItem *item, GParamSpec *pspec, GtkWidget *row)
{
  name_row (row, item);
  if (g_strcmp0 (pspec->name, "group") == 0)
    gtk_list_box_row_changed (GTK_LIST_BOX_ROW (row));
}

static GtkWidget *
new_row_label (const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, css_class);

  return label;
}

static GtkWidget *
create_row (gpointer item, gpointer data)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  GtkWidget *dot = fore_status_dot_new (fore_run_item_get_status (item));
  GtkWidget *title = new_row_label ("run-title");
  GtkWidget *subtitle = new_row_label ("run-subtitle");

  gtk_widget_set_valign (dot, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_box_append (GTK_BOX (texts), title);
  gtk_box_append (GTK_BOX (texts), subtitle);
  gtk_box_append (GTK_BOX (box), dot);
  gtk_box_append (GTK_BOX (box), texts);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_HAS_POPUP, TRUE,
                                  -1);

  g_object_bind_property (item, "title", title, "label", G_BINDING_SYNC_CREATE);
  g_object_bind_property (item, "title", row, "tooltip-text", G_BINDING_SYNC_CREATE);
  g_object_bind_property (item, "subtitle", subtitle, "label", G_BINDING_SYNC_CREATE);
  g_object_bind_property (item, "status", dot, "status", G_BINDING_DEFAULT);
  g_signal_connect_object (item, "notify", G_CALLBACK (item_notify_cb), row, 0);
  g_object_set_data_full (G_OBJECT (row), "fore-run-item", g_object_ref (item), g_object_unref);
  name_row (row, item);

  return row;
}

static const char *
group_title (ForeRunGroup group)
{
  switch (group)
    {
    case FORE_RUN_GROUP_NEEDS_YOU:
      return _ ("Needs You");
    case FORE_RUN_GROUP_ACTIVE:
      return _ ("Active");
    case FORE_RUN_GROUP_REVIEW:
      return _ ("Ready to Review");
    case FORE_RUN_GROUP_RECENT:
    default:
      return _ ("Recent");
    }
}

static void
header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  ForeRunGroup group = fore_run_item_get_group (row_item (row));
  GtkWidget *header = gtk_list_box_row_get_header (row);

  if (before != NULL && fore_run_item_get_group (row_item (before)) == group)
    {
      gtk_list_box_row_set_header (row, NULL);
      return;
    }
  if (header == NULL)
    {
      header = new_row_label ("fore-group");
      gtk_list_box_row_set_header (row, header);
    }
  gtk_label_set_text (GTK_LABEL (header), group_title (group));
}

static void
update_badge (ForeSidebar *self)
{
  guint n = self->index != NULL ? fore_index_get_n_open (self->index) : 0;
  g_autofree char *count = g_strdup_printf ("%u", n);
  g_autofree char *name = NULL;

  if (n > 0)
    name = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "Inbox, %u request waits for you",
                                         "Inbox, %u requests wait for you", n),
                            n);
  gtk_label_set_text (GTK_LABEL (self->badge), count);
  gtk_widget_set_visible (self->badge, n > 0);
  if (n > 0)
    gtk_widget_add_css_class (self->inbox_row, "waiting");
  else
    gtk_widget_remove_css_class (self->inbox_row, "waiting");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->inbox_row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name != NULL ? name : _ ("Inbox"), -1);
}

/* The rows of a list box are all made at once; those that nobody scrolled to yet are left out. */
static void
show_more (ForeSidebar *self, guint n)
{
  if (gtk_slice_list_model_get_size (self->shown) < n)
    gtk_slice_list_model_set_size (self->shown, n);
}

static void
edge_reached_cb (GtkScrolledWindow *scroller, GtkPositionType edge, ForeSidebar *self)
{
  if (edge == GTK_POS_BOTTOM)
    show_more (self, gtk_slice_list_model_get_size (self->shown) + N_MORE);
}

/* Makes the row of the selected run if it is further down. */
static void
show_selected (ForeSidebar *self)
{
  GListModel *runs = gtk_slice_list_model_get_model (self->shown);
  guint n = runs != NULL ? g_list_model_get_n_items (runs) : 0;

  for (guint i = gtk_slice_list_model_get_size (self->shown); i < n; i++)
    {
      g_autoptr (ForeRunItem) item = g_list_model_get_item (runs, i);

      if (g_strcmp0 (fore_run_item_get_id (item), self->selected) == 0)
        show_more (self, i + N_MORE);
    }
}

static void
restore_selection (ForeSidebar *self)
{
  GtkListBoxRow *row;

  if (self->selected == NULL)
    return;

  show_selected (self);

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->runs, i)) != NULL; i++)
    {
      if (g_strcmp0 (fore_run_item_get_id (row_item (row)), self->selected) == 0)
        {
          if (!gtk_list_box_row_is_selected (row))
            gtk_list_box_select_row (self->runs, row);
          return;
        }
    }
}

static void
update_stack (ForeSidebar *self)
{
  GListModel *runs = gtk_slice_list_model_get_model (self->shown);
  const char *words = self->finder != NULL ? fore_run_finder_get_words (self->finder) : NULL;
  gboolean any = runs != NULL && g_list_model_get_n_items (runs) > 0;
  g_autofree char *title = NULL;

  gtk_widget_set_visible (self->search, any || words != NULL);
  if (!any && words != NULL)
    {
      title = g_strdup_printf (_ ("No Run with “%s”"), words);
      fore_empty_set (self->none, "fore-search-symbolic", title,
                      _ ("Goals, folders of projects and ids of all runs were searched."));
    }
  gtk_stack_set_visible_child_name (self->stack, any ? "runs" : words != NULL ? "none" : "empty");
}

/* What was found before stays until there is an answer. */
static void
searched_cb (ForeRunFinder *finder, ForeSidebar *self)
{
  if (gtk_slice_list_model_get_model (self->shown) != fore_run_finder_get_found (finder))
    {
      gtk_slice_list_model_set_size (self->shown, N_FIRST);
      gtk_slice_list_model_set_model (self->shown, fore_run_finder_get_found (finder));
    }
  update_stack (self);
}

static void
search_changed_cb (GtkSearchEntry *entry, ForeSidebar *self)
{
  if (self->finder == NULL)
    return;

  fore_run_finder_set_words (self->finder, gtk_editable_get_text (GTK_EDITABLE (entry)));
  if (fore_run_finder_get_words (self->finder) == NULL)
    {
      gtk_slice_list_model_set_model (self->shown, fore_index_get_runs (self->index));
      update_stack (self);
    }
}

static void
runs_changed_cb (GListModel *model, guint position, guint removed, guint added, ForeSidebar *self)
{
  gtk_list_box_invalidate_headers (self->runs);
  restore_selection (self);
  update_stack (self);
}

static void
n_open_cb (ForeIndex *index, GParamSpec *pspec, ForeSidebar *self)
{
  update_badge (self);
}

static void
place_activated_cb (GtkListBox *list, GtkListBoxRow *row, ForeSidebar *self)
{
  fore_sidebar_select_inbox (self);
  g_signal_emit (self, signals[INBOX_CHOSEN], 0);
}

static void
run_activated_cb (GtkListBox *list, GtkListBoxRow *row, ForeSidebar *self)
{
  g_autofree char *id = g_strdup (fore_run_item_get_id (row_item (row)));

  fore_sidebar_select_run (self, id);
  g_signal_emit (self, signals[RUN_CHOSEN], 0, id);
}

/* Return opens the first that was found. */
static void
search_activated_cb (GtkSearchEntry *entry, ForeSidebar *self)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->runs, 0);

  if (row != NULL && self->finder != NULL && fore_run_finder_get_words (self->finder) != NULL)
    run_activated_cb (self->runs, row, self);
}

/* What is typed in the list is searched. The entry's own way of capturing it would take keys of the
 * list that it knows as well, such as Delete.
 */
static gboolean
key_pressed_cb (
    GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, ForeSidebar *self)
{
  GtkEditable *entry = GTK_EDITABLE (self->search);
  gunichar c = gdk_keyval_to_unicode (key);
  char typed[7] = { 0 };
  int position = -1;

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0 || !g_unichar_isgraph (c))
    return FALSE;

  g_unichar_to_utf8 (c, typed);
  gtk_editable_insert_text (entry, typed, -1, &position);
  gtk_widget_grab_focus (self->search);
  gtk_editable_set_position (entry, -1);

  return TRUE;
}

static void
fore_sidebar_dispose (GObject *object)
{
  ForeSidebar *self = FORE_SIDEBAR (object);

  fore_run_row_menu_detach (GTK_WIDGET (self));
  if (self->runs != NULL)
    gtk_list_box_bind_model (self->runs, NULL, NULL, NULL, NULL);
  g_clear_object (&self->shown);
  g_clear_object (&self->finder);
  g_clear_object (&self->index);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->selected, g_free);

  G_OBJECT_CLASS (fore_sidebar_parent_class)->dispose (object);
}

static void
fore_sidebar_class_init (ForeSidebarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_sidebar_dispose;
  signals[INBOX_CHOSEN] = g_signal_new ("inbox-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 0);
  signals[RUN_CHOSEN] = g_signal_new ("run-chosen", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (FORE_TYPE_EMPTY);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "foresidebar");
  fore_run_row_menu_install (widget_class);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-sidebar.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeSidebar, box);
  gtk_widget_class_bind_template_child (widget_class, ForeSidebar, menu_button);
  gtk_widget_class_bind_template_child (widget_class, ForeSidebar, places);
  gtk_widget_class_bind_template_child (widget_class, ForeSidebar, inbox_row);
  gtk_widget_class_bind_template_child (widget_class, ForeSidebar, badge);
  gtk_widget_class_bind_template_child (widget_class, ForeSidebar, search);
  gtk_widget_class_bind_template_child (widget_class, ForeSidebar, stack);
  gtk_widget_class_bind_template_child (widget_class, ForeSidebar, runs);
  gtk_widget_class_bind_template_child (widget_class, ForeSidebar, none);
  gtk_widget_class_bind_template_callback (widget_class, edge_reached_cb);
  gtk_widget_class_bind_template_callback (widget_class, place_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, run_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, search_activated_cb);
}

static void
fore_sidebar_init (ForeSidebar *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  fore_accessible_watch_stack (self->stack);
  self->shown = gtk_slice_list_model_new (NULL, 0, N_FIRST);
  gtk_list_box_set_header_func (self->runs, header_cb, NULL, NULL);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_pressed_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->runs), keys);
  fore_page_keys_clear_on_escape (GTK_SEARCH_ENTRY (self->search));
  fore_run_row_menu_attach (GTK_WIDGET (self), self->runs, row_item);
  update_stack (self);
}

/**
 * fore_sidebar_set_index:
 * @self: a sidebar
 * @index: the runs and requests
 */
void
fore_sidebar_set_index (ForeSidebar *self, ForeIndex *index)
{
  g_return_if_fail (FORE_IS_SIDEBAR (self));
  g_return_if_fail (self->index == NULL);

  self->index = g_object_ref (index);
  self->finder = fore_run_finder_new (fore_application_get_store (), index);
  g_signal_connect_object (self->finder, "searched", G_CALLBACK (searched_cb), self, 0);
  gtk_slice_list_model_set_model (self->shown, fore_index_get_runs (index));
  gtk_list_box_bind_model (self->runs, G_LIST_MODEL (self->shown), create_row, NULL, NULL);
  g_signal_connect_object (self->shown, "items-changed", G_CALLBACK (runs_changed_cb), self, 0);
  g_signal_connect_object (index, "notify::n-open", G_CALLBACK (n_open_cb), self, 0);
  update_badge (self);
  update_stack (self);
}

/**
 * fore_sidebar_search:
 * @self: a sidebar
 *
 * Lets the person type what run to find.
 */
void
fore_sidebar_search (ForeSidebar *self)
{
  g_return_if_fail (FORE_IS_SIDEBAR (self));

  gtk_widget_grab_focus (self->search);
}

/**
 * fore_sidebar_select_run:
 * @self: a sidebar
 * @run_id: id of the run that is shown
 */
void
fore_sidebar_select_run (ForeSidebar *self, const char *run_id)
{
  g_return_if_fail (FORE_IS_SIDEBAR (self));

  g_free (self->selected);
  self->selected = g_strdup (run_id);
  gtk_list_box_unselect_all (self->places);
  gtk_list_box_unselect_all (self->runs);
  restore_selection (self);
}

/**
 * fore_sidebar_select_inbox:
 * @self: a sidebar
 */
void
fore_sidebar_select_inbox (ForeSidebar *self)
{
  fore_sidebar_select_nothing (self);
  gtk_list_box_select_row (self->places, GTK_LIST_BOX_ROW (self->inbox_row));
}

/**
 * fore_sidebar_select_nothing:
 * @self: a sidebar
 */
void
fore_sidebar_select_nothing (ForeSidebar *self)
{
  g_return_if_fail (FORE_IS_SIDEBAR (self));

  g_clear_pointer (&self->selected, g_free);
  gtk_list_box_unselect_all (self->runs);
  gtk_list_box_unselect_all (self->places);
}
