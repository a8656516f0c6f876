/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "agents-tools.h"

#include "text/fore-line-reader.h"

#include <signal.h>
#include <string.h>

typedef struct
{
  const char *file;
  ForeOutcome outcome;
  ForeCause cause;
  const char *final_text;
  const char *session;
  gint64 input;
  gint64 output;
  gint64 cache_read;
  gint64 cost;
  guint turns;
} Row;

/* What each recording says, worked out by hand. */
static const Row rows[] = {
  { "pi-tool.jsonl", FORE_OUTCOME_COMPLETED, FORE_CAUSE_NONE, "Done.", "ses-1", 2500, 18, 900, 8100,
    2 },
  { "pi-crlf-no-end.jsonl", FORE_OUTCOME_COMPLETED, FORE_CAUSE_NONE, "Done.", "ses-1", 2500, 18,
    900, 8100, 2 },
  { "pi-noise.jsonl", FORE_OUTCOME_COMPLETED, FORE_CAUSE_NONE, "Done.", "ses-1", 2500, 18, 900,
    8100, 2 },
  { "pi-retry.jsonl", FORE_OUTCOME_COMPLETED, FORE_CAUSE_NONE, "Recovered.", "ses-1", 1000, 5, 0,
    3000, 2 },
  { "pi-401.jsonl", FORE_OUTCOME_FAILED, FORE_CAUSE_AUTH, NULL, "ses-1", -1, -1, -1, -1, 1 },
  { "pi-legacy.jsonl", FORE_OUTCOME_COMPLETED, FORE_CAUSE_NONE, "Old but fine.", "ses-1", 10, 2, 0,
    1000, 1 },
  { "pi-cut.jsonl", FORE_OUTCOME_UNFINISHED, FORE_CAUSE_NONE, NULL, "ses-1", -1, -1, -1, -1, 0 },
  { "pi-length.jsonl", FORE_OUTCOME_FAILED, FORE_CAUSE_OUTPUT_LIMIT, "Half an ans", "ses-1", 10, 2,
    0, 1000, 1 },
  { "claude-tool.jsonl", FORE_OUTCOME_COMPLETED, FORE_CAUSE_NONE, "All good.", "c-1", 2300, 20, 300,
    12300, 2 },
  { "claude-two-results.jsonl", FORE_OUTCOME_COMPLETED, FORE_CAUSE_NONE, "Later.", "c-1", 3000, 20,
    0, 20000, 3 },
  { "claude-401.jsonl", FORE_OUTCOME_FAILED, FORE_CAUSE_AUTH, NULL, "c-1", -1, -1, -1, 0, 0 },
  { "claude-subagent.jsonl", FORE_OUTCOME_COMPLETED, FORE_CAUSE_NONE, "Finished.", "c-1", 10, 2, 0,
    10000, 2 },
  { "claude-turns.jsonl", FORE_OUTCOME_FAILED, FORE_CAUSE_TURN_LIMIT, "Step", "c-1", 10, 2, 0,
    10000, 1 },
  { "claude-interrupted.jsonl", FORE_OUTCOME_FAILED, FORE_CAUSE_INTERRUPTED, "Step", "c-1", 10, 2,
    0, 10000, 1 },
  { "claude-cut.jsonl", FORE_OUTCOME_UNFINISHED, FORE_CAUSE_NONE, "Let me see.", "c-1", 9, 1, -1,
    -1, 1 },
  { "command.txt", FORE_OUTCOME_COMPLETED, FORE_CAUSE_NONE,
    "line one\n\x1b[31mred\x1b[0m\n\nlast line", NULL, -1, -1, -1, -1, 0 },
  { "demo.jsonl", FORE_OUTCOME_COMPLETED, FORE_CAUSE_NONE, "The end.", "d-1", 30, 11, -1, 3000, 2 },
  { "demo-failed.jsonl", FORE_OUTCOME_FAILED, FORE_CAUSE_RATE_LIMIT, "Trying.", "d-1", -1, -1, -1,
    -1, 0 },
  { "acp.jsonl", FORE_OUTCOME_COMPLETED, FORE_CAUSE_NONE, "Done.", "s-1", 100, 9, 4, 10000, 1 },
  { "acp-error.jsonl", FORE_OUTCOME_FAILED, FORE_CAUSE_AUTH, NULL, "s-1", -1, -1, -1, -1, 0 },
};

