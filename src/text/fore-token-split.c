/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-token-split.h"

#include "text/fore-token-class.h"

/* The patterns are those that the npm packages tiktoken 1.0.22 (o200k_base.json) and
 * @anthropic-ai/tokenizer 0.0.4 (claude.json) state as pat_str. Each function below matches one
 * alternative of them at a place and returns where the match ends.
 */

/* The end of the longest run, from @text on, of characters for which @test holds. */
#define SKIP_WHILE(text, end, test)                                                                \
  while ((text) < (end))                                                                           \
    {                                                                                              \
      guint skip_length;                                                                           \
      ForeTokenClass class = fore_token_class_at ((text), (end), &skip_length);                    \
                                                                                                   \
      if (!(test))                                                                                 \
        break;                                                                                     \
      (text) += skip_length;                                                                       \
    }

/* (?i:'s|'t|'re|'ve|'m|'ll|'d) if @fold is 0x20, the same without (?i) if it is 0: how many bytes
 * it takes at @text, or 0. The long s (U+017F) is an s of another case.
 */
static guint
match_contraction (const guint8 *text, const guint8 *end, guint8 fold)
{
  guint8 first;
  guint8 second;

  if (end - text < 2 || *text != '\'')
    return 0;

  first = text[1] | fold;
  if (first == 's' || first == 't' || first == 'm' || first == 'd')
    return 2;
  if (end - text < 3)
    return 0;
  if (fold != 0 && text[1] == 0xc5 && text[2] == 0xbf)
    return 3;

  second = text[2] | fold;
  if ((first == 'r' && second == 'e') || (first == 'v' && second == 'e')
      || (first == 'l' && second == 'l'))
    return 3;

  return 0;
}

/* \s*[\r\n]+|\s+(?!\S)|\s+ where @newlines, else without the first: the last blank before a word is
 * left to that word.
 */
static const guint8 *
match_space (const guint8 *text, const guint8 *end, gboolean newlines)
{
  const guint8 *last_newline = NULL;
  const guint8 *last = text;
  guint n = 0;

  while (text < end)
    {
      guint length;
      ForeTokenClass class = fore_token_class_at (text, end, &length);

      if (!fore_token_class_is_space (class))
        break;
      last = text;
      text += length;
      n++;
      if (class == FORE_TOKEN_NEWLINE)
        last_newline = text;
    }

  if (newlines && last_newline != NULL)
    return last_newline;

  return text < end && n > 1 ? last : text;
}

/* o200k_base */

/* [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+ with what backtracking gives; without
 * a lower-case part, and if @lower is not asked for, the other alternative, which has the star and
 * the plus the other way round. %NULL if neither matches.
 */
static const guint8 *
match_cased_word (const guint8 *text, const guint8 *end, gboolean lower)
{
  const guint8 *begin = text;
  const guint8 *last_caseless = NULL;
  ForeTokenClass kind = FORE_TOKEN_OTHER;
  guint length;

  while (text < end)
    {
      kind = fore_token_class_at (text, end, &length);
      if (kind != FORE_TOKEN_UPPER && kind != FORE_TOKEN_LETTER && kind != FORE_TOKEN_MARK)
        break;
      text += length;
      if (kind != FORE_TOKEN_UPPER)
        last_caseless = text;
    }

  if (text < end && kind == FORE_TOKEN_LOWER)
    {
      SKIP_WHILE (text, end,
                  class == FORE_TOKEN_LOWER || class == FORE_TOKEN_LETTER
                      || class == FORE_TOKEN_MARK);
      return text;
    }
  if (last_caseless != NULL)
    return last_caseless;
  if (lower)
    return NULL;

  return text > begin ? text : NULL;
}

