/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FORE_TYPE_LIBRARY_WINDOW (fore_library_window_get_type ())

/* Agents, teams, workflows and skills: where each comes from, what it says and what is wrong with
 * it. What changes on the disk is shown at once.
 */
G_DECLARE_FINAL_TYPE (ForeLibraryWindow, fore_library_window, FORE, LIBRARY_WINDOW, AdwWindow)

GtkWidget *fore_library_window_new (void);
void fore_library_window_show_file (ForeLibraryWindow *self, const char *path);

G_END_DECLS
