/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-run-model.h"

G_BEGIN_DECLS

#define FORE_TYPE_TASK_PANEL (fore_task_panel_get_type ())

/* The task that is selected: its transcript, its prompt, its files, and what can be said to it.
 * Signal: "close".
 */
G_DECLARE_FINAL_TYPE (ForeTaskPanel, fore_task_panel, FORE, TASK_PANEL, GtkWidget)

void fore_task_panel_set_task (ForeTaskPanel *self, ForeRunModel *model, const char *key);
void fore_task_panel_set_closable (ForeTaskPanel *self, gboolean closable);
void fore_task_panel_tick (ForeTaskPanel *self);

G_END_DECLS
