/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_LOG_VIEW (fore_log_view_get_type ())

/* The events of a run in their one order, the newest at the end. Signal: "task-activated"
 * (const char *key).
 */
G_DECLARE_FINAL_TYPE (ForeLogView, fore_log_view, FORE, LOG_VIEW, GtkWidget)

void fore_log_view_set_model (ForeLogView *self, GListModel *events);

G_END_DECLS
