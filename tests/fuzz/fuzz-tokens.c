/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-token-counter.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput (const guint8 *data, gsize size);

/* A small vocabulary of either pattern. */
static const guint8 vocabularies[][30] = {
  { 'F', 'O', 'R', 'E', 'B', 'P', 'E', '1',  0, 4,   0,   0,  0,
    2,   'a', 'b', 2,   ' ', 'a', 1,   '\n', 3, 'a', 'b', 'c' },
  { 'F', 'O', 'R', 'E', 'B', 'P', 'E', '1',  1, 4,   0,   0,  0,
    2,   'a', 'b', 2,   ' ', 'a', 1,   '\n', 3, 'a', 'b', 'c' },
};
#define VOCABULARY_SIZE 25

static ForeTokenCounter *
get_counter (guint which)
{
  static ForeTokenCounter *counters[2];

  if (counters[which] == NULL)
    counters[which] = fore_token_counter_new (
        fore_token_vocabulary_new (vocabularies[which], VOCABULARY_SIZE, NULL));

  return counters[which];
}

static void
count (guint which, const char *text, gsize size)
{
  ForeTokenCounter *counter = get_counter (which);
  gsize cut = fore_token_counter_find_cut (text, size);
  gsize whole = fore_token_counter_count (counter, text, size);

  if (whole > size || (size > 0 && whole == 0))
    fuzz_fail ("%zu tokens in %zu bytes", whole, size);
  if (whole
      != fore_token_counter_count (counter, text, cut)
             + fore_token_counter_count (counter, text + cut, size - cut))
    fuzz_fail ("the cut at %zu changes the count", cut);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  g_autoptr (ForeTokenVocabulary) vocabulary = fore_token_vocabulary_new (data, size, NULL);
  /* What is read past the end is seen only in a buffer of its own. */
  g_autofree char *text = g_memdup2 (data, size);

  if (vocabulary != NULL && fore_token_vocabulary_get_n_tokens (vocabulary) > size)
    fuzz_fail ("more tokens than bytes");
  count (0, text, size);
  count (1, text, size);

  return 0;
}
