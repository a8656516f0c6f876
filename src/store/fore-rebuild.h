/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-sql.h"

G_BEGIN_DECLS

/* What looks through all of runs/: making the index anew, and checking. */
gboolean fore_rebuild_index (const char *home, ForeSql *index, GError **error);
gboolean fore_rebuild_behind (const char *home, ForeSql *index, GError **error);
gboolean fore_rebuild_check_pages (ForeSql *sql, GError **error);
void fore_rebuild_check_index (ForeSql *index, GPtrArray *problems);
void fore_rebuild_check (const char *home, ForeSql *index, GPtrArray *problems);
gboolean fore_rebuild_put_run (ForeSql *index, ForeSql *run_file, GError **error);

G_END_DECLS
