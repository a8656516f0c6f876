/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-application.h"

#include "app/fore-app-resources.h"
#include "app/fore-beside.h"
#include "app/fore-compat.h"
#include "app/fore-draft-file.h"
#include "app/fore-errors.h"
#include "app/fore-format.h"
#include "app/fore-run-commands.h"
#include "app/fore-schedule-timer.h"
#include "app/fore-screenshot.h"
#include "app/fore-store-jobs.h"
#include "app/fore-widgets.h"
#include "app/fore-window.h"
#include "model/fore-error.h"
#include "platform/fore-crash.h"
#include "platform/fore-dirs.h"
#include "platform/fore-log.h"
#include "platform/fore-stall.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define LINK_PREFIX "foredeck:run/"
#define DISK_SECONDS 60

struct _ForeApplication
{
  AdwApplication parent_instance;

  ForeStore *store;
  ForeIndex *index;
  GSettings *settings;
  GError *store_error;
  char *pending_run;
  char *pending_project;
  ForeScreenshot *screenshot;
  guint disk_timeout;
  guint schedule_timer;
  gboolean told_runs_go_on;
  gboolean opening;
  int exit_status;
};

G_DEFINE_FINAL_TYPE (ForeApplication, fore_application, ADW_TYPE_APPLICATION)

static ForeApplication *
get_default (void)
{
  GApplication *application = g_application_get_default ();

  return FORE_IS_APPLICATION (application) ? FORE_APPLICATION (application) : NULL;
}

/**
 * fore_application_get_store:
 *
 * Returns: (transfer none) (nullable): the store, once it is open
 */
ForeStore *
fore_application_get_store (void)
{
  ForeApplication *self = get_default ();

  return self != NULL ? self->store : NULL;
}

/**
 * fore_application_get_index:
 *
 * Returns: (transfer none) (nullable): the lists of runs and requests, once the store is open
 */
ForeIndex *
fore_application_get_index (void)
{
  ForeApplication *self = get_default ();

  return self != NULL ? self->index : NULL;
}

/**
 * fore_application_get_settings:
 *
 * Returns: (transfer none) (nullable): the state of the window, %NULL where its schema is missing
 */
GSettings *
fore_application_get_settings (void)
{
  ForeApplication *self = get_default ();

  return self != NULL ? self->settings : NULL;
}

/**
 * fore_application_apply_colour_scheme:
 *
 * Makes the windows light or dark as the person chose.
 */
void
fore_application_apply_colour_scheme (void)
{
  GSettings *settings = fore_application_get_settings ();
  g_autofree char *scheme = settings != NULL ? g_settings_get_string (settings, "colour-scheme")
                                             : g_strdup ("system");
  AdwColorScheme wanted = ADW_COLOR_SCHEME_DEFAULT;

  if (strcmp (scheme, "light") == 0)
    wanted = ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (strcmp (scheme, "dark") == 0)
    wanted = ADW_COLOR_SCHEME_FORCE_DARK;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), wanted);
}

static ForeWindow *
find_window (ForeApplication *self)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (self));

  for (GList *l = windows; l != NULL; l = l->next)
    {
      if (FORE_IS_WINDOW (l->data))
        return l->data;
    }

  return NULL;
}

static ForeWindow *
ensure_window (ForeApplication *self)
{
  ForeWindow *window = find_window (self);

  if (window == NULL)
    {
      window = fore_window_new (GTK_APPLICATION (self));
      if (self->index != NULL)
        fore_window_set_index (window, self->index);
      if (self->store_error != NULL)
        fore_window_set_store_error (window, self->store_error);
    }
  gtk_window_present (GTK_WINDOW (window));

  return window;
}

static void
request_opened_cb (ForeIndex *index, ForeRequestItem *item, ForeApplication *self)
{
  const ForeRequest *request = fore_request_item_get_request (item);
  ForeWindow *window = find_window (self);
  g_autoptr (GNotification) notification = NULL;
  g_autofree char *title = NULL;

  if (window != NULL && gtk_window_is_active (GTK_WINDOW (window)))
    return;

  g_object_get (item, "title", &title, NULL);
  notification = g_notification_new (title);
  g_notification_set_body (notification, fore_request_item_get_subtitle (item));
  g_notification_set_default_action_and_target (notification, "app.open-request", "s", request->id);
  g_notification_add_button_with_target (notification, _ ("Open"), "app.open-request", "s",
                                         request->id);
  g_application_send_notification (G_APPLICATION (self), request->id, notification);
}

