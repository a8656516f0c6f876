/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-inbox-page.h"

#include "app/fore-empty.h"
#include "app/fore-format.h"
#include "app/fore-header.h"
#include "app/fore-outside.h"
#include "app/fore-page-keys.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

struct _ForeInboxPage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  ForeHeader *header;
  ForeEmpty *empty;
  GtkWidget *open_box;
  GtkListBox *open_list;
  GtkWidget *stopped_box;
  GtkListBox *stopped_list;
  GtkWidget *answered_box;
  GtkListBox *answered_list;

  ForeIndex *index;
  GtkFilterListModel *stopped;
  char *last;
};

G_DEFINE_FINAL_TYPE (ForeInboxPage, fore_inbox_page, GTK_TYPE_WIDGET)

static ForeRequestItem *
row_item (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), "fore-request-item");
}

static void
name_row (GtkWidget *row, ForeRequestItem *item)
{
  const ForeRequest *request = fore_request_item_get_request (item);
  g_autofree char *title = NULL;
  g_autofree char *name = NULL;

  g_object_get (item, "title", &title, NULL);
  name = g_strdup_printf ("%s, %s, %s", title, fore_format_request_kind (request->kind),
                          fore_request_item_get_subtitle (item));
  fore_outside_name (row, name);
}

static void
set_subtitle (GtkWidget *row, ForeRequestItem *item)
{
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), fore_request_item_get_subtitle (item));
  name_row (row, item);
}

static void
subtitle_changed_cb (ForeRequestItem *item, GParamSpec *pspec, GtkWidget *row)
{
  set_subtitle (row, item);
}

static GtkWidget *
create_row (gpointer object, gpointer data)
{
  ForeRequestItem *item = object;
  const ForeRequest *request = fore_request_item_get_request (item);
  gboolean open = fore_request_item_is_open (item);
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon;
  g_autofree char *title = NULL;
  g_autofree char *icon_name = NULL;

  g_object_get (item, "title", &title, "icon-name", &icon_name, NULL);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  icon = gtk_image_new_from_icon_name (icon_name);
  gtk_widget_add_css_class (icon, open ? "request-icon" : "dim-label");
  gtk_widget_set_tooltip_text (icon, fore_format_request_kind (request->kind));
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  if (open)
    {
      GtkWidget *next = gtk_image_new_from_icon_name ("fore-next-symbolic");

      gtk_widget_add_css_class (next, "dim-label");
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), next);
    }
  else
    gtk_widget_add_css_class (row, "answered");
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  g_object_set_data_full (G_OBJECT (row), "fore-request-item", g_object_ref (item), g_object_unref);
  g_signal_connect_object (item, "notify::subtitle", G_CALLBACK (subtitle_changed_cb), row, 0);
  set_subtitle (row, item);

  return row;
}

static void
describe_run (ForeRunItem *item, GParamSpec *pspec, GtkWidget *row)
{
  const char *subtitle = fore_run_item_get_subtitle (item);
  g_autofree char *title = NULL;
  g_autofree char *name = NULL;

  g_object_get (item, "title", &title, NULL);
  name = g_strdup_printf ("%s, %s", title, subtitle);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  fore_outside_name (row, name);
}

static GtkWidget *
create_run_row (gpointer item, gpointer data)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon = gtk_image_new_from_icon_name ("fore-attention-symbolic");
  GtkWidget *next = gtk_image_new_from_icon_name ("fore-next-symbolic");

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  gtk_widget_add_css_class (icon, "request-icon");
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  gtk_widget_add_css_class (next, "dim-label");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), next);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", fore_run_item_get_id (item));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.show-run");
  g_signal_connect_object (item, "notify", G_CALLBACK (describe_run), row, 0);
  describe_run (item, NULL, row);

  return row;
}

static gboolean
is_stopped (gpointer item, gpointer data)
{
  return fore_run_item_is_stopped (item);
}

static void
update_state (ForeInboxPage *self)
{
  guint n_stopped = self->stopped != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->stopped))
                                          : 0;
  guint n_open = self->index != NULL ? fore_index_get_n_open (self->index) : 0;
  guint n_answered = self->index != NULL
                         ? g_list_model_get_n_items (fore_index_get_answered (self->index))
                         : 0;

  gtk_widget_set_visible (self->open_box, n_open > 0);
  gtk_widget_set_visible (self->answered_box, n_answered > 0);
  gtk_widget_set_visible (self->stopped_box, n_stopped > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->empty), n_open == 0 && n_stopped == 0);
}

static void
items_changed_cb (
    GListModel *model, guint position, guint removed, guint added, ForeInboxPage *self)
{
  update_state (self);
}

static void
index_changed_cb (ForeIndex *index, ForeInboxPage *self)
{
  g_assert (FORE_IS_INBOX_PAGE (self));

  gtk_filter_changed (gtk_filter_list_model_get_filter (self->stopped),
                      GTK_FILTER_CHANGE_DIFFERENT);
  update_state (self);
}

