/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>
#include <string.h>

#include "text/fore-token-split.h"

G_BEGIN_DECLS

#define FORE_TOKEN_NO_RANK G_MAXUINT32

/**
 * ForeTokenVocabulary:
 *
 * The tokens of a byte-pair encoding, in the order in which pairs are merged. Read once, then never
 * changed: any thread may use it.
 */
typedef struct _ForeTokenVocabulary ForeTokenVocabulary;

ForeTokenVocabulary *fore_token_vocabulary_new (const guint8 *data, gsize length, GError **error);
void fore_token_vocabulary_free (ForeTokenVocabulary *self);

ForeTokenSplit fore_token_vocabulary_get_split (const ForeTokenVocabulary *self);
guint fore_token_vocabulary_get_n_tokens (const ForeTokenVocabulary *self);

guint64 fore_token_vocabulary_hash (const guint8 *text, guint length);
guint32
fore_token_vocabulary_find_hash (const ForeTokenVocabulary *self, guint64 hash, guint length);
guint32
fore_token_vocabulary_find (const ForeTokenVocabulary *self, const guint8 *text, guint length);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ForeTokenVocabulary, fore_token_vocabulary_free)

G_END_DECLS