static const ForeAdapter *
adapter_for (const char *file, gboolean *live)
{
  g_autofree char *name = g_strndup (file, strcspn (file, "-."));

  *live = strcmp (name, "acp") == 0;

  return fore_adapter_lookup (*live ? "demo" : name);
}

static void
assert_row (const Row *row, const ForeSummary *summary)
{
  g_assert_cmpint (summary->outcome, ==, row->outcome);
  g_assert_cmpint (summary->cause, ==, row->cause);
  g_assert_cmpstr (summary->final_text, ==, row->final_text);
  g_assert_cmpstr (summary->session, ==, row->session);
  g_assert_cmpint (summary->usage.input, ==, row->input);
  g_assert_cmpint (summary->usage.output, ==, row->output);
  g_assert_cmpint (summary->usage.cache_read, ==, row->cache_read);
  g_assert_cmpint (summary->usage.cost, ==, row->cost);
  g_assert_cmpuint (summary->turns, ==, row->turns);
  g_assert_cmpuint (summary->tools_running, ==, 0);
  g_assert_true (summary->produced);
}

static void
test_fixture (gconstpointer data)
{
  const Row *row = data;
  gsize length;
  g_autofree char *bytes = agents_tools_read_fixture (row->file, &length);
  gboolean live;
  const ForeAdapter *adapter = adapter_for (row->file, &live);
  g_autoptr (ForeDecoder) decoder = agents_tools_decode (adapter, live, bytes, length);

  assert_row (row, fore_decoder_get_summary (decoder));
}

static void
test_split (gconstpointer data)
{
  const Row *row = data;
  gsize length;
  g_autofree char *bytes = agents_tools_read_fixture (row->file, &length);
  gboolean live;
  const ForeAdapter *adapter = adapter_for (row->file, &live);
  g_autofree char *whole = agents_tools_dump (adapter, live, bytes, length, NULL, 0);

  for (gsize cut = 0; cut <= length; cut += 1 + length / 400)
    {
      g_autofree char *pieces = agents_tools_dump (adapter, live, bytes, length, &cut, 1);

      g_assert_cmpstr (pieces, ==, whole);
    }
}

/* Entries */

static void
add_entry (const ForeEntry *entry, gpointer user_data)
{
  g_ptr_array_add (user_data, fore_entry_copy (entry));
}

static GPtrArray *
collect_fixture (const char *file)
{
  gsize length;
  g_autofree char *bytes = agents_tools_read_fixture (file, &length);
  gboolean live;
  const ForeAdapter *adapter = adapter_for (file, &live);
  g_autoptr (ForeDecoder) decoder = fore_adapter_new_decoder (adapter, live);
  GPtrArray *entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);

  fore_decoder_feed (decoder, bytes, length, add_entry, entries);
  fore_decoder_finish (decoder, add_entry, entries);

  return entries;
}

static const ForeEntry *
find_last (GPtrArray *entries, const char *id)
{
  for (guint i = entries->len; i > 0; i--)
    {
      const ForeEntry *entry = g_ptr_array_index (entries, i - 1);

      if (g_strcmp0 (entry->id, id) == 0)
        return entry;
    }

  return NULL;
}

static void
test_pi_entries (void)
{
  g_autoptr (GPtrArray) entries = collect_fixture ("pi-tool.jsonl");
  const ForeEntry *tool = find_last (entries, "call-1");
  const ForeEntry *text = find_last (entries, "m1.1");
  const ForeEntry *thinking = find_last (entries, "m1.0");

  g_assert_cmpint (tool->state, ==, FORE_ENTRY_FAILED);
  g_assert_cmpint (tool->exit_code, ==, 3);
  g_assert_cmpint (tool->ms, ==, 12);
  g_assert_cmpstr (tool->name, ==, "bash");
  g_assert_cmpstr (tool->title, ==, "ls");
  g_assert_cmpstr (tool->input, ==, "{\"command\":\"ls\"}");
  g_assert_cmpstr (text->text, ==, "I will look. é🚀");
  g_assert_cmpint (text->state, ==, FORE_ENTRY_DONE);
  g_assert_cmpstr (thinking->text, ==, "Hmm \u2028 ok");
}

