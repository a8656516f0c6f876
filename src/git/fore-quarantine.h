/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "platform/fore-sandbox.h"

G_BEGIN_DECLS

/* What somebody in a sandbox writes to a repository goes to a folder of its own first: objects and
 * branches of the repository itself cannot be reached from inside.
 */
gboolean fore_quarantine_add (const char *folder,
                              const char *common_dir,
                              const char *branch,
                              ForeSandbox *sandbox,
                              GError **error);
void fore_quarantine_add_alternates (const char *common_dir, ForeSandbox *sandbox);
gboolean fore_quarantine_copy (const char *folder, gint64 since, GError **error);
gboolean fore_quarantine_import (const char *folder, GError **error);

G_END_DECLS
