/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FORE_TYPE_SCHEDULES_WINDOW (fore_schedules_window_get_type ())

/* All runs that start at certain times. */
G_DECLARE_FINAL_TYPE (ForeSchedulesWindow, fore_schedules_window, FORE, SCHEDULES_WINDOW, AdwWindow)

GtkWidget *fore_schedules_window_new (void);

G_END_DECLS