static void
test_claude_entries (void)
{
  g_autoptr (GPtrArray) entries = collect_fixture ("claude-tool.jsonl");
  const ForeEntry *tool = find_last (entries, "tu-1");
  const ForeEntry *text = find_last (entries, "msg-1.0");

  g_assert_cmpint (tool->state, ==, FORE_ENTRY_FAILED);
  g_assert_cmpint (tool->exit_code, ==, 1);
  g_assert_cmpstr (tool->name, ==, "Bash");
  g_assert_cmpstr (tool->title, ==, "false");
  g_assert_cmpstr (text->text, ==, "Let me see.");
}

static void
test_claude_subagent (void)
{
  g_autoptr (GPtrArray) entries = collect_fixture ("claude-subagent.jsonl");
  const ForeEntry *inner = find_last (entries, "tu-b");

  g_assert_cmpstr (inner->parent, ==, "tu-a");
  g_assert_cmpstr (inner->text, ==, "one\ntwo");
  g_assert_cmpstr (find_last (entries, "msg-s.0")->parent, ==, "tu-a");
  g_assert_null (find_last (entries, "tu-a")->parent);
}

static void
test_noise_is_kept (void)
{
  g_autoptr (GPtrArray) entries = collect_fixture ("pi-noise.jsonl");
  guint raw = 0;

  for (guint i = 0; i < entries->len; i++)
    raw += ((ForeEntry *) g_ptr_array_index (entries, i))->kind == FORE_ENTRY_RAW;

  g_assert_cmpuint (raw, ==, 5);
}

static void
test_acp_entries (void)
{
  g_autoptr (GPtrArray) entries = collect_fixture ("acp.jsonl");
  const ForeEntry *permission = find_last (entries, "permission-0");
  const ForeEntry *tool = find_last (entries, "tc");
  const ForeRequestOption *option;

  g_assert_nonnull (permission);
  g_assert_cmpuint (permission->options->len, ==, 3);
  option = g_ptr_array_index (permission->options, 1);
  g_assert_cmpstr (option->id, ==, "0");
  g_assert_cmpstr (option->kind, ==, "allow_always");
  g_assert_cmpstr (tool->title, ==, "Write a.txt");
  g_assert_cmpint (tool->state, ==, FORE_ENTRY_DONE);
  g_assert_nonnull (strstr (tool->text, "written"));
  g_assert_cmpstr (find_last (entries, "plan")->text, ==, "☑ First\n☐ Second");
}

static void
test_open_tools_fail_at_the_end (void)
{
  static const char text[] = "{\"type\":\"tool_execution_start\",\"toolCallId\":\"a\",\"toolName\":"
                             "\"bash\",\"args\":{}}\n";
  g_autoptr (ForeDecoder) decoder = fore_adapter_new_decoder (fore_adapter_lookup ("pi"), FALSE);
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);

  fore_decoder_feed (decoder, text, strlen (text), add_entry, entries);
  g_assert_cmpuint (fore_decoder_get_summary (decoder)->tools_running, ==, 1);
  fore_decoder_finish (decoder, add_entry, entries);
  g_assert_cmpuint (fore_decoder_get_summary (decoder)->tools_running, ==, 0);
  g_assert_cmpint (find_last (entries, "a")->state, ==, FORE_ENTRY_FAILED);
}

/* The same message reported twice is paid once. */
static void
test_usage_once (void)
{
  gsize length;
  g_autofree char *bytes = agents_tools_read_fixture ("pi-tool.jsonl", &length);
  g_autofree char *twice = g_strconcat (bytes, bytes, NULL);
  g_autoptr (ForeDecoder) decoder = agents_tools_decode (fore_adapter_lookup ("pi"), FALSE, twice,
                                                         strlen (twice));

  g_assert_cmpint (fore_decoder_get_summary (decoder)->usage.input, ==, 2500);
  g_assert_cmpint (fore_decoder_get_summary (decoder)->usage.cost, ==, 8100);
}

