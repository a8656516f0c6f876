/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FORE_RUN_ID_LENGTH 8
#define FORE_TASK_KEY_MAX 40

/* The one place where ids, names, refs and paths from outside are checked. */

gboolean fore_id_is_run (const char *text);
gboolean fore_id_is_task_key (const char *text);
char *fore_id_dup_task_key (const char *text);
gboolean fore_id_is_name (const char *text);
char *fore_id_dup_attempt (const char *task, guint n);
gboolean fore_id_parse_attempt (const char *text, char **task, guint *n);
char *fore_id_dup_request (const char *run, guint n);
gboolean fore_id_parse_request (const char *text, char **run, guint *n);
gboolean fore_id_is_ref (const char *text);
gboolean fore_id_is_tree_path (const char *text);
char *fore_id_dup_task_branch (const char *run, const char *task);
char *fore_id_dup_result_branch (const char *run);
const char *
fore_id_find_nearest (const char *word, const char *const *candidates, guint max_distance);

G_END_DECLS
