/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "app/fore-view-status.h"

G_BEGIN_DECLS

#define FORE_TYPE_STATUS_DOT (fore_status_dot_get_type ())

G_DECLARE_FINAL_TYPE (ForeStatusDot, fore_status_dot, FORE, STATUS_DOT, GtkWidget)

GtkWidget *fore_status_dot_new (ForeViewStatus status);
ForeViewStatus fore_status_dot_get_status (ForeStatusDot *self);
void fore_status_dot_set_status (ForeStatusDot *self, ForeViewStatus status);
void fore_status_dot_set_show_icon (ForeStatusDot *self, gboolean show_icon);

G_END_DECLS
