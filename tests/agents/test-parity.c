/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "live-session.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* The same scenarios through every adapter, once and live, with scripted agents that speak each
 * wire: started with the adapter's own arguments, and the same has to come out of all of them.
 */
typedef struct
{
  const char *cli;
  gboolean live;
} Way;

static const Way ways[] = {
  { "pi", FALSE },       { "claude", FALSE },  { "codex", FALSE }, { "gemini", FALSE },
  { "opencode", FALSE }, { "pi", TRUE },       { "claude", TRUE }, { "codex", TRUE },
  { "gemini", TRUE },    { "opencode", TRUE }, { "acp", TRUE },
};

typedef struct
{
  const char *name;
  const char *prompt;
  gboolean live_only;
  const char *answer;
  const char *say;
  const char *text;
  const char *entries;
  ForeCause cause;
  guint calls;
} Scenario;

static const Scenario scenarios[] = {
  { "answers", "[answer]", FALSE, NULL, NULL, NULL, "text(Hello.) result", FORE_CAUSE_NONE, 1 },
  { "tools", "[tools]", FALSE, NULL, NULL, NULL,
    "text(I look.) tool(make check,failed) tool(make fix,done) text(Done.) result", FORE_CAUSE_NONE,
    2 },
  { "tries-again", "[retry]", FALSE, NULL, NULL, NULL, "text(Back.) result", FORE_CAUSE_NONE, 1 },
  { "wrong-key", "[fail]", FALSE, NULL, NULL, NULL, "result", FORE_CAUSE_AUTH, 0 },
  { "crashes", "[crash]", FALSE, NULL, NULL, NULL, "text(I begin.)", FORE_CAUSE_CRASH, 0 },
  { "allowed", "[ask]", TRUE, "allow_once", NULL, NULL,
    "text(I ask.) permission(make install,done) tool(make install,done) text(Allowed.) result",
    FORE_CAUSE_NONE, 2 },
  { "denied", "[ask]", TRUE, "reject_once", NULL, NULL,
    "text(I ask.) permission(make install,done) text(Denied.) result", FORE_CAUSE_NONE, 2 },
  { "interrupted-while-asking", "[ask]", TRUE, "none", "interrupt", NULL,
    "text(I ask.) permission(make install,failed) result", FORE_CAUSE_INTERRUPTED, 0 },
  { "interrupted", "[slow]", TRUE, NULL, "interrupt", NULL, "text(I work.) result",
    FORE_CAUSE_INTERRUPTED, 0 },
  { "steered", "[slow]", TRUE, NULL, "steer", "[steered]", "text(I work.) text(Steered.) result",
    FORE_CAUSE_NONE, 2 },
  { "followed-up", "[brief]", TRUE, NULL, "follow-up", "[steered]",
    "text(I work.) text(Steered.) result", FORE_CAUSE_NONE, 2 },
};

typedef struct
{
  const Way *way;
  const Scenario *scenario;
} Case;

typedef struct
{
  GPtrArray *entries;
  ForeDecoder *decoder;
  ForeCause cause;
} Outcome;

static char *folder;

/* A name for each agent, as they see how they are called by it. */
static char *
make_agent (const char *cli)
{
  char *path = g_build_filename (folder, cli, NULL);
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "agents", "fake-agent.py", NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    g_assert_cmpint (symlink (script, path), ==, 0);

  return path;
}

static ForeLaunch *
make_launch (const ForeAdapter *adapter, gboolean live)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *program = make_agent (adapter->name);
  const char *command[] = { program, NULL };
  ForeLaunchRequest request = { 0 };
  ForeLaunch *launch;

  request.program = program;
  request.command = command;
  request.prompt = "";
  request.cwd = folder;
  request.live = live;
  launch = fore_adapter_launch (adapter, &request, &error);
  g_assert_no_error (error);

  return launch;
}

static void
add_entry (const ForeEntry *entry, gpointer user_data)
{
  g_ptr_array_add (user_data, fore_entry_copy (entry));
}

static void
run_once (const ForeAdapter *adapter, const Scenario *scenario, Outcome *outcome)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (ForeLaunch) launch = make_launch (adapter, FALSE);
  g_autoptr (GBytes) input = g_bytes_new_static (scenario->prompt, strlen (scenario->prompt));
  g_autoptr (GBytes) output = NULL;
  g_autoptr (GSubprocess) process = g_subprocess_newv (
      (const char *const *) launch->argv,
      G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);

  g_assert_no_error (error);
  g_subprocess_communicate (process, input, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  outcome->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) fore_entry_free);
  outcome->decoder = fore_adapter_new_decoder (adapter, FALSE);
  fore_decoder_feed (outcome->decoder, g_bytes_get_data (output, NULL), g_bytes_get_size (output),
                     add_entry, outcome->entries);
  fore_decoder_finish (outcome->decoder, add_entry, outcome->entries);
  outcome->cause = fore_decoder_judge (outcome->decoder, g_subprocess_get_exit_status (process), 0,
                                       TRUE, NULL);
}

/* A client of the Agent Client Protocol holds back what is said until a turn is over. */
static const char *
choose_prompt (const Way *way, const Scenario *scenario)
{
  gboolean holds_back = way->live && !g_str_equal (way->cli, "pi")
                        && !g_str_equal (way->cli, "claude") && !g_str_equal (way->cli, "codex");

  return holds_back && g_strcmp0 (scenario->say, "steer") == 0 ? "[brief]" : scenario->prompt;
}

