/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter.h"

#include <json-glib/json-glib.h>
#include <string.h>

#define TARGET_BYTES (32 * 1024 * 1024)
#define ROUNDS 3

/* Decoding a capture against json-glib's bare parse of the same lines, side by side. Prints one
 * line of JSON for each adapter; fails where decoding is the slower one.
 */
typedef struct
{
  const char *name;
  const char *adapter;
  const char *fixture;
  gboolean live;
} Stream;

static const Stream streams[] = {
  { "pi", "pi", "pi-tool.jsonl", FALSE },
  { "claude", "claude", "claude-tool.jsonl", FALSE },
  { "demo", "demo", "demo.jsonl", FALSE },
  { "acp", "demo", "acp.jsonl", TRUE },
  { "codex", "codex", "codex/tool.jsonl", FALSE },
  { "gemini", "gemini", "gemini/tool.jsonl", FALSE },
  { "opencode", "opencode", "opencode/tool.jsonl", FALSE },
};

static void
count_entry (const ForeEntry *entry, gpointer user_data)
{
  guint64 *count = user_data;

  (*count)++;
}

static GString *
make_capture (const Stream *stream)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "agents", "fixtures", stream->fixture,
                                                 NULL);
  g_autofree char *data = NULL;
  gsize length;
  GString *capture = g_string_new (NULL);

  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  while (capture->len < TARGET_BYTES)
    g_string_append_len (capture, data, length);

  return capture;
}

static double
decode_seconds (const Stream *stream, const GString *capture, guint64 *entries)
{
  g_autoptr (ForeDecoder) decoder = fore_adapter_new_decoder (fore_adapter_lookup (stream->adapter),
                                                              stream->live);
  gint64 start = g_get_monotonic_time ();

  for (gsize position = 0; position < capture->len; position += 65536)
    fore_decoder_feed (decoder, capture->str + position, MIN (65536, capture->len - position),
                       count_entry, entries);
  fore_decoder_finish (decoder, count_entry, entries);

  return (g_get_monotonic_time () - start) / 1e6;
}

static double
bare_seconds (const GString *capture)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  gint64 start = g_get_monotonic_time ();
  const char *line = capture->str;

  while (*line != '\0')
    {
      const char *end = strchr (line, '\n');

      json_parser_load_from_data (parser, line, end - line, NULL);
      line = end + 1;
    }

  return (g_get_monotonic_time () - start) / 1e6;
}

static gboolean
run (const Stream *stream)
{
  GString *capture = make_capture (stream);
  double ours = G_MAXDOUBLE, bare = G_MAXDOUBLE, mb = capture->len / 1e6;
  guint64 entries = 0;

  for (guint i = 0; i < ROUNDS; i++)
    {
      ours = MIN (ours, decode_seconds (stream, capture, &entries));
      bare = MIN (bare, bare_seconds (capture));
    }

  g_print ("{\"bench\":\"decode\",\"stream\":\"%s\",\"mb\":%.1f,\"mb_per_s\":%.1f,"
           "\"json_glib_mb_per_s\":%.1f,\"ratio\":%.2f,\"entries\":%" G_GUINT64_FORMAT "}\n",
           stream->name, mb, mb / ours, mb / bare, bare / ours, entries / ROUNDS);
  g_string_free (capture, TRUE);

  return ours < bare;
}

int
main (int argc, char **argv)
{
  gboolean good = TRUE;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    good &= run (&streams[i]);

  return good ? 0 : 1;
}
