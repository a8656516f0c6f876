/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-welcome-page.h"

#include "app/fore-agent-test.h"
#include "app/fore-application.h"
#include "app/fore-compat.h"
#include "app/fore-errors.h"
#include "app/fore-format.h"
#include "app/fore-flow.h"
#include "app/fore-header.h"
#include "app/fore-job.h"
#include "app/fore-view-status.h"
#include "engine/fore-actions.h"
#include "engine/fore-doctor.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <string.h>

struct _ForeWelcomePage
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *demo_button;
  GtkWidget *project_button;
  GtkLabel *demo_note;
  AdwPreferencesGroup *agents;
  AdwPreferencesGroup *machine;
  GtkWidget *refresh;

  GPtrArray *rows;
  gboolean examined;
  gboolean examining;
};

G_DEFINE_FINAL_TYPE (ForeWelcomePage, fore_welcome_page, GTK_TYPE_WIDGET)

static gpointer
examine_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  return fore_doctor_examine (data, NULL, cancellable);
}

static gboolean
is_agent (const ForeFinding *finding)
{
  return g_strcmp0 (finding->section, "agents") == 0;
}

static const ForeAdapter *
find_adapter (const char *name)
{
  const ForeAdapter *const *adapters = fore_adapter_list ();

  for (guint i = 0; adapters[i] != NULL; i++)
    {
      if (g_strcmp0 (adapters[i]->name, name) == 0 || g_strcmp0 (adapters[i]->title, name) == 0)
        return adapters[i];
    }

  return NULL;
}

static void
add_test_button (GtkWidget *row, const char *name)
{
  const ForeAdapter *adapter = find_adapter (name);

  if (adapter != NULL && adapter->program != NULL && adapter->one_shot)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                               fore_agent_test_new (ADW_ACTION_ROW (row), adapter));
}

/* Findings have the short names that commands take and print. */
static const char *
find_title (const ForeFinding *finding)
{
  static const struct
  {
    const char *name;
    const char *title;
    const char *section; /* NULL: any */
  } titles[] = {
    { "folder", N_ ("Data Folder"), "store" },
    { "folder", N_ ("Folder of Settings"), "settings" },
    { "free space", N_ ("Free Space") },
    { "integrity", N_ ("Data") },
    { "file system", N_ ("File System") },
    { "repository", N_ ("Repository") },
    { "identity", N_ ("Identity for Commits") },
    { "bubblewrap", N_ ("Sandbox") },
    { "crash reports", N_ ("Crash Reports") },
    { "libraries", N_ ("Libraries") },
    { "system", N_ ("System") },
    { "cores", N_ ("Processor Cores") },
    { "files", N_ ("Agents, Teams and Workflows") },
  };
  const ForeAdapter *adapter = find_adapter (finding->name);

  if (adapter != NULL && is_agent (finding))
    return adapter->title;
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    {
      if (g_strcmp0 (titles[i].name, finding->name) == 0
          && (titles[i].section == NULL || g_strcmp0 (titles[i].section, finding->section) == 0))
        return _ (titles[i].title);
    }

  return finding->name;
}

static GtkWidget *
new_finding_row (const ForeFinding *finding)
{
  static const ForeViewStatus statuses[] = { FORE_VIEW_DONE, FORE_VIEW_PENDING, FORE_VIEW_FAILED };
  ForeViewStatus status = statuses[MIN (finding->level, FORE_FINDING_BAD)];
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon = gtk_image_new_from_icon_name (fore_view_status_get_icon_name (status));
  const char *title = find_title (finding);
  g_autofree char *subtitle = finding->hint != NULL && finding->level != FORE_FINDING_GOOD
                                  ? g_strdup_printf ("%s — %s",
                                                     finding->value != NULL ? finding->value : "",
                                                     finding->hint)
                                  : g_strdup (finding->value != NULL ? finding->value : "");

  gtk_widget_add_css_class (icon, fore_view_status_get_css_class (status));
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), subtitle);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 3);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);

  return row;
}

static void
clear_rows (ForeWelcomePage *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      GtkWidget *row = g_ptr_array_index (self->rows, i);
      GtkWidget *group = gtk_widget_get_ancestor (row, ADW_TYPE_PREFERENCES_GROUP);

      if (group != NULL)
        adw_preferences_group_remove (ADW_PREFERENCES_GROUP (group), row);
    }
  g_ptr_array_set_size (self->rows, 0);
}

static void
add_row (ForeWelcomePage *self, AdwPreferencesGroup *group, GtkWidget *row)
{
  adw_preferences_group_add (group, row);
  g_ptr_array_add (self->rows, row);
}

static void
add_waiting_row (ForeWelcomePage *self)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *spinner = gtk_spinner_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _ ("Looking for agents…"));
  gtk_spinner_start (GTK_SPINNER (spinner));
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), spinner);
  add_row (self, self->agents, row);
}

static void
show_finding (ForeWelcomePage *self, const ForeFinding *finding)
{
  GtkWidget *row;

  /* What is said about all of them at once is no agent. */
  if (is_agent (finding) && find_adapter (finding->name) == NULL)
    {
      g_autofree char *words = g_strdup_printf (
          "%s%s%s", finding->value != NULL ? finding->value : "",
          finding->value != NULL && finding->hint != NULL ? ". " : "",
          finding->hint != NULL ? finding->hint : "");
      g_autofree char *escaped = g_markup_escape_text (words, -1);

      escaped[0] = g_ascii_toupper (escaped[0]);
      adw_preferences_group_set_description (self->agents, escaped);
      return;
    }

  row = new_finding_row (finding);
  /* Of one that is there but may not be logged in there is nothing else to be done. */
  if (finding->testable)
    add_test_button (row, finding->name);
  add_row (self, is_agent (finding) ? self->agents : self->machine, row);
}

