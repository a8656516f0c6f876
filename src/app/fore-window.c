/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-window-private.h"

#include "app/fore-accessible.h"
#include "app/fore-application.h"
#include "app/fore-crash-reports.h"
#include "app/fore-errors.h"
#include "app/fore-header.h"
#include "app/fore-menu-tip.h"
#include "app/fore-new-run-sheet.h"
#include "app/fore-page-keys.h"
#include "app/fore-space-banner.h"
#include "app/fore-toast-place.h"

#include <glib/gi18n-lib.h>

#define SPINNER_MS 300

G_DEFINE_FINAL_TYPE (ForeWindow, fore_window, ADW_TYPE_APPLICATION_WINDOW)

/* Once the page has its size. */
static gboolean
place_toasts_cb (gpointer data)
{
  ForeWindow *self = data;

  self->place_idle = 0;
  fore_toast_place_update (self->toasts);

  return G_SOURCE_REMOVE;
}

static void
show_page (ForeWindow *self, const char *name)
{
  self->placed = TRUE;
  gtk_stack_set_visible_child_name (self->stack, name);
  if (fore_split_get_collapsed (self->split))
    fore_split_set_show_side (self->split, FALSE);
  fore_page_keys_focus (gtk_stack_get_visible_child (self->stack));
  g_clear_handle_id (&self->place_idle, g_source_remove);
  self->place_idle = g_idle_add (place_toasts_cb, self);
}

static gboolean
spinner_cb (gpointer data)
{
  ForeWindow *self = data;

  self->spinner_timeout = 0;
  gtk_spinner_start (self->spinner);

  return G_SOURCE_REMOVE;
}

static void
place_first (ForeWindow *self)
{
  guint n_runs = g_list_model_get_n_items (fore_index_get_runs (self->index));
  g_autoptr (ForeRunItem) first = NULL;

  gtk_spinner_stop (self->spinner);
  g_clear_handle_id (&self->spinner_timeout, g_source_remove);
  if (self->placed)
    return;

  if (n_runs == 0)
    {
      fore_window_show_welcome (self);
      return;
    }
  if (fore_index_get_n_open (self->index) > 0)
    {
      fore_window_show_inbox (self);
      return;
    }
  first = g_list_model_get_item (fore_index_get_runs (self->index), 0);
  fore_window_show_run (self, fore_run_item_get_id (first), NULL);
}

static void
show_wanted_request (ForeWindow *self)
{
  g_autofree char *id = g_steal_pointer (&self->wanted_request);

  if (id != NULL)
    fore_window_show_request (self, id);
}

static void
index_changed_cb (ForeIndex *index, ForeWindow *self)
{
  g_autoptr (ForeRunItem) item = NULL;

  g_assert (FORE_IS_WINDOW (self));

  place_first (self);
  show_wanted_request (self);
  item = fore_index_find_run (index, fore_run_page_get_run_id (self->run_page));
  if (item != NULL)
    fore_run_page_set_health (self->run_page, fore_run_item_get_health (item));
}

static void
index_failed_cb (ForeIndex *index, const GError *error, ForeWindow *self)
{
  fore_show_error (GTK_WIDGET (self), error);
}

static void
inbox_chosen_cb (ForeSidebar *sidebar, ForeWindow *self)
{
  fore_window_show_inbox (self);
}

static void
run_chosen_cb (ForeSidebar *sidebar, const char *run_id, ForeWindow *self)
{
  fore_window_show_run (self, run_id, NULL);
}

static void
crash_clicked_cb (ForeBanner *banner, ForeWindow *self)
{
  fore_banner_hide (banner);
  fore_crash_reports_show (GTK_WIDGET (self), self->crash_paths);
}

static void
crash_dismissed_cb (ForeBanner *banner, ForeWindow *self)
{
  fore_crash_reports_dismiss (GTK_WIDGET (self), self->crash_paths);
}

static void
save_state (ForeWindow *self)
{
  GSettings *settings = fore_application_get_settings ();
  int width;
  int height;

  if (settings == NULL)
    return;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_settings_set_int (settings, "width", width);
  g_settings_set_int (settings, "height", height);
  g_settings_set_boolean (settings, "maximized", gtk_window_is_maximized (GTK_WINDOW (self)));
}

