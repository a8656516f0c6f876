/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

#include "app/fore-index.h"

G_BEGIN_DECLS

#define FORE_TYPE_WINDOW (fore_window_get_type ())

G_DECLARE_FINAL_TYPE (ForeWindow, fore_window, FORE, WINDOW, AdwApplicationWindow)

ForeWindow *fore_window_new (GtkApplication *application);
void fore_window_set_index (ForeWindow *self, ForeIndex *index);
void fore_window_set_store_error (ForeWindow *self, const GError *error);
void fore_window_offer_crash_reports (ForeWindow *self, const char *const *paths);
void fore_window_set_free_space (ForeWindow *self, guint64 bytes);
void fore_window_show_run (ForeWindow *self, const char *run_id, const char *view);
void fore_window_show_task (ForeWindow *self, const char *key);
void fore_window_show_request (ForeWindow *self, const char *request_id);
void fore_window_show_inbox (ForeWindow *self);
void fore_window_show_welcome (ForeWindow *self);
GtkWidget *fore_window_show_new_run (ForeWindow *self, const char *project);
gboolean fore_window_is_settled (ForeWindow *self);

G_END_DECLS
