/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * ForeTokenClass:
 * @FORE_TOKEN_OTHER: punctuation, symbols, controls, and bytes that are no UTF-8
 * @FORE_TOKEN_UPPER: \p{Lu} and \p{Lt}
 * @FORE_TOKEN_LOWER: \p{Ll}
 * @FORE_TOKEN_LETTER: \p{Lm} and \p{Lo}, which count as upper and as lower
 * @FORE_TOKEN_MARK: \p{M}
 * @FORE_TOKEN_NUMBER: \p{N}
 * @FORE_TOKEN_SPACE: \s but for the next
 * @FORE_TOKEN_NEWLINE: CR and LF
 *
 * What the splitting patterns of tokenizers tell apart. Their names are those of the Unicode
 * Character Database.
 */
typedef enum
{
  FORE_TOKEN_OTHER,
  FORE_TOKEN_UPPER,
  FORE_TOKEN_LOWER,
  FORE_TOKEN_LETTER,
  FORE_TOKEN_MARK,
  FORE_TOKEN_NUMBER,
  FORE_TOKEN_SPACE,
  FORE_TOKEN_NEWLINE,
} ForeTokenClass;

static inline gboolean
fore_token_class_is_letter (ForeTokenClass class)
{
  return class >= FORE_TOKEN_UPPER && class <= FORE_TOKEN_LETTER;
}

static inline gboolean
fore_token_class_is_space (ForeTokenClass class)
{
  return class >= FORE_TOKEN_SPACE;
}

/* Must have run once before fore_token_class_at(), in any thread. */
void fore_token_class_init (void);
ForeTokenClass fore_token_class_at (const guint8 *text, const guint8 *end, guint *length);

G_END_DECLS
