/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-json.h"
#include "text/fore-token-counter.h"
#include "text/fore-token-merge.h"
#include "text/fore-tokens.h"

#include "model/fore-error.h"

static ForeTokenVocabulary *
read_vocabulary (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("FOREDECK_DATA"), "tokens", name, NULL);
  g_autofree char *data = NULL;
  g_autoptr (GError) error = NULL;
  ForeTokenVocabulary *vocabulary;
  gsize length;

  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  vocabulary = fore_token_vocabulary_new ((const guint8 *) data, length, &error);
  g_assert_no_error (error);

  return vocabulary;
}

static void
assert_tokens (const char *text, const char *model, guint64 expected, ForeTokensKind kind)
{
  ForeTokens tokens = fore_tokens_count (text, -1, model);

  g_assert_cmpuint (tokens.tokens, ==, expected);
  g_assert_cmpint (tokens.kind, ==, kind);
}

/* Recorded from the tokenizers themselves, see tests/bench/compare-tokens.mjs. */
static void
test_recorded (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "unit", "fixtures", "tokens.jsonl",
                                                 NULL);
  g_autofree char *data = NULL;
  g_auto (GStrv) lines = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &data, NULL, NULL));
  lines = g_strsplit (data, "\n", -1);
  for (guint i = 0; lines[i][0] != '\0'; i++, n++)
    {
      g_autoptr (JsonParser) parser = json_parser_new ();
      JsonArray *row;
      const char *text;
      double claude;

      g_assert_true (json_parser_load_from_data (parser, lines[i], -1, NULL));
      row = json_node_get_array (json_parser_get_root (parser));
      text = json_array_get_string_element (row, 0);
      if (strstr (lines[i], "\\u0000") != NULL)
        continue;

      claude = json_array_get_int_element (row, 2) * 1.1;
      assert_tokens (text, "gpt-5", json_array_get_int_element (row, 1), FORE_TOKENS_EXACT);
      assert_tokens (text, "claude", claude + 0.5, FORE_TOKENS_GUESSED);
    }
  g_assert_cmpuint (n, >=, 500);
}

static void
test_zeros (void)
{
  g_assert_cmpuint (fore_tokens_count ("a\0b", 3, "gpt-5").tokens, ==, 3);
  g_assert_cmpuint (fore_tokens_count ("\xc3\xa9\0\xc3\xa9", 5, "claude").tokens, ==, 3);
  g_assert_cmpuint (fore_tokens_count ("", 0, "gpt-5").tokens, ==, 0);
  g_assert_cmpuint (fore_tokens_count ("\xff\xfe", 2, "gpt-5").tokens, >, 0);
}

static void
test_families (void)
{
  static const struct
  {
    const char *model;
    ForeTokensKind kind;
  } rows[] = {
    { "gpt-5.1-codex", FORE_TOKENS_EXACT },
    { "openai/gpt-4o-mini", FORE_TOKENS_EXACT },
    { "O3-mini", FORE_TOKENS_EXACT },
    { "llama-3o1b", FORE_TOKENS_GUESSED },
    { "qwen-o12", FORE_TOKENS_GUESSED },
    { "gpt-50", FORE_TOKENS_GUESSED },
    { "anthropic/claude-sonnet-4-5", FORE_TOKENS_GUESSED },
    { NULL, FORE_TOKENS_GUESSED },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    assert_tokens ("one two", rows[i].model, 2, rows[i].kind);
}

/* Both ways of merging must agree, and a long piece must not take the square of its length. */
static void
test_long_pieces (void)
{
  g_autoptr (ForeTokenVocabulary) vocabulary = read_vocabulary ("o200k.vocabulary");
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  guint8 text[201];
  guint sum = 0;

  for (guint round = 0; round < 200; round++)
    {
      guint whole;

      for (guint i = 0; i < sizeof text; i++)
        text[i] = "ab e\xd7\x90"[g_rand_int_range (rand, 0, 6)];
      whole = fore_token_merge (vocabulary, text, 201);
      sum = fore_token_merge (vocabulary, text, 200);
      g_assert_cmpint (ABS ((int) whole - (int) sum), <=, 3);
    }
}

static void
test_megabyte_without_a_blank (void)
{
  g_autofree char *text = g_malloc (1 << 20);
  gint64 start = g_get_monotonic_time ();

  memset (text, 'a', 1 << 20);
  g_assert_cmpuint (fore_tokens_count (text, 1 << 20, "gpt-5").tokens, ==, (1 << 20) / 8);
  for (guint i = 0; i < 1 << 20; i++)
    text[i] = "0aZ-"[i * 7 % 4];
  g_assert_cmpuint (fore_tokens_count (text, 1 << 20, "claude").tokens, >, 0);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 60 * G_USEC_PER_SEC);
}

static void
check_cuts (const char *name, GRand *rand)
{
  static const char *const parts[]
      = { "foo", " ", "\n", "\n\n", "/", "//", "é", "\t", ".", "B", "12", "'s", "\r\n", "-",
          /* Beginnings and middles of characters that are no whole ones. */
          "\xf0", "\xe3", "\xc3", "\x80" };
  g_autoptr (ForeTokenVocabulary) vocabulary = read_vocabulary (name);
  g_autoptr (ForeTokenCounter) counter = fore_token_counter_new (vocabulary);
  guint n_cuts = 0;

  for (guint round = 0; round < 5000; round++)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      gsize cut;

      for (guint i = 0; i < 20; i++)
        g_string_append (text, parts[g_rand_int_range (rand, 0, G_N_ELEMENTS (parts))]);
      cut = fore_token_counter_find_cut (text->str, text->len);
      n_cuts += cut > 0;
      g_assert_cmpuint (fore_token_counter_count (counter, text->str, text->len), ==,
                        fore_token_counter_count (counter, text->str, cut)
                            + fore_token_counter_count (counter, text->str + cut, text->len - cut));
    }
  g_assert_cmpuint (n_cuts, >, 500);
}

static void
test_cuts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);

  check_cuts ("o200k.vocabulary", rand);
  check_cuts ("claude.vocabulary", rand);
}

static void
test_damaged (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FOREDECK_DATA"), "tokens",
                                            "claude.vocabulary", NULL);
  g_autofree char *data = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  for (guint i = 0; i < 64; i++)
    {
      g_autoptr (GError) error = NULL;
      gsize cut = i < 32 ? i : length * (i - 32) / 32;

      g_assert_null (fore_token_vocabulary_new ((const guint8 *) data, cut, &error));
      g_assert_error (error, FORE_ERROR, FORE_ERROR_INVALID);
    }
}

static gpointer
count_in_thread (gpointer data)
{
  return GSIZE_TO_POINTER (fore_tokens_count (data, -1, "gpt-5").tokens);
}

static void
test_threads (void)
{
  GThread *threads[8];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("count", count_in_thread, (gpointer) "Hello, world! It's fine.");
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_assert_cmpuint (GPOINTER_TO_SIZE (g_thread_join (threads[i])), ==, 7);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tokens/recorded", test_recorded);
  g_test_add_func ("/tokens/zeros", test_zeros);
  g_test_add_func ("/tokens/families", test_families);
  g_test_add_func ("/tokens/long-pieces", test_long_pieces);
  g_test_add_func ("/tokens/megabyte-without-a-blank", test_megabyte_without_a_blank);
  g_test_add_func ("/tokens/cuts", test_cuts);
  g_test_add_func ("/tokens/damaged", test_damaged);
  g_test_add_func ("/tokens/threads", test_threads);

  return g_test_run ();
}
