/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "config.h"

#include "engine/fore-doctor.h"

#include "agents/fore-adapter.h"
#include "model/fore-error.h"
#include "platform/fore-dirs.h"
#include "platform/fore-guard-client.h"
#include "platform/fore-random-id.h"
#include "store/fore-capture.h"
#include "text/fore-json.h"
#include "text/fore-text.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#define PROMPT "Reply with the single word READY and nothing else. Use no tools."
#define TASK "test"
#define LIMIT_MS 90000
#define CAPTURE_LIMIT (16 * 1024 * 1024)
#define MAX_ANSWER 500

/* One attempt outside of any run: its folders are those of a run and go away with it. */
typedef struct
{
  const ForeAdapter *adapter;
  char *home; /* temporary */
  char *run;
  char *run_dir;
  char *tree;
  GMainLoop *loop;
  gboolean exited;
  ForeGuardRecord record;
} Test;

static gboolean
remove_folder (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        remove_folder (child);
      else
        g_remove (child);
    }

  return g_rmdir (path) == 0;
}

static void
test_clear (Test *test)
{
  if (test->home != NULL)
    remove_folder (test->home);
  g_free (test->home);
  g_free (test->run);
  g_free (test->run_dir);
  g_free (test->tree);
  g_clear_pointer (&test->loop, g_main_loop_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Test, test_clear)

static gboolean
make_folders (Test *test, GError **error)
{
  test->home = g_dir_make_tmp ("foredeck-test-XXXXXX", error);
  if (test->home == NULL)
    return FALSE;

  test->run = fore_platform_random_run_id ();
  if (!fore_dirs_ensure_run (test->home, test->run, error))
    return FALSE;

  test->run_dir = fore_dirs_dup_run_dir (test->home, test->run);
  test->tree = g_build_filename (test->home, "tree", NULL);

  return fore_dirs_ensure_dir (test->tree, error);
}

static ForeLaunch *
ask_adapter (Test *test, GError **error)
{
  g_autofree char *program = fore_adapter_find_program (test->adapter, error);
  g_autofree char *path = fore_dirs_dup_attempt_path (test->home, test->run, TASK, 1, "in");
  ForeLaunchRequest request = { 0 };

  if (program == NULL || !g_file_set_contents (path, PROMPT, -1, error))
    return NULL;

  request.program = program;
  request.prompt = PROMPT;
  request.prompt_path = path;
  request.goal = PROMPT;
  request.cwd = test->tree;
  request.read_only = TRUE;
  request.max_turns = 1;

  return fore_adapter_launch (test->adapter, &request, error);
}

static void
on_exited (ForeGuard *guard, const ForeGuardRecord *record, gpointer user_data)
{
  Test *test = user_data;

  g_assert (record != NULL);

  test->record = *record;
  test->exited = TRUE;
  g_main_loop_quit (test->loop);
}

static gboolean
on_cancelled (GCancellable *cancellable, gpointer user_data)
{
  Test *test = user_data;

  g_main_loop_quit (test->loop);
  return G_SOURCE_REMOVE;
}

static ForeGuard *
spawn (Test *test, ForeGuardHub *hub, const ForeLaunch *launch, GError **error)
{
  g_auto (GStrv) env = fore_adapter_build_environ (test->adapter, launch, test->run, TASK, 1, NULL);
  ForeGuardLaunch guard = FORE_GUARD_LAUNCH_INIT;

  guard.run = test->run;
  guard.task = TASK;
  guard.n = 1;
  guard.run_dir = test->run_dir;
  guard.argv = (const char *const *) launch->argv;
  guard.env = (const char *const *) env;
  guard.cwd = test->tree;
  guard.capture_limit = CAPTURE_LIMIT;
  guard.wall_ms = LIMIT_MS;
  guard.orphan_grace_ms = 1;
  guard.capture_mode = launch->pipe_output ? FORE_GUARD_CAPTURE_PIPE : FORE_GUARD_CAPTURE_FILE;
  guard.stdin_mode = launch->stdin_mode == FORE_STDIN_FILE ? FORE_GUARD_STDIN_FILE
                                                           : FORE_GUARD_STDIN_NULL;

  return fore_guard_spawn (hub, &guard, error);
}

/* Runs until the guard has ended its whole tree; a cancel ends it first. */
static gboolean
run_guard (Test *test, const ForeLaunch *launch, GCancellable *cancellable, GError **error)
{
  g_autoptr (ForeGuardHub) hub = fore_guard_hub_new (test->run_dir, error);
  g_autoptr (ForeGuard) guard = hub != NULL ? spawn (test, hub, launch, error) : NULL;
  g_autoptr (GSource) cancel = g_cancellable_source_new (cancellable);

  if (guard == NULL)
    return FALSE;

  g_signal_connect (guard, "exited", G_CALLBACK (on_exited), test);
  g_source_set_callback (cancel, G_SOURCE_FUNC (on_cancelled), test, NULL);
  g_source_attach (cancel, g_main_loop_get_context (test->loop));
  g_main_loop_run (test->loop);
  g_source_destroy (cancel);

  if (!test->exited)
    {
      fore_guard_kill (guard);
      while (!test->exited)
        g_main_context_iteration (g_main_loop_get_context (test->loop), TRUE);
      g_set_error (error, FORE_ERROR, FORE_ERROR_CANCELLED, _ ("The test was cancelled."));
      return FALSE;
    }

  return TRUE;
}

static void
ignore_entry (const ForeEntry *entry, gpointer user_data)
{
}

static ForeDecoder *
decode (Test *test)
{
  g_autofree char *path = fore_dirs_dup_attempt_path (test->home, test->run, TASK, 1, "out");
  g_autoptr (ForeCapture) capture = fore_capture_open (path, NULL);
  ForeDecoder *decoder = fore_adapter_new_decoder (test->adapter, FALSE);

  while (capture != NULL)
    {
      g_autoptr (GBytes) bytes = fore_capture_read (capture, NULL);
      gsize length = 0;
      const char *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

      if (length == 0)
        break;
      fore_decoder_feed (decoder, data, length, ignore_entry, NULL);
    }
  fore_decoder_finish (decoder, ignore_entry, NULL);

  return decoder;
}

static char *
explain (const Test *test, const char *message)
{
  if (test->record.reason == FORE_GUARD_REASON_WALL_LIMIT)
    return g_strdup (_ ("It did not answer in time."));
  if (test->record.reason == FORE_GUARD_REASON_EXEC_FAILED)
    return g_strdup_printf (_ ("It could not be started: %s."), g_strerror (test->record.error));

  return g_strdup (message != NULL ? message : _ ("It ended without an answer."));
}

static JsonNode *
report (Test *test)
{
  g_autoptr (ForeDecoder) decoder = decode (test);
  const ForeSummary *summary = fore_decoder_get_summary (decoder);
  g_autofree char *message = NULL;
  ForeCause cause = fore_decoder_judge (decoder, test->record.exit_code, test->record.term_signal,
                                        test->adapter->stream_required, &message);
  gboolean works = cause == FORE_CAUSE_NONE && test->record.reason == FORE_GUARD_REASON_EXITED;
  g_autofree char *answer = summary->final_text != NULL
                                ? fore_text_shorten (summary->final_text, MAX_ANSWER)
                                : NULL;
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();

  fore_json_set_text (object, "cli", test->adapter->name);
  json_object_set_boolean_member (object, "works", works);
  fore_json_set_text (object, "answer", answer);
  fore_json_set_text (object, "model", summary->model);
  json_object_set_int_member (object, "ms",
                              (test->record.end_boot_us - test->record.start_boot_us) / 1000);
  if (summary->usage.cost >= 0)
    json_object_set_double_member (object, "cost", summary->usage.cost / 1e6);
  if (fore_usage_get_tokens (&summary->usage) >= 0)
    json_object_set_int_member (object, "tokens", fore_usage_get_tokens (&summary->usage));
  if (!works)
    {
      g_autofree char *problem = explain (test, message);

      fore_json_set_text (object, "cause", fore_cause_to_string (cause));
      fore_json_set_text (object, "problem", problem);
    }

  json_node_take_object (node, object);
  return node;
}

/**
 * fore_doctor_test_agent:
 * @store: the store
 * @cli: name of an agent CLI
 * @cancellable: (nullable): a cancellable
 * @error: where to put an error
 *
 * Sends one tiny prompt to an agent in an empty folder, started as a run would start it. This may
 * cost a little. Blocking, for at most a minute and a half.
 *
 * Returns: (transfer full) (nullable): {cli, works, answer, model, ms, cost, tokens, cause,
 * problem}; %NULL when it could not be tried
 */
JsonNode *
fore_doctor_test_agent (ForeStore *store,
                        const char *cli,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (GMainContext) context = NULL;
  g_auto (Test) test = { 0 };
  g_autoptr (ForeLaunch) launch = NULL;
  gboolean done;

  g_return_val_if_fail (FORE_IS_STORE (store), NULL);
  g_return_val_if_fail (cli != NULL, NULL);

  test.adapter = fore_adapter_lookup (cli);
  if (test.adapter == NULL || test.adapter->program == NULL || !test.adapter->one_shot)
    {
      g_set_error (error, FORE_ERROR, FORE_ERROR_USAGE,
                   _ ("“%s” is no agent CLI that can be tested with one prompt."), cli);
      return NULL;
    }

  if (!make_folders (&test, error) || (launch = ask_adapter (&test, error)) == NULL)
    return NULL;

  context = g_main_context_new ();
  g_main_context_push_thread_default (context);
  test.loop = g_main_loop_new (context, FALSE);
  done = run_guard (&test, launch, cancellable, error);
  g_main_context_pop_thread_default (context);

  return done ? report (&test) : NULL;
}
