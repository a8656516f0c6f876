/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-tokens.h"

#include <string.h>

#include "platform/fore-process.h"
#include "text/fore-text.h"
#include "text/fore-token-counter.h"

/* Families */

typedef enum
{
  VOCABULARY_O200K,
  VOCABULARY_CLAUDE,
  N_VOCABULARIES,
} VocabularyId;

typedef struct
{
  const char *name; /* of a model, from where one of its words begins */
  VocabularyId vocabulary;
  gboolean exact;
  double factor;
} Family;

/* Claude's own tokenizer has not been published since Claude 2: that vocabulary's count times 1.10,
 * and o200k_base's times 1.08 for Gemini, are what the npm package ai-tokenizer 1.0.6 measured.
 */
static const Family families[] = {
  { "gpt-5", VOCABULARY_O200K, TRUE, 1 },       { "gpt-4o", VOCABULARY_O200K, TRUE, 1 },
  { "gpt-4.1", VOCABULARY_O200K, TRUE, 1 },     { "gpt-4.5", VOCABULARY_O200K, TRUE, 1 },
  { "gpt-oss", VOCABULARY_O200K, TRUE, 1 },     { "chatgpt-4o", VOCABULARY_O200K, TRUE, 1 },
  { "o1", VOCABULARY_O200K, TRUE, 1 },          { "o3", VOCABULARY_O200K, TRUE, 1 },
  { "o4", VOCABULARY_O200K, TRUE, 1 },          { "codex", VOCABULARY_O200K, TRUE, 1 },
  { "claude", VOCABULARY_CLAUDE, FALSE, 1.10 }, { "sonnet", VOCABULARY_CLAUDE, FALSE, 1.10 },
  { "opus", VOCABULARY_CLAUDE, FALSE, 1.10 },   { "haiku", VOCABULARY_CLAUDE, FALSE, 1.10 },
  { "gemini", VOCABULARY_O200K, FALSE, 1.08 },
};

static const Family other_family = { "", VOCABULARY_O200K, FALSE, 1 };

/* Whether @name begins a word of @model and is not the beginning of a longer number. */
static gboolean
names_family (const char *model, const char *name)
{
  gsize length = strlen (name);

  for (const char *p = strstr (model, name); p != NULL; p = strstr (p + 1, name))
    {
      if ((p == model || !g_ascii_isalnum (p[-1])) && !g_ascii_isdigit (p[length]))
        return TRUE;
    }

  return FALSE;
}

static const Family *
find_family (const char *model)
{
  g_autofree char *lower = model != NULL ? g_ascii_strdown (model, -1) : NULL;

  for (guint i = 0; lower != NULL && i < G_N_ELEMENTS (families); i++)
    {
      if (names_family (lower, families[i].name))
        return &families[i];
    }

  return &other_family;
}

/* Vocabularies: read when first asked for, kept until the process ends */

static const char *const vocabulary_files[] = {
  "tokens/o200k.vocabulary",
  "tokens/claude.vocabulary",
};

static GMutex lock;
static ForeTokenVocabulary *vocabularies[N_VOCABULARIES];
static gboolean missing[N_VOCABULARIES];

static ForeTokenVocabulary *
read_vocabulary (VocabularyId id, GError **error)
{
  g_autofree char *path = fore_platform_find_data (vocabulary_files[id]);
  g_autoptr (GMappedFile) file = NULL;

  file = g_mapped_file_new (path != NULL ? path : vocabulary_files[id], FALSE, error);
  if (file == NULL)
    return NULL;

  return fore_token_vocabulary_new ((const guint8 *) g_mapped_file_get_contents (file),
                                    g_mapped_file_get_length (file), error);
}

static const ForeTokenVocabulary *
get_vocabulary (VocabularyId id)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  g_autoptr (GError) error = NULL;

  if (vocabularies[id] == NULL && !missing[id])
    {
      vocabularies[id] = read_vocabulary (id, &error);
      missing[id] = vocabularies[id] == NULL;
      if (missing[id])
        g_message ("Tokens are guessed: %s", error->message);
    }

  return vocabularies[id];
}

typedef struct
{
  ForeTokenCounter *counters[N_VOCABULARIES];
} Counters;

