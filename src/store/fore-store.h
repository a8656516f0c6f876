/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeStore:
 *
 * Everything that Foredeck keeps on this machine: a home folder, the shared lock on it, the small
 * index over all runs and the bell. Cheap to open; every program opens it once. Thread-safe: each
 * call that touches SQLite uses a connection of the calling thread or a short-lived one.
 *
 * A run's own file is reached through #ForeRunWriter (its one owner), #ForeRunReader (everybody)
 * and #ForeRunClient (answers, commands and messages from everybody but the owner).
 */
#define FORE_TYPE_STORE (fore_store_get_type ())
G_DECLARE_FINAL_TYPE (ForeStore, fore_store, FORE, STORE, GObject)

ForeStore *fore_store_open (const char *home, GError **error);
const char *fore_store_get_home (ForeStore *self);

/* The index. Filters may be NULL; newest first; @limit rows from @offset. */
GPtrArray *fore_store_list_runs (ForeStore *self,
                                 const char *project,
                                 const char *status,
                                 guint limit,
                                 guint offset,
                                 GError **error);
GPtrArray *fore_store_list_requests (ForeStore *self, gboolean open_only, GError **error);
GPtrArray *fore_store_list_projects (ForeStore *self, GError **error);
gboolean fore_store_add_project (ForeStore *self, const char *path, GError **error);
char *fore_store_find_run (ForeStore *self, const char *prefix, GError **error);
char *fore_store_find_request (ForeStore *self, const char *prefix, GError **error);
gboolean fore_store_is_owned (ForeStore *self, const char *run_id);
gboolean fore_store_rebuild_index (ForeStore *self, GError **error);
gboolean fore_store_check (ForeStore *self, GPtrArray *problems, GError **error);
gint64 fore_store_get_day_cost (ForeStore *self, GError **error);
gboolean fore_store_is_trusted (ForeStore *self, const char *project);
gboolean fore_store_trust (ForeStore *self, const char *project, gboolean trusted, GError **error);

void fore_store_ring (ForeStore *self);

G_END_DECLS
