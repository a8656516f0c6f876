/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

#include "app/fore-run-model.h"

G_BEGIN_DECLS

#define FORE_TYPE_CHANGES_VIEW (fore_changes_view_get_type ())

/* What a run, or one of its tasks, changed: files, differences, and how the checks came out. */
G_DECLARE_FINAL_TYPE (ForeChangesView, fore_changes_view, FORE, CHANGES_VIEW, GtkWidget)

void fore_changes_view_set_run (ForeChangesView *self, const char *run_id);
void fore_changes_view_update (ForeChangesView *self, ForeRunModel *model);
GStrv fore_changes_view_dup_left_out (ForeChangesView *self);
void fore_changes_view_set_active (ForeChangesView *self, gboolean active);

G_END_DECLS