static void
request_closed_cb (ForeIndex *index, const char *id, ForeApplication *self)
{
  g_application_withdraw_notification (G_APPLICATION (self), id);
}

static void
find_run_done_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeApplication *self = owner;
  ForeWindow *window = ensure_window (self);

  if (error != NULL)
    fore_show_error (GTK_WIDGET (window), error);
  else
    fore_window_show_run (window, result, NULL);
}

static void
follow_pending (ForeApplication *self)
{
  g_autofree char *run = g_steal_pointer (&self->pending_run);
  g_autofree char *project = g_steal_pointer (&self->pending_project);

  if (run != NULL)
    fore_store_jobs_find_run (self, self->store, run, find_run_done_cb);
  else if (project != NULL)
    fore_window_show_new_run (ensure_window (self), project);
}

static void
crashes_listed_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeWindow *window = find_window (owner);
  GStrv paths = result;

  if (window != NULL && paths != NULL && paths[0] != NULL)
    fore_window_offer_crash_reports (window, (const char *const *) paths);
}

static void
free_space_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeWindow *window = find_window (owner);

  if (window != NULL && result != NULL)
    fore_window_set_free_space (window, *(guint64 *) result);
}

static gboolean
look_at_disk_cb (gpointer data)
{
  ForeApplication *self = data;

  fore_store_jobs_measure_space (self, self->store, free_space_cb);

  return G_SOURCE_CONTINUE;
}

static void
store_opened_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeApplication *self = owner;
  ForeWindow *window = find_window (self);

  self->opening = FALSE;
  if (error != NULL)
    {
      self->store_error = g_error_copy (error);
      if (window != NULL)
        fore_window_set_store_error (window, error);
      return;
    }

  self->store = g_object_ref (result);
  self->index = fore_index_new (self->store);
  g_signal_connect_object (self->index, "request-opened", G_CALLBACK (request_opened_cb), self, 0);
  g_signal_connect_object (self->index, "request-closed", G_CALLBACK (request_closed_cb), self, 0);
  if (window != NULL)
    fore_window_set_index (window, self->index);
  fore_index_start (self->index);
  fore_store_jobs_list_crashes (self, self->store, crashes_listed_cb);
  look_at_disk_cb (self);
  self->disk_timeout = g_timeout_add_seconds (DISK_SECONDS, look_at_disk_cb, self);
  self->schedule_timer = fore_schedule_timer_start (self->store);
  follow_pending (self);
}

static void
open_request_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fore_window_show_request (ensure_window (data), g_variant_get_string (parameter, NULL));
}

static void
open_run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fore_window_show_run (ensure_window (data), g_variant_get_string (parameter, NULL), NULL);
}

static void
error_details_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  GtkWindow *active = gtk_application_get_active_window (GTK_APPLICATION (data));

  if (active == NULL)
    active = GTK_WINDOW (ensure_window (data));
  fore_show_error_details (GTK_WIDGET (active), g_variant_get_string (parameter, NULL));
}

static void
preferences_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fore_beside_preferences (GTK_WINDOW (ensure_window (data)));
}

static void
library_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fore_beside_library (GTK_WINDOW (ensure_window (data)));
}

static void
schedules_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fore_beside_schedules (GTK_WINDOW (ensure_window (data)));
}

static void
about_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fore_show_about (GTK_WINDOW (ensure_window (data)));
}

static void
shortcuts_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fore_beside_shortcuts (GTK_WINDOW (ensure_window (data)));
}

static void
stop_everything_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ForeApplication *self = data;
  ForeWindow *window = ensure_window (self);

  if (self->store != NULL)
    fore_ask_to_stop_everything (GTK_WIDGET (window));
}

static void
quit_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ForeWindow *window = find_window (data);

  if (window != NULL)
    gtk_window_close (GTK_WINDOW (window));
  else
    g_application_quit (G_APPLICATION (data));
}

