/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-token-vocabulary.h"

#include <glib/gi18n-lib.h>

#include "model/fore-error.h"
#include "text/fore-token-class.h"

/* The file: MAGIC, a byte that is a ForeTokenSplit, how many tokens (32 bits, little endian), then
 * for each token, in the order of its rank, its length and its bytes. A length is one byte, or two
 * if the first has its highest bit set: then the others are the lower seven.
 */
#define MAGIC "FOREBPE1"
#define HEADER_SIZE (strlen (MAGIC) + 1 + 4)

/* A slot holds the upper bits of a token's hash and, in its lowest bits, the token's rank + 1. */
#define RANK_BITS 20
#define MAX_TOKENS ((1u << RANK_BITS) - 2)
#define RANK_MASK ((G_GUINT64_CONSTANT (1) << RANK_BITS) - 1)

struct _ForeTokenVocabulary
{
  ForeTokenSplit split;
  guint n_tokens;
  guint max_length;
  guint mask;
  guint64 *slots;
  guint32 *pairs; /* the ranks of all tokens of two bytes */
};

/* Hashing: multiply and fold, 128 bits of product, as in wyhash (public domain). */

#define SEED_A G_GUINT64_CONSTANT (0x9E3779B97F4A7C15)
#define SEED_B G_GUINT64_CONSTANT (0xC2B2AE3D27D4EB4F)
#define SEED_C G_GUINT64_CONSTANT (0x9FB21C651E98DF25)

static inline guint64
mix (guint64 a, guint64 b)
{
#ifdef __SIZEOF_INT128__
  unsigned __int128 product = (unsigned __int128) a * b;

  return (guint64) product ^ (guint64) (product >> 64);
#else
  guint64 low = (a & G_MAXUINT32) * (b & G_MAXUINT32);
  guint64 high = (a >> 32) * (b >> 32);
  guint64 cross = (a >> 32) * (b & G_MAXUINT32) + (a & G_MAXUINT32) * (b >> 32);

  return low ^ high ^ (cross << 29 | cross >> 35);
#endif
}

static inline guint64
load_8 (const guint8 *text)
{
  guint64 value;

  memcpy (&value, text, sizeof value);

  return value;
}

static inline guint64
load_4 (const guint8 *text)
{
  guint32 value;

  memcpy (&value, text, sizeof value);

  return value;
}

/* All bytes of a text of 1 to 8, some of them twice: no two texts of one length give the same. */
static inline guint64
load_short (const guint8 *text, guint length)
{
  if (length >= 4)
    return load_4 (text) | load_4 (text + length - 4) << 32;

  return text[0] | (guint64) text[length / 2] << 8 | (guint64) text[length - 1] << 16;
}

/**
 * fore_token_vocabulary_hash:
 * @text: bytes
 * @length: how many, at least 1
 *
 * Returns: the hash by which fore_token_vocabulary_find_hash() knows them; it holds for this
 * process
 */
guint64
fore_token_vocabulary_hash (const guint8 *text, guint length)
{
  guint64 hash = SEED_A ^ (length * SEED_C);
  const guint8 *last;

  if (length <= 8)
    return mix (load_short (text, length) ^ hash, SEED_B);

  last = text + length - 8;
  for (; text < last; text += 8)
    hash = mix (load_8 (text) ^ hash, SEED_B);

  return mix (load_8 (last) ^ hash, SEED_A);
}

/**
 * fore_token_vocabulary_find_hash:
 * @self: a vocabulary
 * @hash: the hash of some bytes
 * @length: how many they are
 *
 * Returns: the rank of the token that they are, or %FORE_TOKEN_NO_RANK
 */
guint32
fore_token_vocabulary_find_hash (const ForeTokenVocabulary *self, guint64 hash, guint length)
{
  guint i = (guint) hash & self->mask;

  if (length > self->max_length)
    return FORE_TOKEN_NO_RANK;

  while (self->slots[i] != 0)
    {
      if (((self->slots[i] ^ hash) & ~RANK_MASK) == 0)
        return (guint32) (self->slots[i] & RANK_MASK) - 1;
      i = (i + 1) & self->mask;
    }

  return FORE_TOKEN_NO_RANK;
}

/**
 * fore_token_vocabulary_find:
 * @self: a vocabulary
 * @text: bytes
 * @length: how many, at least 2
 *
 * Returns: the rank of the token that they are, or %FORE_TOKEN_NO_RANK
 */
