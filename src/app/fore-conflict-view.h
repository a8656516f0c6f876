/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "model/fore-request.h"

G_BEGIN_DECLS

#define FORE_TYPE_CONFLICT_VIEW (fore_conflict_view_get_type ())

/* The three sides of the files that a request about a conflict is about, one file at a time. */
G_DECLARE_FINAL_TYPE (ForeConflictView, fore_conflict_view, FORE, CONFLICT_VIEW, GtkWidget)

GtkWidget *fore_conflict_view_new (void);
void fore_conflict_view_set_request (ForeConflictView *self, const ForeRequest *request);

G_END_DECLS
