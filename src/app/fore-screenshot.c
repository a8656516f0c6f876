/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-screenshot.h"

#include "app/fore-application.h"
#include "app/fore-file-list.h"
#include "app/fore-goal-turns.h"
#include "app/fore-job.h"
#include "app/fore-library-window.h"
#include "app/fore-new-run-sheet.h"
#include "app/fore-task-panel.h"
#include "model/fore-error.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#define POLL_MS 100
#define SETTLED_POLLS 12
#define MAX_POLLS 200
#define MAX_FILES 100

struct _ForeScreenshot
{
  char *path;
  char *page;
  char *run;
  char *task;
  int status;
  int width;
  int height;
  gboolean dark;
  ForeWindow *window;
  GtkWidget *sheet;
  gboolean shown;
  gboolean opened;
  guint n_settled;
  guint n_polls;
  guint poll;
};

/**
 * fore_widget_write_png:
 * @widget: a widget that is shown
 * @path: where to write
 * @error: return location for an error
 *
 * Returns: %FALSE if there was nothing to see or the file could not be written
 */
gboolean
fore_widget_write_png (GtkWidget *widget, const char *path, GError **error)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GskRenderNode) node = NULL;
  g_autoptr (GdkTexture) texture = NULL;
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  GtkNative *native = gtk_widget_get_native (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node == NULL || native == NULL)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("There was nothing to draw."));
      return FALSE;
    }

  texture = gsk_renderer_render_texture (gtk_native_get_renderer (native), node,
                                         &GRAPHENE_RECT_INIT (0, 0, width, height));
  if (!gdk_texture_save_to_png (texture, path))
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_FAILED, _ ("%s could not be written."), path);
      return FALSE;
    }

  return TRUE;
}

static gboolean
is_page (ForeScreenshot *self, const char *name)
{
  return g_strcmp0 (self->page, name) == 0;
}

/* The run that was named, whole or by its beginning; else the first one of the sidebar. */
static ForeRunItem *
find_run (ForeIndex *index, const char *prefix)
{
  GListModel *runs = fore_index_get_runs (index);
  guint n = g_list_model_get_n_items (runs);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (ForeRunItem) item = g_list_model_get_item (runs, i);

      if (prefix == NULL || g_str_has_prefix (fore_run_item_get_id (item), prefix))
        return g_steal_pointer (&item);
    }

  return NULL;
}

static void
fail (ForeScreenshot *self, const char *sentence)
{
  g_printerr ("foredeck: %s\n", sentence);
  self->status = 1;
  self->n_polls = MAX_POLLS;
}

static void
show_run (ForeScreenshot *self, ForeIndex *index, const char *prefix, const char *view)
{
  g_autoptr (ForeRunItem) item = find_run (index, prefix);

  if (item != NULL)
    {
      fore_window_show_run (self->window, fore_run_item_get_id (item), view);
      return;
    }
  if (prefix != NULL)
    {
      g_autofree char *sentence = g_strdup_printf (
          _ ("There is no run “%s”; foredeckctl list shows "
             "those that are there."),
          prefix);

      fail (self, sentence);
    }
}

/* `new-run`, or `new-run:WAY`; then the chain or the file of the plan is what --select names. */
static void
show_sheet (ForeScreenshot *self)
{
  g_auto (GStrv) parts = g_strsplit (self->page, ":", 2);

  self->sheet = fore_window_show_new_run (self->window, NULL);
  if (self->sheet != NULL && parts[1] != NULL)
    fore_new_run_sheet_choose_way (FORE_NEW_RUN_SHEET (self->sheet), parts[1], self->task);
}

static gboolean
is_on_graph (ForeScreenshot *self)
{
  return is_page (self, "run") || is_page (self, "launch") || is_page (self, "turns");
}

static void
show_preferences (gboolean limits)
{
  GListModel *windows = gtk_window_get_toplevels ();

  g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()), "preferences",
                                  NULL);
  for (guint i = 0; i < g_list_model_get_n_items (windows) && limits; i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (ADW_IS_PREFERENCES_WINDOW (window))
        adw_preferences_window_set_visible_page_name (ADW_PREFERENCES_WINDOW (window), "limits");
    }
}

/* A window beside the main one; of the library --select names the file. */
static void
show_beside (ForeScreenshot *self)
{
  GListModel *windows = gtk_window_get_toplevels ();

  g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()), self->page, NULL);
  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (gtk_window_get_transient_for (GTK_WINDOW (window)) != GTK_WINDOW (self->window))
        continue;
      gtk_window_set_default_size (GTK_WINDOW (window), self->width, self->height);
      if (FORE_IS_LIBRARY_WINDOW (window) && self->task != NULL)
        fore_library_window_show_file (FORE_LIBRARY_WINDOW (window), self->task);
    }
  g_clear_pointer (&self->task, g_free);
}

