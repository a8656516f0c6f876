/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "app/fore-beside.h"

#include "app/fore-library-window.h"
#include "app/fore-preferences.h"
#include "app/fore-schedules-window.h"

static void
present (GtkWindow *parent, GtkWidget *window)
{
  gtk_window_set_transient_for (GTK_WINDOW (window), parent);
  gtk_window_present (GTK_WINDOW (window));
}

/**
 * fore_beside_preferences:
 * @parent: the window that asks
 *
 * Shows the settings.
 */
void
fore_beside_preferences (GtkWindow *parent)
{
  g_return_if_fail (GTK_IS_WINDOW (parent));

  present (parent, fore_preferences_new ());
}

/**
 * fore_beside_library:
 * @parent: the window that asks
 *
 * Shows agents, teams, workflows and skills.
 */
void
fore_beside_library (GtkWindow *parent)
{
  g_return_if_fail (GTK_IS_WINDOW (parent));

  present (parent, fore_library_window_new ());
}

/**
 * fore_beside_schedules:
 * @parent: the window that asks
 *
 * Shows the runs that start at certain times.
 */
void
fore_beside_schedules (GtkWindow *parent)
{
  g_return_if_fail (GTK_IS_WINDOW (parent));

  present (parent, fore_schedules_window_new ());
}

/**
 * fore_beside_shortcuts:
 * @parent: the window that asks
 *
 * Shows the keys. GTK's own way keeps a hidden window, and GTK 4.8 crashes when somebody on the
 * accessibility bus asks for a window beyond the last one and the last one was never shown.
 */
void
fore_beside_shortcuts (GtkWindow *parent)
{
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (
      "/app/foredeck/Foredeck/ui/help-overlay.ui");

  g_return_if_fail (GTK_IS_WINDOW (parent));

  present (parent, GTK_WIDGET (gtk_builder_get_object (builder, "help_overlay")));
}
