/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-repository.h"

G_BEGIN_DECLS

/* The right to write to a repository: first among the threads of this program, then among
 * programs.
 */
typedef struct _ForeWriteLock ForeWriteLock;

ForeWriteLock *fore_write_lock_acquire (ForeRepository *repository, GError **error);
void fore_write_lock_free (ForeWriteLock *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeWriteLock, fore_write_lock_free)

G_END_DECLS