static void
examined_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeWelcomePage *self = owner;
  GPtrArray *findings = result;

  self->examining = FALSE;
  gtk_widget_set_sensitive (self->refresh, TRUE);
  clear_rows (self);
  if (error != NULL)
    {
      fore_show_error (GTK_WIDGET (self), error);
      return;
    }
  adw_preferences_group_set_description (
      self->agents,
      _ ("Foredeck starts the agent programs that you have; their logins stay theirs."));
  for (guint i = 0; findings != NULL && i < findings->len; i++)
    show_finding (self, g_ptr_array_index (findings, i));
}

static gpointer
demo_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  g_autofree char *project = fore_actions_make_sample (NULL, error);
  g_autoptr (ForeRunSpec) spec = NULL;

  if (project == NULL)
    return NULL;

  spec = fore_actions_make_demo_spec (project);
  return fore_actions_start (data, spec, error);
}

static void
demo_started_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeWelcomePage *self = owner;

  gtk_widget_set_sensitive (self->demo_button, TRUE);
  gtk_button_set_label (GTK_BUTTON (self->demo_button), _ ("Try the Demo"));
  if (error != NULL)
    fore_show_error (GTK_WIDGET (self), error);
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "win.show-run", "s", result);
}

static void
demo_clicked_cb (GtkButton *button, ForeWelcomePage *self)
{
  fore_welcome_page_start_demo (self);
}

static void
folder_chosen_cb (gpointer owner, const char *path, gpointer data)
{
  gtk_widget_activate_action (owner, "win.new-run-in", "s", path);
}

static void
project_clicked_cb (GtkButton *button, ForeWelcomePage *self)
{
  fore_choose_folder (GTK_WIDGET (self), _ ("Open a Project"), g_get_home_dir (), self,
                      folder_chosen_cb, NULL);
}

static void
refresh_clicked_cb (GtkButton *button, ForeWelcomePage *self)
{
  self->examined = FALSE;
  fore_welcome_page_examine (self);
}

static void
fore_welcome_page_dispose (GObject *object)
{
  ForeWelcomePage *self = FORE_WELCOME_PAGE (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->rows, g_ptr_array_unref);

  G_OBJECT_CLASS (fore_welcome_page_parent_class)->dispose (object);
}

static void
fore_welcome_page_class_init (ForeWelcomePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = fore_welcome_page_dispose;
  g_type_ensure (FORE_TYPE_FLOW);
  g_type_ensure (FORE_TYPE_HEADER);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/app/foredeck/Foredeck/ui/fore-welcome-page.ui");
  gtk_widget_class_bind_template_child (widget_class, ForeWelcomePage, box);
  gtk_widget_class_bind_template_child (widget_class, ForeWelcomePage, demo_button);
  gtk_widget_class_bind_template_child (widget_class, ForeWelcomePage, project_button);
  gtk_widget_class_bind_template_child (widget_class, ForeWelcomePage, demo_note);
  gtk_widget_class_bind_template_child (widget_class, ForeWelcomePage, agents);
  gtk_widget_class_bind_template_child (widget_class, ForeWelcomePage, machine);
  gtk_widget_class_bind_template_child (widget_class, ForeWelcomePage, refresh);
  gtk_widget_class_bind_template_callback (widget_class, demo_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, project_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, refresh_clicked_cb);
}

static void
fore_welcome_page_init (ForeWelcomePage *self)
{
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * fore_welcome_page_start_demo:
 * @self: a welcome page
 *
 * Starts a run of scripted agents on a sample repository and shows it.
 */
void
fore_welcome_page_start_demo (ForeWelcomePage *self)
{
  g_return_if_fail (FORE_IS_WELCOME_PAGE (self));

  if (fore_application_get_store () == NULL || !gtk_widget_get_sensitive (self->demo_button))
    return;

  gtk_widget_set_sensitive (self->demo_button, FALSE);
  gtk_button_set_label (GTK_BUTTON (self->demo_button), _ ("Preparing…"));
  fore_job_run (self, "start-demo", NULL, demo_thread, g_object_ref (fore_application_get_store ()),
                g_object_unref, g_free, demo_started_cb);
}

/**
 * fore_welcome_page_examine:
 * @self: a welcome page
 *
 * Looks in a worker thread what is on this machine, once.
 */
void
fore_welcome_page_examine (ForeWelcomePage *self)
{
  g_return_if_fail (FORE_IS_WELCOME_PAGE (self));

  if (self->examined || self->examining || fore_application_get_store () == NULL)
    return;

  self->examined = TRUE;
  self->examining = TRUE;
  gtk_widget_set_sensitive (self->refresh, FALSE);
  clear_rows (self);
  add_waiting_row (self);
  fore_job_run (self, "examine", NULL, examine_thread, g_object_ref (fore_application_get_store ()),
                g_object_unref, (GDestroyNotify) g_ptr_array_unref, examined_cb);
}