static void
test_numbers_do_not_wrap (void)
{
  static const char text[]
      = "{\"type\":\"usage\",\"id\":\"a\",\"usage\":{\"input\":99999999999999999999,\"output\":-5,"
        "\"cost\":1e300}}\n{\"type\":\"usage\",\"id\":\"b\",\"usage\":{\"input\":9,\"cost\":-1}}\n";
  g_autoptr (ForeDecoder) decoder = agents_tools_decode (fore_adapter_lookup ("demo"), FALSE, text,
                                                         strlen (text));
  const ForeUsage *usage = &fore_decoder_get_summary (decoder)->usage;

  g_assert_cmpint (usage->input, ==, G_MAXINT64);
  g_assert_cmpint (usage->output, ==, FORE_USAGE_UNKNOWN);
  g_assert_cmpint (usage->cost, >, 0);
}

static void
test_broken_bytes_are_replaced (void)
{
  static const char text[] = "{\"type\":\"text\",\"id\":\"t\",\"text\":\"a\xff\0b\"}\n";
  g_autoptr (ForeDecoder) decoder = fore_adapter_new_decoder (fore_adapter_lookup ("demo"), FALSE);
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);

  fore_decoder_feed (decoder, text, sizeof text - 1, add_entry, entries);
  g_assert_cmpstr (find_last (entries, "t")->text, ==,
                   "a\xef\xbf\xbd\xef\xbf\xbd"
                   "b");
}

static void
test_deep_nesting_is_a_row (void)
{
  g_autoptr (GString) text = g_string_new ("{\"type\":\"text\",\"x\":");
  const char *const agents[] = { "pi", "claude", "demo" };

  for (guint i = 0; i < 100000; i++)
    g_string_append_c (text, '[');
  g_string_append (text, "\n{\"type\":\"agent_settled\"}\n");

  for (guint i = 0; i < G_N_ELEMENTS (agents); i++)
    {
      g_autoptr (ForeDecoder) decoder = agents_tools_decode (fore_adapter_lookup (agents[i]), FALSE,
                                                             text->str, text->len);

      g_assert_true (fore_decoder_get_summary (decoder)->produced);
    }
}

/* A line of 20 MB is folded; what follows is read as ever. */
static void
test_long_line_is_folded (void)
{
  g_autofree char *block = g_malloc (1024 * 1024);
  g_autoptr (ForeDecoder) decoder = fore_adapter_new_decoder (fore_adapter_lookup ("demo"), FALSE);
  static const char start[] = "{\"type\":\"text\",\"id\":\"t\",\"text\":\"";
  static const char end[] = "\"}\n{\"type\":\"result\",\"state\":\"completed\",\"text\":\"ok\"}\n";
  g_autoptr (GPtrArray) entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);
  const ForeEntry *raw;

  memset (block, 'x', 1024 * 1024);
  fore_decoder_feed (decoder, start, strlen (start), add_entry, entries);
  for (guint i = 0; i < 20; i++)
    fore_decoder_feed (decoder, block, 1024 * 1024, add_entry, entries);
  fore_decoder_feed (decoder, end, strlen (end), add_entry, entries);
  fore_decoder_finish (decoder, add_entry, entries);

  raw = find_last (entries, "raw-0");
  g_assert_nonnull (raw);
  g_assert_cmpstr (raw->title, ==, "long line");
  g_assert_cmpuint (strlen (raw->text), <=, 64 * 1024);
  g_assert_cmpstr (fore_decoder_get_summary (decoder)->final_text, ==, "ok");
}

/* Of a command that prints without end the last lines are held, whole characters of them; for its
 * answer it is given more of the end, wherever that begins. */
