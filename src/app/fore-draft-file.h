/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What was written and not sent yet: kept in `drafts.json` of the home, so that it outlives the
 * program however that ends.
 */

void fore_draft_file_load (const char *home);
void fore_draft_file_set (const char *about, const char *text);
const char *fore_draft_file_get (const char *about);
void fore_draft_file_flush (void);

G_END_DECLS
