/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeTokensKind:
 * @FORE_TOKENS_EXACT: the model's own tokenizer counted
 * @FORE_TOKENS_LEARNED: another's count, times what the provider's reports have taught
 * @FORE_TOKENS_GUESSED: another's count, times a published factor, or bytes
 *
 * How much a number of tokens is worth.
 */
typedef enum
{
  FORE_TOKENS_EXACT,
  FORE_TOKENS_LEARNED,
  FORE_TOKENS_GUESSED,
} ForeTokensKind;

typedef struct
{
  guint64 tokens;
  ForeTokensKind kind;
} ForeTokens;

const char *fore_tokens_kind_to_string (ForeTokensKind kind);

ForeTokens fore_tokens_count (const char *text, gssize length, const char *model);
gboolean fore_tokens_check (GError **error);

G_END_DECLS