static void
load_state (ForeWindow *self)
{
  GSettings *settings = fore_application_get_settings ();

  if (settings == NULL)
    return;

  gtk_window_set_default_size (GTK_WINDOW (self), g_settings_get_int (settings, "width"),
                               g_settings_get_int (settings, "height"));
  if (g_settings_get_boolean (settings, "maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  g_settings_bind (settings, "sidebar-width", self->split, "side-width", G_SETTINGS_BIND_DEFAULT);
}

static gboolean
fore_window_close_request (GtkWindow *window)
{
  save_state (FORE_WINDOW (window));

  return GTK_WINDOW_CLASS (fore_window_parent_class)->close_request (window);
}

static void
fore_window_dispose (GObject *object)
{
  ForeWindow *self = FORE_WINDOW (object);

  g_clear_handle_id (&self->spinner_timeout, g_source_remove);
  g_clear_handle_id (&self->place_idle, g_source_remove);
  g_clear_object (&self->index);
  g_clear_pointer (&self->crash_paths, g_strfreev);
  g_clear_pointer (&self->wanted_request, g_free);

  G_OBJECT_CLASS (fore_window_parent_class)->dispose (object);
}

static void
bind_template (GtkWidgetClass *widget_class)
{
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-window.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, split);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, sidebar);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, spinner);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, error_page);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, error_button);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, welcome);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, inbox);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, run_page);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, request_page);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, plan_page);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, crash_banner);
  gtk_widget_class_bind_template_child (widget_class, ForeWindow, disk_banner);
  gtk_widget_class_bind_template_callback (widget_class, inbox_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, run_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, crash_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, crash_dismissed_cb);
}

static void
fore_window_class_init (ForeWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_window_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = fore_window_close_request;

  g_type_ensure (FORE_TYPE_SPLIT);
  g_type_ensure (FORE_TYPE_SIDEBAR);
  g_type_ensure (FORE_TYPE_HEADER);
  g_type_ensure (FORE_TYPE_BANNER);
  g_type_ensure (FORE_TYPE_WELCOME_PAGE);
  g_type_ensure (FORE_TYPE_INBOX_PAGE);
  g_type_ensure (FORE_TYPE_RUN_PAGE);
  g_type_ensure (FORE_TYPE_REQUEST_PAGE);
  g_type_ensure (FORE_TYPE_PLAN_PAGE);
  bind_template (widget_class);
  fore_window_class_init_actions (widget_class);
}

static void
fore_window_init (ForeWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fore_accessible_watch_stack (self->stack);
  fore_menu_tip_set_up (GTK_WIDGET (self));
  g_object_set_data (G_OBJECT (self), "fore-toast-overlay", self->toasts);
  self->spinner_timeout = g_timeout_add (SPINNER_MS, spinner_cb, self);
  load_state (self);
}

/**
 * fore_window_new:
 * @application: the application
 *
 * Returns: (transfer floating): the main window
 */
ForeWindow *
fore_window_new (GtkApplication *application)
{
  return g_object_new (FORE_TYPE_WINDOW, "application", application, NULL);
}

/**
 * fore_window_set_index:
 * @self: a window
 * @index: the runs and requests, once the store is open
 */
void
fore_window_set_index (ForeWindow *self, ForeIndex *index)
{
  g_return_if_fail (FORE_IS_WINDOW (self));
  g_return_if_fail (self->index == NULL);

  self->index = g_object_ref (index);
  fore_sidebar_set_index (self->sidebar, index);
  fore_inbox_page_set_index (self->inbox, index);
  g_signal_connect_object (index, "changed", G_CALLBACK (index_changed_cb), self, 0);
  g_signal_connect_object (index, "failed", G_CALLBACK (index_failed_cb), self, 0);
  if (fore_index_is_loaded (index))
    place_first (self);
}

/**
 * fore_window_set_store_error:
 * @self: a window
 * @error: why the store cannot be used
 */
void
fore_window_set_store_error (ForeWindow *self, const GError *error)
{
  g_autofree char *text = NULL;
  g_autofree char *details = NULL;

  g_return_if_fail (FORE_IS_WINDOW (self));

  text = g_markup_escape_text (error->message, -1);
  details = fore_error_dup_details (error);
  adw_status_page_set_description (self->error_page, text);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->error_button), "s", details);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->error_button), "app.error-details");
  gtk_widget_set_visible (self->error_button, TRUE);
  g_clear_handle_id (&self->spinner_timeout, g_source_remove);
  show_page (self, "error");
}

/**
 * fore_window_offer_crash_reports:
 * @self: a window
 * @paths: reports that nobody has seen
 */
void
fore_window_offer_crash_reports (ForeWindow *self, const char *const *paths)
{
  g_return_if_fail (FORE_IS_WINDOW (self));

  g_strfreev (self->crash_paths);
  self->crash_paths = g_strdupv ((GStrv) paths);
  fore_banner_show (self->crash_banner, FORE_BANNER_ATTENTION,
                    _ ("A part of Foredeck ended unexpectedly last time. The report stays on this "
                       "machine unless you pass it on."),
                    _ ("View Report"), TRUE);
}

