/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder-private.h"

G_BEGIN_DECLS

/* What codex exec and codex app-server have in common: items, which the one writes with_underscores
 * and the other inCamelCase, and totals of a thread. The usage values are those of input, output,
 * cached input and written cache.
 */
void fore_codex_on_item (ForeDecoder *decoder,
                         const ForeJsonSlice *item,
                         gboolean completed,
                         const char *line,
                         gsize length);
void fore_codex_count_usage (ForeDecoder *decoder, const ForeJsonSlice values[4]);
ForeCause fore_codex_classify (const char *message);

G_END_DECLS
