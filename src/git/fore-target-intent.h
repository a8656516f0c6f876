/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-repository-private.h"

G_BEGIN_DECLS

/* What is about to become of a branch of the person and of the files that are checked out with it:
 * on the disk before anything is touched, and gone when it is done. Whoever holds the write lock
 * and finds one takes back what was begun. */
gboolean fore_target_intent_write (ForeRepository *repository,
                                   const char *ref_name,
                                   git_commit *old,
                                   git_tree *tree,
                                   GError **error);
void fore_target_intent_remove (ForeRepository *repository);
void fore_target_intent_sync (ForeRepository *repository, GPtrArray *paths);
gboolean fore_target_intent_undo (ForeRepository *repository, GError **error);

G_END_DECLS
