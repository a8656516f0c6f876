/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The right to let agents write to a folder that is nobody's worktree. Held for as long as the
 * object (or the program) lives.
 */
typedef struct _ForeLease ForeLease;

ForeLease *
fore_lease_acquire (const char *home_dir, const char *path, const char *run, GError **error);
gboolean fore_lease_check (const char *home_dir, const char *path, GError **error);
const char *fore_lease_get_path (ForeLease *self);
void fore_lease_free (ForeLease *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeLease, fore_lease_free)

G_END_DECLS
