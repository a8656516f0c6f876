/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents-tools.h"

#include <string.h>

/* Streams that are too large or too long to lie in a file, and what they cost. */

typedef struct
{
  GString *text;
  guint64 bytes;
  guint entries;
  guint raw;
} Seen;

static void
on_entry (const ForeEntry *entry, gpointer user_data)
{
  Seen *seen = user_data;

  seen->entries++;
  seen->raw += entry->kind == FORE_ENTRY_RAW;
  seen->bytes += entry->text != NULL ? strlen (entry->text) : 0;
  if (entry->kind == FORE_ENTRY_TEXT && seen->text != NULL)
    g_string_append (seen->text, entry->text);
}

static ForeDecoder *
new_decoder (const char *cli)
{
  return fore_adapter_new_decoder (fore_adapter_lookup (cli), FALSE);
}

static void
feed (ForeDecoder *decoder, const char *text, gsize length, Seen *seen)
{
  fore_decoder_feed (decoder, text, length, on_entry, seen);
}

/* Ten thousand pieces, each of which says all before it again as pi did once: what comes out grows
 * with what is new and not with its square.
 */
static void
test_many_pieces_cost_their_length (void)
{
  g_autoptr (ForeDecoder) decoder = new_decoder ("pi");
  g_autoptr (GString) so_far = g_string_new (NULL);
  Seen seen = { 0 };

  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *line = NULL;

      g_string_append (so_far, "abcd");
      line = g_strdup_printf (
          "{\"type\":\"message_update\",\"message\":{\"role\":\"assistant\","
          "\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]},"
          "\"assistantMessageEvent\":{\"type\":\"text_delta\",\"contentIndex\":0,"
          "\"delta\":\"abcd\",\"partial\":{\"content\":[{\"type\":\"text\","
          "\"text\":\"%s\"}]}}}\n",
          so_far->str, so_far->str);
      feed (decoder, line, strlen (line), &seen);
    }

  g_assert_cmpuint (seen.entries, ==, 2000);
  g_assert_cmpuint (seen.bytes, ==, 8000);
}

/* An emoji and a blank at the edge of what is read at once. */
static void
test_edge_of_a_buffer (void)
{
  static const char start[] = "{\"type\":\"text\",\"id\":\"t\",\"text\":\"";
  static const char end[] = "\xf0\x9f\x98\x80 end\"}\n";

  for (gsize split = 65530; split <= 65545; split++)
    {
      g_autoptr (ForeDecoder) decoder = new_decoder ("demo");
      g_autoptr (GString) line = g_string_new (start);
      Seen seen = { 0 };

      while (line->len < 65534)
        g_string_append_c (line, 'x');
      g_string_append (line, end);
      seen.text = g_string_new (NULL);
      feed (decoder, line->str, MIN (split, line->len), &seen);
      feed (decoder, line->str + MIN (split, line->len), line->len - MIN (split, line->len), &seen);
      g_assert_true (g_str_has_suffix (seen.text->str, "x\xf0\x9f\x98\x80 end"));
      g_string_free (seen.text, TRUE);
    }
}

static void
feed_long (ForeDecoder *decoder, const char *before, gsize length, const char *after, Seen *seen)
{
  g_autofree char *block = g_malloc (65536);

  memset (block, 'x', 65536);
  feed (decoder, before, strlen (before), seen);
  for (gsize done = 0; done < length; done += 65536)
    feed (decoder, block, 65536, seen);
  feed (decoder, after, strlen (after), seen);
}

/* A line of a megabyte and a half is read; one of seventy is folded, and the next is read again. */
static void
test_oversized_lines (void)
{
  g_autoptr (ForeDecoder) decoder = new_decoder ("pi");
  const ForeSummary *summary = fore_decoder_get_summary (decoder);
  Seen seen = { 0 };

  feed_long (decoder, "{\"type\":\"agent_end\",\"messages\":[\"", 3 * 512 * 1024, "\"]}\n", &seen);
  g_assert_true (summary->settled);
  g_assert_cmpuint (seen.raw, ==, 0);

  feed_long (
      decoder,
      "{\"type\":\"tool_execution_end\",\"toolCallId\":\"a\",\"result\":{\"content\":[{\"type\":"
      "\"text\",\"text\":\"",
      70 * 1024 * 1024, "\"}]}}\n", &seen);
  g_assert_cmpuint (seen.raw, ==, 1);
  g_assert_cmpuint (seen.bytes, <, 1024 * 1024);

  feed (decoder, "{\"type\":\"session\",\"id\":\"next\"}\n", 31, &seen);
  g_assert_cmpstr (summary->session, ==, "next");
}

/* Endless calls, messages and warnings do not make endless memory. */
static void
test_endless_streams_are_bounded (void)
{
  g_autoptr (ForeDecoder) decoder = new_decoder ("codex");
  const ForeSummary *summary = fore_decoder_get_summary (decoder);
  Seen seen = { 0 };

  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *line = g_strdup_printf (
          "{\"type\":\"item.started\",\"item\":{\"id\":\"i%u\",\"type\":\"command_execution\","
          "\"command\":\"c\"}}\n{\"type\":\"error\",\"message\":\"e%u\"}\n",
          i, i);

      feed (decoder, line, strlen (line), &seen);
    }

  g_assert_cmpuint (summary->tools_running, <=, 4096);
  g_assert_cmpuint (summary->errors->len, <=, 100);
  g_assert_cmpuint (seen.entries, ==, 40000);
}

/* The prompt of a one-shot agent is a file, whose end is certain: none waits for more of it. */
static void
test_nobody_waits_for_stdin (void)
{
  static const char *const names[] = { "pi", "claude", "codex", "gemini", "opencode", "demo" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GError) error = NULL;
      ForeLaunchRequest request = { .program = "/opt/agent", .prompt = "x", .cwd = "/" };
      g_autoptr (ForeLaunch) launch = fore_adapter_launch (fore_adapter_lookup (names[i]), &request,
                                                           &error);

      g_assert_no_error (error);
      g_assert_cmpint (launch->stdin_mode, ==, FORE_STDIN_FILE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/hostile/many-pieces", test_many_pieces_cost_their_length);
  g_test_add_func ("/hostile/edge-of-a-buffer", test_edge_of_a_buffer);
  g_test_add_func ("/hostile/oversized-lines", test_oversized_lines);
  g_test_add_func ("/hostile/endless-streams", test_endless_streams_are_bounded);
  g_test_add_func ("/hostile/nobody-waits-for-stdin", test_nobody_waits_for_stdin);

  return g_test_run ();
}
