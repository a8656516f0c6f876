/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-trust-group.h"

#include "app/fore-application.h"
#include "app/fore-format.h"
#include "app/fore-job.h"
#include "app/fore-outside.h"
#include "app/fore-trust.h"
#include "engine/fore-trust.h"

#include <glib/gi18n-lib.h>

#define PROJECT "fore-project"

struct _ForeTrustGroup
{
  AdwPreferencesGroup parent_instance;

  GPtrArray *rows;
};

G_DEFINE_FINAL_TYPE (ForeTrustGroup, fore_trust_group, ADW_TYPE_PREFERENCES_GROUP)

typedef struct
{
  char *path;
  gboolean trusted;
} Project;

static void load (ForeTrustGroup *self);

static void
project_free (gpointer data)
{
  Project *project = data;

  g_free (project->path);
  g_free (project);
}

static gpointer
load_thread (gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) known = fore_store_list_projects (data, error);
  GPtrArray *projects;

  if (known == NULL)
    return NULL;

  projects = g_ptr_array_new_with_free_func (project_free);
  for (guint i = 0; i < known->len; i++)
    {
      const char *path = g_ptr_array_index (known, i);
      gboolean trusted = fore_store_is_trusted (data, path);
      g_autofree char *left_out = trusted ? NULL : fore_trust_dup_left_out (data, path);
      Project *project;

      if (!trusted && left_out == NULL)
        continue;
      project = g_new0 (Project, 1);
      project->path = trusted ? g_strdup (path) : g_steal_pointer (&left_out);
      project->trusted = trusted;
      g_ptr_array_add (projects, project);
    }

  return projects;
}

static void
changed_cb (gpointer owner)
{
  load (owner);
}

static void
ask_cb (GtkButton *button, ForeTrustGroup *self)
{
  fore_trust_ask (GTK_WIDGET (self), g_object_get_data (G_OBJECT (button), PROJECT), changed_cb);
}

static void
revoke_cb (GtkButton *button, ForeTrustGroup *self)
{
  fore_trust_revoke (GTK_WIDGET (self), g_object_get_data (G_OBJECT (button), PROJECT), changed_cb);
}

static void
add_row (ForeTrustGroup *self, const Project *project)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_with_label (project->trusted ? _ ("Revoke") : _ ("Trust…"));
  g_autofree char *name = fore_format_project (project->path);
  g_autofree char *title = fore_outside_dup (name);
  g_autofree char *path = fore_format_path (project->path);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), path);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_object_set_data_full (G_OBJECT (button), PROJECT, g_strdup (project->path), g_free);
  g_signal_connect (button, "clicked",
                    project->trusted ? G_CALLBACK (revoke_cb) : G_CALLBACK (ask_cb), self);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), row);
  g_ptr_array_add (self->rows, row);
}

static void
loaded_cb (gpointer owner, gpointer result, const GError *error, gpointer data)
{
  ForeTrustGroup *self = owner;
  GPtrArray *projects = result;

  if (projects == NULL)
    return;

  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), g_ptr_array_index (self->rows, i));
  g_ptr_array_set_size (self->rows, 0);
  for (guint i = 0; i < projects->len; i++)
    add_row (self, g_ptr_array_index (projects, i));
  gtk_widget_set_visible (GTK_WIDGET (self), projects->len > 0);
}

static void
load (ForeTrustGroup *self)
{
  ForeStore *store = fore_application_get_store ();

  if (store != NULL)
    fore_job_run (self, "load-trust", NULL, load_thread, g_object_ref (store), g_object_unref,
                  (GDestroyNotify) g_ptr_array_unref, loaded_cb);
}

static void
fore_trust_group_finalize (GObject *object)
{
  g_ptr_array_unref (FORE_TRUST_GROUP (object)->rows);

  G_OBJECT_CLASS (fore_trust_group_parent_class)->finalize (object);
}

static void
fore_trust_group_class_init (ForeTrustGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_trust_group_finalize;
}

static void
fore_trust_group_init (ForeTrustGroup *self)
{
  self->rows = g_ptr_array_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (self), _ ("Trusted Projects"));
  adw_preferences_group_set_description (
      ADW_PREFERENCES_GROUP (self),
      _ ("Runs use the settings, checks, hooks and crew that these bring."));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  load (self);
}

/**
 * fore_trust_group_new:
 *
 * Returns: (transfer floating): a group that reads which projects there are
 */
GtkWidget *
fore_trust_group_new (void)
{
  return g_object_new (FORE_TYPE_TRUST_GROUP, NULL);
}
