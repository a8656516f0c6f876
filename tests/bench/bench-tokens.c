/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "text/fore-token-counter.h"

#include <glib/gstdio.h>
#include <time.h>

#define TARGET_BYTES (8 * 1024 * 1024)
#define ROUNDS 5
#define BAR_MB_PER_S 100.0
#define BAR_LOAD_MS 10.0
#define SLACK 1.5

/* Counting tokens of our own sources and documents beside a SHA-256 of the same bytes, and reading
 * the vocabulary. CPU time of this thread, the best of some rounds.
 */
static double
cpu_seconds (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);

  return time.tv_sec + time.tv_nsec / 1e9;
}

static void
append_folder (GString *text, const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *data = NULL;
      gsize length;

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        append_folder (text, path);
      else if (g_file_get_contents (path, &data, &length, NULL) && memchr (data, 0, length) == NULL)
        g_string_append_len (text, data, length);
    }
}

static GString *
make_text (void)
{
  static const char *const folders[] = { "src", "docs", "po", "data/crew" };
  GString *text = g_string_new (NULL);
  gsize length;

  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *folder = g_build_filename (g_getenv ("FOREDECK_DATA"), "..", folders[i],
                                                  NULL);

      append_folder (text, folder);
    }

  length = text->len;
  g_assert_cmpuint (length, >, 0);
  while (text->len < TARGET_BYTES)
    g_string_append_len (text, text->str, length);

  return text;
}

static double
load_seconds (const char *path)
{
  double start = cpu_seconds ();
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, NULL);
  g_autoptr (ForeTokenVocabulary) vocabulary = NULL;

  vocabulary = fore_token_vocabulary_new ((const guint8 *) g_mapped_file_get_contents (file),
                                          g_mapped_file_get_length (file), NULL);
  g_assert_nonnull (vocabulary);

  return cpu_seconds () - start;
}

static double
count_seconds (const ForeTokenVocabulary *vocabulary, const GString *text, gsize *tokens)
{
  g_autoptr (ForeTokenCounter) counter = fore_token_counter_new (vocabulary);
  double start = cpu_seconds ();

  *tokens = fore_token_counter_count (counter, text->str, text->len);

  return cpu_seconds () - start;
}

static double
anchor_seconds (const GString *text)
{
  double start = cpu_seconds ();
  g_autofree char *sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text->str,
                                                      text->len);

  return cpu_seconds () - start;
}

static gboolean
run (const char *name, const GString *text)
{
  g_autofree char *file = g_strconcat (name, ".vocabulary", NULL);
  g_autofree char *path = g_build_filename (g_getenv ("FOREDECK_DATA"), "tokens", file, NULL);
  g_autoptr (GMappedFile) mapped = g_mapped_file_new (path, FALSE, NULL);
  g_autoptr (ForeTokenVocabulary) vocabulary = fore_token_vocabulary_new (
      (const guint8 *) g_mapped_file_get_contents (mapped), g_mapped_file_get_length (mapped),
      NULL);
  double count = G_MAXDOUBLE, load = G_MAXDOUBLE, anchor = G_MAXDOUBLE, mb = text->len / 1e6;
  gsize tokens;

  for (guint i = 0; i < ROUNDS; i++)
    {
      load = MIN (load, load_seconds (path));
      count = MIN (count, count_seconds (vocabulary, text, &tokens));
      anchor = MIN (anchor, anchor_seconds (text));
    }
  g_print (
      "{\"bench\":\"tokens\",\"vocabulary\":\"%s\",\"mb\":%.1f,\"tokens\":%zu,\"mb_per_s\":%.1f,"
      "\"bar_mb_per_s\":%.0f,\"sha256_mb_per_s\":%.1f,\"load_ms\":%.2f,\"bar_load_ms\":%.0f}\n",
      name, mb, tokens, mb / count, BAR_MB_PER_S, mb / anchor, load * 1e3, BAR_LOAD_MS);

  return mb / count >= BAR_MB_PER_S / SLACK && load * 1e3 <= BAR_LOAD_MS * SLACK;
}

int
main (void)
{
  g_autoptr (GString) text = make_text ();
  gboolean held = run ("o200k", text);

  return run ("claude", text) && held ? 0 : 1;
}
