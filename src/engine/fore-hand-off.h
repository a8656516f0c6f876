/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Files that the steps of a run hand on lie in `runs/<run>/files`, by the names that the workflow
 * gives them with `output` and `reads`.
 */

char *fore_hand_off_dup_path (const char *run_dir, const char *name);
char *fore_hand_off_read (const char *run_dir, const char *tree, const char *name, char **path);
char *fore_hand_off_find (const char *folder, const char *name);
char *fore_hand_off_read_tree (const char *tree, const char *name, gint64 since_us, char **path);

G_END_DECLS