static void
tell_runs_go_on (ForeApplication *self)
{
  g_autoptr (GNotification) notification = NULL;
  guint n = self->index != NULL ? fore_index_get_n_active (self->index) : 0;
  gboolean told = self->settings != NULL
                  && g_settings_get_boolean (self->settings, "told-runs-go-on");

  if (n == 0 || told || self->told_runs_go_on)
    return;

  notification = g_notification_new (_ ("Runs Go On"));
  g_notification_set_body (notification, _ ("Foredeck's window is closed; what was running keeps "
                                            "running. Open it again to see it."));
  g_application_send_notification (G_APPLICATION (self), "runs-go-on", notification);
  self->told_runs_go_on = TRUE;
  if (self->settings != NULL)
    g_settings_set_boolean (self->settings, "told-runs-go-on", TRUE);
}

static void
window_removed (GtkApplication *application, GtkWindow *window)
{
  if (FORE_IS_WINDOW (window))
    tell_runs_go_on (FORE_APPLICATION (application));

  GTK_APPLICATION_CLASS (fore_application_parent_class)->window_removed (application, window);
}

static void
open_settings (ForeApplication *self)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  GSettingsSchema *schema = source != NULL
                                ? g_settings_schema_source_lookup (source, FORE_APP_ID, TRUE)
                                : NULL;

  if (schema == NULL)
    return;

  self->settings = g_settings_new_full (schema, NULL, NULL);
  g_settings_schema_unref (schema);
}

static void
fore_application_startup (GApplication *application)
{
  static const GActionEntry entries[] = {
    { "open-request", open_request_cb, "s" },
    { "open-run", open_run_cb, "s" },
    { "error-details", error_details_cb, "s" },
    { "preferences", preferences_cb },
    { "library", library_cb },
    { "schedules", schedules_cb },
    { "about", about_cb },
    { "shortcuts", shortcuts_cb },
    { "stop-everything", stop_everything_cb },
    { "quit", quit_cb },
  };
  ForeApplication *self = FORE_APPLICATION (application);
  g_autofree char *home = fore_dirs_dup_home ();

  g_resources_register (fore_app_get_resource ());
  G_APPLICATION_CLASS (fore_application_parent_class)->startup (application);

  fore_log_install (home, "foredeck");
  fore_crash_install (home, "foredeck");
  fore_stall_install (NULL);
  fore_widgets_init ();
  open_settings (self);
  fore_application_apply_colour_scheme ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  gtk_application_set_accels_for_action (GTK_APPLICATION (self), "app.preferences",
                                         (const char *[]){ "<Control>comma", NULL });
  gtk_application_set_accels_for_action (GTK_APPLICATION (self), "app.quit",
                                         (const char *[]){ "<Control>q", NULL });
  gtk_application_set_accels_for_action (GTK_APPLICATION (self), "app.shortcuts",
                                         (const char *[]){ "<Control>question", NULL });
  gtk_window_set_default_icon_name (FORE_APP_ID);

  self->opening = TRUE;
  fore_store_jobs_open (self, store_opened_cb);
}

static void
fore_application_activate (GApplication *application)
{
  ensure_window (FORE_APPLICATION (application));
}

static void
take_argument (ForeApplication *self, const char *argument)
{
  g_free (self->pending_run);
  if (g_str_has_prefix (argument, LINK_PREFIX))
    self->pending_run = g_strdup (argument + strlen (LINK_PREFIX));
  else
    self->pending_run = g_strdup (argument);
}

static void
fore_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  ForeApplication *self = FORE_APPLICATION (application);

  ensure_window (self);
  if (n_files > 0)
    {
      g_autofree char *uri = g_file_get_uri (files[0]);

      take_argument (self, uri);
    }
  if (self->store != NULL)
    follow_pending (self);
}

static int
fore_application_command_line (GApplication *application, GApplicationCommandLine *line)
{
  ForeApplication *self = FORE_APPLICATION (application);
  GVariantDict *options = g_application_command_line_get_options_dict (line);
  const char *const *arguments = NULL;
  g_autofree const char **remaining = NULL;
  const char *project = NULL;

  ensure_window (self);
  if (g_variant_dict_lookup (options, "project", "^&ay", &project))
    {
      g_autoptr (GFile) folder = g_application_command_line_create_file_for_arg (line, project);

      g_free (self->pending_project);
      self->pending_project = g_file_get_path (folder);
    }
  if (g_variant_dict_lookup (options, G_OPTION_REMAINING, "^a&s", &remaining))
    arguments = remaining;
  if (arguments != NULL && arguments[0] != NULL && self->screenshot == NULL)
    take_argument (self, arguments[0]);
  if (self->store != NULL)
    follow_pending (self);
  if (self->screenshot != NULL)
    fore_screenshot_begin (self->screenshot, find_window (self));

  return 0;
}

