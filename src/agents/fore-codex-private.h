/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "agents/fore-decoder-private.h"

G_BEGIN_DECLS

/* What codex exec and codex app-server have in common: items, which the one writes with_underscores
 * and the other inCamelCase, and totals of a thread. The usage values are those of input, output,
 * cached input and written cache; the thread is NULL for that of the session. Items of helpers have
 * the call that started them as parent.
 */
void fore_codex_on_item (ForeDecoder *decoder,
                         const ForeJsonSlice *item,
                         gboolean completed,
                         const char *parent,
                         const char *line,
                         gsize length);
void
fore_codex_count_usage (ForeDecoder *decoder, const char *thread, const ForeJsonSlice values[4]);
ForeCause fore_codex_classify (const char *message);

/* codex app-server. */
ForeCause fore_codex_error_cause (const ForeJsonSlice *error, char **message);
void fore_codex_on_usage (ForeDecoder *decoder, const char *thread, const ForeJsonSlice *params);
void fore_codex_on_rate_limits (ForeDecoder *decoder, const ForeJsonSlice *params);
void
fore_codex_on_approval (ForeDecoder *decoder, const ForeJsonSlice *id, const ForeJsonSlice *params);
void fore_codex_on_resolved (ForeDecoder *decoder, const ForeJsonSlice *params);

G_END_DECLS
