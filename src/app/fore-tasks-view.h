/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_TASKS_VIEW (fore_tasks_view_get_type ())

/* The tasks of a run as a table that can be sorted: the accessible twin of the graph. Signals:
 * "task-selected", "task-activated" (const char *key).
 */
G_DECLARE_FINAL_TYPE (ForeTasksView, fore_tasks_view, FORE, TASKS_VIEW, GtkWidget)

void fore_tasks_view_set_model (ForeTasksView *self, GListModel *tasks);
void fore_tasks_view_set_selected (ForeTasksView *self, const char *key);

G_END_DECLS
