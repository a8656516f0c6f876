/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-token-merge.h"

/* Up to here looking at all pairs for the best is faster than keeping them in a heap. */
#define MAX_SCAN 200

/* Short pieces: an array of parts */

typedef struct
{
  guint16 begin;
  guint32 rank; /* of this part and the next taken together */
} Part;

/* The rank of the parts @i and @i + 1 together; parts[n] is the end. */
static guint32
rank_of_two (
    const ForeTokenVocabulary *vocabulary, const guint8 *text, const Part *parts, guint i, guint n)
{
  if (i + 1 >= n)
    return FORE_TOKEN_NO_RANK;

  return fore_token_vocabulary_find (vocabulary, text + parts[i].begin,
                                     parts[i + 2].begin - parts[i].begin);
}

static guint
find_best (const Part *parts, guint n)
{
  guint best = 0;

  for (guint i = 1; i + 1 < n; i++)
    {
      if (parts[i].rank < parts[best].rank)
        best = i;
    }

  return best;
}

static guint
merge_by_scan (const ForeTokenVocabulary *vocabulary, const guint8 *text, guint length)
{
  Part parts[MAX_SCAN + 2];
  guint n = length;

  for (guint i = 0; i <= length; i++)
    parts[i].begin = i;
  for (guint i = 0; i < length; i++)
    parts[i].rank = rank_of_two (vocabulary, text, parts, i, n);

  while (n > 1)
    {
      guint best = find_best (parts, n);

      if (parts[best].rank == FORE_TOKEN_NO_RANK)
        break;

      memmove (parts + best + 1, parts + best + 2, (n - best - 1) * sizeof *parts);
      n--;
      parts[best].rank = rank_of_two (vocabulary, text, parts, best, n);
      if (best > 0)
        parts[best - 1].rank = rank_of_two (vocabulary, text, parts, best - 1, n);
    }

  return n;
}

/* Long pieces: a list of parts and a heap of pairs, so that a line of a megabyte without a blank
 * does not take the square of its length.
 */

typedef struct
{
  guint32 rank;
  guint32 begin;
  guint32 length; /* of both parts when the pair was pushed: tells pairs that are no more */
} Pair;

typedef struct
{
  const ForeTokenVocabulary *vocabulary;
  const guint8 *text;
  guint32 *next;     /* where the part that begins here ends */
  guint32 *previous; /* where the part before begins */
  guint8 *gone;
  Pair *heap;
  guint n_heap;
  guint length;
} Merger;

static inline gboolean
is_less (const Pair *a, const Pair *b)
{
  return a->rank < b->rank || (a->rank == b->rank && a->begin < b->begin);
}

static void
push (Merger *self, guint begin, guint end)
{
  Pair pair = { fore_token_vocabulary_find (self->vocabulary, self->text + begin, end - begin),
                begin, end - begin };
  guint i = self->n_heap;

  if (pair.rank == FORE_TOKEN_NO_RANK)
    return;

  self->n_heap++;
  while (i > 0 && is_less (&pair, &self->heap[(i - 1) / 2]))
    {
      self->heap[i] = self->heap[(i - 1) / 2];
      i = (i - 1) / 2;
    }
  self->heap[i] = pair;
}

static Pair
pop (Merger *self)
{
  Pair top = self->heap[0];
  Pair last = self->heap[--self->n_heap];
  guint i = 0;

  for (;;)
    {
      guint child = 2 * i + 1;

      if (child >= self->n_heap)
        break;
      if (child + 1 < self->n_heap && is_less (&self->heap[child + 1], &self->heap[child]))
        child++;
      if (!is_less (&self->heap[child], &last))
        break;
      self->heap[i] = self->heap[child];
      i = child;
    }
  self->heap[i] = last;

  return top;
}

/* Whether the pair is still one; makes a part of it if so. */
static gboolean
join (Merger *self, const Pair *pair)
{
  guint begin = pair->begin;
  guint middle = self->next[begin];
  guint end;

  if (self->gone[begin] || middle >= self->length)
    return FALSE;
  end = self->next[middle];
  if (end - begin != pair->length)
    return FALSE;

  self->gone[middle] = TRUE;
  self->next[begin] = end;
  if (end < self->length)
    {
      self->previous[end] = begin;
      push (self, begin, self->next[end]);
    }
  if (begin > 0)
    push (self, self->previous[begin], end);

  return TRUE;
}

static void
merger_init (Merger *self)
{
  self->next = g_new (guint32, self->length);
  self->previous = g_new (guint32, self->length);
  self->gone = g_new0 (guint8, self->length);
  /* A pair for each byte, and two more for each merge. */
  self->heap = g_new (Pair, 3 * (gsize) self->length);
  for (guint i = 0; i < self->length; i++)
    {
      self->next[i] = i + 1;
      self->previous[i] = i - 1;
      if (i + 1 < self->length)
        push (self, i, i + 2);
    }
}

static guint
merge_by_heap (const ForeTokenVocabulary *vocabulary, const guint8 *text, guint length)
{
  Merger self = { .vocabulary = vocabulary, .text = text, .length = length };
  guint n = length;

  merger_init (&self);
  while (self.n_heap > 0)
    {
      Pair pair = pop (&self);

      if (join (&self, &pair))
        n--;
    }

  g_free (self.next);
  g_free (self.previous);
  g_free (self.gone);
  g_free (self.heap);

  return n;
}

/**
 * fore_token_merge:
 * @vocabulary: a vocabulary
 * @text: a piece as fore_token_split_next() cuts it
 * @length: its bytes, at least 1
 *
 * Merges bytes as byte-pair encoding does: always the pair of the lowest rank, of equals the first.
 *
 * Returns: how many tokens the piece has
 */
guint
fore_token_merge (const ForeTokenVocabulary *vocabulary, const guint8 *text, guint length)
{
  if (length <= MAX_SCAN)
    return merge_by_scan (vocabulary, text, length);

  return merge_by_heap (vocabulary, text, length);
}