static void
test_last_part_of_a_command_is_kept (void)
{
  g_autoptr (ForeDecoder) decoder = fore_adapter_new_decoder (fore_adapter_lookup ("command"),
                                                              FALSE);
  g_autoptr (GString) printed = g_string_new (NULL);
  const char *kept;
  gsize wanted;

  for (guint i = 0; i < 100 * 1000; i++)
    {
      gsize before = printed->len;

      g_string_append_printf (printed, "Zeile %u ä…\r\n", i);
      fore_decoder_feed (decoder, printed->str + before, printed->len - before, NULL, NULL);
    }
  fore_decoder_finish (decoder, NULL, NULL);

  kept = fore_decoder_get_summary (decoder)->final_text;
  g_assert_true (g_str_has_suffix (kept, "Zeile 99998 ä…\nZeile 99999 ä…"));
  g_assert_true (g_utf8_validate (kept, -1, NULL));
  g_assert_cmpuint (strlen (kept), >=, 2 * 1024);
  g_assert_cmpuint (strlen (kept), <=, 16 * 1024);

  wanted = fore_decoder_get_output_wanted (decoder);
  g_assert_cmpuint (wanted, >=, 64 * 1024);
  while (((guchar) printed->str[printed->len - wanted] & 0xc0) != 0x80)
    wanted--;
  fore_decoder_take_output (decoder, printed->str + printed->len - wanted, wanted);
  kept = fore_decoder_get_summary (decoder)->final_text;
  g_assert_true (g_str_has_suffix (kept, "Zeile 99998 ä…\nZeile 99999 ä…"));
  g_assert_true (g_utf8_validate (kept, -1, NULL));
  g_assert_null (strchr (kept, '\r'));
  g_assert_cmpuint (strlen (kept), >, wanted / 2);
  g_assert_cmpuint (fore_decoder_get_output_wanted (decoder), ==, 0);
}

/* A short answer is held whole. */
static void
test_short_answer_of_a_command_is_held (void)
{
  g_autoptr (ForeDecoder) decoder = fore_adapter_new_decoder (fore_adapter_lookup ("command"),
                                                              FALSE);

  fore_decoder_feed (decoder, "one\ntwo\n\n", strlen ("one\ntwo\n\n"), NULL, NULL);
  fore_decoder_finish (decoder, NULL, NULL);
  g_assert_cmpuint (fore_decoder_get_output_wanted (decoder), ==, 0);
  g_assert_cmpstr (fore_decoder_get_summary (decoder)->final_text, ==, "one\ntwo");
}

/* Judging */

static ForeCause
judge (const char *agent, const char *text, int exit_code, int term_signal)
{
  const ForeAdapter *adapter = fore_adapter_lookup (agent);
  g_autoptr (ForeDecoder) decoder = agents_tools_decode (adapter, FALSE, text, strlen (text));
  g_autofree char *message = NULL;
  ForeCause cause = fore_decoder_judge (decoder, exit_code, term_signal, adapter->stream_required,
                                        &message);

  g_assert_true ((cause == FORE_CAUSE_NONE) == (message == NULL));

  return cause;
}

static void
test_judge (void)
{
  static const char good[] = "{\"type\":\"text\",\"id\":\"t\",\"text\":\"hi\"}\n"
                             "{\"type\":\"result\",\"state\":\"completed\"}\n";
  static const char half[] = "{\"type\":\"text\",\"id\":\"t\",\"text\":\"hi\"}\n";
  static const char empty[] = "{\"type\":\"result\",\"state\":\"completed\"}\n";
  static const char failed[] = "{\"type\":\"error\",\"status\":529,\"message\":\"busy\"}\n"
                               "{\"type\":\"result\",\"state\":\"failed\"}\n";
  static const char pending[] = "{\"type\":\"error\",\"status\":429,\"message\":\"slow down\"}\n";

  g_assert_cmpint (judge ("demo", good, 0, 0), ==, FORE_CAUSE_NONE);
  g_assert_cmpint (judge ("demo", good, 3, 0), ==, FORE_CAUSE_EXIT);
  g_assert_cmpint (judge ("demo", good, -1, SIGSEGV), ==, FORE_CAUSE_CRASH);
  g_assert_cmpint (judge ("demo", half, 0, 0), ==, FORE_CAUSE_BROKEN_STREAM);
  g_assert_cmpint (judge ("demo", half, 1, 0), ==, FORE_CAUSE_CRASH);
  g_assert_cmpint (judge ("demo", half, -1, SIGKILL), ==, FORE_CAUSE_CRASH);
  g_assert_cmpint (judge ("demo", half, -1, SIGTERM), ==, FORE_CAUSE_INTERRUPTED);
  g_assert_cmpint (judge ("demo", half, 143, 0), ==, FORE_CAUSE_INTERRUPTED);
  g_assert_cmpint (judge ("demo", "", 0, 0), ==, FORE_CAUSE_NO_OUTPUT);
  g_assert_cmpint (judge ("demo", "", 1, 0), ==, FORE_CAUSE_NO_OUTPUT);
  g_assert_cmpint (judge ("demo", empty, 0, 0), ==, FORE_CAUSE_NO_OUTPUT);
  g_assert_cmpint (judge ("demo", "no JSON\n", 0, 0), ==, FORE_CAUSE_BROKEN_STREAM);
  g_assert_cmpint (judge ("demo", failed, 0, 0), ==, FORE_CAUSE_OVERLOADED);
  g_assert_cmpint (judge ("demo", pending, 1, 0), ==, FORE_CAUSE_RATE_LIMIT);
}

