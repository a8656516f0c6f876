/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "model/fore-check.h"

G_BEGIN_DECLS

/* The files that decide a check: those that its command names and that lie in the tree, but for
 * those that the approved plan says will be written. */
GStrv fore_check_list_files (const ForeCheck *check, const char *tree, const char *const *exempt);
char *fore_check_hash_files (const char *const *files, const char *tree);

G_END_DECLS
