/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define FORE_TYPE_PROJECT_ROW (fore_project_row_get_type ())

/* The folder that a run works in: one of those that are known, or another. Signals: "changed". */
G_DECLARE_FINAL_TYPE (ForeProjectRow, fore_project_row, FORE, PROJECT_ROW, AdwActionRow)

const char *fore_project_row_get_path (ForeProjectRow *self);
void fore_project_row_set_path (ForeProjectRow *self, const char *path);
void fore_project_row_add_known (ForeProjectRow *self, GPtrArray *paths);
void fore_project_row_set_branch (ForeProjectRow *self, const char *branch);

G_END_DECLS
