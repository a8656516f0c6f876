/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FORE_TYPE_NEW_RUN_SHEET (fore_new_run_sheet_get_type ())

/* Everything that a new run needs, with the graph that it would have beside it. */
G_DECLARE_FINAL_TYPE (ForeNewRunSheet, fore_new_run_sheet, FORE, NEW_RUN_SHEET, AdwWindow)

void fore_new_run_sheet_choose_way (ForeNewRunSheet *self, const char *name, const char *text);
GtkWidget *fore_new_run_sheet_new (GtkWindow *parent, const char *project);

G_END_DECLS
