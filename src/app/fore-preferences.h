/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FORE_TYPE_PREFERENCES (fore_preferences_get_type ())

/* The settings a person changes most, written to the user's configuration at once. */
G_DECLARE_FINAL_TYPE (ForePreferences, fore_preferences, FORE, PREFERENCES, AdwPreferencesWindow)

GtkWidget *fore_preferences_new (void);

G_END_DECLS
