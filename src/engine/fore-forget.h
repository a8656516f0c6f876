/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-store.h"

G_BEGIN_DECLS

/* Runs that nobody needs any more. All of it blocks. */
guint64 fore_forget_measure (ForeStore *store, const char *run_id);
GPtrArray *fore_forget_list_old (ForeStore *store, gint64 keep, gint64 older_ms, GError **error);
gboolean fore_forget_check (ForeStore *store, const char *run_id, GError **error);
gboolean fore_forget_run (ForeStore *store, const char *run_id, GError **error);

G_END_DECLS