static void
test_judge_command (void)
{
  g_assert_cmpint (judge ("command", "", 0, 0), ==, FORE_CAUSE_NONE);
  g_assert_cmpint (judge ("command", "text", 0, 0), ==, FORE_CAUSE_NONE);
  g_assert_cmpint (judge ("command", "text", 1, 0), ==, FORE_CAUSE_EXIT);
  g_assert_cmpint (judge ("command", "401 unauthorized", 1, 0), ==, FORE_CAUSE_EXIT);
  g_assert_cmpint (judge ("command", "", -1, SIGABRT), ==, FORE_CAUSE_CRASH);
}

/* pi says on stderr only that there is no such model, and leaves with 1. */
static void
test_judge_stderr (void)
{
  static const char text[] = "\x1b[31mError: Model not found: nope/nothing\x1b[0m\n";
  g_autoptr (ForeDecoder) decoder = agents_tools_decode (fore_adapter_lookup ("pi"), FALSE, "", 0);
  g_autofree char *message = NULL;

  fore_decoder_note_stderr (decoder, text, strlen (text));
  g_assert_cmpint (fore_decoder_judge (decoder, 1, 0, TRUE, &message), ==, FORE_CAUSE_BAD_MODEL);
  g_assert_cmpstr (message, ==, "Error: Model not found: nope/nothing");
}

static void
add_rows (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strdup_printf ("/decoders/fixture/%s", rows[i].file);
      g_autofree char *split = g_strdup_printf ("/decoders/split/%s", rows[i].file);

      g_test_add_data_func (path, &rows[i], test_fixture);
      g_test_add_data_func (split, &rows[i], test_split);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_rows ();
  g_test_add_func ("/decoders/pi-entries", test_pi_entries);
  g_test_add_func ("/decoders/claude-entries", test_claude_entries);
  g_test_add_func ("/decoders/claude-subagent", test_claude_subagent);
  g_test_add_func ("/decoders/noise-is-kept", test_noise_is_kept);
  g_test_add_func ("/decoders/acp-entries", test_acp_entries);
  g_test_add_func ("/decoders/open-tools", test_open_tools_fail_at_the_end);
  g_test_add_func ("/decoders/usage-once", test_usage_once);
  g_test_add_func ("/decoders/numbers", test_numbers_do_not_wrap);
  g_test_add_func ("/decoders/broken-bytes", test_broken_bytes_are_replaced);
  g_test_add_func ("/decoders/deep-nesting", test_deep_nesting_is_a_row);
  g_test_add_func ("/decoders/long-line", test_long_line_is_folded);
  g_test_add_func ("/decoders/last-part-of-a-command", test_last_part_of_a_command_is_kept);
  g_test_add_func ("/decoders/short-answer-of-a-command", test_short_answer_of_a_command_is_held);
  g_test_add_func ("/decoders/judge", test_judge);
  g_test_add_func ("/decoders/judge-command", test_judge_command);
  g_test_add_func ("/decoders/judge-stderr", test_judge_stderr);

  return g_test_run ();
}
