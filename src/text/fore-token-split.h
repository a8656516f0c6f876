/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeTokenSplit:
 * @FORE_TOKEN_SPLIT_O200K: the pattern of o200k_base: case inside a word matters, three digits a
 * piece
 * @FORE_TOKEN_SPLIT_GPT2: the pattern of GPT-2 and of the first Claude: a blank belongs to the word
 *   behind it
 *
 * How a text is cut into the pieces inside which bytes are merged.
 */
typedef enum
{
  FORE_TOKEN_SPLIT_O200K,
  FORE_TOKEN_SPLIT_GPT2,
} ForeTokenSplit;

const guint8 *fore_token_split_next (ForeTokenSplit split, const guint8 *text, const guint8 *end);

G_END_DECLS
