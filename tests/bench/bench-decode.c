/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents/fore-adapter.h"

#include <json-glib/json-glib.h>
#include <string.h>
#include <time.h>

#define TARGET_BYTES (32 * 1024 * 1024)
#define ROUNDS 3

#define AIM_MB_PER_S 200.0
#define LONG_LINE_MB 70
#define LONG_LINE_BAR_MB 32.0

/* Decoding a capture against json-glib's bare parse of the same lines, side by side, in CPU time;
 * and what a line of 70 MB costs in memory. Prints one line of JSON for each adapter; fails where
 * decoding is the slower one or the memory is beyond its bar. The aim depends on the machine.
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
  { "codex-live", "codex", "codex/live-asks.live.jsonl", TRUE },
  { "gemini", "gemini", "gemini/tool.jsonl", FALSE },
  { "opencode", "opencode", "opencode/tool.jsonl", FALSE },
};

/* CPU time of the thread: what else the machine does changes that little. */
static gint64
get_cpu_us (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static void
count_entry (const ForeEntry *entry, gpointer user_data)
{
  guint64 *count = user_data;

  (*count)++;
}

/* Memory that is the process's own, in MB; 0 where the system does not say. */
static double
get_own_mb (void)
{
  g_autofree char *status = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return 0;

  line = strstr (status, "RssAnon:");
  return line != NULL ? g_ascii_strtoull (line + strlen ("RssAnon:"), NULL, 10) / 1e3 : 0;
}

/* A line of 70 MB within a stream: the most that memory grew meanwhile, in MB. */
static double
measure_long_line (const Stream *stream, guint64 *entries)
{
  g_autoptr (ForeDecoder) decoder = fore_adapter_new_decoder (fore_adapter_lookup (stream->adapter),
                                                              stream->live);
  g_autofree char *piece = g_strnfill (65536, 'x');
  double before = get_own_mb (), most = before;

  fore_decoder_feed (decoder, "{\"type\":\"text\",\"id\":\"1\",\"delta\":\"", 35, count_entry,
                     entries);
  for (guint i = 0; i < LONG_LINE_MB * 1000000 / 65536; i++)
    {
      double now;

      fore_decoder_feed (decoder, piece, 65536, count_entry, entries);
      now = get_own_mb ();
      most = MAX (most, now);
    }
  fore_decoder_feed (decoder, "\"}\n{}\n", 6, count_entry, entries);
  fore_decoder_finish (decoder, count_entry, entries);

  return most - before;
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
  gint64 start = get_cpu_us ();

  for (gsize position = 0; position < capture->len; position += 65536)
    fore_decoder_feed (decoder, capture->str + position, MIN (65536, capture->len - position),
                       count_entry, entries);
  fore_decoder_finish (decoder, count_entry, entries);

  return (get_cpu_us () - start) / 1e6;
}

static double
bare_seconds (const GString *capture)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  gint64 start = get_cpu_us ();
  const char *line = capture->str;

  while (*line != '\0')
    {
      const char *end = strchr (line, '\n');

      json_parser_load_from_data (parser, line, end - line, NULL);
      line = end + 1;
    }

  return (get_cpu_us () - start) / 1e6;
}

static gboolean
run (const Stream *stream)
{
  GString *capture = make_capture (stream);
  double ours = G_MAXDOUBLE, bare = G_MAXDOUBLE, mb = capture->len / 1e6, grown;
  guint64 entries = 0, others = 0;

  for (guint i = 0; i < ROUNDS; i++)
    {
      double decoded = decode_seconds (stream, capture, &entries);
      double parsed = bare_seconds (capture);

      ours = MIN (ours, decoded);
      bare = MIN (bare, parsed);
    }
  g_string_free (capture, TRUE);
  grown = measure_long_line (stream, &others);

  g_print ("{\"bench\":\"decode\",\"stream\":\"%s\",\"mb\":%.1f,\"mb_per_s\":%.1f,"
           "\"aim_mb_per_s\":%.0f,\"json_glib_mb_per_s\":%.1f,\"ratio\":%.2f,"
           "\"entries\":%" G_GUINT64_FORMAT ",\"line_of_%d_mb_grows_mb\":%.1f,\"bar_mb\":%.0f}\n",
           stream->name, mb, mb / ours, AIM_MB_PER_S, mb / bare, bare / ours, entries / ROUNDS,
           LONG_LINE_MB, grown, LONG_LINE_BAR_MB);

  return ours < bare && grown <= LONG_LINE_BAR_MB;
}

int
main (int argc, char **argv)
{
  gboolean good = TRUE;

  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (streams); i++)
    {
      if (argc < 2 || g_str_equal (argv[1], streams[i].name))
        good &= run (&streams[i]);
    }

  return good ? 0 : 1;
}
