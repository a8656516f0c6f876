/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "text/fore-json-slice.h"

G_BEGIN_DECLS

/* Going through a part of a document that was checked before: only where strings, brackets and
 * values end has to be found again.
 */
void fore_json_walk_members (const ForeJsonSlice *object,
                             const char *const *names,
                             guint n_names,
                             ForeJsonSlice *values);

G_END_DECLS