/* [^\r\n\p{L}\p{N}]? and a word behind it, with its contraction; %NULL if there is no word. */
static const guint8 *
match_word (const guint8 *text, const guint8 *end)
{
  guint length;
  ForeTokenClass class = fore_token_class_at (text, end, &length);
  const guint8 *word = NULL;

  if (fore_token_class_is_letter (class))
    word = match_cased_word (text, end, FALSE);
  else if (class != FORE_TOKEN_NEWLINE && class != FORE_TOKEN_NUMBER)
    {
      word = match_cased_word (text + length, end, TRUE);
      if (word == NULL && class == FORE_TOKEN_MARK)
        word = match_cased_word (text, end, TRUE);
      if (word == NULL)
        word = match_cased_word (text + length, end, FALSE);
    }

  return word != NULL ? word + match_contraction (word, end, 0x20) : NULL;
}

/* \p{N}{1,3} */
static const guint8 *
match_digits (const guint8 *text, const guint8 *end)
{
  guint n = 0;

  SKIP_WHILE (text, end, class == FORE_TOKEN_NUMBER && n++ < 3);

  return text;
}

/*  ?[^\s\p{L}\p{N}]+[\r\n/]* , %NULL if it does not match */
static const guint8 *
match_punctuation (const guint8 *text, const guint8 *end)
{
  const guint8 *begin = *text == ' ' ? text + 1 : text;

  text = begin;
  SKIP_WHILE (text, end,
              !fore_token_class_is_space (class) && !fore_token_class_is_letter (class)
                  && class != FORE_TOKEN_NUMBER);
  if (text == begin)
    return NULL;

  while (text < end && (*text == '\n' || *text == '\r' || *text == '/'))
    text++;

  return text;
}

static const guint8 *
next_o200k (const guint8 *text, const guint8 *end)
{
  const guint8 *next = match_word (text, end);

  if (next == NULL)
    next = match_digits (text, end);
  if (next == text)
    next = match_punctuation (text, end);
  if (next == NULL)
    next = match_space (text, end, TRUE);

  return next;
}

/* What nearly all text is made of: an ASCII word behind at most one other character. %NULL where
 * only the pattern itself can say.
 */
static const guint8 *
next_o200k_ascii (const guint8 *text, const guint8 *end)
{
  const guint8 *p = text;

  if (!g_ascii_isalpha (*p))
    {
      if (*p >= 0x80 || *p == '\n' || *p == '\r' || g_ascii_isdigit (*p) || ++p >= end
          || !g_ascii_isalpha (*p))
        return NULL;
    }

  while (p < end && g_ascii_isupper (*p))
    p++;
  while (p < end && g_ascii_islower (*p))
    p++;
  if (p < end && *p >= 0x80)
    return NULL;

  return p + match_contraction (p, end, 0x20);
}

/* GPT-2 */

static ForeTokenClass
fold_letters (ForeTokenClass class)
{
  return fore_token_class_is_letter (class) ? FORE_TOKEN_LETTER
         : class == FORE_TOKEN_MARK         ? FORE_TOKEN_OTHER
                                            : class;
}

static const guint8 *
next_gpt2 (const guint8 *text, const guint8 *end)
{
  guint length = match_contraction (text, end, 0);
  const guint8 *begin = text;
  ForeTokenClass kind;

  if (length > 0)
    return text + length;

  kind = fold_letters (fore_token_class_at (text, end, &length));
  if (*text == ' ' && text + 1 < end)
    {
      kind = fold_letters (fore_token_class_at (text + 1, end, &length));
      begin = text + 1;
    }
  if (fore_token_class_is_space (kind))
    return match_space (text, end, FALSE);

  SKIP_WHILE (begin, end, fold_letters (class) == kind);

  return begin;
}

/**
 * fore_token_split_next:
 * @split: the pattern
 * @text: where a piece begins, before @end
 * @end: where the text ends
 *
 * Finds where the piece at @text ends. Needs fore_token_class_init(). Any bytes may be given.
 *
 * Returns: the end of the piece, behind @text and not behind @end
 */
const guint8 *
fore_token_split_next (ForeTokenSplit split, const guint8 *text, const guint8 *end)
{
  const guint8 *next;

  if (split == FORE_TOKEN_SPLIT_GPT2)
    return next_gpt2 (text, end);

  next = next_o200k_ascii (text, end);

  return next != NULL ? next : next_o200k (text, end);
}