static int
fore_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  ForeApplication *self = FORE_APPLICATION (application);

  if (g_variant_dict_contains (options, "version"))
    {
      g_print ("foredeck %s\n", FORE_VERSION);
      return 0;
    }
  if (g_variant_dict_contains (options, "screenshot"))
    {
      g_autoptr (GError) error = NULL;

      self->screenshot = fore_screenshot_new (options, &error);
      if (self->screenshot == NULL)
        {
          g_printerr ("foredeck: %s\n", error->message);
          return fore_error_get_exit_code (error);
        }
      g_application_set_flags (application,
                               g_application_get_flags (application) | G_APPLICATION_NON_UNIQUE);
    }

  return -1;
}

static void
fore_application_shutdown (GApplication *application)
{
  ForeApplication *self = FORE_APPLICATION (application);

  g_clear_handle_id (&self->disk_timeout, g_source_remove);
  g_clear_handle_id (&self->schedule_timer, g_source_remove);
  fore_draft_file_flush ();
  if (self->screenshot != NULL)
    self->exit_status = fore_screenshot_get_status (self->screenshot);
  g_clear_pointer (&self->screenshot, fore_screenshot_free);
  g_clear_object (&self->index);
  g_clear_object (&self->store);
  g_clear_object (&self->settings);
  g_clear_error (&self->store_error);
  g_clear_pointer (&self->pending_run, g_free);
  g_clear_pointer (&self->pending_project, g_free);

  G_APPLICATION_CLASS (fore_application_parent_class)->shutdown (application);
}

static void
fore_application_class_init (ForeApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  application_class->startup = fore_application_startup;
  application_class->activate = fore_application_activate;
  application_class->open = fore_application_open;
  application_class->command_line = fore_application_command_line;
  application_class->handle_local_options = fore_application_handle_local_options;
  application_class->shutdown = fore_application_shutdown;
  GTK_APPLICATION_CLASS (klass)->window_removed = window_removed;
}

static void
fore_application_init (ForeApplication *self)
{
  static const GOptionEntry entries[] = {
    { "project", 'p', 0, G_OPTION_ARG_FILENAME, NULL, N_ ("Start a run in this folder"), "DIR" },
    { "version", 'v', 0, G_OPTION_ARG_NONE, NULL, N_ ("Print the version and exit"), NULL },
    { "screenshot", 0, 0, G_OPTION_ARG_FILENAME, NULL,
      N_ ("For developers: write a picture of a page to this file and exit"), "FILE.png" },
    { "page", 0, 0, G_OPTION_ARG_STRING, NULL,
      N_ ("For developers: the page of the picture (welcome, inbox, run, tasks, changes, log, "
          "request, new-run, preferences)"),
      "NAME" },
    { "size", 0, 0, G_OPTION_ARG_STRING, NULL, N_ ("For developers: the size of the picture"),
      "WIDTHxHEIGHT" },
    { "select", 0, 0, G_OPTION_ARG_STRING, NULL, N_ ("For developers: the task that is selected"),
      "TASK" },
    { "dark", 0, 0, G_OPTION_ARG_NONE, NULL, N_ ("For developers: a dark picture"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, NULL, NULL, N_ ("[RUN-ID]") },
    { NULL },
  };

  g_application_add_main_option_entries (G_APPLICATION (self), entries);
  g_application_set_option_context_summary (
      G_APPLICATION (self), _ ("Directs crews of coding agents on your repositories."));
}

/**
 * fore_application_get_exit_status:
 * @self: an application that has run
 *
 * Returns: 0, or another number where what was asked for on the command line could not be done
 */
int
fore_application_get_exit_status (ForeApplication *self)
{
  g_return_val_if_fail (FORE_IS_APPLICATION (self), 1);

  return self->exit_status;
}

/**
 * fore_application_new:
 *
 * Returns: (transfer full): the application
 */
ForeApplication *
fore_application_new (void)
{
  return g_object_new (FORE_TYPE_APPLICATION, "application-id", FORE_APP_ID, "flags",
                       G_APPLICATION_HANDLES_OPEN | G_APPLICATION_HANDLES_COMMAND_LINE,
                       "resource-base-path", "/app/foredeck/Foredeck", NULL);
}
