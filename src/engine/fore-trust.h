/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "store/fore-store.h"

G_BEGIN_DECLS

/* What a run is made of may name programs: files of a project count once its person trusts it,
 * whether they are found by a name or by a path. */
char *fore_trust_dup_warning (const char *project);
char *fore_trust_dup_owner (ForeStore *store, const char *project, const char *path);
char *fore_trust_dup_left_out (ForeStore *store, const char *project);
gboolean
fore_trust_check_file (ForeStore *store, const char *project, const char *path, GError **error);

G_END_DECLS