static void
show_page (ForeScreenshot *self, ForeIndex *index)
{
  g_autoptr (ForeRequestItem) request = g_list_model_get_item (fore_index_get_requests (index), 0);

  if ((self->page == NULL && self->run == NULL)
      || g_application_get_is_remote (g_application_get_default ()))
    return;

  if (is_page (self, "welcome"))
    fore_window_show_welcome (self->window);
  else if (is_page (self, "inbox"))
    fore_window_show_inbox (self->window);
  else if (is_page (self, "request") && request != NULL)
    fore_window_show_request (self->window, fore_request_item_get_id (request));
  else if (self->page != NULL && g_str_has_prefix (self->page, "request:"))
    fore_window_show_request (self->window, self->page + strlen ("request:"));
  else if (self->page != NULL && g_str_has_prefix (self->page, "new-run"))
    show_sheet (self);
  else if (is_page (self, "preferences") || is_page (self, "limits"))
    show_preferences (is_page (self, "limits"));
  else if (is_page (self, "library") || is_page (self, "schedules"))
    show_beside (self);
  else if (is_page (self, "about"))
    g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()), "about", NULL);
  else if (self->page != NULL && strchr (self->page, ':') != NULL)
    {
      g_auto (GStrv) parts = g_strsplit (self->page, ":", 2);

      show_run (self, index, parts[1], strcmp (parts[0], "run") == 0 ? "graph" : parts[0]);
    }
  else
    show_run (self, index, self->run,
              self->page == NULL || is_on_graph (self) ? "graph" : self->page);
  if (self->task != NULL && self->sheet == NULL && !is_page (self, "changes"))
    fore_window_show_task (self->window, self->task);
}

static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_widget (child, type);

  return found;
}

static gboolean
choose_file (ForeScreenshot *self)
{
  GtkWidget *list = find_widget (GTK_WIDGET (self->window), FORE_TYPE_FILE_LIST);

  if (self->opened || list == NULL || self->task == NULL)
    return FALSE;

  self->opened = TRUE;
  for (guint i = 0; i < MAX_FILES; i++)
    {
      if (g_strcmp0 (fore_file_list_get_selected_path (FORE_FILE_LIST (list)), self->task) == 0)
        break;
      fore_file_list_step (FORE_FILE_LIST (list), 1);
    }

  return TRUE;
}

/* Opens what lies behind a button of a run's page: how an attempt was started, or its turns. */
static gboolean
open_more (ForeScreenshot *self)
{
  GType type = is_page (self, "launch")  ? FORE_TYPE_TASK_PANEL
               : is_page (self, "turns") ? FORE_TYPE_GOAL_TURNS
                                         : G_TYPE_INVALID;
  GtkWidget *widget = type != G_TYPE_INVALID ? find_widget (GTK_WIDGET (self->window), type) : NULL;
  GtkWidget *button;

  if (is_page (self, "changes"))
    return choose_file (self);
  if (widget == NULL || self->opened)
    return FALSE;

  self->opened = TRUE;
  if (type == FORE_TYPE_TASK_PANEL)
    return gtk_widget_activate_action (widget, "task.show-launch", NULL);

  button = find_widget (widget, GTK_TYPE_MENU_BUTTON);
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  self->sheet = GTK_WIDGET (gtk_menu_button_get_popover (GTK_MENU_BUTTON (button)));

  return TRUE;
}

static GtkWidget *
find_target (ForeScreenshot *self)
{
  GListModel *windows = gtk_window_get_toplevels ();
  guint n = g_list_model_get_n_items (windows);

  for (guint i = 0; i < n && self->sheet == NULL; i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (ADW_IS_PREFERENCES_WINDOW (window) || ADW_IS_ABOUT_WINDOW (window)
          || gtk_window_get_transient_for (GTK_WINDOW (window)) == GTK_WINDOW (self->window))
        return window;
    }

  return self->sheet != NULL ? self->sheet : GTK_WIDGET (self->window);
}

/* Where nothing composites, GTK frames a window with a thick border that is no part of the app. */
static void
remove_frame (GtkWidget *window)
{
  if (gtk_widget_has_css_class (window, "solid-csd"))
    gtk_widget_remove_css_class (window, "solid-csd");
}

