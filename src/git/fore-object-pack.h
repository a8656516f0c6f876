/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "git/fore-git.h"

G_BEGIN_DECLS

/* Many small objects on their way into a repository: each by itself would be synced to the disk. */
typedef struct _ForeObjectPack ForeObjectPack;

ForeObjectPack *fore_object_pack_new (const char *common_dir);
void fore_object_pack_free (ForeObjectPack *self);
git_odb *fore_object_pack_open (ForeObjectPack *self, GError **error);
gboolean
fore_object_pack_add (ForeObjectPack *self, const git_oid *oid, guint64 size, GError **error);
gboolean fore_object_pack_write (ForeObjectPack *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeObjectPack, fore_object_pack_free)

G_END_DECLS
