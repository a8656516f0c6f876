/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * ForeLock:
 *
 * A lock file that is held by this process. The kernel frees it when the last copy of its
 * descriptor is closed, so that a dead process never holds anything.
 */
typedef struct _ForeLock ForeLock;

ForeLock *
fore_lock_try (const char *path, gboolean exclusive, const char *holder_text, GError **error);
ForeLock *fore_lock_wait (const char *path,
                          gboolean exclusive,
                          guint timeout_ms,
                          const char *holder_text,
                          GCancellable *cancellable,
                          GError **error);
int fore_lock_get_fd (ForeLock *lock);
const char *fore_lock_get_path (ForeLock *lock);
void fore_lock_free (ForeLock *lock);

gboolean fore_lock_is_held (const char *path);
char *fore_lock_dup_holder (const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeLock, fore_lock_free)

G_END_DECLS
