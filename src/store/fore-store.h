/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-run.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeOwnerState:
 * @FORE_OWNER_NONE: nobody owns the run
 * @FORE_OWNER_AT_WORK: a runner does
 * @FORE_OWNER_STUCK: a runner does and does not respond
 */
typedef enum
{
  FORE_OWNER_NONE,
  FORE_OWNER_AT_WORK,
  FORE_OWNER_STUCK,
} ForeOwnerState;

/**
 * ForeStore:
 *
 * Everything that Foredeck keeps on this machine: a home folder, the shared lock on it, the small
 * index over all runs and the bell. Cheap to open; every program opens it once. Thread-safe: each
 * call that touches SQLite uses a connection that no other thread has at that time. All calls
 * block (shortly): not for a main loop that has frames to draw.
 *
 * A run's own file is reached through #ForeRunWriter (its one owner), fore-run-reader.h (everybody)
 * and fore-run-client.h (answers, commands and messages from everybody but the owner).
 */
#define FORE_TYPE_STORE (fore_store_get_type ())
G_DECLARE_FINAL_TYPE (ForeStore, fore_store, FORE, STORE, GObject)

/* @home NULL is fore_dirs_dup_home(). */
ForeStore *fore_store_open (const char *home, GError **error);
/* Moves a damaged index aside (to backup/) and makes a new one out of runs/. For when
 * fore_store_open() says that the index is damaged; nobody else may have the store open. */
gboolean fore_store_repair (const char *home, GError **error);
const char *fore_store_get_home (ForeStore *self);

/* The index. Filters may be NULL; newest first; @limit rows (0: all) from @offset. The goals of
 * runs from here are cut after 4 KiB; fore_run_read() has them whole. Requests: oldest first; those
 * that are not open any more stay for seven days. Projects are paths, the last used first. */
GPtrArray *fore_store_list_runs (ForeStore *self,
                                 const char *project,
                                 const char *status,
                                 guint limit,
                                 guint offset,
                                 GError **error);
ForeRun *fore_store_get_run (ForeStore *self, const char *run_id, GError **error);
GPtrArray *fore_store_list_requests (ForeStore *self, gboolean open_only, GError **error);
GPtrArray *fore_store_list_projects (ForeStore *self, GError **error);
gboolean fore_store_add_project (ForeStore *self, const char *path, GError **error);
/* The whole id for an unambiguous beginning; FORE_ERROR_USAGE lists what an ambiguous one could be.
 */
char *fore_store_find_run (ForeStore *self, const char *prefix, GError **error);
char *fore_store_find_request (ForeStore *self, const char *prefix, GError **error);
/* Removes the run from the index; its folder is the caller's to remove, who holds its owner lock.
 */
gboolean fore_store_forget_run (ForeStore *self, const char *run_id, GError **error);
gboolean fore_store_is_owned (ForeStore *self, const char *run_id);
ForeOwnerState fore_store_look_at_owner (ForeStore *self, const char *run_id, gint64 patience_us);
/* Everything in the index that follows from runs/ is made anew; projects and trust stay. */
gboolean fore_store_rebuild_index (ForeStore *self, GError **error);
/* Adds one sentence (char *) per problem found in the index and in every run; FALSE only when it
 * could not look. Changes nothing. */
gboolean fore_store_check_run (ForeStore *self, const char *run_id, GError **error);
gboolean
fore_store_check (ForeStore *self, GPtrArray *problems, gboolean *index_is_whole, GError **error);
/* Cost of all attempts begun today (local time), in millionths of a dollar; -1 on an error. */
gint64 fore_store_get_day_cost (ForeStore *self, GError **error);
gboolean fore_store_is_trusted (ForeStore *self, const char *project);
gboolean fore_store_trust (ForeStore *self, const char *project, gboolean trusted, GError **error);

/* Wakes every follower and owner. The store's own calls do it themselves. */
void fore_store_ring (ForeStore *self);

G_END_DECLS
