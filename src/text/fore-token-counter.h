/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include "text/fore-token-vocabulary.h"

G_BEGIN_DECLS

/**
 * ForeTokenCounter:
 *
 * Counts the tokens of texts; remembers words that it merged. For one thread at a time.
 */
typedef struct _ForeTokenCounter ForeTokenCounter;

ForeTokenCounter *fore_token_counter_new (const ForeTokenVocabulary *vocabulary);
void fore_token_counter_free (ForeTokenCounter *self);

gsize fore_token_counter_count (ForeTokenCounter *self, const char *text, gsize length);

gsize fore_token_counter_find_cut (const char *text, gsize length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeTokenCounter, fore_token_counter_free)

G_END_DECLS