static void
say_along (LiveSession *session, const Scenario *scenario)
{
  if (scenario->say == NULL)
    return;

  if (g_strcmp0 (scenario->answer, "none") == 0)
    g_assert_true (live_session_wait (session, live_session_has_asked, NULL));
  else if (g_str_equal (scenario->say, "follow-up"))
    g_assert_true (live_session_wait (session, live_session_is_settled, NULL));
  else
    g_assert_true (live_session_wait (session, live_session_has_text, NULL));
  g_assert_true (live_session_say (session, scenario->say, scenario->text));
}

static void
run_live (const Case *tested, const ForeAdapter *adapter, Outcome *outcome)
{
  g_autoptr (ForeLaunch) launch = make_launch (adapter, TRUE);
  g_autoptr (LiveSession) session = NULL;
  ForeSessionStart start = { 0 };

  start.prompt = choose_prompt (tested->way, tested->scenario);
  start.cwd = folder;
  session = live_session_start (adapter, (const char *const *) launch->argv, NULL, &start);
  session->answer = tested->scenario->answer;
  say_along (session, tested->scenario);
  g_assert_true (live_session_wait (session,
                                    tested->scenario->cause == FORE_CAUSE_CRASH
                                        ? live_session_has_ended
                                        : live_session_is_settled,
                                    NULL));
  live_session_finish (session);

  outcome->cause = fore_decoder_judge (
      session->decoder, g_subprocess_get_exit_status (session->process), 0, TRUE, NULL);
  outcome->entries = g_ptr_array_ref (session->entries);
  outcome->decoder = g_steal_pointer (&session->decoder);
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

/* The text of an entry, however it came. */
static char *
join_text (GPtrArray *entries, const char *id)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < entries->len; i++)
    {
      const ForeEntry *entry = g_ptr_array_index (entries, i);

      if (g_strcmp0 (entry->id, id) != 0)
        continue;
      if (!entry->append)
        g_string_truncate (text, 0);
      g_string_append (text, entry->text != NULL ? entry->text : "");
    }

  return g_strdup (text->str);
}

static char *
describe_entry (GPtrArray *entries, const char *id)
{
  const ForeEntry *last = find_last (entries, id);
  g_autofree char *text = NULL;

  switch (last->kind)
    {
    case FORE_ENTRY_TEXT:
      text = join_text (entries, id);
      return g_strdup_printf ("text(%s)", text);
    case FORE_ENTRY_TOOL:
    case FORE_ENTRY_PERMISSION:
      return g_strdup_printf ("%s(%s,%s)", fore_entry_kind_to_string (last->kind), last->title,
                              fore_entry_state_to_string (last->state));
    case FORE_ENTRY_RESULT:
      return g_strdup ("result");
    default:
      return NULL;
    }
}

/* What was said, done and asked, each once and as it is in the end; the result is last. */
static char *
describe (GPtrArray *entries)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  gboolean result = FALSE;

  for (guint i = 0; i < entries->len; i++)
    {
      const ForeEntry *entry = g_ptr_array_index (entries, i);
      g_autofree char *word = NULL;

      if (!g_hash_table_add (seen, entry->id))
        continue;
      word = describe_entry (entries, entry->id);
      result |= entry->kind == FORE_ENTRY_RESULT;
      if (word != NULL && entry->kind != FORE_ENTRY_RESULT)
        g_ptr_array_add (words, g_steal_pointer (&word));
    }

  if (result)
    g_ptr_array_add (words, g_strdup ("result"));
  g_ptr_array_add (words, NULL);

  return g_strjoinv (" ", (char **) words->pdata);
}

static void
test_case (gconstpointer data)
{
  const Case *tested = data;
  const Scenario *scenario = tested->scenario;
  const ForeAdapter *adapter = fore_adapter_lookup (tested->way->cli);
  Outcome outcome = { 0 };
  const ForeSummary *summary;
  g_autofree char *entries = NULL;

  if (tested->way->live)
    run_live (tested, adapter, &outcome);
  else
    run_once (adapter, scenario, &outcome);

  summary = fore_decoder_get_summary (outcome.decoder);
  entries = describe (outcome.entries);
  g_assert_cmpstr (entries, ==, scenario->entries);
  g_assert_cmpstr (fore_cause_to_string (outcome.cause), ==,
                   fore_cause_to_string (scenario->cause));
  if (scenario->calls > 0)
    {
      g_assert_cmpint (summary->usage.input, ==, 100 * scenario->calls);
      g_assert_cmpint (summary->usage.output, ==, 10 * scenario->calls);
    }
  if (summary->session != NULL)
    g_assert_cmpstr (summary->session, ==, "s-1");

  fore_decoder_free (outcome.decoder);
  g_ptr_array_unref (outcome.entries);
}

static void
add_case (const Way *way, const Scenario *scenario)
{
  g_autofree char *path = g_strdup_printf ("/parity/%s/%s%s", scenario->name, way->cli,
                                           way->live ? "-live" : "");
  Case *tested = g_new (Case, 1);

  *tested = (Case){ way, scenario };
  g_test_add_data_func_full (path, tested, test_case, g_free);
}

static void
remove_folder (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_remove (path);
    }
  g_rmdir (folder);
  g_free (folder);
}

int
main (int argc, char **argv)
{
  g_autofree char *python = g_find_program_in_path ("python3");
  int result;

  g_test_init (&argc, &argv, NULL);
  if (python == NULL)
    {
      g_print ("1..0 # SKIP python3, in which the scripted agents are written, is not installed\n");
      return 0;
    }

  folder = g_dir_make_tmp ("foredeck-parity-XXXXXX", NULL);
  for (guint s = 0; s < G_N_ELEMENTS (scenarios); s++)
    {
      for (guint w = 0; w < G_N_ELEMENTS (ways); w++)
        {
          if (ways[w].live || !scenarios[s].live_only)
            add_case (&ways[w], &scenarios[s]);
        }
    }
  result = g_test_run ();
  remove_folder ();

  return result;
}