guint32
fore_token_vocabulary_find (const ForeTokenVocabulary *self, const guint8 *text, guint length)
{
  if (length == 2)
    return self->pairs[text[0] << 8 | text[1]];
  if (length > self->max_length)
    return FORE_TOKEN_NO_RANK;

  return fore_token_vocabulary_find_hash (self, fore_token_vocabulary_hash (text, length), length);
}

/* Reading */

static void
add (ForeTokenVocabulary *self, const guint8 *token, guint length, guint rank)
{
  guint64 hash = fore_token_vocabulary_hash (token, length);
  guint i = (guint) hash & self->mask;

  while (self->slots[i] != 0)
    i = (i + 1) & self->mask;

  self->slots[i] = (hash & ~RANK_MASK) | (rank + 1);
  self->max_length = MAX (self->max_length, length);
  if (length == 2)
    self->pairs[token[0] << 8 | token[1]] = rank;
}

/* 0 if there is none, or not so many bytes behind it */
static guint
read_length (const guint8 **data, const guint8 *end)
{
  guint length;

  if (*data >= end)
    return 0;

  length = *(*data)++;
  if (length & 0x80)
    {
      if (*data >= end)
        return 0;
      length = (length & 0x7f) | *(*data)++ << 7;
    }

  return length <= (gsize) (end - *data) ? length : 0;
}

static gboolean
read_tokens (ForeTokenVocabulary *self, const guint8 *data, const guint8 *end)
{
  for (guint rank = 0; rank < self->n_tokens; rank++)
    {
      guint length = read_length (&data, end);

      if (length == 0)
        return FALSE;
      add (self, data, length, rank);
      data += length;
    }

  return data == end;
}

static gboolean
read_header (ForeTokenVocabulary *self, const guint8 *data, gsize length)
{
  if (length < HEADER_SIZE || memcmp (data, MAGIC, strlen (MAGIC)) != 0)
    return FALSE;

  data += strlen (MAGIC);
  if (*data > FORE_TOKEN_SPLIT_GPT2)
    return FALSE;

  self->split = *data;
  self->n_tokens = data[1] | data[2] << 8 | data[3] << 16 | (guint) data[4] << 24;

  return self->n_tokens <= MAX_TOKENS && self->n_tokens <= length / 2;
}

static void
allocate (ForeTokenVocabulary *self)
{
  guint n_slots = 2;

  while (n_slots < self->n_tokens + self->n_tokens / 2)
    n_slots *= 2;

  self->mask = n_slots - 1;
  self->slots = g_new0 (guint64, n_slots);
  self->pairs = g_new (guint32, 0x10000);
  memset (self->pairs, 0xff, 0x10000 * sizeof *self->pairs);
}

/**
 * fore_token_vocabulary_new:
 * @data: (array length=length): what build-aux/make-vocabulary wrote
 * @length: how many bytes
 * @error: return location for an error
 *
 * Reads a vocabulary; @data is not needed afterwards. Any bytes may be given.
 *
 * Returns: (transfer full) (nullable): the vocabulary
 */
ForeTokenVocabulary *
fore_token_vocabulary_new (const guint8 *data, gsize length, GError **error)
{
  g_autoptr (ForeTokenVocabulary) self = g_new0 (ForeTokenVocabulary, 1);

  g_return_val_if_fail (data != NULL || length == 0, NULL);

  fore_token_class_init ();
  if (read_header (self, data, length))
    {
      allocate (self);
      if (read_tokens (self, data + HEADER_SIZE, data + length))
        return g_steal_pointer (&self);
    }

  g_set_error (error, FORE_ERROR, FORE_ERROR_INVALID,
               _ ("The vocabulary for counting tokens is damaged; install Foredeck again."));

  return NULL;
}

/**
 * fore_token_vocabulary_free:
 * @self: (transfer full): a vocabulary
 *
 * Frees it.
 */
void
fore_token_vocabulary_free (ForeTokenVocabulary *self)
{
  g_free (self->slots);
  g_free (self->pairs);
  g_free (self);
}

/**
 * fore_token_vocabulary_get_split:
 * @self: a vocabulary
 *
 * Returns: how a text is cut before its bytes are merged
 */
ForeTokenSplit
fore_token_vocabulary_get_split (const ForeTokenVocabulary *self)
{
  g_return_val_if_fail (self != NULL, FORE_TOKEN_SPLIT_O200K);

  return self->split;
}

/**
 * fore_token_vocabulary_get_n_tokens:
 * @self: a vocabulary
 *
 * Returns: how many tokens it has
 */
guint
fore_token_vocabulary_get_n_tokens (const ForeTokenVocabulary *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->n_tokens;
}