static void
free_counters (gpointer data)
{
  Counters *self = data;

  for (guint i = 0; i < N_VOCABULARIES; i++)
    g_clear_pointer (&self->counters[i], fore_token_counter_free);
  g_free (self);
}

static GPrivate counters = G_PRIVATE_INIT (free_counters);

/* The counter of this thread; %NULL if the vocabulary is not there. */
static ForeTokenCounter *
get_counter (VocabularyId id)
{
  Counters *mine = g_private_get (&counters);
  const ForeTokenVocabulary *vocabulary;

  if (mine == NULL)
    {
      mine = g_new0 (Counters, 1);
      g_private_set (&counters, mine);
    }

  vocabulary = mine->counters[id] == NULL ? get_vocabulary (id) : NULL;
  if (vocabulary != NULL)
    mine->counters[id] = fore_token_counter_new (vocabulary);

  return mine->counters[id];
}

/* Counting */

static gboolean
is_ascii (const char *text, gsize length)
{
  for (gsize i = 0; i < length; i++)
    {
      if (text[i] & 0x80)
        return FALSE;
    }

  return TRUE;
}

/* Claude's vocabulary is for text in NFKC; GLib normalizes what has no NUL. */
static GString *
normalize (const char *text, gsize length)
{
  GString *normal = g_string_sized_new (length);

  for (const char *end = text + length; text < end;)
    {
      const char *nul = memchr (text, '\0', end - text);
      const char *stop = nul != NULL ? nul : end;
      g_autofree char *valid = g_utf8_make_valid (text, stop - text);
      g_autofree char *part = g_utf8_normalize (valid, -1, G_NORMALIZE_NFKC);

      g_string_append (normal, part);
      if (nul != NULL)
        g_string_append_c (normal, '\0');
      text = stop + 1;
    }

  return normal;
}

static guint64
count_with (ForeTokenCounter *counter, VocabularyId id, const char *text, gsize length)
{
  GString *normal;
  guint64 n;

  if (id != VOCABULARY_CLAUDE || is_ascii (text, length))
    return fore_token_counter_count (counter, text, length);

  normal = normalize (text, length);
  n = fore_token_counter_count (counter, normal->str, normal->len);
  g_string_free (normal, TRUE);

  return n;
}

/**
 * fore_tokens_count:
 * @text: (array length=length): a text
 * @length: its bytes, or -1 if a NUL ends it
 * @model: (nullable): the model that is to read it, as an agent's CLI names it
 *
 * Counts tokens, exactly where the model's tokenizer is public. Any thread may call it.
 *
 * Returns: the number and what it is worth
 */
ForeTokens
fore_tokens_count (const char *text, gssize length, const char *model)
{
  const Family *family = find_family (model);
  gsize size = length >= 0 ? (gsize) length : strlen (text);
  ForeTokenCounter *counter = get_counter (family->vocabulary);
  ForeTokens tokens = { 0, FORE_TOKENS_GUESSED };

  g_return_val_if_fail (text != NULL || length == 0, tokens);

  if (counter == NULL)
    {
      tokens.tokens = fore_text_estimate_tokens (text, size);
      return tokens;
    }

  tokens.tokens = count_with (counter, family->vocabulary, text, size) * family->factor + 0.5;
  tokens.kind = family->exact ? FORE_TOKENS_EXACT : FORE_TOKENS_GUESSED;

  return tokens;
}

/**
 * fore_tokens_check:
 * @error: return location for an error
 *
 * Returns: whether the vocabularies are there and whole
 */
gboolean
fore_tokens_check (GError **error)
{
  for (guint i = 0; i < N_VOCABULARIES; i++)
    {
      g_autoptr (ForeTokenVocabulary) vocabulary = read_vocabulary (i, error);

      if (vocabulary == NULL)
        return FALSE;
    }

  return TRUE;
}

/**
 * fore_tokens_kind_to_string:
 * @kind: a kind
 *
 * Returns: (transfer none): its name in the command line's JSON
 */
const char *
fore_tokens_kind_to_string (ForeTokensKind kind)
{
  static const char *const names[] = { "exact", "learned", "guessed" };

  g_return_val_if_fail (kind <= FORE_TOKENS_GUESSED, NULL);

  return names[kind];
}