static void
row_activated_cb (GtkListBox *list, GtkListBoxRow *row, ForeInboxPage *self)
{
  ForeRequestItem *item = row_item (GTK_WIDGET (row));
  const ForeRequest *request = fore_request_item_get_request (item);

  if (fore_request_item_is_open (item) || request->kind == FORE_REQUEST_PLAN)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-request", "s", request->id);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-run", "s", request->run);
}

static void
fore_inbox_page_dispose (GObject *object)
{
  ForeInboxPage *self = FORE_INBOX_PAGE (object);

  if (self->open_list != NULL)
    gtk_list_box_bind_model (self->open_list, NULL, NULL, NULL, NULL);
  if (self->stopped_list != NULL)
    gtk_list_box_bind_model (self->stopped_list, NULL, NULL, NULL, NULL);
  if (self->answered_list != NULL)
    gtk_list_box_bind_model (self->answered_list, NULL, NULL, NULL, NULL);
  g_clear_object (&self->stopped);
  g_clear_object (&self->index);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->last, g_free);

  G_OBJECT_CLASS (fore_inbox_page_parent_class)->dispose (object);
}

static void
fore_inbox_page_class_init (ForeInboxPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_inbox_page_dispose;
  g_type_ensure (FORE_TYPE_HEADER);
  g_type_ensure (FORE_TYPE_EMPTY);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-inbox-page.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeInboxPage, box);
  gtk_widget_class_bind_template_child (widget_class, ForeInboxPage, header);
  gtk_widget_class_bind_template_child (widget_class, ForeInboxPage, empty);
  gtk_widget_class_bind_template_child (widget_class, ForeInboxPage, open_box);
  gtk_widget_class_bind_template_child (widget_class, ForeInboxPage, open_list);
  gtk_widget_class_bind_template_child (widget_class, ForeInboxPage, stopped_box);
  gtk_widget_class_bind_template_child (widget_class, ForeInboxPage, stopped_list);
  gtk_widget_class_bind_template_child (widget_class, ForeInboxPage, answered_box);
  gtk_widget_class_bind_template_child (widget_class, ForeInboxPage, answered_list);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
}

static void
fore_inbox_page_init (ForeInboxPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fore_empty_set (self->empty, "fore-inbox-symbolic", _ ("Nobody Needs You"),
                  _ ("Plans to approve, questions and permissions of all your runs come here. You "
                     "will also be notified while this window is not in front."));
  update_state (self);
  fore_page_keys_set_target (GTK_WIDGET (self), GTK_WIDGET (self->open_list));
}

/**
 * fore_inbox_page_set_index:
 * @self: an inbox
 * @index: the runs and requests
 */
void
fore_inbox_page_set_index (ForeInboxPage *self, ForeIndex *index)
{
  g_return_if_fail (FORE_IS_INBOX_PAGE (self));
  g_return_if_fail (self->index == NULL);

  self->index = g_object_ref (index);
  self->stopped = gtk_filter_list_model_new (
      g_object_ref (fore_index_get_runs (index)),
      GTK_FILTER (gtk_custom_filter_new (is_stopped, NULL, NULL)));
  gtk_list_box_bind_model (self->stopped_list, G_LIST_MODEL (self->stopped), create_run_row, NULL,
                           NULL);
  g_signal_connect_object (index, "changed", G_CALLBACK (index_changed_cb), self, 0);
  gtk_list_box_bind_model (self->open_list, fore_index_get_requests (index), create_row, NULL,
                           NULL);
  gtk_list_box_bind_model (self->answered_list, fore_index_get_answered (index), create_row, NULL,
                           NULL);
  g_signal_connect_object (fore_index_get_requests (index), "items-changed",
                           G_CALLBACK (items_changed_cb), self, 0);
  g_signal_connect_object (fore_index_get_answered (index), "items-changed",
                           G_CALLBACK (items_changed_cb), self, 0);
  update_state (self);
}

/**
 * fore_inbox_page_dup_next:
 * @self: an inbox
 *
 * Returns: (transfer full) (nullable): the open request after the one that this returned last
 */
ForeRequestItem *
fore_inbox_page_dup_next (ForeInboxPage *self)
{
  GListModel *requests;
  guint n;
  guint next = 0;
  ForeRequestItem *item;

  g_return_val_if_fail (FORE_IS_INBOX_PAGE (self), NULL);

  if (self->index == NULL)
    return NULL;

  requests = fore_index_get_requests (self->index);
  n = g_list_model_get_n_items (requests);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeRequestItem) known = g_list_model_get_item (requests, i);

      if (g_strcmp0 (fore_request_item_get_id (known), self->last) == 0)
        next = (i + 1) % n;
    }
  item = g_list_model_get_item (requests, next);
  g_free (self->last);
  self->last = item != NULL ? g_strdup (fore_request_item_get_id (item)) : NULL;

  return item;
}