/**
 * fore_window_set_free_space:
 * @self: a window
 * @bytes: bytes that are free where the store lies
 */
void
fore_window_set_free_space (ForeWindow *self, guint64 bytes)
{
  g_return_if_fail (FORE_IS_WINDOW (self));

  fore_space_banner_update (self->disk_banner, bytes);
}

/**
 * fore_window_show_run:
 * @self: a window
 * @run_id: id of a run
 * @view: (nullable): graph, tasks, changes or log; %NULL leaves it as it is
 */
void
fore_window_show_run (ForeWindow *self, const char *run_id, const char *view)
{
  g_autoptr (ForeRunItem) item = NULL;

  g_return_if_fail (FORE_IS_WINDOW (self));
  g_return_if_fail (run_id != NULL);

  fore_run_page_set_run (self->run_page, run_id);
  if (self->index != NULL)
    item = fore_index_find_run (self->index, run_id);
  if (item != NULL)
    fore_run_page_set_health (self->run_page, fore_run_item_get_health (item));
  if (view != NULL)
    fore_run_page_show_view (self->run_page, view);
  fore_sidebar_select_run (self->sidebar, run_id);
  show_page (self, "run");
}

/**
 * fore_window_show_task:
 * @self: a window that shows a run
 * @key: key of one of its tasks
 */
void
fore_window_show_task (ForeWindow *self, const char *key)
{
  g_return_if_fail (FORE_IS_WINDOW (self));

  fore_run_page_select_task (self->run_page, key);
}

/**
 * fore_window_show_request:
 * @self: a window
 * @request_id: id of a request
 *
 * Shows the page on which @request_id can be answered.
 */
void
fore_window_show_request (ForeWindow *self, const char *request_id)
{
  g_autoptr (ForeRequestItem) item = NULL;
  const ForeRequest *request;

  g_return_if_fail (FORE_IS_WINDOW (self));

  if (self->index == NULL || !fore_index_is_loaded (self->index))
    {
      g_free (self->wanted_request);
      self->wanted_request = g_strdup (request_id);
      return;
    }
  item = fore_index_find_request (self->index, request_id);
  if (item == NULL
      || (!fore_request_item_is_open (item)
          && fore_request_item_get_request (item)->kind != FORE_REQUEST_PLAN))
    {
      fore_window_show_inbox (self);
      fore_show_note (GTK_WIDGET (self), _ ("This request does not wait any more."));
      return;
    }

  request = fore_request_item_get_request (item);
  fore_sidebar_select_run (self->sidebar, request->run);
  if (request->kind == FORE_REQUEST_PLAN)
    {
      fore_plan_page_set_request (self->plan_page, request);
      show_page (self, "plan");
    }
  else
    {
      fore_request_page_set_request (self->request_page, request);
      show_page (self, "request");
    }
}

/**
 * fore_window_show_inbox:
 * @self: a window
 */
void
fore_window_show_inbox (ForeWindow *self)
{
  g_return_if_fail (FORE_IS_WINDOW (self));

  fore_sidebar_select_inbox (self->sidebar);
  show_page (self, "inbox");
}

/**
 * fore_window_show_welcome:
 * @self: a window
 */
void
fore_window_show_welcome (ForeWindow *self)
{
  g_return_if_fail (FORE_IS_WINDOW (self));

  fore_sidebar_select_nothing (self->sidebar);
  fore_welcome_page_examine (self->welcome);
  show_page (self, "welcome");
}

/**
 * fore_window_show_new_run:
 * @self: a window
 * @project: (nullable): folder to begin with
 *
 * Returns: (transfer none) (nullable): the sheet, %NULL while the store is not open
 */
GtkWidget *
fore_window_show_new_run (ForeWindow *self, const char *project)
{
  GtkWidget *sheet;

  g_return_val_if_fail (FORE_IS_WINDOW (self), NULL);

  if (self->index == NULL)
    return NULL;

  sheet = fore_new_run_sheet_new (GTK_WINDOW (self), project);
  gtk_window_present (GTK_WINDOW (sheet));

  return sheet;
}

/**
 * fore_window_is_settled:
 * @self: a window
 *
 * Returns: whether nothing on the page that is shown is still being made
 */
gboolean
fore_window_is_settled (ForeWindow *self)
{
  const char *page;

  g_return_val_if_fail (FORE_IS_WINDOW (self), TRUE);

  page = gtk_stack_get_visible_child_name (self->stack);
  if (g_strcmp0 (page, "run") == 0)
    return fore_run_page_is_settled (self->run_page);

  return g_strcmp0 (page, "loading") != 0;
}
