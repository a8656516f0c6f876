/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* All that follow return new strings to g_free(). Nothing here makes a folder, except the ensure_
 * functions.
 */
char *fore_dirs_dup_home (void);

char *fore_dirs_dup_index_path (const char *home);
char *fore_dirs_dup_search_path (const char *home);
char *fore_dirs_dup_lock_path (const char *home);
char *fore_dirs_dup_boot_path (const char *home);
char *fore_dirs_dup_bell_path (const char *home);
char *fore_dirs_dup_slots_dir (const char *home, const char *pool);
char *fore_dirs_dup_runs_dir (const char *home);
char *fore_dirs_dup_worktrees_dir (const char *home);
char *fore_dirs_dup_log_dir (const char *home);
char *fore_dirs_dup_crashes_dir (const char *home);
char *fore_dirs_dup_backup_dir (const char *home);

char *fore_dirs_dup_run_dir (const char *home, const char *run);
char *fore_dirs_dup_run_db_path (const char *home, const char *run);
char *fore_dirs_dup_owner_lock_path (const char *home, const char *run);
char *fore_dirs_dup_exits_path (const char *home, const char *run);
char *fore_dirs_dup_attempts_dir (const char *home, const char *run);
/* runs/<run>/<name>, for prompts, results, artifacts and patches */
char *fore_dirs_dup_run_subdir (const char *home, const char *run, const char *name);
/* attempts/<task>.<n>.<suffix>; suffix is out, err, in, idx, calls or git */
char *fore_dirs_dup_attempt_path (
    const char *home, const char *run, const char *task, guint n, const char *suffix);

gboolean fore_dirs_ensure_home (const char *home, GError **error);
gboolean fore_dirs_ensure_run (const char *home, const char *run, GError **error);
gboolean fore_dirs_ensure_dir (const char *path, GError **error);
gboolean fore_dirs_is_network (const char *path);
/* Bytes that a person without privileges can still write there; G_MAXUINT64 if unknown. */
guint64 fore_dirs_get_free_space (const char *path);

G_END_DECLS
