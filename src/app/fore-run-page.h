/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-run-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_RUN_PAGE (fore_run_page_get_type ())

/* One run: its figures, its views and the panel of the task that is selected. */
G_DECLARE_FINAL_TYPE (ForeRunPage, fore_run_page, FORE, RUN_PAGE, GtkWidget)

void fore_run_page_set_run (ForeRunPage *self, const char *run_id);
const char *fore_run_page_get_run_id (ForeRunPage *self);
void fore_run_page_set_health (ForeRunPage *self, ForeRunHealth health);
void fore_run_page_show_view (ForeRunPage *self, const char *view);
void fore_run_page_select_task (ForeRunPage *self, const char *key);
gboolean fore_run_page_is_settled (ForeRunPage *self);

G_END_DECLS