static void
finish (ForeScreenshot *self)
{
  g_autoptr (GError) error = NULL;

  if (self->status == 0 && !fore_widget_write_png (find_target (self), self->path, &error))
    fail (self, error->message);
  g_application_quit (g_application_get_default ());
}

static gboolean
poll_cb (gpointer data)
{
  ForeScreenshot *self = data;
  ForeIndex *index = fore_application_get_index ();
  gboolean settled = index != NULL && fore_index_is_loaded (index);

  self->n_polls++;
  if (settled && !self->shown)
    {
      self->shown = TRUE;
      show_page (self, index);
    }
  remove_frame (find_target (self));
  settled = settled && fore_job_get_n_running () == 0 && fore_window_is_settled (self->window);
  self->n_settled = settled ? self->n_settled + 1 : 0;
  if (self->n_settled < SETTLED_POLLS && self->n_polls < MAX_POLLS)
    return G_SOURCE_CONTINUE;
  if (self->n_polls < MAX_POLLS && open_more (self))
    {
      self->n_settled = 0;
      return G_SOURCE_CONTINUE;
    }

  self->poll = 0;
  finish (self);
  return G_SOURCE_REMOVE;
}

static gboolean
check_page (const char *page, GError **error)
{
  static const char *const pages[] = { "welcome",   "inbox",   "run",          "graph",
                                       "tasks",     "changes", "log",          "request",
                                       "new-run",   "about",   "preferences",  "limits",
                                       "launch",    "turns",   "conversation", "library",
                                       "schedules", NULL };
  g_auto (GStrv) parts = NULL;

  if (page == NULL)
    return TRUE;

  parts = g_strsplit (page, ":", 2);
  if (parts[0] != NULL && g_strv_contains (pages, parts[0]))
    return TRUE;

  g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
               _ ("There is no page “%s”; foredeck --help lists those that are there."), page);
  return FALSE;
}

/**
 * fore_screenshot_new:
 * @options: options of the command line
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): what they ask for, or %NULL with %FORE_ERROR_USAGE
 */
ForeScreenshot *
fore_screenshot_new (GVariantDict *options, GError **error)
{
  ForeScreenshot *self;
  g_autofree const char **remaining = NULL;
  const char *page = NULL;
  const char *size = NULL;

  g_variant_dict_lookup (options, "page", "&s", &page);
  if (!check_page (page, error))
    return NULL;

  self = g_new0 (ForeScreenshot, 1);

  g_variant_dict_lookup (options, "screenshot", "^ay", &self->path);
  g_variant_dict_lookup (options, "page", "s", &self->page);
  g_variant_dict_lookup (options, "select", "s", &self->task);
  if (g_variant_dict_lookup (options, G_OPTION_REMAINING, "^a&s", &remaining))
    self->run = g_strdup (remaining[0]);
  self->dark = g_variant_dict_contains (options, "dark");
  self->width = 1440;
  self->height = 900;
  if (g_variant_dict_lookup (options, "size", "&s", &size))
    {
      g_auto (GStrv) parts = g_strsplit (size, "x", 2);

      if (g_strv_length (parts) == 2)
        {
          self->width = CLAMP (atoi (parts[0]), 100, 8000);
          self->height = CLAMP (atoi (parts[1]), 100, 8000);
        }
    }

  return self;
}

/**
 * fore_screenshot_begin:
 * @self: a screenshot
 * @window: the window to take it of
 */
void
fore_screenshot_begin (ForeScreenshot *self, ForeWindow *window)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (FORE_IS_WINDOW (window));

  g_set_object (&self->window, window);
  if (self->dark)
    adw_style_manager_set_color_scheme (adw_style_manager_get_default (),
                                        ADW_COLOR_SCHEME_FORCE_DARK);
  gtk_window_unmaximize (GTK_WINDOW (window));
  gtk_window_set_default_size (GTK_WINDOW (window), self->width, self->height);
  if (self->poll == 0)
    self->poll = g_timeout_add (POLL_MS, poll_cb, self);
}

/**
 * fore_screenshot_get_status:
 * @self: a screenshot
 *
 * Returns: the exit status: 0 where the picture was written
 */
int
fore_screenshot_get_status (ForeScreenshot *self)
{
  g_return_val_if_fail (self != NULL, 1);

  return self->status;
}

/**
 * fore_screenshot_free:
 * @self: a screenshot
 */
void
fore_screenshot_free (ForeScreenshot *self)
{
  g_clear_handle_id (&self->poll, g_source_remove);
  g_clear_object (&self->window);
  g_free (self->path);
  g_free (self->page);
  g_free (self->run);
  g_free (self->task);
  g_free (self);
}
