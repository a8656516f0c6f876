/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FORE_TYPE_FLOW (fore_flow_get_type ())
G_DECLARE_FINAL_TYPE (ForeFlow, fore_flow, FORE, FLOW, GtkWidget)

GtkWidget *fore_flow_new (void);

void fore_flow_append (ForeFlow *self, GtkWidget *child);

G_END_DECLS
