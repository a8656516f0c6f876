/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-trust-row.h"

#include "app/fore-trust.h"

#include <glib/gi18n-lib.h>

struct _ForeTrustRow
{
  AdwActionRow parent_instance;

  char *project;
};

G_DEFINE_FINAL_TYPE (ForeTrustRow, fore_trust_row, ADW_TYPE_ACTION_ROW)

enum
{
  TRUSTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void
trusted_cb (gpointer owner)
{
  fore_trust_row_set_project (owner, NULL);
  g_signal_emit (owner, signals[TRUSTED], 0);
}

static void
clicked_cb (GtkButton *button, ForeTrustRow *self)
{
  g_assert (FORE_IS_TRUST_ROW (self));

  if (self->project != NULL)
    fore_trust_ask (GTK_WIDGET (self), self->project, trusted_cb);
}

static void
fore_trust_row_finalize (GObject *object)
{
  g_free (FORE_TRUST_ROW (object)->project);

  G_OBJECT_CLASS (fore_trust_row_parent_class)->finalize (object);
}

static void
fore_trust_row_class_init (ForeTrustRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fore_trust_row_finalize;

  signals[TRUSTED] = g_signal_new ("trusted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
fore_trust_row_init (ForeTrustRow *self)
{
  GtkWidget *icon = gtk_image_new_from_icon_name ("fore-permission-symbolic");
  GtkWidget *button = gtk_button_new_with_label (_ ("Trust…"));

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), _ ("You have not trusted it"));
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  g_signal_connect (button, "clicked", G_CALLBACK (clicked_cb), self);
  adw_action_row_add_prefix (ADW_ACTION_ROW (self), icon);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), button);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

/**
 * fore_trust_row_set_project:
 * @self: the row
 * @project: (nullable): canonical path of a project that waits to be trusted; without one the row
 *   is hidden
 */
void
fore_trust_row_set_project (ForeTrustRow *self, const char *project)
{
  g_autofree char *subtitle = NULL;

  g_return_if_fail (FORE_IS_TRUST_ROW (self));

  if (project != NULL)
    subtitle = fore_trust_dup_state (project);
  g_free (self->project);
  self->project = g_strdup (project);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), subtitle);
  gtk_widget_set_visible (GTK_WIDGET (self), project != NULL);
}
